import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import PipelineURIs
import Testing

@testable import PipelineEngine

/// Who may send when, second by second.
@Suite struct GateBookTests {
  private let a: Origin
  private let b: Origin

  init() throws {
    a = try #require(Origin(of: "https://a.example"))
    b = try #require(Origin(of: "https://b.example"))
  }

  /// A book that can be asked within `#expect`.
  private final class Book {
    private var book: GateBook

    init(
      run: Int = .max, origin: Int = .max, runRate: Limits.Rate? = nil,
      originRate: Limits.Rate? = nil
    ) {
      book = GateBook(
        limits: OriginGates.Limits(
          run: run, origin: origin, runRate: runRate, originRate: originRate))
    }

    func enter(_ origin: Origin, at now: Int) -> (decision: GateBook.Decision, ticket: Int) {
      book.enter(origin, at: .seconds(now))
    }

    func ask(_ ticket: Int, at now: Int) -> GateBook.Decision? {
      book.ask(ticket, at: .seconds(now))
    }

    func ask(_ ticket: Int, at now: Duration) -> GateBook.Decision? { book.ask(ticket, at: now) }

    func sends(to origin: Origin, at now: Duration) { book.sends(to: origin, at: now) }

    func drop(_ ticket: Int) -> Bool { book.drop(ticket) }

    func leave(_ origin: Origin, wasSent: Bool = true, at now: Int) -> [GateBook.Call] {
      book.leave(origin, wasSent: wasSent, at: .seconds(now))
    }

    func hold(_ origin: Origin, until end: Int) { book.hold(origin, until: .seconds(end)) }
  }

