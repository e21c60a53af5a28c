import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

@testable import PipelineEngine
@testable import PipelineTransports

/// `read`: how a body becomes data (docs/language.md).
@Suite struct ReadTests {
  private static func answer(
    _ text: String, _ type: String = "text/plain", status: Int = 200
  ) -> ScriptedTransport.Answer {
    answer(Array(text.utf8), type, status: status)
  }

  private static func answer(
    _ bytes: [UInt8], _ type: String, status: Int = 200
  ) -> ScriptedTransport.Answer {
    .response(
      TransportResponse(
        status: status, headers: [HeaderField("Content-Type", type)], body: bytes))
  }

  private static func step(_ read: String, _ rest: String) -> String {
    """
    {"steps": [{"id": "a", "endpoint": "GET https://api.example/x", "read": \(read), \(rest)}],
     "outputs": {"v": "{{a.v}}"}}
    """
  }

  private static func value(
    _ read: String, _ answer: ScriptedTransport.Answer, _ rest: String = #""extract": {"v": "$"}"#
  ) async throws -> String {
    let result = try await run(step(read, rest), ["/x": answer])
    #expect(result.report.failures.isEmpty, "\(result.report.failures)")
    return result.outputs.text
  }

  private static func run(
    _ file: String, _ answers: [String: ScriptedTransport.Answer]
  ) async throws -> RunResult {
    let transport = ScriptedTransport { request in
      answers.first { request.url.hasSuffix($0.key) }?.value ?? .status(404)
    }
    return try await Pipeline(try plan(file), transport: transport).run().result
  }

