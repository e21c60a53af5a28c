import PipelineEditing
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import PipelineTestSupport
import Testing

/// Formatting a part changes the white space of that part only.
@Suite struct WhiteSpaceDifferenceTests {
  private func applied(_ old: String, _ new: String, _ part: Range<Int>) -> String? {
    WhiteSpaceDifference.edits(from: Array(old.utf8), to: Array(new.utf8), in: part).map { edits in
      let file = SourceFile(name: "a", bytes: Array(old.utf8))
      return String(
        decoding: file.applying([DiagnosticFix(message: "", edits: edits, isSafe: false)]).bytes,
        as: UTF8.self)
    }
  }

  @Test func theWholeBecomesTheOtherText() {
    let old = "{\"a\" :1,\n\"b  \\\" {\": [ 2 ,3]}"
    let new = "{ \"a\": 1, \"b  \\\" {\": [2, 3] }\n"
    #expect(applied(old, new, 0..<old.utf8.count) == new)
    #expect(applied(old, old, 0..<old.utf8.count) == old)
  }

  @Test func aPartLeavesTheRest() {
    let old = "[ 1,2 ,3 ]"
    let new = "[1, 2, 3]"
    #expect(applied(old, new, 0..<3) == "[1,2 ,3 ]")
    #expect(applied(old, new, 4..<8) == "[ 1, 2, 3 ]")
  }

  @Test func anotherTextIsNoLayout() {
    #expect(applied("[1]", "[2]", 0..<3) == nil)
    #expect(applied("[1]", "[1, 2]", 0..<3) == nil)
    #expect(applied("[\"a b\"]", "[\"a  b\"]", 0..<7) == nil)
  }
}

/// A value becomes an input.
@Suite struct NewInputTests {
  private static let text = #"""
    { "steps": [{ "id": "a", "endpoint": "GET https://e.com/",
      "query": { "per-page": 20, "all": true, "q": "tea" }, "headers": { "X-Key": "abc" } }] }
    """#

  private func made(
    _ kind: WorkflowAnalysis.NewInput, at mark: String, in text: String = text
  ) -> (text: String, message: String)? {
    guard let place = text.firstRange(of: mark)?.upperBound else { return nil }
    let offset = text.utf8.distance(from: text.startIndex, to: place)
    func analysis(_ bytes: [UInt8]) -> WorkflowAnalysis {
      WorkflowAnalysis(SourceFile(name: "a.json", bytes: bytes))
    }
    let before = analysis(Array(text.utf8))
    return before.makingInput(kind, at: offset, reanalysed: analysis).map { fix in
      (String(decoding: before.file.applying([fix]).bytes, as: UTF8.self), fix.message)
    }
  }

  @Test func aNumberKeepsItsType() {
    let text = made(.plain, at: #""per-page": 2"#)?.text ?? ""
    #expect(text.contains(#""inputs": { "per_page": { "type": "integer", "default": 20 } },"#))
    #expect(text.contains(#""per-page": "{{inputs.per_page}}""#))
  }

  @Test func aTextBecomesASecret() {
    let made = made(.secret, at: #""X-Key": "ab"#)
    #expect(made?.message == "make it the secret input 'X_Key', from $X_KEY")
    #expect(made?.text.contains(#""secret": true, "env": "X_KEY""#) == true)
    #expect(made?.text.contains("abc") == false)
  }

  @Test func aSecondInputJoinsTheFirst() {
    let first = made(.plain, at: #""q": "te"#)?.text ?? ""
    let second = made(.plain, at: #""all": tr"#, in: first)?.text ?? ""
    #expect(second.contains(#""inputs": { "all": { "type": "boolean", "default": true }, "q""#))
  }

  @Test(arguments: [#""id": ""#, #""steps""#, #"GET https"#])
  func whatNoInputCanGiveIsLeft(mark: String) {
    #expect(made(.secret, at: mark) == nil)
  }
}

/// What was recorded is offered.
@Suite struct RecordedCompletionTests {
  private static let text = #"""
    { "steps": [{ "id": "a", "endpoint": "GET https://e.com/", "extract": { "n": "$.data[0].na" } },
      { "id": "b", "values": { "n": "{{a.n}}" } }] }
    """#

  private func analysis() throws -> WorkflowAnalysis {
    var recorded = RecordedAnswers()
    recorded.add(
      step: "a", status: 200,
      body: Array(#"{"data": [{"name": "Ada", "nation": "UK", "id": 7, "na": "x"}]}"#.utf8))
    return WorkflowAnalysis(
      SourceFile(name: "a.json", bytes: Array(Self.text.utf8)), recorded: recorded)
  }

  private func offset(_ mark: String) throws -> Int {
    let place = try #require(Self.text.firstRange(of: mark)).upperBound
    return Self.text.utf8.distance(from: Self.text.startIndex, to: place)
  }

  @Test func membersOfARecordedBodyHaveSamples() throws {
    let found = try analysis().completions(at: offset("$.data[0].na"))
    #expect(found.map(\.text) == ["name", "nation", "na"])
    #expect(found.first?.detail == #"such as "Ada""#)
    let place = try analysis().completionPlace(at: offset("$.data[0].na"))
    #expect(place.isInString && place.range.count == 2)
  }

  @Test func aReferenceHasItsRecordedValue() throws {
    let analysis = try analysis()
    let found = analysis.completions(at: try offset("{{a."))
    let item = try #require(found.first { $0.text == "n" })
    let lines = analysis.documentation(of: item, at: try offset("{{a."))
    #expect(lines.contains(#"Recorded: such as "x""#), "\(lines)")
  }

  @Test func aKeyHasItsTypeAndAnExample() throws {
    let analysis = try analysis()
    let place = try offset(#""id": "a", "#) - 1
    let item = try #require(analysis.completions(at: place).first { $0.text == "retry" })
    let lines = analysis.documentation(of: item, at: place)
    #expect(lines.contains("Example: \"retry\": 3"), "\(lines)")
  }
}