  @Test func aPlaceGoesToTheFirstThatCanUseIt() {
    let book = Book(run: 2, origin: 1)
    #expect(book.enter(a, at: 0).decision == .go)
    let waitsForOrigin = book.enter(a, at: 0)
    #expect(waitsForOrigin.decision == .queue)
    #expect(book.enter(b, at: 0).decision == .go)
    let waitsForRun = book.enter(b, at: 0)
    #expect(waitsForRun.decision == .queue)
    // The first that waits is for 'a', whose place is taken; the second can go.
    #expect(
      book.leave(b, at: 0) == [GateBook.Call(ticket: waitsForRun.ticket, hasEntered: true)])
    #expect(
      book.leave(a, at: 0) == [GateBook.Call(ticket: waitsForOrigin.ticket, hasEntered: true)])
    #expect(book.leave(a, at: 0) == [])
  }

  @Test func whoGivesUpTakesNobodysPlace() {
    let book = Book(run: 1)
    #expect(book.enter(a, at: 0).decision == .go)
    let first = book.enter(a, at: 0).ticket
    let second = book.enter(a, at: 0).ticket
    #expect(book.drop(first))
    #expect(!book.drop(first))
    #expect(book.ask(first, at: 0) == nil)
    #expect(book.leave(a, at: 0) == [GateBook.Call(ticket: second, hasEntered: true)])
  }

  @Test func aHeldOriginLetsOthersGo() {
    let book = Book(run: 1)
    #expect(book.enter(b, at: 0).decision == .go)
    let toHeld = book.enter(a, at: 0)
    let toOther = book.enter(b, at: 0)
    book.hold(a, until: 9)
    #expect(
      book.leave(b, at: 2) == [
        GateBook.Call(ticket: toHeld.ticket, hasEntered: false),
        GateBook.Call(ticket: toOther.ticket, hasEntered: true),
      ])
    #expect(book.ask(toHeld.ticket, at: 2) == .hold(.seconds(7)))
    #expect(book.leave(b, at: 3) == [])
    #expect(book.ask(toHeld.ticket, at: 9) == .go)
  }

  /// A span is counted 5 ms longer than it is.
  private func seconds(_ seconds: Int, _ spans: Double = 1) -> Duration {
    .seconds(seconds) + .milliseconds(5) * spans
  }

  @Test func aRateAllowsABurstAndThenAnEvenDistance() {
    let book = Book(runRate: Limits.Rate(count: 2, per: .seconds(4)))
    #expect(book.enter(a, at: 0).decision == .go)
    #expect(book.enter(b, at: 0).decision == .go)
    book.sends(to: a, at: .zero)
    book.sends(to: b, at: .zero)
    let third = book.enter(a, at: 0)
    let fourth = book.enter(b, at: 0)
    #expect(third.decision == .hold(seconds(4)))
    #expect(fourth.decision == .hold(seconds(6, 1.5)))
    #expect(book.ask(third.ticket, at: 4) == .hold(.milliseconds(5)))
    #expect(book.ask(third.ticket, at: seconds(4)) == .go)
    book.sends(to: a, at: seconds(4))
    // Whoever comes later does not overtake whoever waits.
    let fifth = book.enter(a, at: 5)
    #expect(fifth.decision == .hold(seconds(3, 2)))
    #expect(book.ask(fourth.ticket, at: seconds(6, 1.5)) == .go)
    book.sends(to: b, at: seconds(6, 1.5))
    #expect(book.ask(fifth.ticket, at: seconds(8, 2)) == .go)
    book.sends(to: a, at: seconds(8, 2))
    // After a while without requests the burst is back, and no more than it.
    let later = 100
    #expect(book.enter(a, at: later).decision == .go)
    #expect(book.enter(a, at: later).decision == .go)
    book.sends(to: a, at: .seconds(later))
    book.sends(to: a, at: .seconds(later))
    #expect(book.enter(a, at: later).decision == .hold(seconds(4)))
  }

  @Test func theMomentOfSendingCountsAndNotThatOfBeingLetThrough() {
    let book = Book(runRate: Limits.Rate(count: 1, per: .seconds(1)))
    #expect(book.enter(a, at: 0).decision == .go)
    let second = book.enter(a, at: 0)
    // The first still connects, so that a span from now on is the least.
    #expect(book.ask(second.ticket, at: 3) == .hold(seconds(1)))
    book.sends(to: a, at: .seconds(3))
    #expect(book.ask(second.ticket, at: 4) == .hold(.milliseconds(5)))
    #expect(book.ask(second.ticket, at: seconds(4)) == .go)
  }

  @Test func whatIsGivenUpBeforeItIsSentCountsForNothing() {
    let book = Book(runRate: Limits.Rate(count: 2, per: .seconds(1)))
    #expect(book.enter(a, at: 0).decision == .go)
    #expect(book.leave(a, wasSent: false, at: 0) == [])
    for _ in 0..<2 { book.sends(to: a, at: .zero) }
    #expect(book.enter(a, at: 0).decision == .hold(seconds(1)))
  }

  @Test func aRateOfAnOriginIsForItAlone() {
    let book = Book(originRate: Limits.Rate(count: 1, per: .seconds(1)))
    #expect(book.enter(a, at: 0).decision == .go)
    book.sends(to: a, at: .zero)
    #expect(book.enter(a, at: 0).decision == .hold(seconds(1)))
    #expect(book.enter(a, at: 0).decision == .hold(seconds(2, 2)))
    #expect(book.enter(b, at: 0).decision == .go)
  }

  /// Whatever comes, as many as the limits allow are in flight while anybody could use a place.
  @Test(arguments: 0..<50) func noPlaceIsLost(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (run, origin) = (Int.random(in: 1...4, using: &generator), 2)
    let book = Book(run: run, origin: origin)
    var inFlight: [Origin: Int] = [a: 0, b: 0]
    var waiting: [(ticket: Int, origin: Origin)] = []
    for _ in 0..<400 {
      let target = Bool.random(using: &generator) ? a : b
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        let (decision, ticket) = book.enter(target, at: 0)
        if decision == .go {
          inFlight[target, default: 0] += 1
        } else {
          waiting.append((ticket, target))
        }
      case 2 where inFlight[target, default: 0] > 0:
        inFlight[target, default: 0] -= 1
        for call in book.leave(target, at: 0) {
          guard let index = waiting.firstIndex(where: { $0.ticket == call.ticket }) else {
            Issue.record("a ticket is called that nobody holds")
            continue
          }
          inFlight[waiting.remove(at: index).origin, default: 0] += 1
        }
      default:
        guard let index = waiting.indices.randomElement(using: &generator) else { continue }
        #expect(book.drop(waiting.remove(at: index).ticket))
      }
      let total = inFlight.values.reduce(0, +)
      #expect(total <= run && inFlight.values.allSatisfy { $0 <= origin })
      let couldGo = waiting.contains { total < run && inFlight[$0.origin, default: 0] < origin }
      #expect(!couldGo)
    }
  }
}
