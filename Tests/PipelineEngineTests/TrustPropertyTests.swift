import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import PipelineTesting
import Testing

/// URLs that a response gives lead to other origins in every way there is; no credential goes there.
@Suite struct TrustPropertyTests {
  private static let api = "https://api.example"
  private static let secret = "s3cr3t-t0k3n-0123456789"

  /// Where a hostile response may point.
  private static let foreign = [
    "https://evil.example", "http://evil.example", "https://api.example:8443", "http://api.example",
    "https://api.example.evil.example", "https://API.example.evil", "http://127.0.0.1:9",
    "http://[::1]:9",
    "http://10.0.0.1", "http://169.254.169.254", "https://sub.api.example", "//evil.example",
    "https://api.example@evil.example", "https://user:pass@evil.example",
  ]

  /// How a step carries its credential.
  private static let credentials = [
    #""auth": {"bearer": "{{inputs.key}}"}"#,
    #""auth": {"basic": {"user": "u", "password": "{{inputs.key}}"}}"#,
    #""auth": {"digest": {"user": "u", "password": "{{inputs.key}}"}}"#,
    #""auth": {"awsSigV4": {"service": "s3", "region": "eu", "accessKey": "A", "secretKey": "{{inputs.key}}"}}"#,
    #""headers": {"X-Key": "{{inputs.key}}"}"#, #""headers": {"Authorization": "literal"}"#,
    #""headers": {"Cookie": "a=b"}"#, #""cookies": {"session": "{{inputs.key}}"}"#,
    #""cookies": {"session": "plain"}"#, #""query": {"key": "{{inputs.key}}"}"#,
    #""body": {"json": {"key": "{{inputs.key}}"}}"#,
    #""body": {"form": {"key": "{{inputs.key}}"}}"#,
    #""body": {"text": "key={{inputs.key}}"}"#,
    #""body": {"graphql": {"query": "{ a }", "operationName": "{{inputs.key}}"}}"#,
    #""body": {"graphql": {"query": "{ a }", "variables": {"k": "{{inputs.key}}"}}}"#,
    #""body": {"multipart": [{"name": "{{inputs.key}}", "value": "x"}]}"#,
    #""body": {"multipart": [{"name": "a", "filename": "{{inputs.key}}", "value": "x"}]}"#,
    #""body": {"multipart": [{"name": "a", "value": "{{inputs.key}}"}]}"#,
    #""auth": {"oauth2": {"tokenURL": "https://api.example/token", "clientId": "c", "clientSecret": "{{inputs.key}}"}}"#,
    #""tls": {"cert": "c.pem", "key": "k.pem"}"#,
  ]

  /// How a URL of a response is followed.
  private enum Way: CaseIterable {
    case extracted, base, redirect301, redirect303, redirect307, link, next, called
  }

  private struct Files: FileAccess {
    func read(_ path: String) throws(FileError) -> [UInt8] { [] }
    func resolve(_ path: String) throws(FileError) -> String { "/" + path }
    func save(_ bytes: [UInt8], to path: String) throws(FileError) {}
  }

  private static func files(_ way: Way, _ credential: String, inDefaults: Bool) -> [String: String]
  {
    let own = inDefaults ? "" : ", " + credential
    let method = credential.contains("\"body\"") ? "POST" : "GET"
    let steps: String
    switch way {
    case .extracted:
      steps = """
        {"id": "where", "endpoint": "GET /where", "extract": {"url": "$.url"}, "auth": null},
        {"id": "go", "endpoint": "\(method) {{where.url}}"\(own)}
        """
    case .redirect301, .redirect303, .redirect307:
      steps = #"{"id": "go", "endpoint": "\#(method) /redirect"\#(own)}"#
    case .link:
      steps = #"{"id": "go", "endpoint": "\#(method) /link", "paginate": {"link": "next"}\#(own)}"#
    case .next:
      steps =
        #"{"id": "go", "endpoint": "\#(method) /next", "paginate": {"next": "$.next"}\#(own)}"#
    case .called, .base:
      steps = """
        {"id": "where", "endpoint": "GET /where", "extract": {"url": "$.url"}, "auth": null},
        {"id": "go", "workflow": "called.json", "inputs": {"url": "{{where.url}}", "key": "{{inputs.key}}"}}
        """
    }
    let defaults = inDefaults && way != .called && way != .base ? ", " + credential : ""
    let inputs = #""key": {"type": "string", "secret": true}"#
    return [
      "main.json": """
      {"inputs": {\(inputs)}, "defaults": {"baseURL": "\(api)"\(defaults)}, "steps": [\(steps)]}
      """,
      "called.json": way == .base
        ? """
        {"inputs": {"url": {"type": "string"}, "key": {"type": "string"}},
         "defaults": {"baseURL": "{{inputs.url}}"\(inDefaults ? ", " + credential : "")},
         "steps": [{"id": "get", "endpoint": "\(method) /sub"\(own)}]}
        """
        : """
        {"inputs": {"url": {"type": "string"}, "key": {"type": "string"}},
         "steps": [{"id": "get", "endpoint": "\(method) {{inputs.url}}", \(credential)}]}
        """,
    ]
  }

