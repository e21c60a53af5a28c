import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

/// Whole runs over a scripted transport.
@Suite struct RunTests {
  private let api = "https://api.example"

  private func request(_ id: String, _ path: String, _ rest: String = "") -> String {
    "{\"id\": \"\(id)\", \"endpoint\": \"GET \(api)\(path)\"\(rest.isEmpty ? "" : ", " + rest)}"
  }

  @Test func valuesGoFromOneResponseToTheNextURL() async throws {
    let plan = try plan(
      """
      {"inputs": {"user": {"type": "integer"}}, "defaults": {"baseURL": "\(api)"}, "steps": [
        {"id": "user", "endpoint": "GET /users/{{inputs.user}}", "extract": {"account": "$.accountId"}},
        {"id": "account", "endpoint": "GET /accounts/{{user.account}}", "extract": {"balance": "$.balance"}}
      ], "outputs": {"balance": "{{account.balance}}"}}
      """)
    let transport = ScriptedTransport([
      "GET \(api)/users/7": [.json(["accountId": 9_007_199_254_740_993])],
      "GET \(api)/accounts/9007199254740993": [
        .text(#"{"balance": 10.10}"#, type: "application/json")
      ],
    ])
    let result = try await Pipeline(plan, transport: transport).run(inputs: ["user": 7]).result
    #expect(result.status == .succeeded)
    #expect(result.outputs.text == #"{"balance":10.10}"#)
    #expect(try result.output("balance", as: Double.self) == 10.1)
  }

  @Test func eventsTellTheRunFromItsStartToItsEnd() async throws {
    let plan = try plan(steps: request("a", "/a", "\"forEach\": [1, 2]"))
    let transport = ScriptedTransport(["GET \(api)/a": [.json([:])]])
    let run = Pipeline(plan, transport: transport).run()
    var names: [String] = []
    for await event in run.events() { names.append(event.kind.name) }
    #expect(names.first == "runStarted")
    #expect(names.last == "runFinished")
    #expect(names.filter { $0 == "requestFinished" }.count == 2)
    #expect(names.filter { $0 == "itemFinished" }.count == 2)
    #expect(names.filter { $0 == "stepFinished" }.count == 1)
  }

  @Test func everyRequestOfARedirectionIsTold() async throws {
    let plan = try plan(steps: request("a", "/a"))
    let transport = ScriptedTransport([
      "GET \(api)/a": [.status(302, headers: [HeaderField("Location", "/b")])],
      "GET \(api)/b": [.json([:])],
    ])
    let run = Pipeline(plan, transport: transport).run()
    let told = await requests(of: run)
    #expect(told == ["GET \(api)/a 302", "GET \(api)/b 200"])
    #expect(try await run.result.report.counts.requests == 2)
  }

  @Test func anEndlessRedirectTellsOfAllItsRequests() async throws {
    let plan = try plan(steps: request("a", "/a", "\"redirects\": 2"))
    let transport = ScriptedTransport([
      "GET \(api)/a": [.status(307, headers: [HeaderField("Location", "/a")])]
    ])
    let run = Pipeline(plan, transport: transport).run()
    let told = await requests(of: run)
    #expect(told == Array(repeating: "GET \(api)/a 307", count: 3))
    #expect(try await run.result.report.counts.requests == 3)
  }

  private func requests(of run: Run) async -> [String] {
    var told: [String] = []
    for await event in run.events() {
      guard case .requestFinished(let request) = event.kind else { continue }
      told.append("\(request.method) \(request.url) \(request.status ?? 0)")
    }
    return told
  }

  @Test func inputsThatDoNotFitAreAllTold() async throws {
    let plan = try plan(
      """
      {"inputs": {"page": {"type": "integer"}, "name": {"type": "string", "enum": ["a", "b"]}},
       "steps": [{"id": "v", "values": {"p": "{{inputs.page}}", "n": "{{inputs.name}}"}}],
       "outputs": {"v": "{{v}}"}}
      """)
    let pipeline = Pipeline(plan, transport: ScriptedTransport([:]))
    let error = try #require(throws: InputError.self) {
      try pipeline.check(inputs: ["pag": 1, "name": "c"])
    }
    #expect(
      error.problems.map(\.message) == [
        "input 'pag' does not exist; did you mean 'page'?",
        "input 'page' has no value",
        "input 'name' is \"c\", but must be one of: \"a\", \"b\"",
      ])
  }

  @Test func aBodyMustSatisfyItsSchema() async throws {
    let schema =
      #""expect": {"schema": {"required": ["id"], "properties": {"id": {"type": "integer"}}}}"#
    let plan = try plan(steps: request("a", "/a", schema))
    let well = ScriptedTransport(["GET \(api)/a": [.json(["id": 1])]])
    #expect(try await Pipeline(plan, transport: well).run().result.status == .succeeded)
    for body: JSONValue in [["id": "one"], [:]] {
      let badly = ScriptedTransport(["GET \(api)/a": [.json(body)]])
      let result = try await Pipeline(plan, transport: badly).run().result
      let failure = try #require(result.report.failures.first?.failure)
      #expect(failure.kind == .schema)
      #expect(failure.message.contains("id"))
    }
    let text = ScriptedTransport(["GET \(api)/a": [.text("hello")]])
    let result = try await Pipeline(plan, transport: text).run().result
    #expect(result.report.failures.first?.failure.kind == .schema)
  }

  @Test func aFailureShowsRequestStatusAndBody() async throws {
    let plan = try plan(steps: request("a", "/a"))
    let transport = ScriptedTransport(["GET \(api)/a": [.text("no such thing", status: 404)]])
    let result = try await Pipeline(plan, transport: transport).run().result
    let failure = try #require(result.report.failures.first?.failure)
    #expect(failure.kind == .status)
    #expect(failure.message == "answered 404 Not Found")
    #expect(failure.request?.url == "\(api)/a")
    #expect(failure.status == 404)
    #expect(failure.excerpt == "no such thing")
  }

  @Test func aRetryWaitsAsThePolicySays() async throws {
    let plan = try plan(
      steps: request(
        "a", "/a", "\"retry\": {\"attempts\": 3, \"delay\": \"1s\", \"jitter\": false}"))
    let transport = ScriptedTransport([
      "GET \(api)/a": [.status(503), .status(503), .json([:])]
    ])
    let clock = ManualClock()
    var options = RunOptions()
    options.clock = clock
    let run = Pipeline(plan, transport: transport, options: options).run()
    async let result = run.result
    // The deadline sleeps too.
    await clock.waitForSleepers(2)
    #expect(clock.nextWake == .seconds(1))
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers(2)
    #expect(clock.nextWake == .seconds(2))
    clock.advance(by: .seconds(2))
    #expect(try await result.status == .succeeded)
    #expect(transport.requests.count == 3)
  }

  @Test func retryAfterHoldsBackEveryRequestToTheOrigin() async throws {
    let plan = try plan(
      steps: request("a", "/a", "\"retry\": 2") + "," + request("b", "/b", "\"dependsOn\": [\"c\"]")
        + "," + request("c", "/c"))
    let clock = ManualClock()
    let (sent, sends) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { request in
      if request.url.hasSuffix("/a"), clock.elapsed == .zero {
        // Not before 'c' was sent, which would else be held back, too.
        for await _ in sent { break }
        return .status(429, headers: [HeaderField("Retry-After", "7")])
      }
      // The answer to 'c' comes only after 'a' was told to wait.
      if request.url.hasSuffix("/c") {
        sends.yield()
        await clock.waitForSleepers(2)
      }
      return .json([:])
    }
    var options = RunOptions()
    options.clock = clock
    let run = Pipeline(plan, transport: transport, options: options).run()
    async let result = run.result
    // The deadline, the retry of 'a', and 'b', which is held back.
    await clock.waitForSleepers(3)
    #expect(transport.requests.map(\.url).sorted() == ["\(api)/a", "\(api)/c"])
    clock.advance(by: .seconds(7))
    #expect(try await result.status == .succeeded)
    #expect(transport.requests.count == 4)
  }

  @Test func postIsNotRepeatedUnlessTheAuthorSaysSo() async throws {
    let steps = { (unsafe: Bool) in
      "{\"id\": \"a\", \"endpoint\": \"POST https://api.example/a\", \"retry\": {\"attempts\": 2, \"delay\": \"1ms\", \"unsafe\": \(unsafe)}}"
    }
    let safe = ScriptedTransport(["POST \(api)/a": [.status(503), .json([:])]])
    let once = try await Pipeline(try plan(steps: steps(false)), transport: safe).run().result
    #expect(once.status == .failed)
    #expect(
      once.report.failures.first?.failure.hints == [
        "'retry' does not send a POST again, because it might take effect twice; '\"unsafe\": true' allows it"
      ])
    #expect(safe.requests.count == 1)
    let unsafe = ScriptedTransport(["POST \(api)/a": [.status(503), .json([:])]])
    let twice = try await Pipeline(try plan(steps: steps(true)), transport: unsafe).run().result
    #expect(twice.status == .succeeded)
    let keys = unsafe.requests.map { request in
      request.headers.first { $0.name == "Idempotency-Key" }?.value
    }
    #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
  }

  @Test func whatADeleteFindsGoneAfterARetryIsDone() async throws {
    for (status, isDone) in [(404, true), (410, true), (403, false)] {
      let transport = ScriptedTransport(["DELETE \(api)/a": [.status(503), .status(status)]])
      let plan = try plan(
        steps:
          "{\"id\": \"a\", \"endpoint\": \"DELETE \(api)/a\", \"retry\": {\"attempts\": 2, \"delay\": \"1ms\"}}"
      )
      let result = try await Pipeline(plan, transport: transport).run().result
      #expect((result.status == .succeeded) == isDone)
      #expect(transport.requests.count == 2)
    }
  }

  @Test func cancellingStopsTheRequestInFlight() async throws {
    let plan = try plan(
      steps: request("a", "/a") + "," + request("b", "/b", "\"dependsOn\": [\"a\"]"))
    let clock = ManualClock()
    let transport = ScriptedTransport { _ in
      try? await clock.sleep(for: .seconds(100))
      return .json([:])
    }
    let run = Pipeline(plan, transport: transport).run()
    async let result = run.result
    await clock.waitForSleepers(1)
    run.cancel()
    let report = try await result.report
    #expect(report.status == .cancelled)
    #expect(report.counts.cancelled == 1)
    #expect(report.counts.skipped == 1)
  }

  @Test func aRedirectKeepsCredentialsToTheirOrigin() async throws {
    let plan = try plan(
      """
      {"inputs": {"token": {"type": "string", "secret": true}},
       "defaults": {"baseURL": "\(api)", "auth": {"bearer": "{{inputs.token}}"}},
       "steps": [{"id": "a", "endpoint": "GET /a"}]}
      """)
    let transport = ScriptedTransport([
      "GET \(api)/a": [.status(302, headers: [HeaderField("Location", "https://other.example/b")])],
      "GET https://other.example/b": [.json([:])],
    ])
    let run = Pipeline(plan, transport: transport).run(inputs: ["token": "s3cret-token"])
    let result = try await run.result
    #expect(result.status == .succeeded)
    #expect(
      transport.requests[0].headers.contains(HeaderField("Authorization", "Bearer s3cret-token")))
    #expect(!transport.requests[1].headers.contains { $0.name == "Authorization" })
    #expect(transport.requests[1].connection.refusesPrivateAddresses)
  }

  @Test func aResponsesURLGetsNoCredentialThatAStepWrites() async throws {
    let plan = try plan(
      """
      {"inputs": {"token": {"type": "string", "secret": true}}, "steps": [
        {"id": "a", "endpoint": "GET \(api)/a", "extract": {"next": "$.next"}},
        {"id": "b", "endpoint": "GET {{a.next}}", "auth": {"bearer": "{{inputs.token}}"}}
      ]}
      """)
    let transport = ScriptedTransport([
      "GET \(api)/a": [.json(["next": "https://evil.example/x"])],
      "GET https://evil.example/x": [.status(401)],
    ])
    let run = Pipeline(plan, transport: transport).run(inputs: ["token": "s3cret-token"])
    let result = try await run.result
    #expect(transport.requests.count == 2)
    #expect(transport.requests[1].headers.isEmpty)
    // Whoever asks why gets an answer.
    let failure = result.report.failures.first?.failure
    #expect(failure?.message == "answered 401 Unauthorized")
    #expect(
      failure?.hints == [
        "the step's credentials are not sent to https://evil.example, which a response named; "
          + "'sendCredentials' lists the origins that get them"
      ])
  }

  @Test func secretsAreHiddenInOutputsAndFailures() async throws {
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}}, "steps": [
        {"id": "a", "endpoint": "GET \(api)/a", "headers": {"X-Key": "{{inputs.key}}"},
         "onError": "continue", "extract": {"v": "$.v"}},
        {"id": "copy", "values": {"k": "{{inputs.key}}", "t": "key={{inputs.key}}"}}
      ], "outputs": {"copy": "{{copy}}", "plain": "x"}}
      """)
    let transport = ScriptedTransport([
      "GET \(api)/a": [.text("bad key: hunter2-hunter2", status: 401)]
    ])
    let result = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "hunter2-hunter2"]).result
    #expect(result.outputs.text == #"{"copy":{"k":"•••","t":"•••"},"plain":"x"}"#)
    #expect(result.report.failures.first?.failure.excerpt == "bad key: •••")
  }

  @Test func onlyAsManyRequestsAsTheLimitAllows() async throws {
    let plan = try plan(
      """
      {"limits": {"requests": 3}, "steps": [
        {"id": "a", "forEach": {"from": 1, "to": 10}, "concurrency": 1, "endpoint": "GET \(api)/a"}]}
      """)
    let transport = ScriptedTransport(["GET \(api)/a": [.json([:])]])
    let result = try await Pipeline(plan, transport: transport).run().result
    #expect(transport.requests.count == 3)
    #expect(result.report.failures.first?.failure.kind == .limit)
  }

  /// Every way in which a step reads the body asks the transport for it.
  @Test func onlyABodyThatIsReadIsAskedFor() async throws {
    let read = [
      #""extract": {"x": "$.x"}"#, #""extract": {"x": {"text": true}}"#,
      #""extract": {"x": {"regex": "(1)"}}"#, #""expect": {"where": ["@.body.x == 1"]}"#,
      #""expect": {"schema": {"type": "object"}}"#, #""save": "x.json""#,
      #""poll": {"until": "@.status == 200", "every": "1s", "within": "1s"}"#,
      #""paginate": {"page": "p", "pages": "$.x"}"#,
    ]
    let unread = [
      #""extract": {"x": {"status": true}}"#, #""extract": {"x": {"header": "x-n"}}"#,
      #""extract": {"x": {"url": true}}"#, #""expect": {"contentType": "application/json"}"#,
    ]
    for (parts, wantsBody) in [(read, true), (unread, false)] {
      for part in parts {
        let plan = try plan(
          #"{"steps": [{"id": "a", "endpoint": "GET \#(api)/a", \#(part), "onError": "continue"}]}"#
        )
        let transport = ScriptedTransport { _ in .json(["x": 1]) }
        _ = try await Pipeline(plan, transport: transport).run().result
        #expect(transport.requests.first?.wantsBody == wantsBody, "\(part)")
      }
    }
  }

  @Test func theDeadlineStopsTheRun() async throws {
    let plan = try plan(
      "{\"limits\": {\"deadline\": \"5s\"}, \"steps\": [\(request("a", "/a"))]}")
    let clock = ManualClock()
    let transport = ScriptedTransport { _ in
      try? await clock.sleep(for: .seconds(60))
      return .json([:])
    }
    var options = RunOptions()
    options.clock = clock
    let run = Pipeline(plan, transport: transport, options: options).run()
    async let result = run.result
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    let report = try await result.report
    #expect(report.status == .failed)
    #expect(report.stopReason?.kind == .limit)
  }
}

extension RunEvent.Kind {
  var name: String {
    switch self {
    case .runStarted: "runStarted"
    case .stepStarted: "stepStarted"
    case .requestFinished: "requestFinished"
    case .itemStarted: "itemStarted"
    case .eventReceived: "eventReceived"
    case .itemFinished: "itemFinished"
    case .stepFinished: "stepFinished"
    case .note: "note"
    case .said: "said"
    case .asked: "asked"
    case .runFinished: "runFinished"
    }
  }
}