  @Test(arguments: [
    (#""csv""#, "id,qty\n007,5\n", #"[{"id":"007","qty":"5"}]"#),
    (
      #"{"csv": {"delimiter": ";", "columns": {"qty": "integer"}}}"#, "id;qty\n1;5\n",
      #"[{"id":"1","qty":5}]"#
    ),
    (#"{"csv": {"header": false}}"#, "1,\n", #"[["1",null]]"#),
    (#"{"csv": {"header": false, "columns": ["a", "b"]}}"#, "1,2\n", #"[{"a":"1","b":"2"}]"#),
    (#"{"csv": {"typed": true}}"#, "a\n7\n\"7\"\n", #"[{"a":7},{"a":"7"}]"#),
    (#""tsv""#, "a\tb\n1\t\\N\n", #"[{"a":"1"}]"#),
    (#""ndjson""#, "{\"a\":1}\n[2]\n", #"[{"a":1},[2]]"#),
    (#""xml""#, "<a><b>1</b></a>", #"{"a":{"b":"1"}}"#),
    (#"{"xml": {"lists": ["b"]}}"#, "<a><b>1</b></a>", #"{"a":{"b":["1"]}}"#),
    (#"{"xml": {"namespaces": {"": "u"}}}"#, "<p:a xmlns:p=\"u\"/>", #"{"a":""}"#),
    (#""sse""#, "data: x\n\n", #"[{"event":"message","data":"x"}]"#),
    (#""text""#, "[1]", #""[1]""#),
    (#""json""#, "7", "7"), (#""csv""#, "", "[]"), (#""ndjson""#, "", "[]"),
  ])
  func aBodyIsDataOfItsFormat(read: String, body: String, expected: String) async throws {
    #expect(try await Self.value(read, Self.answer(body)) == "{\"v\":\(expected)}")
  }

  @Test func theEncodingIsTheAuthorsElseTheResponses() async throws {
    let bytes = Array("a\n".utf8) + [0xE4, 0x0A]
    #expect(
      try await Self.value(
        #"{"csv": {"charset": "windows-1252"}}"#, Self.answer(bytes, "text/csv; charset=utf-8"))
        == #"{"v":[{"a":"ä"}]}"#)
    #expect(
      try await Self.value(#""csv""#, Self.answer(bytes, "text/csv; charset=iso-8859-1"))
        == #"{"v":[{"a":"ä"}]}"#)
  }

  @Test func conditionsSeeTheRows() async throws {
    let rest = #""expect": {"where": ["@.body[0].a == '1'"]}, "extract": {"v": "$[0].a"}"#
    #expect(try await Self.value(#""csv""#, Self.answer("a\n1\n"), rest) == #"{"v":"1"}"#)
  }

  @Test(arguments: [
    (
      #""csv""#, "a,b\n1,2,3\n", "text/csv", "extract",
      "the body is not CSV: line 2, column 5: the row has more fields than the 2 columns"
    ),
    (
      #"{"csv": {"columns": {"qty": "integer"}}}"#, "qty\nx\n", "text/csv", "extract",
      "the body is not CSV: line 2, column 1: 'qty' must be a whole number, but is 'x'"
    ),
    (#""ndjson""#, "{}\n{", "text/plain", "extract", "the body is not NDJSON: line 2, column 1: "),
    (
      #""xml""#, "<a>\n</b>", "text/xml", "extract",
      "the body is not XML: line 2, column 1: 'a' is open, but 'b' ends"
    ),
    (
      #""csv""#, "<html>", "text/html; charset=utf-8", "expect",
      "the body calls itself 'text/html', but the step reads CSV"
    ),
    (
      #""xml""#, "{}", "application/problem+json", "expect",
      "the body calls itself 'application/problem+json', but the step reads XML"
    ),
    (#""json""#, "x", "text/plain", "extract", "the body is not JSON: line 1, column 1: "),
  ])
  func aBodyOfAnotherFormatFails(
    read: String, body: String, type: String, kind: String, message: String
  ) async throws {
    // Even if nothing of it is extracted.
    for rest in [#""extract": {"v": "$"}"#, #""extract": {"v": {"value": 1}}"#] {
      let result = try await Self.run(Self.step(read, rest), ["/x": Self.answer(body, type)])
      let failure = try #require(result.report.failures.first?.failure)
      #expect(failure.kind.rawValue == kind)
      #expect(failure.message.hasPrefix(message), "\(failure.message)")
    }
  }

  @Test func aStatusThatIsNotExpectedIsReadAsBefore() async throws {
    let rest =
      #""retry": {"attempts": 2, "delay": "1ms", "when": "@.body.again == true"},"#
      + #" "extract": {"v": "$"}"#
    let transport = ScriptedTransport { _ in
      Self.answer(#"{"again": true}"#, "application/json", status: 503)
    }
    let report = try await Pipeline(try plan(Self.step(#""csv""#, rest)), transport: transport)
      .run().result.report
    #expect(report.failures.first?.failure.kind == .status)
    #expect(transport.requests.count == 2)
  }

  @Test func aPackedBodyIsUnpackedAndBounded() async throws {
    // `printf 'a\n1\n' | gzip -n`
    let packed: [UInt8] = [
      0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x4B, 0xE4, 0x32, 0xE4, 0x02, 0, 0, 0x24, 0xC1,
      0x89, 0x04, 0, 0, 0,
    ]
    #expect(
      try await Self.value(#""csv""#, Self.answer(packed, "application/gzip"))
        == #"{"v":[{"a":"1"}]}"#)
  }

  @Test func defaultsReadAndNullDropsIt() async throws {
    let result = try await Self.run(
      """
      {"defaults": {"read": "csv"},
       "steps": [
         {"id": "a", "endpoint": "GET https://api.example/x", "extract": {"v": "$[*].a"}},
         {"id": "b", "endpoint": "GET https://api.example/y", "read": null, "extract": {"v": "$.a"}}],
       "outputs": {"a": "{{a.v}}", "b": "{{b.v}}"}}
      """,
      ["/x": Self.answer("a\n1\n"), "/y": Self.answer(#"{"a": 2}"#)])
    #expect(result.outputs.text == #"{"a":["1"],"b":2}"#)
  }

  @Test func aSecretOfARowIsShownNowhere() async throws {
    let rest = #""extract": {"v": {"body": "$[0].key", "secret": true}, "w": "$[0].none"}"#
    let result = try await Self.run(
      Self.step(#""csv""#, rest), ["/x": Self.answer("key\n\"sec\"\"ret-77\"\n")])
    let failure = try #require(result.report.failures.first?.failure)
    let said = failure.message + failure.hints.joined() + (failure.excerpt ?? "")
    #expect(!said.contains("ret-77"), "\(said)")
  }
}