  private static func answer(
    _ request: TransportRequest, _ way: Way, _ target: String
  ) -> ScriptedTransport.Answer {
    guard request.url.hasPrefix(api + "/") else { return .json(["ok": true]) }
    if request.url.hasSuffix("/token") {
      return .json(["access_token": "granted-token-42", "expires_in": 3600])
    }
    if request.url.hasPrefix(api + "/where") { return .json(["url": .string(target + "/x")]) }
    switch way {
    case .redirect301: return .status(301, headers: [HeaderField("Location", target + "/x")])
    case .redirect303: return .status(303, headers: [HeaderField("Location", target + "/x")])
    case .redirect307: return .status(307, headers: [HeaderField("Location", target + "/x")])
    case .link: return .status(200, headers: [HeaderField("Link", "<\(target)/x>; rel=\"next\"")])
    case .next: return .json(["next": .string(target + "/x")])
    case .extracted, .base, .called: return .json([:])
    }
  }

  /// All of a request, as text.
  private static func text(_ request: TransportRequest) -> String {
    var text = request.url + "\n"
    for header in request.headers { text += "\(header.name.lowercased()): \(header.value)\n" }
    switch request.body {
    case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
    case .multipart(let parts): text += "\(parts)"
    case .none, .file: break
    }
    return text + "\(String(describing: request.connection.credentials))"
  }

  @Test(arguments: credentials) func noCredentialGoesWhereAResponseSays(
    _ credential: String
  ) async throws {
    let cases = Way.allCases.flatMap { way in
      Self.foreign.flatMap { target in [(way, target, false), (way, target, true)] }
    }
    let part = Self.credentials.firstIndex(of: credential) ?? 0
    for (way, target, inDefaults) in LongTests.share(cases, step: 5, part: part) {
      let files = Self.files(way, credential, inDefaults: inDefaults)
      let plan = try plan(files: files)
      let transport = ScriptedTransport { Self.answer($0, way, target) }
      var options = RunOptions()
      options.files = Files()
      _ = try await Pipeline(plan, transport: transport, options: options)
        .run(inputs: ["key": .string(Self.secret)]).result
      for request in transport.requests where !request.url.hasPrefix(Self.api + "/") {
        let text = Self.text(request)
        let shown: Comment = "\(way) to \(target), in defaults: \(inDefaults): \(text)"
        #expect(!text.contains(Self.secret), shown)
        #expect(!text.contains("granted-token-42"), shown)
        #expect(!text.contains("authorization:") && !text.contains("cookie:"), shown)
        #expect(request.connection.credentials == nil, shown)
        #expect(request.connection.certificateFile == nil, shown)
        #expect(request.connection.refusesPrivateAddresses, shown)
      }
    }
  }

