import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Synchronization
import Testing

/// `settle` asks the server whether a request was carried out, before it is sent again.
@Suite(.timeLimit(.minutes(5))) struct SettleTests {
  /// A server that places orders by reference.
  private final class Shop: Sendable {
    struct State {
      var placed: [String: Int] = [:]
      var lost = 0
      var looks = 0
      var posts: [String] = []
    }
    let state: Mutex<State>
    /// How the first requests are lost.
    enum Loss { case beforeItIsPlaced, after, late, refusedAfter }
    let loss: Loss
    let lookStatus: Int

    init(losing count: Int, _ loss: Loss, lookStatus: Int = 200) {
      state = Mutex(State(lost: count))
      self.loss = loss
      self.lookStatus = lookStatus
    }

    var transport: ScriptedTransport {
      ScriptedTransport { [self] request in
        let reference = request.url.split(separator: "/").last.map(String.init) ?? ""
        return state.withLock { state in
          guard request.method == "POST" else {
            state.looks += 1
            if loss == .late, state.looks == 3 { state.placed[reference, default: 0] += 1 }
            if lookStatus != 200 { return .status(lookStatus) }
            guard state.placed[reference] != nil else { return .status(404) }
            return .json(["id": .string(reference)])
          }
          state.posts.append(reference)
          if state.lost > 0 {
            state.lost -= 1
            if loss == .after || loss == .refusedAfter { state.placed[reference, default: 0] += 1 }
            if loss == .refusedAfter { return .status(503) }
            return .failure(TransportError(.interrupted, "reset"))
          }
          state.placed[reference, default: 0] += 1
          return .json(["id": .string(reference)])
        }
      }
    }

    var posts: [String] { state.withLock { $0.posts } }
    var looks: Int { state.withLock { $0.looks } }
    var most: Int { state.withLock { $0.placed.values.max() ?? 0 } }
  }

  private static func orders(
    _ items: String = #"["a"]"#, retry: String = "", settle: String = "", edited: String = ""
  ) -> String {
    """
    {"defaults": {"baseURL": "https://api.example"}, "steps": [
      {"id": "order", "forEach": \(items), "concurrency": 1, "endpoint": "POST /orders/{{item}}",
       "body": {"json": {"n": 1\(edited)}}, "extract": {"id": "$.id"}\(retry),
       "settle": {"endpoint": "GET /orders/{{item}}", "expect": {"status": [200, 404]},
                  "done": "@.status == 200", "extract": {"id": "$.id"}\(settle)}}],
     "outputs": {"ids": "$.order[*].id"}}
    """
  }

  private func run(
    _ text: String, _ journal: MemoryJournal?, _ shop: Shop, on clock: any RunClock = VirtualClock()
  ) async throws -> RunReport {
    var options = RunOptions()
    options.journal = journal
    options.clock = clock
    return try await Pipeline(try plan(text), transport: shop.transport, options: options)
      .run().result.report
  }

  // MARK: retry

  @Test(arguments: [true, false])
  func anOrderThatWasPlacedIsNotSentAgain(_ isKept: Bool) async throws {
    let shop = Shop(losing: 1, .after)
    let journal = isKept ? MemoryJournal() : nil
    let report = try await run(Self.orders(retry: #", "retry": 3"#), journal, shop)
    #expect(report.status == .succeeded)
    #expect(report.outputs.text == #"{"ids":["a"]}"#)
    #expect(shop.posts == ["a"] && shop.looks == 1)
    #expect(report.counts.inDoubt == 0)
    if let journal { #expect(try journal.history().sendings.isEmpty) }
  }

  @Test func anOrderThatNeverArrivedIsSentAgain() async throws {
    let shop = Shop(losing: 2, .beforeItIsPlaced)
    let journal = MemoryJournal()
    let report = try await run(Self.orders(retry: #", "retry": 3"#), journal, shop)
    #expect(report.status == .succeeded)
    #expect(shop.posts == ["a", "a", "a"] && shop.most == 1)
    #expect(try journal.history().sendings.isEmpty)
  }

  /// It may take effect until `within` has passed since it was sent.
  @Test func anOrderThatArrivesLateIsFound() async throws {
    let shop = Shop(losing: 1, .late)
    let clock = VirtualClock()
    let report = try await run(
      Self.orders(retry: #", "retry": 3"#, settle: #", "within": "5s""#), MemoryJournal(), shop,
      on: clock)
    #expect(report.status == .succeeded)
    #expect(shop.posts == ["a"] && shop.looks == 3 && shop.most == 1)
  }

  @Test func aLookUpThatFailsLeavesTheRequestInDoubt() async throws {
    let shop = Shop(losing: 1, .after, lookStatus: 500)
    let journal = MemoryJournal()
    let report = try await run(Self.orders(retry: #", "retry": 3"#), journal, shop)
    #expect(report.status == .failed)
    #expect(shop.posts == ["a"])
    #expect(report.counts.inDoubt == 1)
    #expect(try journal.history().sendings.count == 1)
    #expect(report.failures.first?.failure.hints.contains { $0.contains("'settle'") } == true)
  }

  // MARK: resume

  /// A run whose requests were lost, and that has no `retry`.
  private func interrupted(_ items: String, _ shop: Shop) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    let report = try await run(Self.orders(items), journal, shop)
    #expect(report.status == .failed && report.counts.inDoubt == 0)
    return journal
  }

  @Test func resumeAsksFirst() async throws {
    let shop = Shop(losing: 1, .after)
    let journal = try await interrupted(#"["a", "b"]"#, shop)
    // An edit of the look-up changes nothing about what was sent.
    let report = try await run(
      Self.orders(#"["b", "a"]"#, settle: #", "within": "2m""#), journal, shop)
    #expect(report.status == .succeeded)
    #expect(report.outputs.text == #"{"ids":["b","a"]}"#)
    #expect(shop.posts == ["a", "b"] && shop.most == 1)
    #expect(try journal.history().sendings.isEmpty)
    let third = try await run(Self.orders(#"["b", "a"]"#), journal, shop)
    #expect(third.status == .succeeded && shop.posts.count == 2)
  }

  /// A look-up would ask for the new request, and not for the one that was sent.
  @Test(arguments: [
    orders(#"["a", "b"]"#, edited: #", "more": true"#), orders(#"["x", "b"]"#),
    orders(#"["y", "a", "b"]"#, edited: #", "more": true"#),
  ])
  func aPersonIsAskedAboutARequestThatHasChanged(_ edited: String) async throws {
    let shop = Shop(losing: 1, .after)
    let journal = try await interrupted(#"["a", "b"]"#, shop)
    let (posts, looks) = (shop.posts, shop.looks)
    let asked = await #expect(throws: RunInDoubt.self) {
      try await run(edited, journal, shop)
    }
    #expect(asked?.requests.contains { $0.unit.name == "order[0]" } == true)
    #expect(shop.posts == posts && shop.looks == looks)
  }

  @Test func resumeSendsWhatWasNotCarriedOut() async throws {
    let shop = Shop(losing: 1, .beforeItIsPlaced)
    let journal = try await interrupted(#"["a"]"#, shop)
    let report = try await run(Self.orders(), journal, shop)
    #expect(report.status == .succeeded)
    #expect(shop.posts == ["a", "a"] && shop.most == 1)
    #expect(try journal.history().sendings.isEmpty)
  }

  /// No unit looks it up, and another item stands in its place.
  @Test func aPersonIsAskedAboutARequestWhoseItemIsGone() async throws {
    let shop = Shop(losing: 1, .after)
    let journal = try await interrupted(#"["a", "b"]"#, shop)
    let asked = await #expect(throws: RunInDoubt.self) {
      try await run(Self.orders(#"["b"]"#), journal, shop)
    }
    let request = try #require(asked?.requests.first)
    #expect(request.url.hasSuffix("/orders/a"))
    journal.settle(request, as: .skip)
    let report = try await run(Self.orders(#"["b"]"#), journal, shop)
    #expect(report.status == .succeeded && report.counts.inDoubt == 0)
    #expect(shop.posts == ["a", "b"])
  }

  /// Wherever a process ends, no order is placed twice.
  @Test(arguments: [true, false])
  func noPrefixOfAJournalPlacesAnOrderTwice(_ isAnswered: Bool) async throws {
    let shop = Shop(losing: 1, isAnswered ? .refusedAfter : .after)
    let journal = MemoryJournal()
    _ = try await run(Self.orders(#"["a", "b"]"#, retry: #", "retry": 2"#), journal, shop)
    for count in 0...journal.entries.count {
      let again = Shop(losing: 0, .after)
      let before = journal.prefix(count)
      // What the server has done by then.
      for case .sending(let sending) in before.entries {
        again.state.withLock { $0.placed[String(sending.url.suffix(1))] = 1 }
      }
      let report = try await run(
        Self.orders(#"["a", "b"]"#, retry: #", "retry": 2"#), before, again)
      #expect(report.status == .succeeded, "entry \(count)")
      #expect(again.most == 1, "entry \(count)")
    }
  }
}
