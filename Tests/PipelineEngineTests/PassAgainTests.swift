import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelinePlanning
import PipelineTesting
import Synchronization
import Testing

/// `retry` of a block and of a called file: all of it begins again.
@Suite(.timeLimit(.minutes(5))) struct PassAgainTests {
  /// A stock whose entity tag changes with each change, also by others.
  private final class Stock: Sendable {
    struct State {
      var stock = 5
      var tag = 1
      var rivals: Int
      var gets = 0
      var puts: [String] = []
      var posts: [String] = []
      var unlocks = 0
    }
    let state: Mutex<State>

    init(rivals: Int) { state = Mutex(State(rivals: rivals)) }

    var transport: ScriptedTransport {
      ScriptedTransport { [self] request in
        state.withLock { state in
          switch request.method {
          case "GET":
            state.gets += 1
            let answer = ScriptedTransport.Answer.json(
              ["stock": JSONValue(state.stock)],
              headers: [HeaderField("ETag", "\"\(state.tag)\"")])
            // Somebody else is faster.
            if state.rivals > 0 {
              state.rivals -= 1
              state.stock -= 1
              state.tag += 1
            }
            return answer
          case "PUT":
            let tag = request.headers.first { $0.name == "If-Match" }?.value ?? ""
            state.puts.append(tag)
            guard tag == "\"\(state.tag)\"" else { return .status(412) }
            state.tag += 1
            return .json(["ok": true])
          case "DELETE":
            state.unlocks += 1
            return .status(204)
          default:
            let key = request.headers.first { $0.name == "Idempotency-Key" }?.value ?? ""
            state.posts.append(key)
            return request.url.contains("refused") ? .status(409) : .json(["id": 1])
          }
        }
      }
    }
  }

  private static func raise(
    _ retry: String = #"{"attempts": 5, "on": [412]}"#, before: String = "", after: String = "",
    more: String = ""
  ) -> String {
    """
    {"steps": [{"id": "raise", "retry": \(retry), "order": "listed", "steps": [\(before)
      {"id": "get", "endpoint": "GET https://api.example/items/7",
       "extract": {"stock": "$.stock", "tag": {"header": "ETag"}}},
      {"id": "put", "endpoint": "PUT https://api.example/items/7",
       "headers": {"If-Match": "{{get.tag}}"},
       "body": {"json": {"stock": {"$sum": ["{{get.stock}}", 10]}}}}\(after)]\(more)}],
     "outputs": {"stock": "{{raise.get.stock}}"}}
    """
  }

  private func run(
    _ plan: @autoclosure () throws -> Plan, _ stock: Stock, _ journal: MemoryJournal? = nil,
    clock: VirtualClock = VirtualClock()
  ) async throws -> RunReport {
    var options = RunOptions()
    options.journal = journal
    options.clock = clock
    return try await Pipeline(try plan(), transport: stock.transport, options: options)
      .run().result.report
  }

  @Test(arguments: [true, false])
  func aBlockThatFailsBeginsAgain(_ isKept: Bool) async throws {
    let stock = Stock(rivals: 2)
    let report = try await run(try plan(Self.raise()), stock, isKept ? MemoryJournal() : nil)
    #expect(report.status == .succeeded)
    #expect(report.outputs.text == #"{"stock":3}"#)
    #expect(stock.state.withLock { $0.puts } == ["\"1\"", "\"2\"", "\"3\""])
  }

  @Test func theLastAttemptFails() async throws {
    let stock = Stock(rivals: 9)
    let report = try await run(try plan(Self.raise()), stock)
    #expect(report.failures.map(\.step) == ["raise.put"])
    #expect(stock.state.withLock { $0.puts.count } == 5)
  }

  @Test func anotherFailureIsNotTriedAgain() async throws {
    let stock = Stock(rivals: 2)
    let report = try await run(
      try plan(Self.raise(#"{"attempts": 5, "on": ["network", 409]}"#)), stock)
    #expect(report.status == .failed && stock.state.withLock { $0.puts.count } == 1)
  }

  @Test func attemptsKeepTheirDistance() async throws {
    let clock = VirtualClock()
    let stock = Stock(rivals: 3)
    _ = try await run(
      try plan(
        Self.raise(
          #"{"attempts": 5, "on": [412], "delay": "1s", "maxDelay": "3s", "jitter": false}"#)),
      stock, clock: clock)
    #expect(clock.elapsed == .seconds(1 + 2 + 3))
  }

  @Test func whatCleansUpRunsAfterEachAttempt() async throws {
    let stock = Stock(rivals: 2)
    let report = try await run(
      try plan(
        Self.raise(
          more: #", "finally": [{"id": "unlock", "endpoint": "DELETE https://api.example/lock"}]"#)),
      stock)
    #expect(report.status == .succeeded)
    #expect(stock.state.withLock { $0.unlocks } == 3)
  }

  @Test func itsOwnExpectationMayAskForAnotherAttempt() async throws {
    let stock = Stock(rivals: 2)
    let report = try await run(
      try plan(
        """
        {"steps": [{"id": "raise", "retry": {"attempts": 5, "on": ["expect"]},
          "expect": {"where": ["@.get.stock < 4"]}, "steps": [
          {"id": "get", "endpoint": "GET https://api.example/items/7",
           "extract": {"stock": "$.stock"}}]}],
         "outputs": {"stock": "{{raise.get.stock}}"}}
        """), stock)
    #expect(report.outputs.text == #"{"stock":3}"#)
  }

  @Test func aCalledFileBeginsAgain() async throws {
    let stock = Stock(rivals: 2)
    let report = try await run(
      try plan(files: [
        "main.json": """
        {"steps": [{"id": "raise", "retry": {"attempts": 5, "on": [412]}, "workflow": "./raise.json"}],
         "outputs": {"stock": "{{raise.stock}}"}}
        """,
        "raise.json": """
        {"limits": {"deadline": "1h"}, "steps": [
          {"id": "get", "endpoint": "GET https://api.example/items/7",
           "extract": {"stock": "$.stock", "tag": {"header": "ETag"}}},
          {"id": "put", "endpoint": "PUT https://api.example/items/7",
           "headers": {"If-Match": "{{get.tag}}"}, "body": {"json": {"stock": "{{get.stock}}"}}}],
         "outputs": {"stock": "{{get.stock}}"}}
        """,
      ]), stock)
    #expect(report.outputs.text == #"{"stock":3}"#)
  }

  @Test func eachItemAndEachRoundHasItsAttempts() async throws {
    let stock = Stock(rivals: 3)
    let text = Self.raise().replacing(
      #""retry""#, with: #""forEach": [1, 2], "concurrency": 1, "retry""#
    ).replacing("{{raise.get.stock}}", with: "$.raise[*].get.stock")
    let report = try await run(try plan(text), stock)
    #expect(report.status == .succeeded)
    #expect(stock.state.withLock { $0.puts } == ["\"1\"", "\"2\"", "\"3\"", "\"4\"", "\"5\""])
  }

  // MARK: At most once

  private static let create =
    #"{"id": "create", "endpoint": "POST https://api.example/orders"},"#

  @Test(arguments: [true, false])
  func aPostThatWasCarriedOutEndsTheAttempts(_ isKept: Bool) async throws {
    let stock = Stock(rivals: 2)
    let report = try await run(
      try plan(Self.raise(before: Self.create)), stock, isKept ? MemoryJournal() : nil)
    #expect(report.status == .failed)
    #expect(stock.state.withLock { $0.posts.count } == 1)
    #expect(
      report.failures.first?.failure.hints.contains {
        $0.hasPrefix("no other attempt follows, because step 'raise.create' sent")
      } == true)
  }

  @Test func aPostThatWasRefusedDoesNot() async throws {
    let stock = Stock(rivals: 0)
    let report = try await run(
      try plan(
        """
        {"steps": [{"id": "order", "retry": {"attempts": 3, "on": [409]}, "steps": [
          {"id": "create", "endpoint": "POST https://api.example/refused"}]}]}
        """), stock)
    #expect(report.failures.map(\.step) == ["order.create"])
    #expect(stock.state.withLock { $0.posts.count } == 3)
  }

  @Test func aPostThatMayHaveArrivedEndsTheAttempts() async throws {
    let transport = ScriptedTransport(steps: ["order.create": [.reset]])
    let report = try await Pipeline(
      try plan(
        """
        {"steps": [{"id": "order", "retry": {"attempts": 3, "on": ["network"]}, "steps": [
          {"id": "create", "endpoint": "POST https://api.example/orders"}]}]}
        """), transport: transport
    ).run().result.report
    #expect(report.status == .failed && transport.requests.count == 1)
  }

  @Test func aPostThatNeverLeftDoesNot() async throws {
    let transport = ScriptedTransport(steps: [
      "order.create": [.unknownHost, .json(["id": 1])]
    ])
    var options = RunOptions()
    options.clock = VirtualClock()
    let report = try await Pipeline(
      try plan(
        """
        {"steps": [{"id": "order", "retry": {"attempts": 3, "on": ["network"]}, "steps": [
          {"id": "create", "endpoint": "POST https://api.example/orders"}]}]}
        """), transport: transport, options: options
    ).run().result.report
    #expect(report.status == .succeeded && transport.requests.count == 2)
  }

  @Test func unsafeLetsAnotherAttemptFollow() async throws {
    let stock = Stock(rivals: 2)
    let create = Self.create.replacing(
      "},", with: #", "retry": {"attempts": 2, "unsafe": true}},"#)
    let report = try await run(
      try plan(
        Self.raise(#"{"attempts": 5, "on": [412], "unsafe": true}"#, before: create)),
      stock, MemoryJournal())
    #expect(report.status == .succeeded)
    let keys = stock.state.withLock { $0.posts }
    // Each attempt is another request for the server, too.
    #expect(keys.count == 3 && Set(keys).count == 3 && !keys.contains(""))
  }

  // MARK: Resume

  /// An entity tag of an attempt that has failed does not come back, and every order is placed once.
  @Test func noPrefixOfAJournalBringsBackAnOldAttempt() async throws {
    let text = Self.raise(after: "," + Self.create.dropLast())
    let journal = MemoryJournal()
    _ = try await run(try plan(text), Stock(rivals: 2), journal)
    #expect(
      journal.entries.contains { if case .passAgain("raise", []) = $0 { true } else { false } })
    for count in 0...journal.entries.count {
      let before = journal.prefix(count)
      let stock = Stock(rivals: 0)
      // The server as it was then: three looks, and an order if it was about to be placed.
      var gets = 0
      var isPlaced = false
      for entry in before.entries {
        if case .unit(let unit) = entry, unit.key.step == "raise.get" { gets += 1 }
        if case .sending = entry { isPlaced = true }
      }
      stock.state.withLock {
        $0.tag = max(1, min(gets + 1, 3))
        if isPlaced { $0.posts = ["earlier"] }
      }
      let isInDoubt = try before.history().sendings.contains(where: \.isInDoubt)
      do {
        let report = try await run(try plan(text), stock, before)
        #expect(report.status == .succeeded, "entry \(count)")
        #expect(!isInDoubt)
        #expect(stock.state.withLock { $0.posts.count } == 1, "entry \(count)")
      } catch is RunInDoubt {
        #expect(isInDoubt, "entry \(count)")
      }
    }
  }

  @Test func ofARunThatHasEndedNothingIsSentAgain() async throws {
    let journal = MemoryJournal()
    _ = try await run(try plan(Self.raise()), Stock(rivals: 2), journal)
    let stock = Stock(rivals: 0)
    let report = try await run(try plan(Self.raise()), stock, journal)
    #expect(report.outputs.text == #"{"stock":3}"#)
    #expect(stock.state.withLock { $0.gets + $0.puts.count } == 0)
  }
}
