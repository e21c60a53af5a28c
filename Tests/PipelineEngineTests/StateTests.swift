import PipelineJSONText
import PipelineKit
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTesting
import Testing

/// What a run leaves to the next one (docs/language.md, State between runs).
@Suite struct StateTests {
  private let api = "https://api.example"

  /// A workflow that asks for what is new.
  private func export(_ state: String, _ more: String = "", extract: String = "$.newest") -> String
  {
    """
    {"state": {\(state)}, \(more)
     "steps": [{"id": "list", "endpoint": "GET \(api)/orders",
                "query": {"since": "{{state.since}}"},
                "extract": {"newest": {"body": "\(extract)", "optional": true}}}],
     "outputs": {"newest": "{{list.newest}}"}}
    """
  }

  private let since =
    #""since": {"type": "datetime", "default": "2026-01-01T00:00:00Z", "next": "{{list.newest}}"}"#

  private func run(
    _ plan: Plan, _ answer: ScriptedTransport.Answer, state: [String: JSONValue] = [:]
  ) async throws -> (report: RunReport, sent: [String]) {
    let transport = ScriptedTransport { _ in answer }
    var options = RunOptions()
    options.clock = InstantClock()
    options.state = state
    let report = try await Pipeline(plan, transport: transport, options: options).run().result
      .report
    return (report, transport.requests.map(\.url))
  }

  @Test func aRunBeginsWhereTheLastOneThatSucceededEnded() async throws {
    let plan = try plan(export(since))
    let first = try await run(plan, .json(["newest": "2026-02-01T00:00:00Z"]))
    #expect(first.sent == [api + "/orders?since=2026-01-01T00%3A00%3A00Z"])
    #expect(first.report.state == ["since": "2026-02-01T00:00:00Z"])
    let second = try await run(
      plan, .json(["newest": "2026-03-01T00:00:00Z"]), state: first.report.state)
    #expect(second.sent == [api + "/orders?since=2026-02-01T00%3A00%3A00Z"])
    #expect(second.report.state == ["since": "2026-03-01T00:00:00Z"])
  }

  @Test func aRunThatFailsLeavesWhatItWasGiven() async throws {
    let given: [String: JSONValue] = ["since": "2026-02-01T00:00:00Z", "old": 1]
    let plan = try plan(export(since))
    let failed = try await run(plan, .status(500), state: given)
    #expect(failed.report.status == .failed)
    #expect(failed.report.state == given)
  }

  @Test func aRunWhoseFinallyFailsLeavesWhatItWasGiven() async throws {
    let finally =
      #""finally": [{"id": "bye", "values": {"a": 1}, "expect": {"where": ["@.a == 2"]}}],"#
    let plan = try plan(export(since, finally))
    let failed = try await run(plan, .json(["newest": "2026-02-01T00:00:00Z"]))
    #expect(failed.report.status == .failed)
    #expect(failed.report.outputs.text == #"{"newest":"2026-02-01T00:00:00Z"}"#)
    #expect(failed.report.state.isEmpty)
  }

  @Test func nextSeesWhatFinallyGives() async throws {
    let plan = try plan(
      """
      {"state": {"last": {"next": "{{bye.text}}"}},
       "steps": [{"id": "a", "values": {"x": "{{state.last}}"}}],
       "finally": [{"id": "bye", "values": {"text": "bye"}}], "outputs": {"x": "{{a.x}}"}}
      """)
    let first = try await run(plan, .json([:]))
    #expect(first.report.outputs.text == "{}")
    #expect(first.report.state == ["last": "bye"])
    let second = try await run(plan, .json([:]), state: first.report.state)
    #expect(second.report.outputs.text == #"{"x":"bye"}"#)
  }

  @Test func aCancelledRunLeavesWhatItWasGiven() async throws {
    let plan = try plan(export(since))
    var options = RunOptions()
    options.state = ["since": "2026-02-01T00:00:00Z"]
    let run = Pipeline(
      plan, transport: ScriptedTransport { _ in .json([:]) }, options: options
    ).run()
    run.cancel()
    let report = try await run.result.report
    #expect(report.status == .cancelled)
    #expect(report.state == ["since": "2026-02-01T00:00:00Z"])
  }

  @Test func whatIsAbsentLeavesTheValueAsItWas() async throws {
    let plan = try plan(export(since))
    let result = try await run(plan, .json([:]), state: ["since": "2026-02-01T00:00:00Z"])
    #expect(result.report.status == .succeeded)
    #expect(result.report.state == ["since": "2026-02-01T00:00:00Z"])
    #expect(try await run(plan, .json([:])).report.state.isEmpty)
  }

