import PipelineJSONText
import PipelineKit
import Testing
import PipelinePlanning
import PipelineTesting

/// Tokens of a run: fetched once, shared, renewed, and fetched again as `retry` says.
@Suite(.timeLimit(.minutes(5))) struct OAuthTests {
  private static let auth = """
    {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c", "clientSecret": "{{inputs.key}}"}}
    """
  private static let inputs = #""inputs": {"key": {"type": "string", "secret": true}}"#

  private func plan(_ steps: String, defaults: String = "") throws -> Plan {
    try PipelineEngineTests.plan(
      """
      {\(Self.inputs), "defaults": {"baseURL": "https://api.example", "auth": \(Self.auth)\(defaults)},
       "steps": [\(steps)]}
      """)
  }

  private static func token(_ number: Int, lifetime: Int? = nil) -> Schedule.Reply {
    var members: [JSONValue.Member] = [.init("access_token", .string("granted-token-\(number)"))]
    if let lifetime { members.append(.init("expires_in", JSONValue(lifetime))) }
    return Schedule.Reply(seconds: 1, answer: .json(.object(members)))
  }

  private static let get = #"{"id": "a", "endpoint": "GET /a"}"#

  @Test func stepsAtTheSameTimeShareOneToken() async throws {
    let plan = try plan(
      """
      \(Self.get), {"id": "b", "endpoint": "GET /b"},
      {"id": "c", "endpoint": "GET /c", "dependsOn": ["a"]}
      """)
    let schedule = try await Schedule(plan, turns: [2], inputs: ["key": "client-secret"]) {
      name, _ in name == "token" ? Self.token(1) : Schedule.Reply()
    }
    #expect(schedule.drawing == ["token -|", "a      |", "b      |", "c      |"])
    #expect(schedule.report.status == .succeeded)
    #expect(schedule.report.counts.requests == 4)
  }

  @Test func aTokenIsRenewedWhenItExpires() async throws {
    let plan = try plan(
      """
      {"id": "a", "forEach": {"from": 1, "to": 3}, "concurrency": 1, "endpoint": "GET /a"}
      """)
    // A token of 10 s is given up a second early.
    let schedule = try await Schedule(
      plan, turns: [2, 2, 2, 2, 2], inputs: ["key": "client-secret"]
    ) { name, attempt in
      name == "token" ? Self.token(attempt, lifetime: 10) : Schedule.Reply(seconds: 5)
    }
    #expect(
      schedule.drawing == [
        "token   -|",
        "a        -----|",
        "a 2           -----|",
        "token 2            -|",
        "a 3                 -----|",
      ])
  }

  @Test func aRefusedTokenIsRenewedOnceAndNotTwice() async throws {
    let plan = try plan(Self.get)
    let schedule = try await Schedule(
      plan, turns: [2, 2], inputs: ["key": "client-secret"]
    ) { name, attempt in
      name == "token" ? Self.token(attempt) : Schedule.Reply(answer: .status(401))
    }
    #expect(schedule.drawing == ["token   -|", "a        !", "token 2  -|", "a 2       !"])
    #expect(schedule.report.failures.first?.failure.message == "answered 401 Unauthorized")
  }

  @Test func whoeverIsRefusedLaterTakesTheTokenThatIsRenewedAlready() async throws {
    let plan = try plan(#"\#(Self.get), {"id": "b", "endpoint": "GET /b"}"#)
    let schedule = try await Schedule(
      plan, turns: [2, 3, 3, 3, 2], inputs: ["key": "client-secret"]
    ) { name, attempt in
      switch name {
      case "token": Self.token(attempt)
      case "a": Schedule.Reply(seconds: 1, answer: .status(attempt == 0 ? 401 : 200))
      default: Schedule.Reply(seconds: 3, answer: .status(attempt == 0 ? 401 : 200))
      }
    }
    #expect(
      schedule.drawing == [
        "token   -|",
        "a        -!",
        "b        ---!",
        "token 2   -|",
        "a 2        -|",
        "b 2         ---|",
      ])
  }

  @Test(arguments: [false, true])
  func aFailedTokenRequestIsSentAgainAsThePolicySays(_ isReset: Bool) async throws {
    let retry = #", "retry": {"attempts": 3, "delay": "2s", "jitter": false}"#
    // The step's own method must not be repeated; its token may.
    let plan = try plan(#"{"id": "a", "endpoint": "POST /a"}"#, defaults: retry)
    let schedule = try await Schedule(
      plan, turns: [2, 2, 2], inputs: ["key": "client-secret"]
    ) { name, attempt in
      guard name == "token" else { return Schedule.Reply() }
      guard attempt < 2 else { return Self.token(1) }
      return Schedule.Reply(
        answer: isReset
          ? .failure(TransportError(.interrupted, "the connection was reset")) : .status(503))
    }
    #expect(schedule.report.status == .succeeded)
    #expect(
      schedule.drawing == ["token   !", "token 2   !", "token 3       -|", "a              |"])
  }

  @Test func theTokenServersRetryAfterIsHeeded() async throws {
    let plan = try plan(Self.get, defaults: #", "retry": 2"#)
    let schedule = try await Schedule(
      plan, turns: [2, 2], inputs: ["key": "client-secret"]
    ) { name, attempt in
      guard name == "token" else { return Schedule.Reply() }
      return attempt > 0
        ? Self.token(1)
        : Schedule.Reply(answer: .status(429, headers: [HeaderField("Retry-After", "4")]))
    }
    #expect(schedule.drawing == ["token   !", "token 2     -|", "a            |"])
  }

  @Test func aTokenThatCannotBeHadFailsTheStepAndSaysWhy() async throws {
    let transport = ScriptedTransport([
      "POST https://id.example/token": [
        .json(["error": "invalid_client", "error_description": "no such client"], status: 400)
      ]
    ])
    let report = try await Pipeline(try plan(Self.get), transport: transport)
      .run(inputs: ["key": "client-secret"]).result.report
    #expect(
      report.failures.first?.failure.message
        == "could not get a token from https://id.example/token: answered 400 Bad Request:"
        + " no such client")
    #expect(transport.requests.count == 1)
  }

  @Test func anotherClientSecretIsAnotherToken() async throws {
    let plan = try PipelineEngineTests.plan(
      """
      {"inputs": {"keys": {"type": "array", "secret": true}},
       "steps": [{"id": "a", "forEach": "$.inputs.keys", "concurrency": 1,
                  "endpoint": "GET https://api.example/a",
                  "auth": {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c",
                                      "clientSecret": "{{item}}"}}}]}
      """)
    let transport = ScriptedTransport([
      "POST https://id.example/token": [
        .json(["access_token": "granted-token-1"]), .json(["access_token": "granted-token-2"]),
      ],
      "GET https://api.example/a": [.json([:])],
    ])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["keys": ["client-secret-1", "client-secret-2"]]).result.report
    #expect(report.status == .succeeded)
    let sent = transport.requests.filter { $0.method == "GET" }.map { request in
      request.headers.first { $0.name == "Authorization" }?.value
    }
    #expect(sent == ["Bearer granted-token-1", "Bearer granted-token-2"])
  }

  @Test func aRefreshTokenIsReplacedByTheOneThatTheServerGives() async throws {
    let plan = try PipelineEngineTests.plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "steps": [{"id": "a", "endpoint": "GET https://api.example/a",
                  "auth": {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c",
                                      "refreshToken": "{{inputs.key}}"}}}]}
      """)
    let transport = ScriptedTransport([
      "POST https://id.example/token": [
        .json(["access_token": "granted-token-1", "refresh_token": "second-refresh"]),
        .json(["access_token": "granted-token-2"]),
      ],
      "GET https://api.example/a": [.status(401), .json([:])],
    ])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "first-refresh"]).result.report
    #expect(report.status == .succeeded)
    let bodies = transport.requests.filter { $0.method == "POST" }.map { request in
      if case .bytes(let bytes) = request.body {
        String(decoding: bytes, as: UTF8.self)
      } else {
        ""
      }
    }
    #expect(
      bodies == [
        "grant_type=refresh_token&refresh_token=first-refresh&client_id=c",
        "grant_type=refresh_token&refresh_token=second-refresh&client_id=c",
      ])
  }

  @Test func theClientsSecretDoesNotGoWhereAResponseSays() async throws {
    let steps = """
      {"id": "find", "endpoint": "GET https://api.example/find", "extract": {"url": "$.token_endpoint"}},
      {"id": "a", "endpoint": "GET https://api.example/a",
       "auth": {"oauth2": {"tokenURL": "{{find.url}}", "clientId": "c", "clientSecret": "{{inputs.key}}"}}
      """
    let transport = ScriptedTransport([
      "GET https://api.example/find": [.json(["token_endpoint": "https://evil.example/token"])],
      "POST https://evil.example/token": [.json(["access_token": "granted-token"])],
      "GET https://api.example/a": [.json([:])],
    ])
    let refused = try await Pipeline(
      try PipelineEngineTests.plan("{\(Self.inputs), \"steps\": [\(steps)}]}"), transport: transport
    ).run(inputs: ["key": "client-secret"]).result.report
    #expect(transport.requests.count == 1)
    #expect(
      refused.failures.first?.failure.message
        == "would send credentials to https://evil.example, which a response named; list"
        + " \"https://evil.example\" in 'sendCredentials' if this is intended")
    let listed = try await Pipeline(
      try PipelineEngineTests.plan(
        "{\(Self.inputs), \"steps\": [\(steps), \"sendCredentials\": [\"https://evil.example\"]}]}"),
      transport: transport
    ).run(inputs: ["key": "client-secret"]).result.report
    #expect(listed.status == .succeeded)
  }

  @Test func theSecretMayBeSentInTheBody() async throws {
    let auth = """
      {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c d", "clientSecret": "{{inputs.key}}",
       "clientAuth": "post"}}
      """
    let plan = try PipelineEngineTests.plan(
      """
      {\(Self.inputs), "steps": [{"id": "a", "endpoint": "GET https://api.example/a", "auth": \(auth)}]}
      """)
    let transport = ScriptedTransport([
      "POST https://id.example/token": [.json(["access_token": "granted-token"])],
      "GET https://api.example/a": [.json([:])],
    ])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "client&secret"]).result.report
    #expect(report.status == .succeeded)
    let asked = try #require(transport.requests.first)
    guard case .bytes(let body) = asked.body else { return #expect(Bool(false), "no body") }
    #expect(
      String(decoding: body, as: UTF8.self)
        == "grant_type=client_credentials&client_id=c+d&client_secret=client%26secret")
    #expect(!asked.headers.contains { $0.name == "Authorization" })
  }

  /// Auth0 and Okta want an `audience`, RFC 8707 a `resource`, once for each.
  @Test func eachSetOfParametersHasItsOwnToken() async throws {
    func auth(_ audience: String) -> String {
      """
      {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c",
       "clientSecret": "{{inputs.key}}", "parameters": {"audience": "\(audience)",
       "resource": ["https://r.example/1", "https://r.example/2"], "none": "{{inputs.none}}"}}}
      """
    }
    func step(_ id: String, _ audience: String, _ more: String = "") -> String {
      """
      {"id": "\(id)", "endpoint": "GET https://api.example/\(id)", "auth": \(auth(audience))\(more)}
      """
    }
    let plan = try PipelineEngineTests.plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}, "none": {"optional": true}},
       "steps": [\(step("a", "https://a.example")),
         \(step("b", "https://b.example", #", "dependsOn": ["a"]"#)),
         \(step("c", "https://a.example", #", "dependsOn": ["b"]"#))]}
      """)
    let transport = ScriptedTransport([
      "POST https://id.example/token": [
        .json(["access_token": "token-of-a"]), .json(["access_token": "token-of-b"]),
      ],
      "GET https://api.example/a": [.json([:])], "GET https://api.example/b": [.json([:])],
      "GET https://api.example/c": [.json([:])],
    ])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "client-secret"]).result.report
    #expect(report.status == .succeeded)
    let bodies = transport.requests.compactMap { request -> String? in
      guard case .bytes(let body) = request.body, request.method == "POST" else { return nil }
      return String(decoding: body, as: UTF8.self)
    }
    #expect(
      bodies
        == ["a", "b"].map {
          "grant_type=client_credentials&audience=https%3A%2F%2F\($0).example"
            + "&resource=https%3A%2F%2Fr.example%2F1&resource=https%3A%2F%2Fr.example%2F2"
        })
    let tokens = transport.requests.compactMap { request in
      request.headers.first { $0.name == "Authorization" && request.method == "GET" }?.value
    }
    #expect(tokens == ["Bearer token-of-a", "Bearer token-of-b", "Bearer token-of-a"])
  }

  @Test func noTokenIsFetchedForAnOriginThatMayNotHaveIt() async throws {
    let plan = try plan(#"{"id": "a", "endpoint": "GET https://other.example/a"}"#)
    let transport = ScriptedTransport(["GET https://other.example/a": [.status(401)]])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "client-secret"]).result.report
    #expect(transport.requests.count == 1)
    #expect(report.failures.first?.failure.status == 401)
  }

  /// A token where none is looked for is shown nowhere.
  @Test(arguments: [
    ("access_token=granted%2Ftoken&token_type=bearer", "application/x-www-form-urlencoded"),
    (#"{"data": {"access_token": "granted/token"}}"#, "application/json"),
    (#"{"access_token": ["granted/token"], "refreshToken": "granted/token"}"#, "application/json"),
    (#"{"access_token": 4455667788}"#, "application/json"), ("granted/token", "text/plain"),
  ])
  func aTokenThatIsNotFoundIsNotShown(answer: String, type: String) async throws {
    let transport = ScriptedTransport([
      "POST https://id.example/token": [.text(answer, type: type)]
    ])
    var events = ""
    let run = Pipeline(try plan(Self.get), transport: transport)
      .run(inputs: ["key": "client-secret"])
    for await event in run.events() { events += "\(event)" }
    let report = try await run.result.report
    let failure = try #require(report.failures.first?.failure)
    #expect(failure.message.contains("without a token that is a text"), "\(failure.message)")
    for text in ["\(failure)", events] {
      #expect(!text.contains("granted"), "\(text)")
      #expect(!text.contains("4455667788"), "\(text)")
    }
  }

  /// Nothing is sent with a token that does not work as one.
  @Test(arguments: [
    (#"{"access_token": ""}"#, "it is empty"),
    (#"{"access_token": "a\r\nX-Other: b"}"#, "it has characters that no token has"),
    (#"{"access_token": "abc", "token_type": "MAC"}"#, "its type is 'MAC'"),
  ])
  func aTokenThatCannotBeUsedIsRefused(answer: String, reason: String) async throws {
    let transport = ScriptedTransport([
      "POST https://id.example/token": [.text(answer, type: "application/json")]
    ])
    let report = try await Pipeline(try plan(Self.get), transport: transport)
      .run(inputs: ["key": "client-secret"]).result.report
    let message = report.failures.first?.failure.message ?? ""
    #expect(
      message.contains("the token that https://id.example/token gave cannot be used: " + reason),
      "\(message)")
    #expect(transport.requests.count == 1)
  }

  @Test func aLifetimeBeyondAllBoundsIsNone() async throws {
    let transport = ScriptedTransport([
      "POST https://id.example/token": [
        .text(#"{"access_token": "granted-token", "expires_in": 1e300}"#, type: "application/json")
      ],
      "GET https://api.example/a": [.json([:])],
    ])
    let report = try await Pipeline(try plan(Self.get), transport: transport)
      .run(inputs: ["key": "client-secret"]).result.report
    #expect(report.status == .succeeded)
  }
}
