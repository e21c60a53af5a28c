import PipelineEditing
import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import PipelineTestSupport
import Testing

/// A text that an editor changes is the text that the editor has.
@Suite struct EditedTextTests {
  /// A text as editors have it: UTF-16 units, and lines that end with LF, CR LF or CR.
  private struct Reference {
    var units: [UInt16]

    func offset(of position: TextPosition) -> Int {
      var line = 0
      var index = 0
      while line < position.line, index < units.count {
        if units[index] == 13, index + 1 < units.count, units[index + 1] == 10 { index += 1 }
        if units[index] == 10 || units[index] == 13 { line += 1 }
        index += 1
      }
      guard line == position.line else { return units.count }
      var left = position.character
      while left > 0, index < units.count, units[index] != 10, units[index] != 13 {
        index += 1
        left -= 1
      }
      // Inside a pair is before it.
      if index > 0, index < units.count, UTF16.isTrailSurrogate(units[index]) { index -= 1 }
      return index
    }

    mutating func apply(_ change: TextChange) {
      guard let range = change.range else {
        units = Array(change.text.utf16)
        return
      }
      let start = offset(of: range.lowerBound)
      units.replaceSubrange(
        start..<max(start, offset(of: range.upperBound)), with: change.text.utf16)
    }

    var text: String { String(decoding: units, as: UTF16.self) }
  }

  private static let pieces = [
    "", "a", "é", "😀", "👩‍👩‍👧", "\n", "\r\n", "\r", "{\"x\": 1}", "漢字", "\u{2028}", "\n\n", "𝒳y",
  ]

  @Test(arguments: 0..<LongTests.count(20, long: 1000))
  func randomChangesGiveTheEditorsText(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var text = EditedText(Array("{\r\n \"a\": \"😀é\"\r}\n".utf8), .utf16)
    var reference = Reference(units: Array("{\r\n \"a\": \"😀é\"\r}\n".utf16))
    for _ in 0..<100 {
      let one = TextPosition(
        line: Int.random(in: 0...text.lineCount, using: &generator),
        character: Int.random(in: 0...12, using: &generator))
      let other = TextPosition(
        line: min(one.line + Int.random(in: 0...2, using: &generator), text.lineCount),
        character: Int.random(in: 0...12, using: &generator))
      let change = TextChange(
        range: min(one, other)..<max(one, other),
        text: (0..<3).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined())
      text.apply(change)
      reference.apply(change)
      #expect(String(decoding: text.bytes, as: UTF8.self) == reference.text)
      for offset in 0...text.bytes.count
      where offset == text.bytes.count
        || (text.bytes[offset] & 0xC0 != 0x80 && (offset == 0 || text.bytes[offset - 1] != 13))
      {
        #expect(text.offset(of: text.position(at: offset)) == offset)
      }
    }
  }

  @Test func aCharacterPastTheLineIsItsEnd() {
    let text = EditedText(Array("ab\r\ncd".utf8), .utf16)
    #expect(text.offset(of: TextPosition(line: 0, character: 99)) == 2)
    #expect(text.offset(of: TextPosition(line: 1, character: 0)) == 4)
    #expect(text.offset(of: TextPosition(line: 7, character: 0)) == 6)
    #expect(text.position(at: 3) == TextPosition(line: 0, character: 2))
  }

  @Test func utf8CountsBytes() {
    let text = EditedText(Array("é😀x".utf8), .utf8)
    #expect(text.offset(of: TextPosition(line: 0, character: 6)) == 6)
    #expect(text.position(at: 6) == TextPosition(line: 0, character: 6))
  }
}

/// What an editor is shown is what lint finds in the same bytes.
@Suite struct EditedFindingsTests {
  private struct NoFiles: EditingFiles {
    func loader(for name: String, over open: [String: [UInt8]]) -> any FileLoader { Empty() }
    func recorded(beside name: String) -> RecordedAnswers { RecordedAnswers() }

    struct Empty: FileLoader {
      func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
        .failure(FileLoadError("'\(path)' cannot be read"))
      }
    }
  }

  private static let start = """
    {\r\n  "inputs": { "n": { "type": "integer", "default": 1 } },
      "steps": [
        { "id": "a", "endpoint": "GET https://e.com/{{inputs.n}}", "extract": { "v": "$.😀.v" } },
        { "id": "b", "dependsOn": ["a"], "values": { "t": "é {{a.v}}", "u": "$.a.v" } }\r\n  ],
      "outputs": { "o": "{{b.t}}" }
    }
    """

  private static let pieces = [
    "", "", "\"", "{", "}", "[", "]", ",", ":", "\n", "\r\n", "😀", "é", "{{", "}}", "a", "$.a.v",
    "\"id\": \"b\"", "\"retry\": 3", "{{a.v}}", "\\", "\\ud83d", " ", "null", "12",
  ]

  /// Of a file that an editor changes at random, with deletions over lines.
  @Test(arguments: 0..<LongTests.count(10, long: 100))
  func randomEditsShowWhatLintFinds(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var folder = EditingFolder(NoFiles(), .utf16)
    folder.open("/w/a.json", Self.start, version: 0)
    for version in 1...100 {
      guard let text = folder.text("/w/a.json") else { return }
      let from = Int.random(in: 0...text.bytes.count, using: &generator)
      let length =
        Int.random(in: 0...20, using: &generator) * Int.random(in: 0...3, using: &generator)
      let range = text.range(from..<min(from + length, text.bytes.count))
      folder.change(
        "/w/a.json",
        [TextChange(range: range, text: Self.pieces.randomElement(using: &generator) ?? "")],
        version: version)
      // A file that has become hopeless says little: it begins again.
      if version % 25 == 0 {
        folder.change("/w/a.json", [TextChange(range: nil, text: Self.start)], version: version)
      }
      guard let bytes = folder.text("/w/a.json")?.bytes else { return }
      // Without steps it is linted as a file that others build on.
      if JSONDocument.parseRecovering(bytes).document.root["steps"] != nil {
        let linted = Linter(loader: NoFiles.Empty())
          .lint(SourceFile(name: "/w/a.json", bytes: bytes))
        let shown = folder.analysis(of: "/w/a.json")?.findings ?? []
        #expect(shown == linted.diagnostics, "\(String(decoding: bytes, as: UTF8.self))")
      }
      for offset in [from, bytes.count] where offset <= bytes.count {
        // What is asked about a broken text is answered, or not, and never fails.
        _ = folder.analysis(of: "/w/a.json")?.completions(at: offset)
        _ = folder.analysis(of: "/w/a.json")?.occurrences(at: offset)
        _ = folder.analysis(of: "/w/a.json")?.symbol(at: offset)
      }
    }
  }
}
