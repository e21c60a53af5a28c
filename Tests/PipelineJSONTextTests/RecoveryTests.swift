import PipelineJSONText
import Testing

/// Mistakes that people make in files they write: each is named where it is, with the way out.
struct RecoveryTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let text: String
    let message: String
    /// The part of the text that is pointed at.
    let place: String
    /// The text after the fix; `nil` where there is none.
    let fixed: String?
    let value: JSONValue
    var testDescription: String { text }

    init(
      _ text: String, _ message: String, at place: String, fixed: String?, value: JSONValue
    ) {
      self.text = text
      self.message = message
      self.place = place
      self.fixed = fixed
      self.value = value
    }
  }

  private static let comment =
    #"JSON has no comments; remove it, or keep its words as "$comment": "…""#

  @Test(arguments: [
    Mistake(
      "[1, 2,]", "a comma is not allowed before ']'; remove it", at: ",", fixed: "[1, 2]",
      value: [1, 2]),
    Mistake(
      "{\"a\": 1,}", "a comma is not allowed before '}'; remove it", at: ",", fixed: "{\"a\": 1}",
      value: ["a": 1]),
    Mistake(
      "[1,, 2]", "a value is missing before this ','; remove the comma", at: ",",
      fixed: "[1, 2]", value: [1, 2]),
    Mistake(
      "[1 2]", "',' is missing between elements; add it", at: "", fixed: "[1, 2]", value: [1, 2]),
    Mistake(
      "{\"a\": 1 \"b\": 2}", "',' is missing between members; add it", at: "",
      fixed: "{\"a\": 1, \"b\": 2}", value: ["a": 1, "b": 2]),
    Mistake(
      "[1; 2]", "',' separates elements, not ';'", at: ";", fixed: "[1, 2]", value: [1, 2]),
    Mistake(
      "{\"a\" 1}", "':' and a value are missing after this name", at: "\"a\"",
      fixed: "{\"a\": 1}", value: ["a": 1]),
    Mistake(
      "{\"a\"}", "':' and a value are missing after this name", at: "\"a\"", fixed: nil,
      value: ["a": nil]),
    Mistake(
      "{\"a\" = 1}", "write ':' between a name and its value, not '='", at: "=",
      fixed: "{\"a\" : 1}", value: ["a": 1]),
    Mistake("{\"a\": }", "a value is missing here", at: "}", fixed: nil, value: ["a": nil]),
    Mistake(
      "{a: 1}", "a name needs double quotes: \"a\"", at: "a", fixed: "{\"a\": 1}",
      value: ["a": 1]),
    Mistake(
      "{'a': 1}", "JSON writes strings in double quotes, not single quotes", at: "'a'",
      fixed: "{\"a\": 1}", value: ["a": 1]),
    Mistake(
      "['it\\'s']", "JSON writes strings in double quotes, not single quotes", at: "'it\\'s'",
      fixed: "[\"it's\"]", value: ["it's"]),
    Mistake(
      "[`a`]", "JSON writes strings in double quotes, not backquotes", at: "`a`",
      fixed: "[\"a\"]", value: ["a"]),
    Mistake(
      "[1] // one", Self.comment, at: "// one", fixed: "[1]", value: [1]),
    Mistake(
      "[/* one */ 1]", Self.comment, at: "/* one */", fixed: "[1]",
      value: [1]),
    Mistake("# x\n[1]", Self.comment, at: "# x", fixed: "\n[1]", value: [1]),
    Mistake(
      "[True]", "'True' is not valid JSON; write 'true'", at: "True", fixed: "[true]", value: [true]
    ),
    Mistake(
      "[None]", "'None' is not valid JSON; write 'null'", at: "None", fixed: "[null]", value: [nil]),
    Mistake(
      "[yes]", "'yes' is not valid JSON; write 'true'", at: "yes", fixed: "[true]", value: [true]),
    Mistake(
      "[undefined]", "'undefined' is not valid JSON; write 'null'", at: "undefined",
      fixed: "[null]",
      value: [nil]),
    Mistake(
      "[NaN]", "JSON has no 'NaN'; write null or a number", at: "NaN", fixed: "[null]", value: [nil]
    ),
    Mistake(
      "[-Infinity]", "JSON has no '-Infinity'; write null or a number", at: "-Infinity",
      fixed: "[null]", value: [nil]),
    Mistake(
      "[012]", "a number has no leading zeros; write 12", at: "012", fixed: "[12]", value: [12]),
    Mistake("[+5]", "a number has no '+'; write 5", at: "+5", fixed: "[5]", value: [5]),
    Mistake(
      "[.5]", "a number has a digit before its point; write 0.5", at: ".5", fixed: "[0.5]",
      value: [nil]),
    Mistake(
      "[5.]", "a number has a digit after its point; write 5.0", at: "5.", fixed: "[5.0]",
      value: [nil]),
    Mistake(
      "[0x1F]", "JSON has no hexadecimal numbers; write 31", at: "0x1F", fixed: "[31]",
      value: [nil]),
    Mistake(
      "[1_000]", "a number has no '_'; write 1000", at: "1_000", fixed: "[1000]", value: [nil]),
    Mistake(
      "[30s]", "'30s' is not a number; write a string in double quotes: \"30s\"", at: "30s",
      fixed: "[\"30s\"]", value: ["30s"]),
    Mistake(
      "[get]", "'get' is not a JSON value; write it in double quotes: \"get\"", at: "get",
      fixed: "[\"get\"]", value: ["get"]),
    Mistake(
      "[\"a\tb\"]", "a tab must be escaped in a string; write '\\t'", at: "\t",
      fixed: "[\"a\\tb\"]",
      value: ["a\tb"]),
    Mistake(
      "[\"a\nb\"]", "a line break must be escaped in a string; write '\\n'", at: "\n",
      fixed: "[\"a\\nb\"]", value: ["a\nb"]),
    Mistake(
      "{\"a\": \"x,\n \"b\": 1}", "this string is not closed on its line; add '\"'", at: "\"x",
      fixed: "{\"a\": \"x\",\n \"b\": 1}", value: ["a": "x", "b": 1]),
    Mistake(
      "[\"\\x\"]", "'\\x' is not an escape of JSON; write '\\\\x' for a backslash", at: "\\x",
      fixed: nil, value: ["x"]),
    Mistake(
      "[\"\\u12\"]", "'\\u' takes four hexadecimal digits, like \\u00e9", at: "\\u12", fixed: nil,
      value: ["u12"]),
    Mistake(
      "[\"\\ud800\"]",
      "'\\ud800' is half of a surrogate pair, which is not a character; a second escape from \\udc00 to \\udfff follows the first",
      at: "\\ud800", fixed: nil, value: ["\u{FFFD}"]),
    Mistake(
      "['\\é']", "JSON writes strings in double quotes, not single quotes", at: "'\\é'", fixed: nil,
      value: ["é"]),
    Mistake(
      "[\"\\udc00\"]",
      "'\\udc00' is half of a surrogate pair, which is not a character; the first half is missing before it",
      at: "\\udc00", fixed: nil, value: ["\u{FFFD}"]),
    Mistake(
      "[1", "the text ends before this '[' is closed; add ']'", at: "[", fixed: "[1]", value: [1]),
    Mistake(
      "\"x", "the text ends before this string is closed; add '\"'", at: "\"", fixed: nil,
      value: "x"),
    Mistake(
      "[1}", "'}' does not close '['; write ']'", at: "}", fixed: "[1]", value: [1]),
    Mistake(
      "{\"a\": [1}", "'[' is not closed before this '}'; add ']'", at: "}", fixed: "{\"a\": [1]}",
      value: ["a": [1]]),
    Mistake("[1]]", "']' closes nothing; remove it", at: "]", fixed: "[1]", value: [1]),
    Mistake(
      "[1] x", "the text continues after its value; remove what follows", at: "x", fixed: "[1]",
      value: [1]),
    Mistake(
      "{}\n{}", "a second value follows; a JSON text holds one, so put them into a list", at: "{}",
      fixed: nil, value: [:]),
    Mistake(
      "[\u{A0}1]", "U+00A0 (no-break space) is not white space in JSON; write a space",
      at: "\u{A0}", fixed: "[ 1]", value: [1]),
    Mistake("", "the text is empty; write a JSON value", at: "", fixed: nil, value: nil),
    Mistake(
      " \n", "the text contains no value; write a JSON value", at: " \n", fixed: nil, value: nil),
  ])
  func aMistakeIsNamedWithTheWayOut(_ mistake: Mistake) throws {
    let bytes = Array(mistake.text.utf8)
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    let problem = try #require(problems.first)
    #expect(problem.message == mistake.message)
    #expect(String(decoding: bytes[problem.range], as: UTF8.self).hasPrefix(mistake.place))
    #expect(problem.range.isEmpty == mistake.place.isEmpty)
    #expect(JSONValue(document.root) == mistake.value)
    #expect(document.isWellFormed)
    let fixed = problem.fix.map { fix in
      var text = bytes
      for edit in fix.edits.reversed() {
        text.replaceSubrange(edit.range, with: Array(edit.replacement.utf8))
      }
      return String(decoding: text, as: UTF8.self)
    }
    #expect(
      fixed == mistake.fixed
        || fixed.map { $0.filter { $0 != " " } } == mistake.fixed.map { $0.filter { $0 != " " } })
    if let fixed, problems.count == 1 {
      #expect(throws: Never.self) { try JSONDocument.parse(Array(fixed.utf8)) }
    }
    // The strict parser refuses the same place with the same words.
    #expect {
      try JSONDocument.parse(bytes)
    } throws: { error in
      problems.contains { $0 == error as? JSONSyntaxError }
    }
  }

  @Test func everyMistakeIsNamedAndTheRestIsRead() {
    let text = """
      {
        // people
        name: 'Ada',
        "tags": ["a" "b",],
        "active": True,
        "age": 036
        "note": "x
      }
      """
    let (document, problems) = JSONDocument.parseRecovering(Array(text.utf8))
    #expect(
      problems.map(\.message) == [
        Self.comment,
        "a name needs double quotes: \"name\"",
        "JSON writes strings in double quotes, not single quotes",
        "',' is missing between elements; add it",
        "a comma is not allowed before ']'; remove it",
        "'True' is not valid JSON; write 'true'",
        "a number has no leading zeros; write 36",
        "',' is missing between members; add it",
        "this string is not closed on its line; add '\"'",
      ])
    #expect(
      JSONValue(document.root) == [
        "name": "Ada", "tags": ["a", "b"], "active": true, "age": 36, "note": "x",
      ])
  }

  @Test func duplicateNamesAreReportedWithBothPlaces() {
    let text = #"{"a": {"x": 1, "\u0078": 2}, "b": 1, "a": 3}"#
    let bytes = Array(text.utf8)
    let problems = JSONDocument.parseRecovering(bytes).problems
    #expect(problems.map(\.code) == [.duplicateName, .duplicateName])
    #expect(
      problems.map(\.message) == [
        "name 'x' appears twice in this object; keep one of the two",
        "name 'a' appears twice in this object; keep one of the two",
      ])
    let places = problems.map { problem in
      ([problem.range] + problem.related.map(\.range)).map {
        String(decoding: bytes[$0], as: UTF8.self)
      }
    }
    #expect(places == [[#""\u0078""#, #""x""#], [#""a""#, #""a""#]])
    #expect(problems.last?.related.first?.range == 1..<4)
  }

  @Test(arguments: ["[\"a\"é]", "{\"a\":1é:2}", "[1, é]", "\u{0}é", "['é' 𝄞]"])
  func noPlaceSplitsACharacter(_ text: String) {
    let bytes = Array(text.utf8)
    let problems = JSONDocument.parseRecovering(bytes).problems
    #expect(!problems.isEmpty)
    for range in problems.flatMap({ [$0.range] + $0.related.map(\.range) }) {
      for offset in [range.lowerBound, range.upperBound] where offset < bytes.count {
        #expect(bytes[offset] & 0xC0 != 0x80, "\(range)")
      }
    }
  }

  /// Lists in braces and objects in brackets end at either bracket, and no fix changes nothing.
  @Test(arguments: [
    "[\"a\": 1}", "{\"a\": [\"b\": {\"c\": 1}}, \"d\": 2]}", "{\"a\", \"b\"]",
    "[{\"a\", \"b\"], 1]",
    "{\"s\": [\n\"e\": \"G  \"s\": [\n\"e\": \"h\"\n}\n]\n}",
  ])
  func everyFixChangesTheText(_ text: String) {
    let bytes = Array(text.utf8)
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    #expect(document.isWellFormed && !problems.isEmpty)
    for edit in problems.flatMap({ $0.fix?.edits ?? [] }) {
      #expect(String(decoding: bytes[edit.range], as: UTF8.self) != edit.replacement)
    }
  }

  @Test func aBinaryFileGivesAHundredProblemsAtMost() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 0x80) }
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    #expect(problems.count <= 200 && !problems.isEmpty)
    #expect(document.isWellFormed)
  }

  @Test func recoveredStringsAreWrittenAsJSON() {
    let (document, _) = JSONDocument.parseRecovering(Array("{a: 'say \"hi\"', b: x}".utf8))
    var writer = JSONWriter()
    writer.value(document.root)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":"say \"hi\"","b":"x"}"#)
  }

  @Test(arguments: [
    ("name = \"users\"\n", "TOML", "name = \"users\""),
    ("# users\n\n[limits]\nconcurrency = 4\n", "TOML", "[limits]"),
    ("[[steps]] # the first\nid = \"a\"", "TOML", "[[steps]] # the first"),
    ("[a.b]\r\n[c]\r\n", "TOML", "[a.b]"),
    ("ids = [1, 2]", "TOML", "ids = [1, 2]"),
    ("steps:\n  - id: a\n", "YAML", "steps:"),
    ("# users\nname: users\n", "YAML", "name: users"),
    ("---\n- 1", "YAML", "---"),
    ("%YAML 1.2\n---\n", "YAML", "%YAML 1.2"),
    ("- id: a", "YAML", "- id: a"),
  ])
  func anotherFormatIsOneProblem(text: String, format: String, line: String) throws {
    let bytes = Array(text.utf8)
    let problems = JSONDocument.parseRecovering(bytes).problems
    #expect(
      problems.map(\.message) == [
        "JSON begins with '{' or '[', and this seems to be \(format); convert it to JSON, for"
          + " example with yq"
      ])
    #expect(problems.first.map { String(decoding: bytes[$0.range], as: UTF8.self) } == line)
  }

  @Test(arguments: [
    "[steps]", "[a, b]\n[c]", "[true]\n[false]", "[1]\n[2]", "# x\n[1]", "-1",
    "module.exports = {\n}", "x = [\n1]", "\"steps\": []", "'steps': []", "a::b", "7: 8",
  ])
  func whatMayBeJSONWithMistakesIsReadAsThat(text: String) throws {
    let problems = JSONDocument.parseRecovering(Array(text.utf8)).problems
    #expect(!problems.contains { $0.message.contains("seems to be") })
  }
}