  @Test func whatNoRunHasLeftIsAbsent() async throws {
    let plan = try plan(export(#""since": {"next": "{{list.newest}}"}"#))
    let first = try await run(plan, .json(["newest": 7]))
    #expect(first.sent == [api + "/orders"])
    #expect(first.report.state == ["since": 7])
  }

  @Test func aNextOfTheWrongTypeFailsTheRun() async throws {
    let plan = try plan(export(since))
    let given: [String: JSONValue] = ["since": "2026-02-01T00:00:00Z"]
    let result = try await run(plan, .json(["newest": nil]), state: given)
    #expect(result.report.status == .failed)
    #expect(
      result.report.failures.map(\.failure.message) == [
        "the next value of state 'since' must be a date and time (2026-01-31T09:05:00Z), but is null"
      ])
    #expect(result.report.failures.map(\.step) == ["state"])
    #expect(result.report.failures.first?.failure.range != nil)
    #expect(result.report.state == given)
  }

  @Test func aGivenValueOfTheWrongTypeIsRefusedBeforeAnythingIsSent() async throws {
    let plan = try plan(export(since))
    let transport = ScriptedTransport { _ in .json([:]) }
    var options = RunOptions()
    options.state = ["since": 3]
    let pipeline = Pipeline(plan, transport: transport, options: options)
    let message = "state 'since' must be a date and time (2026-01-31T09:05:00Z), but is 3"
    do {
      _ = try await pipeline.run().result
      Issue.record("it ran")
    } catch let error as InputError {
      #expect(error.description == message)
    }
    #expect(throws: InputError.self) { try pipeline.check(inputs: [:]) }
    #expect(transport.requests.isEmpty)
  }

  @Test func relativeDatesAreFixedWhenTheRunStarts() async throws {
    let plan = try plan(
      export(#""since": {"type": "date", "default": "now-1d", "next": "now"}"#))
    let first = try await run(plan, .json([:]))
    let today = try #require(first.report.state["since"]?.node.string)
    #expect(today.utf8.count == 10 && !today.hasPrefix("now"))
    #expect(first.sent.count == 1 && !first.sent[0].contains("now"))
    #expect(!first.sent[0].contains(today))
  }

  @Test func aSecretThatAResponseRepeatsIsNotKept() async throws {
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "state": {"cursor": {"next": "{{list.cursor}}"}},
       "steps": [{"id": "list", "endpoint": "GET \(api)/orders", "auth": {"bearer": "{{inputs.key}}"},
                  "query": {"cursor": "{{state.cursor}}"}, "extract": {"cursor": "$.cursor"}}]}
      """)
    let transport = ScriptedTransport { _ in .json(["cursor": "for swordfish-1"]) }
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "swordfish-1"]).result.report
    #expect(report.status == .failed)
    #expect(report.failures.first?.failure.message.contains("contains a secret") == true)
    #expect(report.state.isEmpty)
  }

  /// An earlier response must not lead credentials, or a request into a private network.
  @Test func whatAnEarlierRunLeftIsTheWordOfAResponse() async throws {
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "state": {"delta": {"default": "\(api)/delta", "next": "{{list.delta}}"}},
       "steps": [{"id": "list", "endpoint": "GET {{state.delta}}", "auth": {"bearer": "{{inputs.key}}"},
                  "extract": {"delta": "$.delta"}}]}
      """)
    let transport = ScriptedTransport { _ in .json(["delta": "https://evil.example/"]) }
    var options = RunOptions()
    options.state = ["delta": "https://evil.example/"]
    _ = try await Pipeline(plan, transport: transport, options: options)
      .run(inputs: ["key": "swordfish-1"]).result.report
    #expect(transport.requests.count == 1)
    #expect(transport.requests.allSatisfy { $0.headers.isEmpty })
    #expect(transport.requests.allSatisfy { $0.connection.refusesPrivateAddresses })
  }

  @Test func rowsAreKeptForNextWhereTheyWouldBeHandedOn() async throws {
    func plan(_ next: String) throws -> Plan {
      try PipelineEngineTests.plan(
        """
        {"state": {"ids": {"next": "\(next)"}},
         "steps": [{"id": "each", "forEach": [1, 2, 3], "values": {"id": "{{item}}", "last": "{{state.ids}}"}}],
         "outputs": {"rows": "{{each}}"}}
        """)
    }
    #expect(
      try plan("{{run.startedAt}}").streamableSource
        == .collection(step: 0, output: 0, path: .value))
    #expect(try plan("$.each[*].id").streamableSource == nil)
    var options = RunOptions()
    options.rowReader = { _ in }
    let report = try await Pipeline(
      plan("$.each[*].id"), transport: ScriptedTransport { _ in .json([:]) }, options: options
    ).run().result.report
    #expect(report.state == ["ids": [1, 2, 3]])
  }

  @Test func stateIsANameLikeOthersWhereAFileKeepsNone() async throws {
    let plan = try plan(
      """
      {"steps": [{"id": "state", "values": {"since": 5}},
                 {"id": "b", "values": {"x": "{{state.since}}"}}], "outputs": {"x": "{{b.x}}"}}
      """)
    let result = try await run(plan, .json([:]), state: ["since": 9])
    #expect(result.report.outputs.text == #"{"x":5}"#)
    #expect(result.report.state == ["since": 9])
  }

  @Test func stepsOfBlocksReadTheState() async throws {
    let plan = try plan(
      """
      {"state": {"n": {"default": 1, "next": 2}},
       "steps": [{"id": "each", "forEach": [1], "steps": [{"id": "in", "values": {"n": "{{state.n}}"}}],
                  "outputs": {"n": "{{in.n}}", "m": "{{state.n}}"}}],
       "outputs": {"each": "{{each}}"}}
      """)
    let result = try await run(plan, .json([:]), state: ["n": 4])
    #expect(result.report.outputs.text == #"{"each":[{"n":4,"m":4}]}"#)
    #expect(result.report.state == ["n": 2])
  }

  @Test func aFileThatKeepsStateCannotBeCalled() throws {
    let files = [
      "main.json": #"{"steps": [{"id": "a", "workflow": "./export.json"}]}"#,
      "export.json": export(since),
    ]
    let source = SourceFile(name: "main.json", bytes: Array((files["main.json"] ?? "").utf8))
    let found = Linter(loader: MemoryLoader(files: files)).lint(source).diagnostics
    #expect(found.map(\.code) == ["called-workflow"])
    #expect(found.first?.message.contains("it has 'state'") == true)
  }
}
