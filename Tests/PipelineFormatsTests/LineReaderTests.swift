import PipelineJSONText
import Testing

@testable import PipelineFormats

@Test func eachLineIsAValue() throws {
  let text = "\u{FEFF}{\"a\": 1}\r\n\n  \n[2]\n\"x\"\n7"
  #expect(try lines(text, size: text.utf8.count) == #"[{"a": 1},[2],"x",7]"#)
  for size in 1..<text.utf8.count {
    #expect(try lines(text, size: size) == #"[{"a": 1},[2],"x",7]"#)
  }
  #expect(try lines("", size: 1) == "[]")
}

@Test(arguments: [
  ("{}\n{\"a\": }\n", 2, 7), ("{}\n{}{}\n", 2, 3), ("{}\n1,2\n", 2, 2), ("{\n}\n", 1, 1),
])
func aProblemOfALineHasItsPlace(text: String, line: Int, column: Int) {
  do {
    _ = try lines(text, size: 3)
    Issue.record("nothing was wrong")
  } catch {
    #expect(error.line == line && error.column == column, "\(error)")
  }
}

private func lines(_ text: String, size: Int) throws(FormatProblem) -> String {
  let bytes = Array(text.utf8)
  var reader = LineReader()
  var rows = RowText(.list)
  for start in stride(from: 0, to: bytes.count, by: size) {
    try reader.read(Array(bytes[start..<min(start + size, bytes.count)]), to: &rows)
  }
  try reader.finish(to: &rows)
  return String(decoding: rows.list(), as: UTF8.self)
}
