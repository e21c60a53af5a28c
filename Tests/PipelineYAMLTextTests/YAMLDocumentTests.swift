import PipelineJSONText
import Testing

@testable import PipelineYAMLText

struct YAMLDocumentTests {
  private func json(_ yaml: String) throws -> String {
    try YAMLDocument.parse(Array(yaml.utf8)).document.root.text
  }

  private func problem(_ yaml: String, limits: YAMLLimits = YAMLLimits()) -> YAMLProblem? {
    do {
      _ = try YAMLDocument.parse(Array(yaml.utf8), limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("no", #""no""#), ("yes", #""yes""#), ("2020-01-01", #""2020-01-01""#), ("12:30", #""12:30""#),
    ("~", "null"), ("TRUE", "true"), ("False", "false"), ("tRUE", #""tRUE""#), ("007", "7"),
    ("+1", "1"), ("-.5", "-0.5"), ("1.", "1.0"), ("1e3", "1e3"), ("0x1F", "31"), ("0o17", "15"),
    ("1_000", #""1_000""#), (".inf", #"".inf""#), ("1.2.3", #""1.2.3""#), ("'1'", #""1""#),
    ("!!str 1", #""1""#), ("!!int '1'", "1"), ("-", "[null]"), (#""\ud83d\ude00""#, #""😀""#),
    ("\"a\\u0001\"", #""a\u0001""#),
  ])
  func scalarsFollowTheCoreSchema(_ yaml: String, _ wanted: String) throws {
    #expect(try json(yaml) == wanted)
  }

  @Test func keysAreTextsAsWritten() throws {
    #expect(
      try json("200: a\nno: b\n1.0: c\n? d\n: e\n")
        == #"{"200":"a","no":"b","1.0":"c","d":"e"}"#)
    #expect(problem("? [a]\n: b")?.code == .notJSON)
  }

  @Test func valuesKnowTheirPlacesInTheText() throws {
    let text = "a: &x\n  b: \"q\\n\"\nc: [*x, 12]\n"
    let document = try YAMLDocument.parse(Array(text.utf8))
    func written(_ node: JSONNode?) -> String? {
      node.map { String(decoding: Array(text.utf8)[document.range(of: $0)], as: UTF8.self) }
    }
    let root = document.document.root
    #expect(written(root["a"]?["b"]) == #""q\n""#)
    #expect(written(root["c"]) == "[*x, 12]")
    #expect(written(root["c"]?[1]) == "12")
    #expect(written(root["c"]?[0]?["b"]) == #""q\n""#)
  }

  @Test func mergeKeysAddOnlyWhatIsMissingAndAreNoted() throws {
    let text = """
      base: &base {a: 1, b: {c: 2}}
      other: &other {a: 3, d: "x"}
      one:
        <<: *base
        a: 0
      list:
        <<: [*other, *base]
      """
    let document = try YAMLDocument.parse(Array(text.utf8))
    let root = document.document.root
    #expect(root["one"]?.text == #"{"a":0,"b":{"c":2}}"#)
    #expect(root["list"]?.text == #"{"a":3,"d":"x","b":{"c":2}}"#)
    #expect(document.problems.map(\.code) == [.mergeKey, .mergeKey])
    #expect(try JSONDocument.parse(document.document.bytes).tape == document.document.tape)
    #expect(try json("'<<': 1") == #"{"<<":1}"#)
    #expect(problem("<<: 1")?.code == .notJSON)
  }

  @Test func anAnchorInAMergedMappingCanBeReferredTo() throws {
    let text = "a:\n  <<: &x {b: &y [1], c: 2}\nd: *x\ne: *y\nf: [&y 3]\ng: *y\n"
    #expect(
      try json(text)
        == #"{"a":{"b":[1],"c":2},"d":{"b":[1],"c":2},"e":[1],"f":[3],"g":3}"#)
  }

  @Test(arguments: ["!!int true", "!!int 1.5", "!!bool 1", "!!null x", "!!float abc", "!!int ''"])
  func aTagThatItsTextDoesNotFitIsRefused(_ yaml: String) {
    #expect(problem(yaml)?.message.contains("this text is not of the type") == true)
  }

  @Test func aByteOrderMarkMayPrecedeEachDocument() throws {
    #expect(try json("\u{FEFF}a: 1") == #"{"a":1}"#)
    let second = try YAMLDocument.parseAll(Array("\u{FEFF}a\n...\n\u{FEFF}b\n".utf8))
    #expect(second.map(\.document.root.text) == [#""a""#, #""b""#])
    // A letter whose first byte is that of the mark.
    #expect(try json("\u{FF01}a") == "\"\u{FF01}a\"")
  }

  @Test func aKeyThatAppearsTwiceIsAFinding() throws {
    let document = try YAMLDocument.parse(Array("a: 1\nb: 2\n\"a\": 3\n".utf8))
    #expect(document.problems.map(\.code) == [.duplicateKey])
    #expect(document.problems.first?.range == 10..<13)
    #expect(document.problems.first?.first == 0..<1)
  }

  @Test func aTextBeyondALimitIsRefused() {
    let deep = String(repeating: "[", count: 257) + String(repeating: "]", count: 257)
    #expect(problem(deep)?.code == .depth)
    #expect(problem(String(deep.dropFirst().dropLast())) == nil)
    let steps = String(repeating: "- ", count: 5000)
    #expect(problem(steps)?.code == .depth)
    #expect(problem("abc", limits: YAMLLimits(size: 2))?.code == .tooLarge)
    var laughs = "a0: &a0 [x, x]\n"
    for level in 1...30 {
      laughs += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n"
    }
    #expect(problem(laughs)?.code == .tooLarge)
    #expect(problem("&a [*a]")?.code == .notJSON)
  }

  @Test func aTextIsOneDocumentInUTF8() {
    #expect(problem("a\n---\nb\n")?.code == .documents)
    #expect(problem("# nothing\n")?.code == .documents)
    #expect(problem("a: \u{1}")?.code == .encoding)
    #expect(problem("a: *b")?.message == "no anchor '&b' precedes this alias")
  }

  @Test(arguments: [
    ("a:\n\tb: 1", "a tab cannot indent; use spaces", 4),
    (
      "a: b: c",
      "a mapping cannot begin here; start a line, indent it, or put quotes around the text", 4
    ),
    ("a: [1, 2\n", "a closing bracket is missing at the end of the text", 9),
    ("a: @b", "a text cannot begin with '@'; put it in quotes", 3),
    ("a: \"\\q\"", #"this is not an escape of YAML; write '\\' for a backslash"#, 4),
  ])
  func aMistakeIsNamedWhereItIs(_ yaml: String, _ message: String, _ offset: Int) {
    let found = problem(yaml)
    #expect(found?.message == message)
    #expect(found?.range.lowerBound == offset)
  }
}
