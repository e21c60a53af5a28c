import PipelineJSONText
import PipelineKit
import PipelineRecordings
import PipelineTesting
import Synchronization
import Testing

@testable import PipelineEngine

/// Questions of a run, as an app answers them.
@Suite(.timeLimit(.minutes(2))) struct AskingTests {
  private let workflow = """
    {"limits": {"deadline": "1m"}, "steps": [
      {"id": "list", "endpoint": "GET https://api.example/list", "extract": {"count": "$.count"}},
      {"id": "ok", "ask": "Delete {{list.count}}?", "within": "1h",
       "answers": {"yes": {"type": "boolean"},
                   "pin": {"type": "string", "secret": true, "optional": true}}},
      {"id": "delete", "when": "$.ok.yes == true", "endpoint": "DELETE https://api.example/all"}],
     "finally": [{"id": "bye", "endpoint": "GET https://api.example/bye"}]}
    """

  private func transport(count: JSONValue = 3) -> ScriptedTransport {
    ScriptedTransport(steps: [
      "list": [.json(["count": count])], "delete": [.json([:])], "bye": [.json([:])],
    ])
  }

  private func options(_ clock: VirtualClock = VirtualClock()) -> RunOptions {
    var options = RunOptions()
    options.clock = clock
    return options
  }

  private func steps(_ transport: ScriptedTransport) -> [String] {
    transport.requests.compactMap { $0.asker?.key.step }
  }

  @Test func nobodyIsThereSoTheRunWaits() async throws {
    var options = options()
    let journal = MemoryJournal()
    options.journal = journal
    let first = transport()
    let report = try await Pipeline(workflow, transport: first, options: options).run().result
      .report
    #expect(report.status == .waiting)
    #expect(report.questions.map(\.text) == ["Delete 3?"])
    #expect(report.questions.first?.name == "ok")
    #expect(report.questions.first?.answers.map(\.name) == ["yes", "pin"])
    #expect(report.outputs.isEmpty)
    #expect(steps(first) == ["list"])
    options.answers = ["ok.yes": true]
    let second = transport()
    let end = try await Pipeline(workflow, transport: second, options: options).run().result.report
    #expect(end.status == .succeeded)
    #expect(steps(second) == ["delete", "bye"])
    // The answer is in the journal by now.
    options.answers = [:]
    let third = transport()
    _ = try await Pipeline(workflow, transport: third, options: options).run().result
    #expect(!steps(third).contains("delete"))
  }

  @Test func aSecretAnswerIsNotKept() async throws {
    var options = options()
    let journal = MemoryJournal()
    options.journal = journal
    options.answers = ["ok.yes": false, "ok.pin": "123456789"]
    _ = try await Pipeline(workflow, transport: transport(), options: options).run().result
    #expect(!"\(journal.entries)".contains("123456789"))
    options.answers = [:]
    let again = try await Pipeline(workflow, transport: transport(), options: options).run().result
    #expect(again.status == .waiting)
  }

  @Test func thePersonsTimeCountsForNoDeadline() async throws {
    let clock = VirtualClock()
    var options = options(clock)
    options.asker = { _ in
      try? await clock.sleep(for: .seconds(600))
      return ["yes": true]
    }
    let transport = transport()
    let report = try await Pipeline(workflow, transport: transport, options: options).run().result
    #expect(report.status == .succeeded)
    #expect(clock.elapsed >= .seconds(600))
    #expect(steps(transport) == ["list", "delete", "bye"])
  }

  @Test func theTimeForAnAnswerEnds() async throws {
    let clock = VirtualClock()
    var options = options(clock)
    options.asker = { _ in
      try? await clock.sleep(for: .seconds(86_400))
      return nil
    }
    let report = try await Pipeline(workflow, transport: transport(), options: options).run()
      .result.report
    #expect(report.status == .failed)
    #expect(report.failures.first?.failure.kind == .timeout)
    #expect(report.failures.first?.failure.message == "nobody has answered within 1h")
    #expect(clock.elapsed >= .seconds(3600) && clock.elapsed < .seconds(3700))
  }

  @Test func anAnswerMustFit() async throws {
    var options = options()
    options.asker = { _ in ["yes": "perhaps"] }
    let report = try await Pipeline(workflow, transport: transport(), options: options).run()
      .result.report
    #expect(report.failures.first?.failure.message.contains("'ok.yes' must be a boolean") == true)
  }

  @Test func aFailureElsewhereEndsTheRunInsteadOfWaiting() async throws {
    let workflow = """
      {"steps": [{"id": "ok", "ask": "Go on?"},
                 {"id": "get", "endpoint": "GET https://api.example/a"}]}
      """
    let transport = ScriptedTransport(steps: ["get": [.status(404)]])
    let report = try await Pipeline(workflow, transport: transport, options: options()).run()
      .result.report
    #expect(report.status == .failed)
    #expect(report.questions.isEmpty)
  }

  @Test func aRunThatIsCancelledDoesNotWait() async throws {
    let (asked, asks) = AsyncStream<Void>.makeStream()
    var options = RunOptions()
    options.asker = { _ in
      asks.finish()
      try? await Task.sleep(for: .seconds(86_400))
      return nil
    }
    let run = try Pipeline(
      #"{"steps": [{"id": "ok", "ask": "Go on?"}]}"#, transport: transport(), options: options
    ).run()
    _ = run.start()
    for await _ in asked {}
    run.cancel()
    #expect(try await run.result.report.status == .cancelled)
  }

  /// Some begin to wait when the run is cancelled already, because their tasks hear of it too late.
  @Test func aRunThatIsCancelledWaitsForNoneOfManyQuestions() async throws {
    let workflow = """
      {"limits": {"concurrency": 8}, "steps": [
        {"id": "each", "forEach": {"from": 1, "to": 200}, "concurrency": 8,
         "steps": [{"id": "ok", "ask": "Go on?"}]}]}
      """
    for count in 1...8 {
      let cancel = Mutex<(@Sendable () -> Void)?>(nil)
      let asked = Atomic<Int>(0)
      var options = RunOptions()
      options.observer = { event in
        guard case .asked = event.kind else { return }
        if asked.add(1, ordering: .relaxed).newValue == count { cancel.withLock { $0 }?() }
      }
      let run = try Pipeline(workflow, transport: transport(), options: options).run()
      cancel.withLock { $0 = { run.cancel() } }
      let report = try await run.result.report
      #expect(report.status == .cancelled)
      #expect(report.questions.isEmpty)
    }
  }

  @Test func textsAreSaidInOrderAndHideSecrets() async throws {
    let said = Mutex<[String]>([])
    var options = options()
    options.observer = { event in
      if case .said(let text) = event.kind { said.withLock { $0.append(text.text) } }
    }
    let workflow = """
      {"inputs": {"token": {"type": "string", "secret": true}}, "steps": [
        {"id": "one", "say": "Using {{inputs.token}}."},
        {"id": "two", "dependsOn": ["one"], "say": "Done."}]}
      """
    let report = try await Pipeline(workflow, transport: transport(), options: options).run(
      inputs: ["token": "abcdefgh"]
    ).result
    #expect(report.status == .succeeded)
    #expect(said.withLock { $0 } == ["Using •••.", "Done."])
  }
}
