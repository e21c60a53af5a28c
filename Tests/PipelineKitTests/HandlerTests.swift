import Foundation
import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import PipelineTesting
import Synchronization
import Testing

/// Steps whose work an app does in Swift.
@Suite struct HandlerTests {
  struct User: Decodable, Sendable {
    let name: String
    let orders: Int
  }

  struct Score: Codable, Equatable, Sendable {
    let points: Int
    let level: String
  }

  private struct Declined: Error, CustomStringConvertible {
    let description: String
  }

  private let text = """
    {"defaults": {"baseURL": "https://api.example", "headers": {"Authorization": "Bearer x"},
       "query": {"v": "1"}},
     "steps": [
       {"id": "user", "endpoint": "GET /users/7", "extract": {"name": "$.name", "orders": "$.orders"}},
       {"id": "score", "endpoint": "swift:score",
        "body": {"json": {"name": "{{user.name}}", "orders": "{{user.orders}}"}},
        "retry": {"attempts": 3, "delay": "1s"}, "timeout": "5s",
        "extract": {"points": "$.points", "level": "$.level"}}],
     "outputs": {"points": "{{score.points}}", "level": "{{score.level}}"}}
    """

  private func pipeline(_ text: String? = nil, clock: any RunClock = VirtualClock()) throws
    -> Pipeline
  {
    var options = RunOptions()
    options.clock = clock
    return try Pipeline(
      text ?? self.text,
      transport: ScriptedTransport([
        "GET https://api.example/users/7?v=1": [.json(["name": "Goran", "orders": 3])]
      ]), options: options)
  }

  @Test func aHandlerTakesAndGivesTypesOfTheApp() async throws {
    var pipeline = try pipeline()
    pipeline.handlers["score"] = { (user: User) async throws -> Score in
      Score(points: user.orders * 10, level: user.name)
    }
    #expect(pipeline.handlers.names == ["score"])
    #expect(pipeline.warnings.map(\.code) == ["hard-coded-credential"])
    let run = pipeline.run()
    var urls: [String] = []
    for await event in run.events() {
      if case .requestFinished(let request) = event.kind { urls.append(request.url) }
    }
    #expect(urls == ["https://api.example/users/7?v=1", "swift:score"])
    #expect(try await run.value(of: Score.self) == Score(points: 30, level: "Goran"))
  }

  @Test func aHandlerThatThrowsIsCalledAgain() async throws {
    var pipeline = try pipeline()
    let calls = Mutex(0)
    pipeline.handlers["score"] = { (user: User) async throws -> Score in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      if call < 3 { throw Declined(description: "no funds") }
      return Score(points: call, level: "a")
    }
    #expect(try await pipeline.value(of: Score.self).points == 3)
    calls.withLock { $0 = -10 }
    let failed = try await pipeline.run().result.report.failures
    #expect(failed.map(\.failure.kind) == [.fail])
    #expect(failed.first?.failure.message == "'swift:score' threw: no funds")
    #expect(failed.first?.failure.request?.attempts == 3)
  }

