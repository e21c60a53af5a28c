import PipelineKit
import PipelineTesting
import Testing

/// What stands in for servers in an app's tests.
@Suite struct ScriptedAnswerTests {
  private let chain = """
    {"steps": [
       {"id": "user", "endpoint": "GET https://bank.example/users/7",
        "extract": {"account": "$.accountId"}},
       {"id": "account", "endpoint": "GET https://bank.example/accounts/{{user.account}}",
        "timeout": "5s", "retry": {"attempts": 3, "delay": "1s", "jitter": false},
        "extract": {"balance": "$.balance"}}],
     "outputs": {"balance": "{{account.balance}}"}}
    """

  private func options(_ clock: any RunClock) -> RunOptions {
    var options = RunOptions()
    options.clock = clock
    return options
  }

  @Test func stepsAreAnsweredByTheirIds() async throws {
    let clock = VirtualClock()
    let script = ScriptedTransport(
      steps: [
        "user": [.json(["accountId": 42])],
        "account": [.refused, .json(["balance": 1]).after(.seconds(9)), .json(["balance": 10])],
      ], clock: clock)
    let pipeline = try Pipeline(chain, transport: script, options: options(clock))
    #expect(try await pipeline.run().result.output("balance", as: Int.self) == 10)
    #expect(script.requests(of: "account").count == 3)
    #expect(script.requests(of: "user").map(\.url) == ["https://bank.example/users/7"])
    // A pause of 1 s, 5 s until the time was over, and a pause of 2 s.
    #expect(clock.elapsed == .seconds(8))
  }

  @Test func everyWayToFailHasItsKind() async throws {
    let cases: [(ScriptedTransport.Answer, FailureReason.Kind)] = [
      (.refused, .network), (.reset, .network), (.truncated, .network), (.unknownHost, .network),
      (.untrusted, .network), (.timeout, .timeout), (.status(500), .status), (.text("x"), .extract),
    ]
    for (answer, kind) in cases {
      let clock = VirtualClock()
      let script = ScriptedTransport(
        steps: ["user": [.json(["accountId": 42])], "account": [answer]], clock: clock)
      let result = try await Pipeline(chain, transport: script, options: options(clock)).run()
        .result
      #expect(result.report.failures.map(\.failure.kind) == [kind], "\(answer)")
    }
  }

  @Test func aStepWithoutAnAnswerFailsWithThoseThereAre() async throws {
    let script = ScriptedTransport(steps: ["user": [.json(["accountId": 42])]])
    let result = try await Pipeline(chain, transport: script).run().result
    #expect(
      result.report.failures.first?.failure.message
        == "the script has no answer for step 'account'; it has: user")
  }

  @Test func urlsMayHavePatterns() async throws {
    let script = ScriptedTransport([
      "GET https://bank.example/*": [.json(["accountId": 42])],
      "GET https://bank.example/accounts/*": [.json(["balance": 1])],
      "GET https://bank.example/accounts/42": [.json(["balance": 2])],
    ])
    let pipeline = try Pipeline(chain, transport: script)
    #expect(try await pipeline.run().result.output("balance", as: Int.self) == 2)
    let other = ScriptedTransport([
      "GET https://bank.example/*": [.json(["accountId": 42])],
      "GET *accounts/*": [.json(["balance": 1])],
      "GET https://bank.example/acc*s/*2": [.json(["balance": 3])],
    ])
    let result = try await Pipeline(chain, transport: other).run().result
    #expect(try result.output("balance", as: Int.self) == 3)
  }

  @Test func theAnswersOfATestFileAreAnswersHere() async throws {
    let clock = VirtualClock()
    let script = try ScriptedTransport(
      respond: """
        {"user": {"json": {"accountId": 42}, "headers": {"X-Request": "1"}},
         "account": [{"fault": "timeout"}, {"status": 503, "after": "2s"}, {"json": {"balance": 10}}]}
        """, clock: clock)
    let pipeline = try Pipeline(chain, transport: script, options: options(clock))
    #expect(try await pipeline.run().result.output("balance", as: Int.self) == 10)
    // A fourth request has no answer.
    let again = try await pipeline.run().result
    #expect(
      again.report.failures.first?.failure.message
        == "step 'account' is request 4, and the list has 3 answers")
    let error = #expect(throws: WorkflowError.self) {
      try ScriptedTransport(respond: "{\"user\": {\"jsn\": 1}}")
    }
    #expect(error?.description.contains("did you mean 'json'?") == true)
    #expect(throws: FileError.self) {
      try ScriptedTransport(respond: "{\"user\": {\"values\": {\"account\": 1}}}")
    }
  }

  @Test func eachItemGetsItsList() async throws {
    let script = try ScriptedTransport(
      respond: """
        {"get": {"items": [{"json": 1}, [{"status": 503}, {"json": 2}]]}}
        """)
    let pipeline = try Pipeline(
      """
      {"steps": [{"id": "get", "forEach": [1, 2], "endpoint": "GET https://a.example/{{item}}",
         "retry": {"attempts": 2, "delay": "1ms"}, "extract": {"n": "$"}}],
       "outputs": {"all": "$.get[*].n"}}
      """, transport: script)
    #expect(try await pipeline.run().result.output("all", as: [Int].self) == [1, 2])
  }
}
