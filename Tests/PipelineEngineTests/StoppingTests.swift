import PipelineJSONText
import PipelineKit
import PipelinePlanning
import PipelineTesting
import Synchronization
import Testing

/// What ends a run ends it also while it computes, and before it has begun.
@Suite struct StoppingTests {
  private let api = "https://api.example"

  private func transport() -> ScriptedTransport { ScriptedTransport { _ in .json(["n": 1]) } }

  private var request: String { "{\"id\": \"a\", \"endpoint\": \"POST \(api)/a\"}" }

  // MARK: Before the start

  @Test func aRunThatIsCancelledBeforeItBeginsSendsNothing() async throws {
    let pipeline = try Pipeline(
      """
      {"steps": [\(request)], "finally": [{"id": "tidy", "endpoint": "DELETE \(api)/a"}],
       "outputs": {"n": 1}}
      """, transport: transport())
    for _ in 0..<300 {
      let run = pipeline.run()
      run.cancel()
      let report = try await run.result.report
      #expect(report.status == .cancelled)
      #expect(report.counts.skipped == 2)
      #expect(report.stopReason?.message == "the run was cancelled before it began")
    }
    let sent = (pipeline.transport as? ScriptedTransport)?.requests.count
    #expect(sent == 0)
  }

  @Test func aRunThatIsPausedBeforeItBeginsSendsNothingUntilItIsResumed() async throws {
    let scripted = transport()
    let pipeline = try Pipeline("{\"steps\": [\(request)]}", transport: scripted)
    for round in 1...100 {
      let run = pipeline.run()
      run.pause()
      var started: Int?
      for await event in run.events() {
        if case .runStarted = event.kind {
          // The scheduler has read what was asked before the start when it reads what comes later.
          await Task.yield()
          started = scripted.requests.count
          run.resume()
        }
      }
      #expect(started == round - 1)
      #expect(scripted.requests.count == round)
    }
  }

  @Test func aCancelledTaskThatAsksForTheResultSendsNothing() async throws {
    let scripted = transport()
    let pipeline = try Pipeline("{\"steps\": [\(request)]}", transport: scripted)
    for _ in 0..<300 {
      let run = pipeline.run()
      let task = Task { () -> Bool in
        while !Task.isCancelled { await Task.yield() }
        do {
          _ = try await run.result
          return false
        } catch {
          return error is CancellationError
        }
      }
      task.cancel()
      #expect(await task.value)
    }
    #expect(scripted.requests.isEmpty)
  }

  // MARK: While it computes

