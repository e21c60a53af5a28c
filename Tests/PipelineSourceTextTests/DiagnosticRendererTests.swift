import PipelineSourceText
import Testing

struct DiagnosticRendererTests {
  /// Renders a diagnostic on what stands between `«` and `»` in `marked`.
  private func render(
    _ marked: String, message: String = "it is wrong", width: Int = 100,
    style: DiagnosticRenderer.Style = .plain
  ) -> String {
    let (text, range) = unmark(marked)
    let file = SourceFile(name: "flow.json", bytes: Array(text.utf8))
    return DiagnosticRenderer(style: style, width: width).render(
      Diagnostic(code: "some-code", severity: .error, message: message, range: range), in: file)
  }

  private func unmark(_ marked: String) -> (String, Range<Int>) {
    let parts = marked.split(
      separator: "«", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts[1].split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
    let start = parts[0].utf8.count
    return (parts[0] + rest.joined(), start..<(start + rest[0].utf8.count))
  }

  @Test func caretsStandUnderTheRange() {
    #expect(
      render("{\n  \"steps\": «12»,\n}") == """
        flow.json:2:12: error: it is wrong [some-code]
            2 |   "steps": 12,
              |            ^^

        """)
  }

  @Test func anEmptyRangeShowsOneCaretAlsoAtTheEnd() {
    #expect(
      render("{ \"a\": 1«»") == """
        flow.json:1:9: error: it is wrong [some-code]
            1 | { "a": 1
              |         ^

        """)
    #expect(
      render("{\n«»") == """
        flow.json:2:1: error: it is wrong [some-code]
            2 |
              | ^

        """)
    #expect(render("«»") == "flow.json:1:1: error: it is wrong [some-code]\n")
  }

  @Test func tabsWideAndCombiningCharactersKeepCaretsInPlace() {
    #expect(
      render("\t{\t\"«x»\": 1}") == """
        flow.json:1:5: error: it is wrong [some-code]
            1 |     {   "x": 1}
              |          ^

        """)
    #expect(
      render("\"日本👩‍👩‍👧é\": «語語»,").split(separator: "\n").suffix(2).joined(separator: "\n") == """
            1 | "日本👩‍👩‍👧é": 語語,
              |            ^^^^
        """)
    #expect(
      render("\"e\u{301}e\u{301}«e\u{301}»\"").hasSuffix("\n      |    ^\n"))
    #expect(render("\"🇩🇪❤️한«x»\"").hasSuffix("\n      |        ^\n"))
  }

  @Test func controlCharactersNeverReachTheTerminal() {
    let text = render("\"\u{1B}[31m\u{7F}\u{85}\u{202E}«x»\r\"", message: "bad \u{1B}[2J\n")
    #expect(
      text == """
        flow.json:1:10: error: bad ␛[2J␊ [some-code]
            1 | "␛[31m␡��x␍"
              |          ^

        """)
  }

  @Test func invalidUTF8IsShownAsReplacementCharacters() {
    let file = SourceFile(name: "f", bytes: [0x22, 0xFF, 0xC3, 0x22, 0x78])
    let text = DiagnosticRenderer().render(
      Diagnostic(code: "c", severity: .warning, message: "m", range: 4..<5), in: file)
    #expect(text == "f:1:5: warning: m [c]\n    1 | \"��\"x\n      |     ^\n")
  }

  @Test func aRangeOverSeveralLinesShowsItsFirst() {
    #expect(
      render("[«[\r\n1]»]") == """
        flow.json:1:2: error: it is wrong [some-code]
            1 | [[
              |  ^

        """)
  }

  @Test func longLinesAreCutAroundTheCarets() {
    let digits = String(repeating: "0123456789", count: 6)
    #expect(
      render("[«a»" + digits, width: 20).hasSuffix(
        "\n    1 | [a01234567890123456…\n      |  ^\n"))
    #expect(
      render(digits + "«ab»" + digits, width: 20).hasSuffix(
        "\n    1 | …456789ab0123456789…\n      |        ^^\n"))
    #expect(
      render(digits + "«z»", width: 20).hasSuffix(
        "\n    1 | …234567890123456789z" + "\n      |                    ^\n"))
    #expect(
      render(digits + "«" + digits + "»", width: 20).hasSuffix(
        "\n    1 | …456789012345678901…\n" + "      |        ^^^^^^^^^^^^\n"))
  }

  @Test func aLineOfMegabytesIsCutWithoutReadingItAll() {
    let far = String(repeating: "日", count: 1_000_000)
    let text = render(far + "«x»" + far, width: 20)
    #expect(text.hasPrefix("flow.json:1:1000001: error:"))
    #expect(text.hasSuffix("日x日日日日日…\n      |        ^\n"), "\(text)")
  }

  @Test func relatedPlacesAreNotes() {
    let file = SourceFile(name: "f", bytes: Array("{\"a\": 1,\n \"a\": 2}".utf8))
    let text = DiagnosticRenderer().render(
      Diagnostic(
        code: "json-duplicate-key", severity: .error, message: "'a' is given twice", range: 10..<13,
        related: [.init(range: 1..<4, message: "the first is here")]), in: file)
    #expect(
      text == """
        f:2:2: error: 'a' is given twice [json-duplicate-key]
            2 |  "a": 2}
              |  ^^^
        f:1:2: note: the first is here
            1 | {"a": 1,
              |  ^^^

        """)
  }

  @Test func coloursWrapWithoutChangingTheText() {
    let colored = render("[«1»]", style: .colored)
    #expect(colored.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == render("[«1»]"))
  }
}
