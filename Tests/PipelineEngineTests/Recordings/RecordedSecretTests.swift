import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelinePlanning
import PipelineRecordings
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

/// A recording has no credential, whenever the run learned that it is one, and replays without it.
@Suite struct RecordedSecretTests {
  private func record(
    _ workflow: String, inputs: [String: JSONValue] = [:],
    answer: @escaping @Sendable (TransportRequest) async -> ScriptedTransport.Answer
  ) async throws -> (text: String, suspects: Int) {
    let transport = RecordingTransport(ScriptedTransport(answer))
    let result = try await Pipeline(workflow, transport: transport).run(inputs: inputs).result
    #expect(result.status == .succeeded, "\(result.report.failures)")
    var bytes: [UInt8] = []
    try transport.write { bytes += $0 }
    return (String(decoding: bytes, as: UTF8.self), transport.suspectCount)
  }

  private func expectReplay(
    of workflow: String, _ text: String, inputs: [String: JSONValue] = [:]
  ) async throws {
    let recording = try Recording(MemoryRecording(Array(text.utf8)))
    let transport = ReplayTransport(recording)
    let pipeline = try Pipeline(workflow, transport: transport)
    let plan = try plan(workflow)
    let (_, problems) = plan.inputs(given: inputs, options: RunOptions())
    let standIns = recording.standIns(for: plan.workflow, missing: problems.map(\.name))
    let result = try await pipeline.run(inputs: standIns.merging(inputs) { $1 }).result
    #expect(transport.problems == [])
    #expect(result.status == .succeeded, "\(result.report.failures)")
  }

  private static let late = """
    {"steps": [
      {"id": "login", "endpoint": "POST https://x.test/login", "extract": {"t": "$.t", "sid": {"cookie": "sid"}}},
      {"id": "me", "endpoint": "GET https://x.test/me?old={{login.t}}", "auth": {"bearer": "{{login.t}}"},
        "cookies": {"sid": "{{login.sid}}"}}
    ]}
    """

