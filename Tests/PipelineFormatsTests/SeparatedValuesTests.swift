import PipelineJSONText
import Testing

@testable import PipelineFormats

struct SeparatedValuesTests {
  private func text(_ rows: String, _ form: SeparatedValues.Form = .csv) throws -> String {
    let rows = try JSONDocument.parse(Array(rows.utf8)).root
    var columns = Columns()
    for row in rows.elements { try columns.learn(row) }
    var table = SeparatedValues(form, columns)
    var bytes: [UInt8] = []
    table.writeHeader(to: &bytes)
    for row in rows.elements { table.write(row, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func linesEndAndFieldsAreQuotedAsRFC4180Says() throws {
    #expect(
      try text(#"[{"a,b": "x\"y", "c": "l1\nl2", "d": "plain text"}]"#)
        == "\"a,b\",c,d\r\n\"x\"\"y\",\"l1\nl2\",plain text\r\n")
  }

  @Test func aFieldWithoutQuotesIsALiteralIfItReadsAsOne() throws {
    #expect(
      try text(#"[{"v": 1.50}, {"v": "1.50"}, {"v": true}, {"v": "true"}, {"v": null}]"#)
        == "v\r\n1.50\r\n\"1.50\"\r\ntrue\r\n\"true\"\r\n\r\n")
    #expect(
      try text(#"[{"v": "null", "w": ""}, {"w": "nullable"}, {"v": " a ", "w": "007"}]"#)
        == "v,w\r\n\"null\",\"\"\r\n,nullable\r\n\" a \",007\r\n")
  }

  @Test func listsAndObjectsAreTheirJSONText() throws {
    #expect(
      try text(#"[{"v": [1, {"a": "b"}]}, {"v": {}}, {"v": "[1]"}]"#)
        == "v\r\n\"[1,{\"\"a\"\":\"\"b\"\"}]\"\r\n{}\r\n\"[1]\"\r\n")
  }

  @Test func columnsComeInTheOrderInWhichTheyAreMet() throws {
    #expect(
      try text(#"[{"b": 1}, {"a": 2, "b": 3}, null, {"c": 4, "a": 5}]"#)
        == "b,a,c\r\n1,,\r\n3,2,\r\n,,\r\n,5,4\r\n")
  }

  @Test func namesAreComparedByTheirBytes() throws {
    #expect(try text(#"[{"é": 1, "e\u0301": 2}]"#) == "é,e\u{301}\r\n1,2\r\n")
  }

  @Test func ofMembersWithOneNameTheFirstCounts() throws {
    #expect(try text(#"[{"a": 1, "a": 2, "b": 3}]"#) == "a,b\r\n1,3\r\n")
  }

  @Test func aRowThatIsNoObjectIsAValue() throws {
    #expect(try text(#"["x", 2, [3]]"#) == "value\r\nx\r\n2\r\n[3]\r\n")
  }

  @Test func withoutRowsThereIsNothing() throws {
    #expect(try text("[]").isEmpty && text("[]", .tsv).isEmpty)
  }

  @Test func aLineOfTSVIsALineOfText() throws {
    #expect(
      try text(#"[{"a": "x\ty\n\\z\r", "b": null}, {"b": ""}, {"a": "\"q\"", "b": [1]}]"#, .tsv)
        == "a\tb\nx\\ty\\n\\\\z\\r\t\\N\n\\N\t\n\"q\"\t[1]\n")
  }

  @Test func tooManyColumnsAreRefused() throws {
    var columns = Columns()
    let members = (0...Columns.limit).map { "\"c\($0)\":1" }.joined(separator: ",")
    let row = try JSONDocument.parse(Array("{\(members)}".utf8)).root
    let problem = #expect(throws: TableProblem.self) { try columns.learn(row) }
    #expect(problem?.message.contains("more than the 10000") == true)
  }

  @Test(arguments: [
    ("7", Column.Kinds.integer), ("-9007199254740992", .integer),
    ("9007199254740993", .longInteger),
    ("-9223372036854775808", .longInteger), ("9223372036854775808", .longNumber),
    ("0.1", .real), ("20.00", .real), ("-0", .real), ("1e400", .longNumber), ("1e22", .real),
    ("3.14159265358979323846", .longNumber), ("true", .boolean), ("\"7\"", .text),
  ])
  func aNumberIsOfTheKindThatHoldsAllItsDigits(_ text: String, _ kind: Column.Kinds) throws {
    #expect(Column.Kinds(of: try JSONDocument.parse(Array(text.utf8)).root) == kind)
  }
}
