import PipelineJSONText
import Testing

@testable import PipelineKit

/// How bytes become text: bodies, headers, base64 (docs/language.md).
@Suite struct TextStatementTests {
  private static func get(_ path: String, _ rest: String) -> String {
    #""steps": [{"id": "a", "endpoint": "GET https://api.example\#(path)", \#(rest)}], "outputs": {"a": "{{a}}"}"#
  }

  private static func extract(_ path: String, _ members: String) -> String {
    get(path, "\"extract\": {\(members)}")
  }

  private static func body(_ type: String?, _ bytes: [UInt8]) -> ScriptedTransport.Answer {
    .response(
      TransportResponse(
        status: 200, headers: type.map { [HeaderField("Content-Type", $0)] } ?? [], body: bytes))
  }

  private static let answers: [String: ScriptedTransport.Answer] = [
    "/latin": body("text/plain; charset=ISO-8859-1", [0x63, 0xE9, 0x80]),
    "/quoted": body("text/plain; format=\"a;charset=x\"; Charset=\"us-ascii\"", [0xFC]),
    "/mark8": body("text/plain; charset=latin1", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9]),
    "/mark16": body(nil, [0xFF, 0xFE, 0xE9, 0x00, 0x3D, 0xD8, 0x00, 0xDE]),
    "/big": body("text/plain; charset=utf-16be", [0x00, 0xE9]),
    "/half": body("text/plain; charset=utf-16le", [0xE9, 0x00, 0x41]),
    "/lone": body("text/plain; charset=utf-16le", [0x3D, 0xD8]),
    "/sjis": body("text/plain; charset=Shift_JIS", [0x82, 0xA0]),
    "/bad": body("text/plain; charset=utf-8", [0x41, 0xE9]),
    "/png": body("image/png", [0x89, 0x50, 0x4E, 0x47]),
    "/meta": body("text/html", Array("<meta charset=latin1>".utf8) + [0xE9]),
    "/json": body("application/json; charset=iso-8859-1", Array(#"{"v":"é"}"#.utf8)),
    "/json1": body(
      "application/json; charset=iso-8859-1", Array(#"{"v":""#.utf8) + [0xE9, 0x22, 0x7D]),
    "/json16": body("application/json", [0xFE, 0xFF] + #"{"v":1}"#.utf8.flatMap { [0, $0] }),
    "/jsonbad": body("application/json", Array(#"{"v":""#.utf8) + [0xE9, 0x22, 0x7D]),
    "/jsonsjis": body(
      "application/json; charset=shift_jis", Array(#"{"v":""#.utf8) + [0x82, 0xA0, 0x22, 0x7D]),
    "/base64": .json([
      "plain": "w6nDqcOp", "url": "Pz8_Pj4-", "open": "w6k", "wrapped": "w6nD\r\n  qcOp\n",
      "png": "iVBORw0KGgo=", "list": ["YQ==", "Yg"], "empty": "",
      "bad": ["====", "=", "a", "YQ=", "YQ===", "YQ==YQ==", "a b=", "Pz8_Pj4+", "YR==", "é==="],
    ]),
    "/types": .json([
      "i": "700", "n": "20.00", "b": "true", "list": ["1", 2, "3"], "day": "2026-02-28",
      "x": "12 EUR",
      "zero": "007", "blank": " 7", "l": "[1]", "urls": ["?a=1", "?a=%20"], "latin": "?a=%E9",
    ]),
    "/twice": .text(#"{"a": 1, "b": {"c": 2, "c": 3}, "a": 4}"#, type: "application/json"),
  ]

  private static let way = "'save' keeps its bytes"

  static let bodies: [Statement] = [
    Statement(
      "The labels of browsers for windows-1252",
      extract("/latin", #""t": {"text": true}, "r": {"regex": "é(.)"}"#),
      gives: #"{"a":{"t":"cé€","r":"€"}}"#),
    Statement(
      "in quotes as well", extract("/quoted", #""t": {"text": true}"#), gives: #"{"a":{"t":"ü"}}"#),
    Statement(
      "A byte order mark outranks the charset, and is no part of the text",
      extract("/mark8", #""t": {"text": true}"#), gives: #"{"a":{"t":"é"}}"#),
    Statement(
      "UTF-16 by its mark", extract("/mark16", #""t": {"text": true}"#),
      gives: "{\"a\":{\"t\":\"é\u{1F600}\"}}"),
    Statement(
      "or by its name", extract("/big", #""t": {"text": true}"#), gives: #"{"a":{"t":"é"}}"#),
    Statement(
      "Half a unit is not UTF-16", extract("/half", #""t": {"text": true}"#),
      gives:
        "!extractor 't' reads the body as text, but the body is not text in UTF-16 (little endian); \(way)"
    ),
    Statement(
      "nor is half a pair", extract("/lone", #""t": {"text": true}"#),
      gives:
        "!extractor 't' reads the body as text, but the body is not text in UTF-16 (little endian); \(way)"
    ),
    Statement(
      "Another charset is named", extract("/sjis", #""t": {"text": true}"#),
      gives:
        "!extractor 't' reads the body as text, but the body is in the charset 'Shift_JIS', which cannot be read; \(way)"
    ),
    Statement(
      "What is not UTF-8 fails", extract("/bad", #""t": {"regex": "A"}"#),
      gives: "!extractor 't' reads the body as text, but the body is not text in UTF-8; \(way)"),
    Statement(
      "The meta of a page is not looked at", extract("/meta", #""t": {"text": true}"#),
      gives:
        "!extractor 't' reads the body as text, but the body is not text in UTF-8, which it is without a charset; \(way)"
    ),
    Statement(
      "A condition on a body that is not text may ask for anything else",
      get(
        "/png",
        #""expect": {"where": ["@.status == 200", "@.body", "!@.body.error"]}, "extract": {"s": {"status": true}}"#
      ),
      gives: #"{"a":{"s":200}}"#),
    Statement(
      "but not for its text", get("/png", #""expect": {"where": ["search(@.text, 'P')"]}"#),
      gives:
        "!the condition reads '@.text', but the body is not text in UTF-8, which it is without a charset; \(way)"
    ),
    Statement(
      "JSON is UTF-8 whatever its charset", extract("/json", #""v": "$.v""#),
      gives: #"{"a":{"v":"é"}}"#),
    Statement(
      "and what its charset says only if it is not", extract("/json1", #""v": "$.v""#),
      gives: #"{"a":{"v":"é"}}"#),
    Statement(
      "also UTF-16 by its mark", extract("/json16", #""v": "$.v""#), gives: #"{"a":{"v":1}}"#),
    Statement(
      "JSON that is neither fails", extract("/jsonbad", #""v": "$.v""#),
      gives:
        "!extractor 'v' cannot query the body: the body of type 'application/json' is not text in UTF-8, which it is without a charset; \(way)"
    ),
    Statement(
      "and names the charset", extract("/jsonsjis", #""v": "$.v""#),
      gives:
        "!extractor 'v' cannot query the body: the body of type 'application/json' is in the charset 'shift_jis', which cannot be read; \(way)"
    ),
  ]

  static let decoding: [Statement] = [
    Statement(
      "Base64 in every usual form",
      extract(
        "/base64",
        #""p": {"body": "$.plain", "decode": "base64"}, "u": {"body": "$.url", "decode": "base64"}, "o": {"body": "$.open", "decode": "base64"}, "w": {"body": "$.wrapped", "decode": "base64"}, "e": {"body": "$.empty", "decode": "base64"}, "l": {"body": "$.list[*]", "decode": "base64"}"#
      ), gives: #"{"a":{"p":"ééé","u":"???>>>","o":"é","w":"ééé","e":"","l":["a","b"]}}"#),
    Statement(
      "Bytes that are not text are not decoded",
      extract("/base64", #""x": {"body": "$.png", "decode": "base64"}"#),
      gives:
        "!extractor 'x' found base64 of 8 bytes that are not text in UTF-8; drop 'decode' to keep the base64, or request the bytes themselves and 'save' them"
    ),
    Statement(
      "A text in JSON that is wholly such a value is converted",
      extract(
        "/types",
        #""i": {"body": "$.i", "type": "integer"}, "n": {"body": "$.n", "type": "number"}, "b": {"body": "$.b", "type": "boolean"}, "l": {"body": "$.list", "type": "integer"}, "m": {"body": "$.list[*]", "type": "number"}, "d": {"body": "$.day", "type": "date"}, "s": {"body": "$.i", "type": "string"}, "a": {"body": "$.l", "type": "array"}, "q": {"body": "$.urls[*]", "param": "a"}"#
      ),
      gives:
        #"{"a":{"i":700,"n":20.00,"b":true,"l":[1,2,3],"m":[1,2,3],"d":"2026-02-28","s":"700","a":[1],"q":["1"," "]}}"#
    ),
    Statement(
      "A parameter whose bytes are not UTF-8 fails",
      extract("/types", #""q": {"body": "$.latin", "param": "a"}"#),
      gives: "!extractor 'q' found the parameter 'a', whose bytes are not text in UTF-8"),
  ]

  @Test(arguments: [
    (Array("X: \u{e9}".utf8), "é"), ([0x58, 0x3A, 0xE9, 0x80], "é\u{80}"),
    ([0x58, 0x3A, 0xC3, 0xA9, 0x0D, 0x0A, 0x20, 0xE9], "Ã© é"),
  ])
  func aHeaderIsUTF8OrElseISO88591(_ bytes: [UInt8], _ value: String) {
    let block = HeaderBlock(bytes: bytes + [0x0D, 0x0A])
    #expect(block.first("x") == value)
    #expect(block.fields.map(\.value) == [value])
  }

  @Test func theFirstOfSeveralMembersIsTakenAndNotedOnce() async throws {
    let file = """
      {"steps": [{"id": "s", "forEach": [1, 2], "endpoint": "GET https://api.example/twice", "extract":
        {"a": "$.a", "c": "$.b.c", "all": "$[*]", "whole": {"body": "$.b", "secret": false}}}],
       "outputs": {"s": "{{s[0]}}"}}
      """
    let run = Pipeline(
      try plan(file), transport: ScriptedTransport { _ in Self.answers["/twice"] ?? .status(404) }
    ).run()
    var notes: [String] = []
    for await event in run.events() {
      if case .note(let note) = event.kind { notes.append(note.message) }
    }
    #expect(
      try await run.result.outputs.text
        == #"{"s":{"a":1,"c":2,"all":[1,{"c":2,"c":3},4],"whole":{"c":2,"c":3}}}"#)
    let words = "more than once in an object that"
    #expect(
      notes.sorted() == [
        "the body has 'a' \(words) '$.a' goes through; the first one is used",
        "the body has 'c' \(words) '$.b.c' goes through; the first one is used",
      ])
  }

  @Test func aVariableThatIsNotUTF8IsRefused() async throws {
    let plan = try plan(
      #"{"inputs": {"k": {"env": "K", "default": 1}}, "steps": [{"id": "v", "values": {"k": "{{inputs.k}}"}}]}"#
    )
    var options = RunOptions()
    options.unreadableVariables = ["K"]
    let pipeline = Pipeline(plan, transport: ScriptedTransport([:]), options: options)
    let error = await #expect(throws: InputError.self) { try await pipeline.run().result }
    #expect(error?.description == "input 'k': the environment variable K is not UTF-8")
    #expect(try await pipeline.run(inputs: ["k": 2]).result.report.status == .succeeded)
  }

  @Test(arguments: bodies) func aBodyIsReadAsItsTextOrFails(_ statement: Statement) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: decoding) func aTextIsDecodedAndConverted(_ statement: Statement) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: 0..<10) func whatIsNotBase64IsRefused(_ index: Int) async throws {
    let file = Self.extract("/base64", #""x": {"body": "$.bad[\#(index)]", "decode": "base64"}"#)
    try await Statement(
      "", file, gives: "!extractor 'x' found a text that is not base64"
    ).check(Self.answers)
  }

  @Test(arguments: [
    ("$.x", "integer", "a whole number", "12 EUR"), ("$.zero", "integer", "a whole number", "007"),
    ("$.blank", "number", "a number", " 7"),
    ("$.i", "boolean", "a boolean", "700"), ("$.i", "date", "a date (2026-01-31)", "700"),
  ])
  func aTextThatIsNotWhollySuchAValueFails(
    _ query: String, _ type: String, _ words: String, _ text: String
  ) async throws {
    let file = Self.extract("/types", #""v": {"body": "\#(query)", "type": "\#(type)"}"#)
    try await Statement(
      "", file, gives: "!extractor 'v' must be \(words), but found a text: \"\(text)\""
    ).check(Self.answers)
  }
}
