import PipelineJSONText
import PipelineKit
import Testing

@testable import PipelineEngine
@testable import PipelineTesting
@testable import PipelineTransports

/// How bytes become text: bodies, headers, base64 (docs/language.md).
@Suite struct TextStatementTests {
  private static func extract(_ path: String, _ members: String) -> String {
    """
    {
      "steps": [
        { "id": "a", "endpoint": "GET https://api.example\(path)", "extract": { \(members) } }
      ]
    }
    """
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

  @Test(arguments: try Statement.all("Bodies")) func aBodyIsReadAsItsTextOrFails(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: try Statement.all("Decoding")) func aTextIsDecodedAndConverted(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: 0..<10) func whatIsNotBase64IsRefused(_ index: Int) async throws {
    let file = Self.extract("/base64", #""x": {"body": "$.bad[\#(index)]", "decode": "base64"}"#)
    try await Statement(
      "A text that is not base64 fails", file,
      .fails("extractor 'x' found a text that is not base64")
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
      "A text that is only partly a value of the type fails", file,
      .fails("extractor 'v' must be \(words), but found a text: \"\(text)\"")
    ).check(Self.answers)
  }
}
