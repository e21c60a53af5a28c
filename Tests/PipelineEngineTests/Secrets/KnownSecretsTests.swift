import Foundation
import PipelineJSONText
import PipelineKit
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

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

  /// The transport makes an `Authorization` field of them, which a server may repeat.
  @Test(arguments: [
    ("https://ada:pass%24word@api.example", "ada:pass$word", "pass$word"),
    ("https://key-4711-x@api.example", "key-4711-x:", "key-4711-x"),
  ])
  func userAndPasswordOfAURLAreHidden(base: String, sent: String, secret: String) async throws {
    let encoded = Data(sent.utf8).base64EncodedString()
    let transport = ScriptedTransport { request in
      if request.url.hasSuffix("/away") {
        return .status(302, headers: [HeaderField("Location", base + "/there")])
      }
      return .text("got \(encoded) with \(secret) by \(base)", status: 500)
    }
    for url in ["{{inputs.base}}/here", "https://api.example/away"] {
      let plan = try plan(
        #"{"inputs": {"base": {"secret": true}}, "steps": [{"id": "a", "endpoint": "GET \#(url)"}]}"#
      )
      let run = Pipeline(plan, transport: transport).run(inputs: ["base": .string(base)])
      var writer = JSONWriter(style: .compact)
      writer.beginArray()
      for await event in run.events() { event.write(to: &writer) }
      writer.endArray()
      let failure = try #require(try await run.result.report.failures.first?.failure)
      let said = String(decoding: writer.bytes, as: UTF8.self) + (failure.excerpt ?? "")
      #expect(said.contains("•••"))
      for text in [encoded, secret, "pass%24"] where said.contains(text) {
        Issue.record("'\(text)' is in \(said)")
      }
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

  @Test func aShortSecretIsMaskedInAMessageOnlyAloneBetweenQuotes() {
    var secrets = KnownSecrets()
    secrets.add("a1")
    secrets.add("abc")
    #expect(
      secrets.masked("answered a1: 'a1' is not \"abc\", but 'a1x' a1 abc")
        == "answered a1: '•••' is not \"•••\", but 'a1x' a1 abc")
    #expect(secrets.maskingLong(in: "'a1' abc") == "'a1' abc")
    #expect(secrets.maskedAnywhere("a1 ba1 xabcx") == "••• ba1 x•••x")
  }

  /// A PIN is hidden where the workflow puts it, and nowhere else: neither in a status, nor in the
  /// engine's words, nor in a literal host.
  @Test(arguments: ["404", "red", "1", "Not", "127", "in", "page", "8"])
  func aPINIsHiddenWhereItWasPut(_ pin: String) async throws {
    let plan = try plan(
      #"""
      {"inputs": {"pin": {"type": "string", "secret": true}, "base": {"default": "http://127.0.0.1:18"}},
       "steps": [{"id": "a", "endpoint": "POST {{inputs.base}}/in/{{inputs.pin}}/page1?p={{inputs.pin}}&page=1",
         "query": {"q": "{{inputs.pin}}", "page": "1"}, "headers": {"X-Pin": "{{inputs.pin}}"},
         "body": {"json": {"pin": "{{inputs.pin}}", "page": 1}}}]}
      """#)
    let transport = ScriptedTransport { _ in .text(#"{"not":"found 1"}"#, status: 404) }
    let run = Pipeline(plan, transport: transport).run(inputs: ["pin": .string(pin)])
    var urls: [String] = []
    for await event in run.events() {
      if case .requestFinished(let request) = event.kind { urls.append(request.url) }
    }
    let shown = "http://127.0.0.1:18/in/•••/page1?p=•••&page=1&q=•••&page=1"
    let failure = try #require(try await run.result.report.failures.first?.failure)
    #expect(urls == [shown])
    #expect(failure.request?.url == shown)
    #expect(failure.message == "answered 404 Not Found")
    #expect(failure.excerpt == #"{"not":"found 1"}"#)
  }

  @Test func factsAndMessagesHideWhatTheyWereMadeFrom() async throws {
    let plan = try plan(
      #"""
      {"inputs": {"pin": {"type": "string", "secret": true}},
       "steps": [
        {"id": "a", "values": {"v": "{{inputs.pin}}", "n": "x1", "o": {"p": "{{inputs.pin}}", "n": 1}}, "onError": "continue",
         "expect": {"where": ["@.v == 'x' || @.n == 'x' || @.o == 1 || $.inputs.pin == 'x'"]}},
        {"id": "m", "values": {"v": 1}, "onError": "continue",
         "expect": {"where": [{"that": "@.v == 2", "message": "1 of {{inputs.pin}} in 1"}]}},
        {"id": "f", "fail": {"message": "no 1 for {{inputs.pin}}", "details": {"code": 1, "pin": "{{inputs.pin}}", "t": "<{{inputs.pin}}> 1"}}}
       ]}
      """#)
    let report = try await Pipeline(plan, transport: ScriptedTransport { _ in .status(200) })
      .run(inputs: ["pin": "1"]).result.report
    let failures = report.failures.map(\.failure)
    #expect(
      failures.first?.hints
        == [
          "@.v is \"•••\"", "@.n is \"x1\"", "@.o is \"•••\"", "$.inputs.pin is •••",
        ])
    #expect(failures.dropFirst().first?.message == "1 of ••• in 1")
    #expect(failures.last?.message == "no 1 for •••")
    #expect(failures.last?.details == #"{"code":1,"pin":"•••","t":"<•••> 1"}"#)
  }
}
