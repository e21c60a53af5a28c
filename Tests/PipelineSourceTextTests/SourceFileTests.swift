import PipelineSourceText
import Testing

struct SourceFileTests {
  private func file(_ text: String) -> SourceFile {
    SourceFile(name: "a.json", bytes: Array(text.utf8))
  }

  private func position(_ text: String, _ offset: Int) -> [Int] {
    let position = file(text).position(at: offset)
    return [position.line, position.column]
  }

  @Test func columnsCountUnicodeScalarsFromOne() {
    #expect(position("a\tb", 2) == [1, 3])
    #expect(position("é€😀x", 9) == [1, 4])
    #expect(position("e\u{301}x", 3) == [1, 3])
    #expect(position("", 0) == [1, 1])
    #expect(position("ab", 99) == [1, 3])
    #expect(position("ab", -1) == [1, 1])
  }

  @Test func linesEndWithLineFeedOrBoth() {
    let text = file("one\r\ntwo\n\nlast")
    #expect(text.lineCount == 4)
    #expect((1...4).map { text.text(text.line($0)) } == ["one", "two", "", "last"])
    #expect(position("one\r\ntwo", 5) == [2, 1])
    #expect(position("one\r\ntwo", 4) == [1, 5])
    #expect(file("a\n").lineCount == 2)
    #expect(file("a\n").line(2) == 2..<2)
    #expect(file("a\rb").lineCount == 1)
    #expect(text.line(0) == text.line(1))
    #expect(text.line(99) == text.line(4))
  }

  @Test func aByteOrderMarkTakesNoColumn() {
    #expect(position("\u{FEFF}{x", 4) == [1, 2])
    #expect(position("\u{FEFF}{", 0) == [1, 1])
  }

  @Test func bytesThatAreNoUTF8AreTolerated() {
    let text = SourceFile(name: "a", bytes: [0xFF, 0x80, 0x0A, 0xC3, 0x41])
    #expect(text.position(at: 4) == SourcePosition(line: 2, column: 2))
    #expect(text.text(0..<2) == "\u{FFFD}\u{FFFD}")
  }

  @Test func positionsStayExactInLinesLongerThanTheTablesStride() {
    let text = file(
      String(repeating: "é", count: 10_000) + "\n" + String(repeating: "x", count: 9_000))
    for column in [1, 2_048, 2_049, 4_097, 10_000] {
      #expect(
        text.position(at: (column - 1) * 2) == SourcePosition(line: 1, column: column))
    }
    #expect(text.position(at: 20_001 + 8_999) == SourcePosition(line: 2, column: 9_000))
    #expect(text.position(at: 29_001) == SourcePosition(line: 2, column: 9_001))
  }

  @Test func fixesAreMadeUnlessTheyMeet() {
    let text = file("one two three")
    func fix(_ edits: (Range<Int>, String)...) -> DiagnosticFix {
      DiagnosticFix(
        message: "", edits: edits.map { DiagnosticFix.Edit(range: $0.0, replacement: $0.1) })
    }
    let result = text.applying([
      fix((4..<7, "2")), fix((0..<3, "1"), (8..<13, "3")), fix((5..<6, "x")), fix((0..<0, "y")),
      fix((12..<99, "z")),
    ])
    #expect(String(decoding: result.bytes, as: UTF8.self) == "1 2 3")
    #expect(result.applied == 2)
  }

  @Test func diagnosticsSortByPositionThenGravity() {
    func diagnostic(_ code: String, _ severity: Diagnostic.Severity, _ at: Int) -> Diagnostic {
      Diagnostic(code: code, severity: severity, message: "", range: at..<at)
    }
    let sorted = [
      diagnostic("c", .note, 3), diagnostic("b", .warning, 3), diagnostic("z", .error, 3),
      diagnostic("a", .note, 1),
    ].sortedByPosition()
    #expect(sorted.map(\.code) == ["a", "z", "b", "c"])
  }
}