  @Test func whatBecameACredentialLaterIsHiddenInAllEntries() async throws {
    let (text, suspects) = try await record(Self.late) { request in
      request.url.contains("login")
        ? .json(
          ["t": "tok-VALUE-12345", "again": "<tok-VALUE-12345>", "sid": "cookieVALUE98"],
          headers: [HeaderField("Set-Cookie", "sid=cookieVALUE98; Path=/")])
        : .json(["ok": true])
    }
    for part in ["tok-VALUE", "VALUE98"] { #expect(!text.contains(part), "\(text)") }
    #expect(text.contains("Bearer {{secret:auth}}") && text.contains("<{{secret:auth}}>"))
    #expect(text.contains("sid={{secret:cookie.sid}}; Path=/") && suspects == 0)
    try await expectReplay(of: Self.late, text)
  }

  /// Of a text only the part that the pattern takes is a secret.
  @Test func aSecretPartOfAHeaderIsHidden() async throws {
    let workflow = """
      {"steps": [
        {"id": "login", "endpoint": "POST https://x.test/login",
          "extract": {"t": {"header": "X-Grant", "regex": "key=([^;]+)", "secret": true}}},
        {"id": "me", "endpoint": "GET https://x.test/me", "headers": {"X-Some": "{{login.t}}"}}
      ]}
      """
    let (text, _) = try await record(workflow) { request in
      request.url.contains("login")
        ? .json(
          ["ok": true], headers: [HeaderField("X-Grant", "for=owner; key=hidden-VALUE-77; x")])
        : .json(["ok": true])
    }
    #expect(!text.contains("VALUE-77"), "\(text)")
    #expect(text.contains("for=owner; key={{secret:login.t}}; x"), "\(text)")
    try await expectReplay(of: workflow, text)
  }

  private static let code = """
    {"steps": [
      {"id": "go", "endpoint": "GET https://x.test/authorize",
        "extract": {"code": {"url": true, "param": "code", "secret": true}}},
      {"id": "use", "endpoint": "POST https://x.test/token", "body": {"form": {"code": "{{go.code}}"}}}
    ]}
    """

  /// The authorization code of OAuth comes in a redirect.
  @Test(arguments: ["Zk7-abcdef99", "Zk7"]) func theCodeOfARedirectIsHidden(
    _ code: String
  ) async throws {
    let (text, _) = try await record(Self.code) { request in
      request.url.contains("authorize")
        ? .status(302, headers: [HeaderField("Location", "/cb?code=\(code)&state=1")])
        : .json(["ok": true])
    }
    #expect(!text.contains(code), "\(text)")
    #expect(text.contains("/cb?code={{secret:go.code}}&state=1"))
    try await expectReplay(of: Self.code, text)
  }

  private static func read(_ format: String, _ query: String) -> String {
    """
    {"steps": [
      {"id": "login", "endpoint": "POST https://x.test/login", "read": \(format),
        "extract": {"t": {"body": "\(query)", "secret": true}}},
      {"id": "me", "endpoint": "PUT https://x.test/me", "body": {"json": {"t": "{{login.t}}"}}}
    ]}
    """
  }

  /// A body in a format is recorded with the names of its secrets in it, and replays.
  @Test(arguments: [
    (#""csv""#, "$[0].token", "id,token\n7,tok-VALUE-12345\n8,other\n"),
    (#"{"csv": {"delimiter": ";"}}"#, "$[0].token", "id;token\n7;\"tok-VALUE;12345\"\n8;other\n"),
    (#"{"csv": {"columns": {"token": "integer"}}}"#, "$[0].token", "id,token\n7,883305512345\n"),
    (#""tsv""#, "$[0].token", "id\ttoken\n7\ttok-VALUE\\n12345\n"),
    (#""ndjson""#, "$[0].token", #"{"id": 7, "token": "tok-\u0056ALUE\"12345"}"# + "\n"),
    (#""xml""#, "$.a.token", "<a><token>tok-VALUE&amp;&#49;2345</token><id>7</id></a>"),
    (#""xml""#, "$.a['@token']", "<a token='tok-VALUE&quot;12345'><id>7</id></a>"),
    (#""sse""#, "$[0].data.token", "id: 7\ndata: {\"token\": \"tok-VALUE-12345\"}\n\n"),
    (#""sse""#, "$[0].data", "id: 7\ndata: tok-VALUE-12345\n\n"),
    (#""text""#, "$", "tok-VALUE-12345"),
  ]) func aSecretOfABodyInAFormatIsHidden(
    _ format: String, _ query: String, _ body: String
  ) async throws {
    let workflow = Self.read(format, query)
    let (text, _) = try await record(workflow) { request in
      request.url.contains("login")
        ? ScriptedTransport.Answer.response(
          TransportResponse(status: 200, body: Array(body.utf8)))
        : .json(["ok": true])
    }
    #expect(!text.contains("VALUE") && !text.contains("12345"), "\(text)")
    #expect(text.contains("{{secret:login.t}}") && !text.contains("{{secret:login.body}}"))
    if format != #""text""# { #expect(text.contains("7"), "the rest is shown: \(text)") }
    try await expectReplay(of: workflow, text)
  }

  /// Nothing is recorded of a body that spells a secret as no search finds it.
  @Test(arguments: [
    (#""csv""#, "$[0].token", "id,token\n7,\"tok\"\"VALUE\"\"12345\"\n"),
    (#""xml""#, "$.a.token", "<a><token>tok<![CDATA[-VAL]]>UE-<!-- -->12345</token><id>7</id></a>"),
    (#""sse""#, "$[0].data", "id: 7\ndata: tok-VALUE\ndata: 12345\n\n"),
  ]) func aSecretInAnotherSpellingHidesTheBody(
    _ format: String, _ query: String, _ body: String
  ) async throws {
    let (text, _) = try await record(Self.read(format, query)) { request in
      request.url.contains("login")
        ? ScriptedTransport.Answer.response(
          TransportResponse(status: 200, body: Array(body.utf8)))
        : .json(["ok": true])
    }
    #expect(!text.contains("VAL") && !text.contains("12345"), "\(text)")
    #expect(text.contains("{{secret:login.body}}"), "\(text)")
  }

  private static let encoded = """
    {"inputs": {"key": {"type": "string", "secret": true}},
     "steps": [{"id": "a", "endpoint": "POST https://x.test/in/{{inputs.key}}",
       "query": {"b": {"$base64": "u:{{inputs.key}}"}}, "headers": {"X-B": "{{inputs.key}}"},
       "body": {"json": {"b": {"$base64": "user:{{inputs.key}}:x"}, "k": "{{inputs.key}}"}}}]}
    """

  /// Base64 of a stand-in has another length, and needs not be that of the secret.
  @Test(arguments: ["verysecretkey1", "another-key-of-2", "k3y-of-some-length-and-more"])
  func aReplayNeedsNoSecret(_ key: String) async throws {
    let (text, _) = try await record(Self.encoded, inputs: ["key": .string(key)]) { _ in
      .json(["ok": true])
    }
    #expect(!text.contains(key))
    try await expectReplay(of: Self.encoded, text)
    try await expectReplay(of: Self.encoded, text, inputs: ["key": "any-other-key-77"])
  }

  private static let pin = """
    {"inputs": {"pin": {"type": "string", "secret": true}},
     "steps": [{"id": "a", "endpoint": "POST https://127.0.0.1:404/in/{{inputs.pin}}?p={{inputs.pin}}&page=404",
       "headers": {"X-Pin": "{{inputs.pin}}", "X-Page": "404"}, "body": {"form": {"pin": "{{inputs.pin}}"}}}]}
    """

  @Test func aShortSecretIsHiddenWhereItWasPut() async throws {
    let (text, _) = try await record(Self.pin, inputs: ["pin": "404"]) { _ in
      .json(["code": 404, "text": "x 404", "pin": "404"])
    }
    #expect(text.contains("https://127.0.0.1:404/in/{{secret:short}}?p={{secret:short}}&page=404"))
    #expect(text.contains(#""pin={{secret:inputs.pin}}""#), "\(text)")
    #expect(
      text.contains(#"\"code\":404,\"text\":\"x 404\",\"pin\":\"{{secret:inputs.pin}}\""#)
        && text.contains(#""value": "404""#))
    try await expectReplay(of: Self.pin, text, inputs: ["pin": "404"])
    try await expectReplay(of: Self.pin, text, inputs: ["pin": "8"])
  }

  @Test func whatLooksLikeACredentialIsCounted() async throws {
    let workflow = #"{"steps": [{"id": "a", "endpoint": "GET https://x.test/a?api_key=literal1"}]}"#
    let (text, suspects) = try await record(workflow) { _ in
      .json([
        "access_token": "abcdefgh", "refresh_token": "ijklmnop", "max_tokens": "1234567",
        "x": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
      ])
    }
    #expect(suspects == 3)
    #expect(text.contains("api_key={{secret:auth}}") && !text.contains("literal1"))
    try await expectReplay(of: workflow, text)
  }
}
