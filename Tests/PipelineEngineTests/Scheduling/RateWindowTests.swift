import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import PipelineURIs
import Testing

@testable import PipelineEngine

/// What a rate promises: at most so many requests leave in any span of its length.
@Suite struct RateWindowTests {
  /// A request that was let through leaves after this long, or never.
  private struct Leaving {
    let time: Duration
    let origin: Int
    let isGivenUp: Bool
  }

  /// Requests come in crowds and alone, to three origins, of which some ask for pauses; they leave
  /// at once or after they have connected, and some are given up before that.
  @Test(arguments: 0..<LongTests.count(16, long: 60))
  func noSpanSeesMoreThanTheRate(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let run = Limits.Rate(
      count: Int.random(in: 1...12, using: &generator),
      per: .milliseconds(Int.random(in: 1...20, using: &generator) * 100))
    let origin = Limits.Rate(
      count: Int.random(in: 1...8, using: &generator),
      per: .milliseconds(Int.random(in: 1...20, using: &generator) * 100))
    let hosts = try (0..<3).map { try #require(Origin(of: "https://h\($0).example")) }
    var book = GateBook(
      limits: OriginGates.Limits(run: .max, origin: .max, runRate: run, originRate: origin))
    var now = Duration.zero
    var waiting: [(ticket: Int, origin: Int, wake: Duration)] = []
    var leaving: [Leaving] = []
    var sent: [(time: Duration, origin: Int)] = []
    func goes(_ host: Int, _ generator: inout SeededGenerator) {
      let delay = Bool.random(using: &generator) ? 0 : Int.random(in: 0...3000, using: &generator)
      leaving.append(
        Leaving(
          time: now + .milliseconds(delay), origin: host,
          isGivenUp: Int.random(in: 0..<10, using: &generator) == 0))
    }
    for _ in 0..<400 {
      now += .milliseconds([0, 0, 0, 1, 7, 120, 2500].randomElement(using: &generator) ?? 0)
      for event in leaving.sorted(by: { $0.time < $1.time }) where event.time <= now {
        if !event.isGivenUp {
          book.sends(to: hosts[event.origin], at: event.time)
          sent.append((event.time, event.origin))
        }
        _ = book.leave(hosts[event.origin], wasSent: !event.isGivenUp, at: event.time)
      }
      leaving.removeAll { $0.time <= now }
      for index in waiting.indices.reversed() where waiting[index].wake <= now {
        let (ticket, host, _) = waiting[index]
        switch book.ask(ticket, at: now) {
        case .go?:
          waiting.remove(at: index)
          goes(host, &generator)
        case .hold(let duration)?: waiting[index].wake = now + duration
        case .queue?, nil: Issue.record("nothing but a rate is waited for")
        }
      }
      if Int.random(in: 0..<40, using: &generator) == 0 {
        book.hold(hosts[0], until: now + .seconds(1))
      }
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let host = Int.random(in: 0..<3, using: &generator)
        let (decision, ticket) = book.enter(hosts[host], at: now)
        switch decision {
        case .go: goes(host, &generator)
        case .hold(let duration): waiting.append((ticket, host, now + duration))
        case .queue: Issue.record("nothing but a rate is waited for")
        }
      }
    }
    #expect(sent.count > 20)
    sent.sort { $0.time < $1.time }
    expectRate(run, of: sent.map(\.time))
    for host in 0..<3 {
      expectRate(origin, of: sent.filter { $0.origin == host }.map(\.time))
    }
  }

  /// Slides the span over the times at which requests left.
  private func expectRate(_ rate: Limits.Rate, of times: [Duration]) {
    for (index, time) in times.enumerated() {
      let inside = times[index...].prefix { $0 <= time + rate.per }.count
      #expect(inside <= rate.count, "\(inside) from \(time) on")
    }
  }

  /// Timers wake some milliseconds late, which must not add up.
  @Test(arguments: [(20, 1), (100, 1), (500, 1), (3, 10)])
  func theRateIsReachedInTheLongRun(count: Int, seconds: Int) throws {
    var window = RateWindow(Limits.Rate(count: count, per: .seconds(seconds)))
    var now = Duration.zero
    var left = 0
    while now < .seconds(seconds * 20) {
      let pause = window.pause(at: now)
      guard pause == .zero else {
        now += pause + .milliseconds(2)
        continue
      }
      window.take(at: now)
      window.leaves(at: now)
      left += 1
    }
    // The first span's burst is in addition.
    #expect(left >= count * 19)
    #expect(left <= count * 21)
  }
}

extension RateWindowTests {
  /// Processes that share a rate never send more together than one may alone.
  @Test(arguments: 0..<LongTests.count(12, long: 40))
  func noSpanSeesMoreThanTheRateOfAllShares(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let rate = Limits.Rate(
      count: Int.random(in: 1...30, using: &generator),
      per: .milliseconds(Int.random(in: 1...20, using: &generator) * 100))
    let shards = Int.random(in: 2...24, using: &generator)
    var sent: [Duration] = []
    for shard in 0..<shards {
      let share = Share(parts: 1, total: shards, turn: shard)
      var window = RateWindow(rate.limited(to: share))
      // Each begins at a moment of its own, always has something to send, and wakes late.
      var now = Duration.milliseconds(Int.random(in: 0...5_000, using: &generator))
      let end = now + rate.per * 40
      while now < end {
        let pause = window.pause(at: now)
        if pause > .zero {
          now += pause + .microseconds(Int.random(in: 0...900, using: &generator))
          continue
        }
        window.take(at: now)
        window.leaves(at: now)
        sent.append(now)
        now += .microseconds(Int.random(in: 1...2_000, using: &generator))
      }
    }
    sent.sort()
    for index in sent.indices.dropFirst(rate.count) {
      #expect(sent[index] - sent[index - rate.count] >= rate.per, "\(rate) in \(shards) shards")
    }
    #expect(sent.count > 10)
  }
}
