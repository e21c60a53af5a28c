import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineFormats

/// The rows of a text as JSON.
private func rows(_ text: String, _ change: (inout SeparatedFormat) -> Void = { _ in }) throws
  -> String
{
  var format = SeparatedFormat(.csv)
  change(&format)
  return String(
    decoding: try BodyFormat.separated(format).rows(of: Array(text.utf8)) ?? [], as: UTF8.self)
}

private func problem(_ text: String, _ change: (inout SeparatedFormat) -> Void = { _ in })
  -> String?
{
  do {
    _ = try rows(text, change)
    return nil
  } catch {
    return "\(error)"
  }
}

/// RFC 4180 §2, rule by rule, on lists because its examples have no names.
@Test(arguments: [
  ("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", #"[["aaa","bbb","ccc"],["zzz","yyy","xxx"]]"#),
  ("aaa,bbb,ccc\r\nzzz,yyy,xxx", #"[["aaa","bbb","ccc"],["zzz","yyy","xxx"]]"#),
  (#""aaa","bbb","ccc""# + "\r\nzzz,yyy,xxx", #"[["aaa","bbb","ccc"],["zzz","yyy","xxx"]]"#),
  ("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx", #"[["aaa","b\r\nbb","ccc"],["zzz","yyy","xxx"]]"#),
  (#""aaa","b""bb","ccc""#, #"[["aaa","b\"bb","ccc"]]"#),
  ("a,,\"\"\n", #"[["a",null,""]]"#),
  (" a , b ", #"[[" a "," b "]]"#),
  ("a\rb\r", #"[["a"],["b"]]"#),
  ("", "[]"),
])
func theExamplesOfRFC4180(text: String, expected: String) throws {
  #expect(try rows(text) { $0.hasHeader = false } == expected)
}

@Test func aRowHasTheNamesOfTheHeader() throws {
  #expect(
    try rows("\u{FEFF}id,name\n007,Ä\n8,\n9\n\n10,\"\"\n")
      == #"[{"id":"007","name":"Ä"},{"id":"8"},{"id":"9"},{"id":"10","name":""}]"#)
  #expect(try rows("id\n\n7\n") == #"[{},{"id":"7"}]"#)
  #expect(try rows("a;b\n1;2\n") { $0.delimiter = UInt8(ascii: ";") } == #"[{"a":"1","b":"2"}]"#)
  let named = try rows("1,2\n") {
    $0.hasHeader = false
    $0.columns = [.init(name: "a"), .init(name: "b", type: .integer)]
  }
  #expect(named == #"[{"a":"1","b":2}]"#)
}

@Test func aColumnWithATypeHasItsValues() throws {
  let types: [(ColumnType, String, String)] = [
    (.integer, "7", "7"), (.number, "1.50", "1.50"), (.boolean, "true", "true"),
    (.date, "2026-01-31", #""2026-01-31""#),
    (.datetime, "2026-01-31T09:05:00Z", #""2026-01-31T09:05:00Z""#), (.array, "[1]", "[1]"),
    (.object, "{}", "{}"), (.string, "7", #""7""#), (.integer, " 7 ", "7"),
  ]
  for (type, text, value) in types {
    #expect(
      try rows("a\n\(text)\n") { $0.columns = [.init(name: "a", type: type)] }
        == #"[{"a":\#(value)}]"#)
  }
}

@Test(arguments: [
  ("a,b\n1,2,3\n", "line 2, column 5: the row has more fields than the 2 columns"),
  (
    "a,a\n",
    "line 1, column 3: two columns are called 'a'; write \"header\": false and names as"
      + " 'columns'"
  ),
  ("a,qty\n1,2\nä,\"1\n2\"\n", "line 3, column 3: 'qty' must be a whole number, but is '1\n2'"),
  ("qty\n007\n", "line 2, column 1: 'qty' must be a whole number, but is '007'"),
  ("b\n1\n", "line 1, column 1: there is no column 'qty'; the columns are 'b'"),
  ("qty\n1\n\"2", "line 3, column 1: the field that begins here has no quote at its end"),
  (
    "qty\n1\n\"2\"x\n",
    "line 3, column 4: something follows the quote that ends a field; a quote in"
      + " a field is written twice"
  ),
  (
    "qty\n1\n2\"\n",
    "line 3, column 2: a quote is in a field without quotes; a field with a quote is"
      + " in quotes, and its quote is written twice"
  ),
])
func aProblemHasItsPlace(text: String, expected: String) {
  let found = problem(text) {
    if text.contains("b\n1\n") || text.contains("qty") {
      $0.columns = [.init(name: "qty", type: .integer)]
    }
  }
  #expect(found == expected)
}

@Test func bytesThatAreNotUTF8AreNamed() throws {
  var rows = RowText(.list)
  var reader = SeparatedReader(SeparatedFormat(.csv))
  #expect(
    throws: FormatProblem("byte 2 of the field is not of a text in UTF-8", line: 2, column: 3)
  ) {
    try reader.read(Array("a,b\n1,".utf8) + [0x41, 0xFF, 0x0A], to: &rows)
    try reader.finish(to: &rows)
  }
}

@Test func tabsSeparateAndBackslashesEscape() throws {
  var format = SeparatedFormat(.tsv)
  let text = "a\tb\n1\\t2\t\\N\n\t\\\\\\n\n"
  func read() throws -> String {
    String(
      decoding: try BodyFormat.separated(format).rows(of: Array(text.utf8)) ?? [], as: UTF8.self)
  }
  #expect(try read() == #"[{"a":"1\t2"},{"a":"","b":"\\\n"}]"#)
  format.isTyped = true
  #expect(try read() == #"[{"a":"1\t2"},{"a":"","b":"\\\n"}]"#)
}

/// Fields that are hard to tell apart.
private let hardValues = [
  "\"\"", "\"7\"", "7", "-0", "1.50", "1e5", "true", "\"true\"", "null", "\"null\"", "\"a\"",
  "\" a\"", "\"a \"", "\"a,b\"", "\"\\\"\"", "\"a\\nb\"", "\"a\\r\\nb\"", "[1,\"a\"]",
  "{\"a\":\"b,c\"}", "\"{\"", "\"\\t\"", "\"\u{FEFF}x\"", "\"Ä€😀\"", "\"-\"", "[]", "{}",
  "\"\\u0000\"", "\"NaN\"", "\"1e\"", "\"\\\\N\"",
]

/// The one case in which what a sink wrote does not come back.
@Test func aTextThatIsAListInJSONIsTakenForOne() throws {
  #expect(
    try rows("a\n\"[1,\"\"b\"\"]\"\n\"{\"\n\"7\"\n") { $0.isTyped = true }
      == #"[{"a":[1,"b"]},{"a":"{"},{"a":"7"}]"#)
}

@Test func whatASinkWroteIsReadBack() throws {
  var random = SeededGenerator(seed: 7)
  for _ in 0..<300 {
    let names = ["id", "a b", "ü,\"x\"", "z"].prefix(Int.random(in: 2...4, using: &random))
    let rows = (0..<Int.random(in: 1...5, using: &random)).map { _ in
      "{"
        + names.map {
          "\(JSONValue.string($0).node.text):\(hardValues.randomElement(using: &random)!)"
        }
        .joined(separator: ",") + "}"
    }
    let document = try JSONDocument.parse(Array("[\(rows.joined(separator: ","))]".utf8))
    var columns = Columns()
    for row in document.root.elements { try columns.learn(row) }
    var writer = SeparatedValues(.csv, columns)
    var bytes: [UInt8] = []
    writer.writeHeader(to: &bytes)
    for row in document.root.elements { writer.write(row, to: &bytes) }

    var format = SeparatedFormat(.csv)
    format.isTyped = true
    let read = try BodyFormat.separated(format).rows(of: bytes) ?? []
    let found = try JSONDocument.parse(read).root
    // A field of no bytes is null, or absent.
    let expected = rows.map { row in
      row.replacing(#/"[^"\\]*(?:\\.[^"\\]*)*":null,?/#, with: "").replacing(",}", with: "}")
    }
    let wanted = try JSONDocument.parse(Array("[\(expected.joined(separator: ","))]".utf8)).root
    #expect(found.isEqual(to: wanted), "\(String(decoding: bytes, as: UTF8.self))")
  }
}

/// However the bytes arrive, the rows and the problem are the same.
@Test func piecesMakeNoDifference() throws {
  let texts = [
    "\u{FEFF}a,b\r\n1,\"x\r\n\"\"y\"\r\n\r\n2,ü\r\n", "a\n\"1\n\"\n2", "a,b\r1,2\r", "a\n\"x",
    "a\n1,2",
    "\u{FEFF}", "a,b\n1,2\"\n",
  ]
  for text in texts {
    for kind in [SeparatedFormat.Kind.csv, .tsv] {
      let bytes = Array(text.utf8)
      let whole = outcome(bytes, size: bytes.count, kind)
      for size in 1..<bytes.count { #expect(outcome(bytes, size: size, kind) == whole) }
    }
  }
}

private func outcome(_ bytes: [UInt8], size: Int, _ kind: SeparatedFormat.Kind) -> String {
  var reader = SeparatedReader(SeparatedFormat(kind))
  var rows = RowText(.lines)
  do throws(FormatProblem) {
    for start in stride(from: 0, to: bytes.count, by: max(size, 1)) {
      try reader.read(Array(bytes[start..<min(start + size, bytes.count)]), to: &rows)
    }
    try reader.finish(to: &rows)
    return String(decoding: rows.takeLines(), as: UTF8.self)
  } catch {
    return error.description
  }
}

/// Long names make long rows of short lines, and the names in messages are short.
@Test func aLongNameIsNoTrap() throws {
  let name = String(repeating: "n", count: 100_000)
  let text = "\(name)\n" + String(repeating: "1\n", count: 100)
  let body = Array(text.utf8)
  #expect(try BodyFormat.separated(SeparatedFormat(.csv)).rows(of: body) != nil)
  #expect(throws: FormatProblem(RowText.growth, line: 12, column: 1)) {
    try BodyFormat.separated(SeparatedFormat(.csv)).rows(of: body, limit: 1_000_050)
  }
  #expect(throws: BodyProblem.self) {
    try BodyFormat.separated(SeparatedFormat(.csv)).json(
      of: body, charset: nil, contentType: "text/csv", limit: 100_500)
  }
  let twice = problem("\(name),\(name)\n") ?? ""
  #expect(twice.contains("two columns are called 'nnn") && twice.utf8.count < 250)
  let missing = problem((0..<1_000).map { "c\($0)" }.joined(separator: ",")) {
    $0.columns = [.init(name: "qty", type: .integer)]
  }
  #expect(missing?.hasSuffix("'c18', 'c19' and 980 more") == true, "\(missing ?? "")")
}

@Test func aRowIsLimited() throws {
  var reader = SeparatedReader(SeparatedFormat(.csv), limit: 10)
  var rows = RowText(.lines)
  try reader.read(Array("a\n1234\n".utf8), to: &rows)
  #expect(throws: FormatProblem("the row is larger than the 10 bytes allowed", line: 3, column: 1))
  {
    for _ in 0..<100 { try reader.read(Array("123456".utf8), to: &rows) }
  }
}