  @Test func whatDefaultsHoldIsForTheBaseURLAlone() async throws {
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "defaults": {"baseURL": "\(Self.api)", "cookies": {"session": "{{inputs.key}}"},
                    "query": {"key": "{{inputs.key}}", "v": 1}},
       "steps": [{"id": "a", "endpoint": "GET /x", "cookies": {"own": "1"}},
                 {"id": "b", "endpoint": "GET https://other.example/x", "cookies": {"own": "1"}}]}
      """)
    let transport = ScriptedTransport { _ in .json([:]) }
    let result = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result
    #expect(result.status == .succeeded)
    let sent = transport.requests.map(Self.text).sorted()
    #expect(
      sent == [
        "\(Self.api)/x?key=\(Self.secret)&v=1\ncookie: session=\(Self.secret); own=1\nnil",
        "https://other.example/x?v=1\ncookie: own=1\nnil",
      ])
  }

  /// What the step puts into its own query is not in a URL that the server gives, as a presigned one.
  @Test func aRedirectWithoutTheSecretOfTheFirstQueryIsFollowed() async throws {
    let steps = """
      {"id": "go", "endpoint": "GET /file", "query": {"key": "{{inputs.key}}"}, "extract": {"ok": "$.ok"}}
      """
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "defaults": {"baseURL": "\(Self.api)"}, "steps": [\(steps)], "outputs": {"ok": "{{go.ok}}"}}
      """)
    let first = "GET \(Self.api)/file?key=\(Self.secret)"
    let signed = "https://files.example/x?signature=1"
    let transport = ScriptedTransport([
      first: [.status(302, headers: [HeaderField("Location", signed)])],
      "GET \(signed)": [.json(["ok": true])],
    ])
    let result = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result
    #expect(result.outputs.text == #"{"ok":true}"#)
    // A server that hands the secret on itself is not helped.
    let leaking = ScriptedTransport([
      first: [
        .status(302, headers: [HeaderField("Location", "https://files.example/?k=\(Self.secret)")])
      ]
    ])
    let report = try await Pipeline(plan, transport: leaking)
      .run(inputs: ["key": .string(Self.secret)]).result.report
    #expect(leaking.requests.count == 1)
    #expect(
      report.failures.first?.failure.message.contains("was redirected to https://files.example")
        == true)
  }

  /// Whatever the way from the author's own text to the URL.
  @Test(arguments: [
    #"{"id": "go", "endpoint": "GET https://a.example/{{inputs.path}}", KEY}"#,
    #"{"id": "go", "endpoint": "GET https://{{inputs.hosts[0]}}/{{inputs.path}}", KEY}"#,
    #"{"id": "go", "forEach": ["x"], "endpoint": "GET https://a.example/{{item}}", KEY}"#,
    #"{"id": "v", "values": {"p": "{{inputs.path}}"}}, {"id": "go", "endpoint": "GET https://a.example/{{v.p}}", KEY}"#,
    #"{"id": "go", "forEach": ["https://a.example"], "endpoint": "GET {{item}}/x", KEY}"#,
    #"{"id": "go", "forEach": "$.inputs.hosts", "as": "h", "endpoint": "GET https://{{h}}/x", KEY}"#,
    #"{"id": "go", "forEach": "$.inputs.hosts[*]", "batch": 2, "endpoint": "GET https://{{item[0]}}/x", KEY}"#,
    #"{"id": "v", "values": {"u": "{{w.u}}/x"}}, {"id": "w", "values": {"u": "https://{{inputs.hosts[0]}}"}}, {"id": "go", "endpoint": "GET {{v.u}}", KEY}"#,
    #"{"id": "b", "forEach": ["a"], "as": "n", "steps": [{"id": "go", "forEach": ["example"], "as": "m", "endpoint": "GET https://{{n}}.{{m}}/x", KEY}]}"#,
    #"{"id": "c", "forEach": "$.inputs.hosts", "workflow": "called.json", "inputs": {"url": "https://{{item}}/x", "key": "{{inputs.key}}"}}"#,
  ]) func anOriginThatTheAuthorWroteIsTrusted(_ steps: String) async throws {
    let key = #""auth": {"bearer": "{{inputs.key}}"}"#
    let files = [
      "main.json": """
      {"inputs": {"key": {"type": "string", "secret": true}, "hosts": {"default": ["a.example"]},
        "path": {"default": "x"}},
       "steps": [\(steps.replacing("KEY", with: key))]}
      """,
      "called.json": """
      {"inputs": {"url": {"type": "string"}, "key": {"type": "string"}},
       "steps": [{"id": "get", "endpoint": "GET {{inputs.url}}", \(key)}]}
      """,
    ]
    let transport = ScriptedTransport { _ in .json([:]) }
    let report = try await Pipeline(try plan(files: files), transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result.report
    #expect(report.failures.map(\.failure.message) == [])
    #expect(transport.requests.map(\.url) == ["https://a.example/x"])
    #expect(transport.requests.first.map(Self.text)?.contains(Self.secret) == true)
    #expect(transport.requests.first?.connection.refusesPrivateAddresses == false)
  }

  @Test func whatAResponseHasAPartInIsNotTrusted() async throws {
    let steps = """
      {"id": "where", "endpoint": "GET \(Self.api)/where", "extract": {"url": "$.url"}},
      {"id": "v", "values": {"u": "{{where.url}}", "fixed": "https://fixed.example"}},
      {"id": "a", "endpoint": "GET {{v.u}}", "auth": {"bearer": "{{inputs.key}}"}, "onError": "continue"},
      {"id": "b", "forEach": ["{{where.url}}"], "endpoint": "GET {{item}}", "onError": "continue",
       "auth": {"bearer": "{{inputs.key}}"}}
      """
    let plan = try plan(
      "{\"inputs\": {\"key\": {\"type\": \"string\", \"secret\": true}}, \"steps\": [\(steps)]}")
    let transport = ScriptedTransport { _ in .json(["url": "https://evil.example"]) }
    _ = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result
    #expect(transport.requests.count == 3)
    for request in transport.requests.dropFirst() {
      #expect(request.url == "https://evil.example")
      #expect(!Self.text(request).contains(Self.secret))
      #expect(request.connection.refusesPrivateAddresses)
    }
  }

  /// What the author wrote beside a value of a response is still the author's.
  @Test func theAuthorsPartOfAListIsTrusted() async throws {
    let steps = #"""
      {"id": "where", "endpoint": "GET https://api.example/where", "extract": {"url": "$.url"}},
      {"id": "go", "forEach": [{"host": "a.example", "id": "{{where.url}}"}], "as": "x",
       "endpoint": "GET https://{{x.host}}/x", "query": {"u": "{{x.id}}"}, "auth": {"bearer": "{{inputs.key}}"}},
      {"id": "v", "values": {"u": "{{where.url}}", "fixed": "https://fixed.example"}},
      {"id": "fixed", "endpoint": "GET {{v.fixed}}/x", "auth": {"bearer": "{{inputs.key}}"}},
      {"id": "chosen", "forEach": "$.inputs.hosts[?@ == $.where.url]", "endpoint": "GET {{item}}/x",
       "auth": {"bearer": "{{inputs.key}}"}}
      """#
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true},
         "hosts": {"default": ["https://one.example", "https://two.example"]}}, "steps": [\(steps)]}
      """)
    let transport = ScriptedTransport { _ in .json(["url": "https://two.example"]) }
    _ = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result
    let seen = transport.requests.filter { Self.text($0).contains(Self.secret) }.map(\.url).sorted()
    #expect(
      seen == ["https://a.example/x?u=https%3A%2F%2Ftwo.example", "https://fixed.example/x"])
  }

  /// A response that chooses the proxy would see where all requests go.
  @Test func aProxyThatAResponseNamesIsRefused() async throws {
    let files = [
      "main.json": """
      {"inputs": {"p": {"default": "http://proxy.example:1"}}, "steps": [
        {"id": "where", "endpoint": "GET \(Self.api)/where", "extract": {"p": "$.p"}},
        {"id": "own", "endpoint": "GET \(Self.api)/own", "proxy": "{{inputs.p}}"},
        {"id": "c", "workflow": "called.json", "inputs": {"p": "{{where.p}}"}}]}
      """,
      "called.json": """
      {"inputs": {"p": {"type": "string"}}, "defaults": {"proxy": "{{inputs.p}}"},
       "steps": [{"id": "get", "endpoint": "GET \(Self.api)/x"}]}
      """,
    ]
    let transport = ScriptedTransport { _ in .json(["p": "http://127.0.0.1.:1"]) }
    let report = try await Pipeline(
      try PipelineEngineTests.plan(files: files), transport: transport
    )
    .run().result.report
    #expect(transport.requests.map(\.url).sorted() == ["\(Self.api)/own", "\(Self.api)/where"])
    #expect(
      report.failures.first?.failure.message
        == "a response decides the proxy, which sees where all requests go; name it in the file or"
        + " by an input")
  }

  /// A secret in the path of a `baseURL` goes wherever its host is.
  @Test func aSecretInThePathOfABaseURLStaysWithTheAuthorsHost() async throws {
    let files = [
      "main.json": """
      {"inputs": {"key": {"type": "string", "secret": true}}, "steps": [
        {"id": "where", "endpoint": "GET \(Self.api)/where", "extract": {"h": "$.h"}},
        {"id": "c", "workflow": "called.json", "inputs": {"h": "{{where.h}}", "key": "{{inputs.key}}"}},
        {"id": "d", "workflow": "called.json", "inputs": {"h": "a.example", "key": "{{inputs.key}}"}}]}
      """,
      "called.json": """
      {"inputs": {"h": {"type": "string"}, "key": {"type": "string"}},
       "defaults": {"baseURL": "https://{{inputs.h}}/{{inputs.key}}", "onError": "continue"},
       "steps": [{"id": "get", "endpoint": "GET /x"}]}
      """,
    ]
    let transport = ScriptedTransport { _ in .json(["h": "evil.example"]) }
    let report = try await Pipeline(
      try PipelineEngineTests.plan(files: files), transport: transport
    )
    .run(inputs: ["key": .string(Self.secret)]).result.report
    #expect(
      transport.requests.map(\.url).sorted()
        == ["https://a.example/\(Self.secret)/x", "\(Self.api)/where"])
    #expect(
      report.failures.first?.failure.message
        == "would send a secret in the URL to https://evil.example, which a response named; list"
        + " \"https://evil.example\" in 'sendCredentials' if this is intended")
  }

  /// What the author's own text names is reachable, wherever it lies.
  @Test(arguments: [
    #""sendCredentials": ["http://10.0.0.9:9000"]"#, #""timeout": "1h""#,
  ])
  func aPrivateOriginOfTheAuthorsOwnTextIsReached(_ setting: String) async throws {
    let other =
      setting.contains("send")
      ? "" : #", {"id": "other", "dependsOn": ["go"], "endpoint": "GET http://10.0.0.9:9000/own"}"#
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}}, "steps": [
        {"id": "go", "endpoint": "GET http://10.0.0.8/raw", \(setting),
         "headers": {"PRIVATE-TOKEN": "{{inputs.key}}"}}\(other)]}
      """)
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("/raw")
        ? .status(302, headers: [HeaderField("Location", "http://10.0.0.9:9000/object")])
        : .json([:])
    }
    let result = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result
    #expect(result.status == .succeeded)
    #expect(transport.requests[1].url == "http://10.0.0.9:9000/object")
    #expect(transport.requests.allSatisfy { !$0.connection.refusesPrivateAddresses })
    #expect(Self.text(transport.requests[1]).contains(Self.secret) == setting.contains("send"))
  }

  /// Neither `defaults` nor a name decides less than a template: bodies and literals count as well.
  @Test func credentialsOfDefaultsStayWithTheBaseURL() async throws {
    let plan = try plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "defaults": {"baseURL": "\(Self.api)", "onError": "continue", "headers": {"X-Api-Key": "a-literal-key"},
         "body": {"form": {"key": "{{inputs.key}}"}}},
       "steps": [{"id": "a", "endpoint": "POST /x"}, {"id": "b", "endpoint": "POST https://other.example/x"},
         {"id": "c", "endpoint": "GET https://other.example/y", "body": null}]}
      """)
    let transport = ScriptedTransport { _ in .json([:]) }
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result.report
    #expect(
      transport.requests.map(\.url).sorted() == ["\(Self.api)/x", "https://other.example/y"])
    #expect(transport.requests.last { $0.url.hasSuffix("/y") }?.headers == [])
    #expect(
      report.failures.first?.failure.message
        == "would send a secret in the body to https://other.example, which is not the base URL's"
        + " origin; list \"https://other.example\" in 'sendCredentials' if this is intended")
  }

  @Test func listedOriginsGetWhatTheStepWrites() async throws {
    let files = Self.files(
      .extracted,
      #""auth": {"bearer": "{{inputs.key}}"}, "sendCredentials": ["https://evil.example"]"#,
      inDefaults: false)
    let transport = ScriptedTransport { Self.answer($0, .extracted, "https://evil.example") }
    let result = try await Pipeline(try plan(files: files), transport: transport)
      .run(inputs: ["key": .string(Self.secret)]).result
    #expect(result.status == .succeeded)
    #expect(Self.text(try #require(transport.requests.last)).contains(Self.secret))
  }
}
