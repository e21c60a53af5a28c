import PipelineJSONText
import PipelineKit
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

/// A secret that was expected in a body and not found may be anywhere in it: then nothing of the body
/// is in a message.
@Suite struct ConditionFactTests {
  private static let secret = "tok-super-secret-9"

  /// What the step expects, besides a token that the body does not have.
  private static let expectations = [
    #""expect": {"where": ["search(@.text, 'granted')"]}"#,
    #""expect": {"where": ["@.body.other_token == 'x'"]}"#,
    #""expect": {"where": ["@.body == 'x'"]}"#,
    #""expect": {"where": ["@ == 'x'"]}"#,
    #""expect": {"where": ["@.body.list[0].t == 'x'"]}"#,
    #""expect": {"where": ["@['body']['other_token'] == 'x' || @.text == 'x'"]}"#,
    #""poll": {"until": "@.status == 201", "failWhen": "@.body.other_token != 'x'", "attempts": 2}"#,
    #""poll": {"until": "@.body.other_token == 'x'", "attempts": 1}"#,
    #""poll": {"until": "@.text == 'x'", "every": "1s", "within": "100ms"}"#,
    #""expect": {"schema": {"properties": {"other_token": {"const": "x", "pattern": "^x$", "maxLength": 2}}}}"#,
    #""expect": {"schema": {"properties": {"other_token": {"type": "integer"}}}}"#,
  ]

  @Test(arguments: expectations) func nothingOfTheBodyIsInAMessage(_ keys: String) async throws {
    let plan = try plan(
      #"""
      {"steps": [{"id": "login", "endpoint": "POST https://api.example/login", \#(keys),
        "extract": {
          "token": {"body": "$.token", "secret": true},
          "n": {"body": "$.other_token", "type": "integer"}}}]}
      """#)
    let transport = ScriptedTransport { _ in
      .json([
        "other_token": .string(Self.secret), "state": "wretched",
        "list": [["t": .string(Self.secret)]],
      ])
    }
    let run = Pipeline(plan, transport: transport).run()
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for await event in run.events() { event.write(to: &writer) }
    writer.endArray()
    var said = String(decoding: writer.bytes, as: UTF8.self)
    let failure = try #require(try await run.result.report.failures.first?.failure)
    said += failure.message + failure.hints.joined(separator: "\n") + (failure.excerpt ?? "")
    #expect(!said.contains("tok-super"), "\(said)")
    #expect(!said.contains("wretched"), "\(said)")
  }

  /// The value that an extractor takes is hidden in what is said of another condition, however short.
  @Test func aFoundSecretIsInNoFact() async throws {
    let plan = try plan(
      #"""
      {"steps": [{"id": "login", "endpoint": "POST https://api.example/login",
        "expect": {"where": ["@.body.pin == 'x' || @.text == 'x' || @.values.token == 'x' || @.body.n == 7"]},
        "extract": {"token": {"body": "$.pin", "secret": true}}}]}
      """#)
    let transport = ScriptedTransport { _ in .json(["pin": "4711", "n": 3]) }
    let report = try await Pipeline(plan, transport: transport).run().result.report
    #expect(
      report.failures.first?.failure.hints == [
        "@.body.pin is \"•••\"", "@.text is \"{\\\"pin\\\":\\\"•••\\\",\\\"n\\\":3}\"",
        "@.values.token is \"•••\"", "@.body.n is 3",
      ])
    #expect(report.failures.first?.failure.excerpt == #"{"pin":•••,"n":3}"#)
  }

  /// Names tell that a value is a credential, also if it stands in the file.
  @Test func aCredentialByItsNameIsHidden() async throws {
    let plan = try plan(
      #"""
      {"steps": [{"id": "a", "endpoint": "GET https://api.example/a?api_key=k1&x=1",
        "headers": {"Authorization": "Bearer literal-token-1", "X-Api-Key": "literal-key-22"}}]}
      """#)
    let transport = ScriptedTransport { _ in
      .text("got literal-token-1 and literal-key-22", status: 500)
    }
    let run = Pipeline(plan, transport: transport).run()
    var urls: [String] = []
    for await event in run.events() {
      if case .requestFinished(let request) = event.kind { urls.append(request.url) }
    }
    let failure = try #require(try await run.result.report.failures.first?.failure)
    #expect(urls == ["https://api.example/a?api_key=•••&x=1"])
    #expect(failure.request?.url == urls[0])
    #expect(failure.excerpt == "got ••• and •••")
  }
}