  @Test func whatAnErrorSaysToPeopleIsShown() async throws {
    struct NoFunds: LocalizedError {
      let errorDescription: String? = "there are no funds"
    }
    var pipeline = try pipeline()
    pipeline.handlers["score"] = { (_: User) async throws -> Score in throw NoFunds() }
    let failures = try await pipeline.run().result.report.failures
    #expect(
      failures.map(\.failure.message) == ["'swift:score' threw: there are no funds"])
  }

  @Test func whatAHandlerCannotReadIsNotTriedAgain() async throws {
    struct Other: Decodable { let name: Int }
    var pipeline = try pipeline()
    pipeline.handlers["score"] = { (_: Other) async throws -> Score in
      Score(points: 1, level: "")
    }
    let failures = try await pipeline.run().result.report.failures
    #expect(failures.map(\.failure.kind) == [.value])
    #expect(
      failures.first?.failure.message
        == "'swift:score' cannot read its input: a number is expected, but string \"Goran\" was found"
        + " at $.name")
  }

  @Test func aHandlersOwnFailureKeepsItsKind() async throws {
    var pipeline = try pipeline()
    pipeline.handlers["score"] = { (_: User) async throws -> Score in
      throw FailureReason(.limit, "too many scores")
    }
    let failures = try await pipeline.run().result.report.failures
    #expect(failures.map(\.failure.kind) == [.limit])
    #expect(failures.first?.failure.message == "too many scores")
  }

  @Test func aHandlerThatTakesTooLongIsCancelled() async throws {
    let clock = VirtualClock()
    var pipeline = try pipeline(
      text.split(separator: "\"retry\": {\"attempts\": 3, \"delay\": \"1s\"}, ").joined(),
      clock: clock)
    let wasCancelled = Mutex(false)
    pipeline.handlers["score"] = { (_: User) async throws -> Score in
      do {
        try await clock.sleep(for: .seconds(100))
      } catch {
        wasCancelled.withLock { $0 = true }
      }
      return Score(points: 1, level: "")
    }
    let failures = try await pipeline.run().result.report.failures
    #expect(failures.map(\.failure.kind) == [.timeout])
    #expect(wasCancelled.withLock { $0 })
    #expect(clock.elapsed < .seconds(100))
  }

  @Test func aMissingHandlerIsFoundBeforeAnythingIsSent() async throws {
    let transport = ScriptedTransport([:])
    let error = await #expect(throws: MissingHandler.self) {
      try await Pipeline(text, transport: transport).run().result
    }
    #expect(
      error?.description
        == "step 'score' calls 'swift:score', which is not there; set handlers[\"score\"]")
    #expect(transport.requests.isEmpty)
  }

  @Test func aTestAnswersAHandlersStep() async throws {
    let script = ScriptedTransport(steps: [
      "user": [.json(["name": "a", "orders": 1])],
      "score": [.status(503), .json(["points": 5, "level": "b"])],
    ])
    var options = RunOptions()
    options.clock = VirtualClock()
    let pipeline = try Pipeline(text, transport: script, options: options)
    #expect(try await pipeline.value(of: Score.self) == Score(points: 5, level: "b"))
  }

  @Test func eachItemOfALargeCollectionCallsTheHandler() async throws {
    var pipeline = try pipeline(
      """
      {"steps": [{"id": "square", "forEach": {"from": 1, "to": 500}, "endpoint": "swift:square",
         "body": {"json": {"n": "{{item}}"}}, "extract": {"square": "$"}}],
       "outputs": {"squares": "$.square[*].square"}}
      """)
    pipeline.handlers["square"] = { (input: [String: Int]) in (input["n"] ?? 0) * (input["n"] ?? 0)
    }
    let squares = try await pipeline.run().result.output("squares", as: [Int].self)
    #expect(squares == (1...500).map { $0 * $0 })
  }

  @Test func aJournalTakesWhatAHandlerGave() async throws {
    let calls = Mutex(0)
    let journal = MemoryJournal()
    var pipeline = try pipeline(
      """
      {"steps": [
        {"id": "a", "endpoint": "swift:count", "extract": {"n": "$"}},
        {"id": "b", "endpoint": "POST swift:pay", "body": {"json": {"n": "{{a.n}}"}},
         "extract": {"n": "$"}}],
       "outputs": {"a": "{{a.n}}", "b": "{{b.n}}"}}
      """)
    pipeline.handlers["count"] = { (_: JSONValue) in
      calls.withLock { calls in
        calls += 1
        return calls
      }
    }
    pipeline.handlers["pay"] = { (_: JSONValue) in 7 }
    pipeline.options.journal = journal
    _ = try await pipeline.run().result.get()
    // The payment was about to be made when the process ended.
    let count = try #require(
      journal.entries.firstIndex { if case .sending = $0 { true } else { false } })
    pipeline.options.journal = journal.prefix(count)
    let result = try await pipeline.run().result
    #expect(try result.output("a", as: Int.self) == 1)
    #expect(result.report.counts.taken == 1)
    pipeline.options.journal = journal.prefix(count + 1)
    await #expect(throws: RunInDoubt.self) { try await pipeline.run().result }
  }

  /// Each attempt has the same key, also in the process that goes on with the run.
  @Test func aHandlerKnowsItsCall() async throws {
    let calls = Mutex<[HandlerCall]>([])
    let journal = MemoryJournal()
    var pipeline = try pipeline(
      """
      {"steps": [{"id": "order", "forEach": [10, 20], "steps": [
        {"id": "pay", "endpoint": "POST swift:pay", "body": {"json": {"n": "{{item}}"}},
         "retry": {"attempts": 2, "unsafe": true}}]}]}
      """)
    pipeline.handlers["pay"] = { (input: [String: Int]) in
      let call = try #require(HandlerCall.current)
      calls.withLock { $0.append(call) }
      if input["n"] == 20, call.attempt == 1 { throw Declined(description: "again") }
      return 1
    }
    pipeline.options.runID = "run-1"
    pipeline.options.journal = journal
    try await pipeline.run().result.get()
    let made = calls.withLock { $0 }.sorted { ($0.path[0], $0.attempt) < ($1.path[0], $1.attempt) }
    #expect(made.map(\.path) == [[0], [1], [1]])
    #expect(made.map(\.attempt) == [1, 1, 2])
    #expect(made.allSatisfy { $0.runID == "run-1" && $0.step == "order.pay" && $0.item == nil })
    let keys = try made.map { try #require($0.idempotencyKey) }
    #expect(keys[0] != keys[1] && keys[1] == keys[2])
    #expect(HandlerCall.current == nil)
    // The process ended after the first request was announced.
    let sending = try #require(
      journal.entries.firstIndex { if case .sending = $0 { true } else { false } })
    calls.withLock { $0 = [] }
    pipeline.options.journal = journal.prefix(sending + 1)
    pipeline.options.runID = nil
    try await pipeline.run().result.get()
    let again = calls.withLock { $0 }
    #expect(again.allSatisfy { $0.runID == "run-1" })
    #expect(!Set(again.compactMap(\.idempotencyKey)).isDisjoint(with: keys))
  }

  /// Swift cannot stop code that does not listen. The run waits for it, and takes nothing of it.
  @Test(.timeLimit(.minutes(5))) func aHandlerThatIgnoresItsLimitIsWaitedFor() async throws {
    let clock = ManualClock()
    var pipeline = try pipeline(
      """
      {"steps": [{"id": "a", "endpoint": "swift:deaf", "timeout": "5s"}]}
      """, clock: clock)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    pipeline.handlers["deaf"] = { (_: JSONValue) in
      ask.yield()
      await gate.wait()
      return 1
    }
    let run = pipeline.run().start()
    for await _ in asked { break }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    gate.open()
    let failure = try #require(try await run.result.report.failures.first?.failure)
    #expect(failure.kind == .timeout)
    #expect(failure.message.contains("no answer within 5 s"), "\(failure.message)")
  }

  @Test(.timeLimit(.minutes(5))) func aHandlerThatIgnoresCancellationIsWaitedFor() async throws {
    var pipeline = try pipeline(
      """
      {"steps": [{"id": "a", "endpoint": "swift:deaf"},
        {"id": "b", "dependsOn": ["a"], "endpoint": "swift:deaf"}]}
      """, clock: SystemClock())
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let calls = Mutex(0)
    let gate = Gate()
    pipeline.handlers["deaf"] = { (_: JSONValue) in
      calls.withLock { $0 += 1 }
      ask.yield()
      await gate.wait()
      return 1
    }
    let run = pipeline.run().start()
    for await _ in asked { break }
    run.cancel()
    gate.open()
    #expect(try await run.result.status == .cancelled)
    #expect(calls.withLock { $0 } == 1)
  }

  /// Holds those that wait until it is opened, whether their tasks are cancelled or not.
  private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

    func wait() async {
      await withCheckedContinuation { waiter in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiters.append(waiter) }
          return state.isOpen
        }
        if isOpen { waiter.resume() }
      }
    }

    func open() {
      let waiters = state.withLock { state in
        defer { state = (true, []) }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  @Test(.timeLimit(.minutes(5))) func cancellingTheRunCancelsTheHandlersOfAllItems() async throws {
    let clock = ManualClock()
    var pipeline = try pipeline(
      """
      {"steps": [{"id": "a", "forEach": {"from": 1, "to": 3}, "concurrency": 3,
        "endpoint": "swift:wait"}]}
      """, clock: clock)
    let cancelled = Mutex(0)
    pipeline.handlers["wait"] = { (_: JSONValue) in
      do {
        try await clock.sleep(for: .seconds(100))
      } catch {
        cancelled.withLock { $0 += 1 }
        throw error
      }
      return 1
    }
    let run = pipeline.run().start()
    await clock.waitForSleepers(3)
    run.cancel()
    #expect(try await run.result.status == .cancelled)
    #expect(cancelled.withLock { $0 } == 3)
  }

  @Test func itemsThatFailAreRetriedAndCollected() async throws {
    var pipeline = try pipeline(
      """
      {"steps": [{"id": "a", "forEach": [1, 2, 3, 4], "onItemError": "collect",
        "retry": {"attempts": 2, "delay": "1s"}, "endpoint": "swift:half",
        "body": {"json": {"n": "{{item}}"}}, "extract": {"n": "$"}}]}
      """)
    let calls = Mutex<[Int: Int]>([:])
    pipeline.handlers["half"] = { (input: [String: Int]) in
      let number = input["n"] ?? 0
      let call = calls.withLock { calls in
        calls[number, default: 0] += 1
        return calls[number] ?? 0
      }
      // 2 fails once, 3 always.
      if number == 3 || number == 2 && call == 1 { throw Declined(description: "no \(number)") }
      return number * 10
    }
    let result = try await pipeline.run().result
    #expect(calls.withLock { $0 } == [1: 1, 2: 2, 3: 2, 4: 1])
    #expect(result.report.failures.map(\.item) == [2])
    #expect(result.report.failures.map(\.failure.message) == ["'swift:half' threw: no 3"])
    #expect(result.report.failures.first?.failure.request?.attempts == 2)
  }

  @Test func aResumedRunCallsWhatHadNotEnded() async throws {
    let calls = Mutex<[Int]>([])
    let journal = MemoryJournal()
    var pipeline = try pipeline(
      """
      {"steps": [{"id": "a", "forEach": [1, 2, 3, 4], "concurrency": 1,
        "endpoint": "swift:ten", "body": {"json": {"n": "{{item}}"}}, "extract": {"n": "$"}}],
       "outputs": {"n": "$.a[*].n"}}
      """)
    let isBroken = Mutex(true)
    pipeline.handlers["ten"] = { (input: [String: Int]) in
      let number = input["n"] ?? 0
      calls.withLock { $0.append(number) }
      if number == 3, isBroken.withLock({ $0 }) { throw Declined(description: "not now") }
      return number * 10
    }
    pipeline.options.journal = journal
    #expect(try await pipeline.run().result.status == .failed)
    isBroken.withLock { $0 = false }
    calls.withLock { $0 = [] }
    let result = try await pipeline.run().result
    #expect(try result.output("n", as: [Int].self) == [10, 20, 30, 40])
    #expect(calls.withLock { $0 } == [3, 4])
    #expect(result.report.counts.taken == 2)
  }

  @Test func whatIsForServersIsRefused() throws {
    for (step, message) in [
      (#""endpoint": "swift:a", "headers": {"A": "1"}"#, "'headers' is for servers"),
      (#""endpoint": "swift:a", "body": {"text": "x"}"#, "'swift:a' takes JSON"),
      (#""endpoint": "PUT swift:a""#, "'swift:a' has no method 'PUT'"),
      (#""endpoint": "swift:{{inputs.x}}""#, "after 'swift:' comes the name of a handler"),
      (#""endpoint": "swift:""#, "after 'swift:' comes the name of a handler"),
      (#""endpoint": "swift:a?b=1""#, "after 'swift:' comes the name of a handler"),
      (#""endpoint": "swift:a", "timeout": {"connect": "1s"}"#, "'connect' is for connections"),
      (#""endpoint": "swift:a", "paginate": {"next": "$.next"}"#, "'paginate' is for servers"),
    ] {
      let error = #expect(throws: WorkflowError.self, "\(step)") {
        try Pipeline("{\"steps\": [{\"id\": \"a\", \(step)}]}", transport: ScriptedTransport([:]))
      }
      #expect(error?.description.contains(message) == true, "\(step): \(error?.description ?? "")")
    }
  }
}
