import PipelineJSONText
import PipelineKit
import Testing

@testable import PipelineKit

/// Where the engine itself puts a secret it is masked, however short it is.
@Suite struct KnownSecretsTests {
  private static let steps = [
    #""endpoint": "GET https://api.example/a/{{inputs.s}}/b""#,
    #""endpoint": "GET https://api.example/a?q={{inputs.s}}""#,
    #""endpoint": "GET https://api.example/a", "query": {"q": ["x", "{{inputs.s}}"]}"#,
    #""endpoint": "GET https://api.example/a", "query": {"q": {"k": "{{inputs.s}}"}}"#,
    #""endpoint": "GET https://{{inputs.h}}.example/a""#,
    #""endpoint": "GET https://api.example/a", "proxy": "http://u:{{inputs.s}}@proxy.example:1""#,
    #""endpoint": "GET https://api.example/a", "auth": {"bearer": "{{inputs.s}}"}"#,
    #""endpoint": "POST https://api.example/a", "body": {"file": "{{inputs.s}}.txt"}"#,
    #""endpoint": "GET https://api.example/a", "tls": {"ca": "{{inputs.s}}"}"#,
    #""endpoint": "GET {{inputs.s}}""#,
    #""endpoint": "GET https://api.example/a", "save": "{{inputs.s}}.json""#,
    #""values": {"v": "{{inputs.s}}"}, "expect": {"where": ["@.v == 1"]}"#,
    #""values": {"v": {"$json": ["{{inputs.s}}"]}}, "expect": {"where": ["@.v == 1"]}"#,
    #""values": {"v": 1}, "expect": {"where": ["$.inputs.s == 1"]}"#,
    #""values": {"v": 1}, "expect": {"where": [{"that": "@.v == 2", "message": "not {{inputs.s}}, but"}]}"#,
    #""endpoint": "GET https://api.example/a", "expect": {"where": [{"that": "@.status == 2", "message": "<{{inputs.s}}>"}]}"#,
    #""forEach": {"from": 1, "to": "{{inputs.u}}"}, "values": {"x": 1}"#,
    #""forEach": ["{{inputs.s}}"], "endpoint": "GET https://api.example/{{item}}""#,
    #""forEach": ["{{inputs.s}}"], "as": "k", "steps": [{"id": "i", "endpoint": "GET https://api.example/{{k}}"}]"#,
    #""endpoint": "GET https://api.example/a/{{inputs.s}}", "paginate": {"next": "$.url", "maxPages": 3}"#,
    #""endpoint": "GET https://api.example/r/{{inputs.s}}/x""#,
  ]

  @Test(arguments: steps, ["zq7", "z/q", "7'\"", "ü%€", "4711x"])
  func aShortSecretIsInNothingThatTheEngineSays(_ step: String, _ secret: String) async throws {
    let plan = try plan(
      #"""
      {"inputs": {"s": {"type": "string", "secret": true}, "h": {"type": "string", "secret": true},
       "u": {"secret": true}},
       "steps": [{"id": "a", \#(step)}]}
      """#)
    let transport = ScriptedTransport { request in
      if request.url.contains("/r/") {
        return .status(302, headers: [HeaderField("Location", "y?z=1")])
      }
      if request.url.contains("a/") { return .json(["url": .string(request.url)]) }
      return .failure(
        TransportError(
          .connection, "cannot connect to \(request.url) by \(request.connection.proxy ?? "")"))
    }
    let run = Pipeline(plan, transport: transport).run(
      inputs: ["s": .string(secret), "h": "zq7", "u": .string(secret)])
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for await event in run.events() { event.write(to: &writer) }
    writer.endArray()
    var said = String(decoding: writer.bytes, as: UTF8.self)
    for failed in try await run.result.report.failures {
      said += failed.failure.message + failed.failure.hints.joined()
    }
    let form = JSONValue.string(secret).node.text.dropFirst().dropLast()
    for text in [
      secret, String(form), secret.utf8.contains(0x2F) ? "z%2Fq" : secret, "ü%25", "%C3%BC",
      "//zq7",
    ]
    where said.contains(text) {
      Issue.record("'\(text)' is in \(said)")
    }
  }

  @Test func aCutLeavesNoBeginning() {
    var secrets = KnownSecrets()
    secrets.add(String(repeating: "0123456789", count: 200))
    let many = String(repeating: "…", count: 30_000)
    #expect(secrets.masked("is '012345678901…'") == "is '•••…'")
    #expect(secrets.masked(many + "01234567…" + many) == many + "•••…" + many)
    #expect(secrets.masked("012…") == "012…")
  }

  @Test func aVeryShortSecretIsMaskedWhereItStandsAlone() {
    var secrets = KnownSecrets()
    secrets.add("a1")
    secrets.add("abc")
    #expect(secrets.masked("/a1/ba1/a1?x='a1' xabcx") == "/•••/ba1/•••?x='•••' x•••x")
  }
}