  /// Steps of `values` alone that would take hours.
  static let endless: [String] = [
    // Very many items, each of them short.
    #"""
    {"id": "a", "forEach": {"from": 1, "to": 1000000000}, "values": {"x": "{{item}}"}}
    """#,
    // One evaluation: each node is compared with all.
    #"""
    {"id": "rows", "forEach": {"from": 1, "to": 20000}, "values": {"x": "{{item}}"}},
    {"id": "a", "values": {"x": "$.rows[?count(@..[?@ > 7 || @ < 7]) > length(@.x) && count($.rows[?@.x > 1]) > 5]",
      "y": "$..[?count(@..[?count(@..*) > 5]) > 6]", "z": "$.rows[?count(@.x) == 1 && @.x > 3]"}}
    """#,
    // Blocks in collections.
    #"""
    {"id": "a", "forEach": {"from": 1, "to": 100000000}, "as": "i", "steps": [
      {"id": "b", "forEach": {"from": 1, "to": 10}, "values": {"x": "{{item}}"}}]}
    """#,
  ]

  @Test(arguments: [0, 2])
  func aDeadlineEndsARunThatComputes(_ number: Int) async throws {
    let clock = ManualClock()
    var options = RunOptions()
    options.clock = clock
    let pipeline = try Pipeline(
      """
      {"limits": {"deadline": "1s", "items": 2000000000}, "steps": [\(Self.endless[number])],
       "outputs": {"n": 1}}
      """, transport: transport(), options: options)
    let run = pipeline.run()
    async let result = run.result
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    let report = try await result.report
    #expect(report.status == .failed)
    #expect(report.stopReason?.kind == .limit)
    #expect(report.duration == .seconds(1))
    #expect(report.counts.cancelled == 1)
  }

  @Test(arguments: [0, 2])
  func cancellingEndsARunThatComputes(_ number: Int) async throws {
    let pipeline = try Pipeline(
      """
      {"limits": {"items": 2000000000}, "steps": [\(Self.endless[number]),
         {"id": "after", "dependsOn": ["a"], "endpoint": "POST \(api)/x"}],
       "finally": [{"id": "tidy", "values": {"ok": "{{run.ok}}"}}]}
      """, transport: transport())
    let run = pipeline.run()
    async let result = run.result
    for await event in run.events() {
      if case .stepStarted = event.kind { run.cancel() }
    }
    let report = try await result.report
    #expect(report.status == .cancelled)
    #expect(report.counts.cancelled == 1)
    #expect(report.counts.skipped == 1)
    #expect(report.counts.succeeded == 1, "clean-up runs")
    #expect(report.counts.requests == 0)
  }

  /// A clock that goes on when nobody looks: each look takes a second.
  private final class RunningClock: RunClock {
    private let looks = Atomic(0)
    let inner = ManualClock()
    var elapsed: Duration {
      .seconds(looks.add(1, ordering: .relaxed).newValue)
    }
    var wallTime: Double { 0 }
    func sleep(for duration: Duration) async throws { try await inner.sleep(for: duration) }
  }

  @Test func whatAnEvaluationTookIsItsStepsDuration() async throws {
    let rows = JSONValue.array((0..<3_000).map { ["id": .init(integerLiteral: $0)] })
    var options = RunOptions()
    options.clock = RunningClock()
    let run = try Pipeline(
      """
      {"inputs": {"rows": {"type": "array"}}, "steps": [
        {"id": "short", "values": {"n": 1}},
        {"id": "long", "dependsOn": ["short"], "values": {"n": "$.inputs.rows[?@.id > 5].id"}}]}
      """, transport: transport(), options: options
    ).run(inputs: ["rows": rows])
    var durations: [String: Duration] = [:]
    for await event in run.events() {
      if case .stepFinished(let step) = event.kind { durations[step.step] = step.duration }
    }
    #expect(durations["short"] == .zero)
    #expect(try #require(durations["long"]) >= .seconds(1))
  }

  // MARK: Passes

  @Test func aPassThroughACalledFileIsAnItem() async throws {
    let result = try await Pipeline(
      """
      {"limits": {"items": 3}, "steps": [
        {"id": "a", "forEach": [1, 2], "values": {"n": 1}},
        {"id": "b", "forEach": [3, 4], "values": {"n": 1}}]}
      """, transport: transport()
    ).run().result
    #expect(
      result.report.failures.first?.failure.message
        == "the run has more than 3 items and calls; 'limits.items' sets how many it may have")
  }

  /// 31 files, of which each calls the next one twice.
  private func hierarchy(limits: String) throws -> Plan {
    var files: [String: String] = [:]
    for number in 0...30 {
      let name = number == 0 ? "main.json" : "f\(number).json"
      let call = "\"workflow\": \"f\(number + 1).json\", \"inputs\": {\"x\": \"{{inputs.x}}\"}"
      let steps =
        number == 30
        ? #"{"id": "a", "values": {"x": "{{inputs.x}}"}}"#
        : "{\"id\": \"a\", \(call)}, {\"id\": \"b\", \(call)}"
      files[name] = """
        {"inputs": {"x": {"type": "string", "default": "x"}}, "limits": \(limits),
         "steps": [\(steps)], "outputs": {"x": "{{a.x}}"}}
        """
    }
    return try plan(files: files)
  }

  @Test func filesThatCallEachOtherTwiceEndAtTheLimit() async throws {
    let plan = try hierarchy(limits: #"{"items": 2000}"#)
    let report = try await Pipeline(plan, transport: transport()).run().result.report
    // What the outputs lack is no failure of its own.
    #expect(
      report.failures.map(\.failure.message)
        == ["the run has more than 2000 items and calls; 'limits.items' sets how many it may have"])
  }

  @Test func filesThatCallEachOtherTwiceCanBeCancelled() async throws {
    let plan = try hierarchy(limits: "{}")
    let run = Pipeline(plan, transport: transport()).run()
    async let result = run.result
    for await event in run.events() {
      if case .stepStarted = event.kind { run.cancel() }
    }
    let report = try await result.report
    #expect(report.status == .cancelled)
    #expect(report.failures.isEmpty)
  }
}
