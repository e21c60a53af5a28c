import PipelineEditing
import PipelineJSONText
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

/// Proposals that need other files, or other tools' words.
@Suite struct KnownNameTests {
  private struct Files: FileLoader {
    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      .success(
        SourceFile(
          name: path,
          bytes: Array(
            #"""
            { "inputs": { "user": { "description": "Whose." }, "page": { "default": 1 } },
              "environments": { "test": { "user": "a" }, "live": { "user": "b" } },
              "steps": [{ "id": "a", "endpoint": "GET https://e.com/{{inputs.user}}/{{inputs.page}}" }] }
            """#.utf8)))
    }
  }

  private func proposals(_ marked: String) throws -> [WorkflowCompletion] {
    let place = try #require(marked.firstRange(of: "^")).lowerBound
    let offset = marked.utf8.distance(from: marked.startIndex, to: place)
    let text = marked.replacing("^", with: "")
    return WorkflowAnalysis(
      SourceFile(name: "w.json", bytes: Array(text.utf8)), loader: Files()
    ).completions(at: offset)
  }

  @Test func theInputsOfACalledFileAreOffered() throws {
    let found = try proposals(
      #"{ "steps": [{ "id": "a", "workflow": "b.json", "inputs": { "page": 2, "^" } }] }"#)
    #expect(found.map(\.text) == ["user"])
    #expect(found.first?.detail == "Whose.")
  }

  @Test func aTestIsOfferedInputsAndEnvironments() throws {
    let inputs = try proposals(
      #"{ "workflow": "b.json", "tests": [{ "name": "t", "inputs": { "us^" } }] }"#)
    #expect(inputs.map(\.text) == ["user"])
    let environments = try proposals(
      #"{ "workflow": "b.json", "tests": [{ "name": "t", "environment": "l^" }] }"#)
    #expect(environments.map(\.text) == ["live"])
  }

  @Test func theWordOfAnotherToolStandsForOurs() throws {
    let found = try proposals(#"{ "steps": [{ "id": "a", "ur^" }] }"#)
    let item = try #require(found.first { $0.text == "endpoint" })
    #expect(item.typed == "uri" || item.typed == "url", "\(item)")
    // One letter is the beginning of too much.
    #expect(try proposals(#"{ "steps": [{ "id": "a", "u^" }] }"#).allSatisfy { $0.typed == nil })
  }

  @Test(arguments: [
    (#"{ "steps": [{ "id": "a", "endpoint": "P^" }] }"#, ["POST ", "PUT ", "PATCH "]),
    (#"{ "steps": [{ "id": "a", "headers": { "if-m^" } }] }"#, ["If-Match", "If-Modified-Since"]),
    (
      #"{ "$lint": { "ignore": { "unused-ex^" } }, "steps": [{ "id": "a", "wait": "1s" }] }"#,
      ["unused-extractor"]
    ),
  ])
  func placesWithLikelyNamesHaveThem(_ marked: String, _ names: [String]) throws {
    #expect(try proposals(marked).map(\.text) == names)
  }
}

/// Steps become a file of their own.
@Suite struct StepExtractionTests {
  private static let text = #"""
    {
      "inputs": { "api": { "default": "https://e.com" }, "token": { "secret": true, "env": "T" } },
      "defaults": { "baseURL": "{{inputs.api}}" },
      "steps": [
        { "id": "login", "endpoint": "POST /login", "auth": { "bearer": "{{inputs.token}}" },
          "extract": { "user": "$.id", "session": { "value": "$.session", "secret": true } } },
        { "id": "list", "endpoint": "GET /users/{{login.user}}/list",
          "headers": { "X-Session": "{{login.session}}" }, "extract": { "ids": "$.ids" } },
        { "id": "each", "forEach": "$.list.ids", "as": "id", "endpoint": "GET /items/{{id}}",
          "extract": { "name": "$.name" } },
        { "id": "last", "endpoint": "POST /done", "body": { "json": {
          "user": "{{login.user}}", "ids": "{{list.ids}}" } }, "dependsOn": ["each"] }
      ],
      "outputs": { "names": "$.each[*].name" }
    }
    """#

  private func analysis(_ text: String) -> WorkflowAnalysis {
    WorkflowAnalysis(SourceFile(name: "w.json", bytes: Array(text.utf8)))
  }

  private func range(from start: String, to end: String) throws -> Range<Int> {
    let first = try #require(Self.text.firstRange(of: start)).lowerBound
    let last = try #require(Self.text.firstRange(of: end)).upperBound
    return Self.text.utf8.distance(
      from: Self.text.startIndex, to: first)..<Self.text.utf8.distance(
        from: Self.text.startIndex, to: last)
  }

  @Test func whatCrossesTheBorderBecomesInputsAndOutputs() throws {
    let analysis = analysis(Self.text)
    let selection = try range(from: #""id": "list""#, to: #""GET /items/"#)
    let extraction = try #require(StepExtraction(analysis, selection, to: { _ in "list.json" }))
    let new = try JSONDocument.parse(Array(extraction.content.utf8)).root
    #expect(
      new["inputs"]?.text
        == #"{ "api": { "default": "https://e.com" }, "#
        + #""user": {}, "session": { "type": "string", "secret": true } }"#, "\(extraction.content)"
    )
    #expect(new["defaults"]?["baseURL"]?.string == "{{inputs.api}}")
    #expect(new["steps"]?[0]?["endpoint"]?.string == "GET /users/{{inputs.user}}/list")
    #expect(new["steps"]?[0]?["headers"]?["X-Session"]?.string == "{{inputs.session}}")
    #expect(new["steps"]?[1]?["forEach"]?.string == "$.list.ids")
    #expect(new["outputs"]?["ids"]?.string == "{{list.ids}}")
    #expect(new["outputs"]?["each"]?.string == "$.each[*]")
    #expect(
      !WorkflowAnalysis(
        SourceFile(name: "list.json", bytes: Array(extraction.content.utf8))
      ).findings.contains { $0.severity == .error })

    let fix = DiagnosticFix(message: "", edits: extraction.edits, isSafe: false)
    let old = try JSONDocument.parse(analysis.file.applying([fix]).bytes).root
    #expect(old["steps"]?.count == 3)
    #expect(old["steps"]?[1]?["workflow"]?.string == "list.json")
    #expect(old["steps"]?[1]?["inputs"]?["session"]?.string == "{{login.session}}")
    #expect(old["steps"]?[2]?["body"]?["json"]?["ids"]?.string == "{{list.ids}}")
    #expect(old["steps"]?[2]?["dependsOn"]?[0]?.string == "list")
    #expect(old["outputs"]?["names"]?.string == "$.list.each[*].name")
  }

  @Test func theVariableOfASecretStaysWithTheCaller() throws {
    let selection = try range(from: #""id": "login""#, to: #""POST /login""#)
    let extraction = try #require(
      StepExtraction(analysis(Self.text), selection, to: { _ in "login.json" }))
    let new = try JSONDocument.parse(Array(extraction.content.utf8)).root
    #expect(new["inputs"]?["token"]?.text == #"{ "secret": true }"#)
    #expect(new["outputs"]?["session"]?.string == "{{login.session}}")
  }

  @Test func stepsThatMustFollowOthersStay() throws {
    let selection = try range(from: #""id": "last""#, to: #""POST /done""#)
    #expect(StepExtraction(analysis(Self.text), selection, to: { _ in "last.json" }) == nil)
    #expect(StepExtraction(analysis("{}"), 0..<1, to: { _ in "a.json" }) == nil)
  }

  /// A called file keeps no state.
  @Test func stepsThatKeepStateStay() {
    let text = ItemStateEditingTests.text
    #expect(StepExtraction(analysis(text), 30..<40, to: { _ in "each.json" }) == nil)
  }
}

/// The state of items, as an editor sees it.
@Suite struct ItemStateEditingTests {
  fileprivate static let text = #"""
    { "state": { "base": { "default": 1, "next": 2 } }, "steps": [
      { "id": "each", "forEach": ["a", "b"], "as": "account",
        "state": { "seen": { "by": "{{account}}", "description": "How far.", "next": "{{get.n}}" } },
        "steps": [{ "id": "get", "endpoint": "GET https://e.com/{{state.seen}}",
          "query": { "base": "{{state.base}}" }, "extract": { "n": "$.n" } }] },
      { "id": "after", "endpoint": "GET https://e.com/{{state.base}}" }] }
    """#

  private let analysis = WorkflowAnalysis(
    SourceFile(name: "a.json", bytes: Array(text.utf8)))

  private func offset(_ mark: String) throws -> Int {
    let place = try #require(Self.text.firstRange(of: mark)).upperBound
    return Self.text.utf8.distance(from: Self.text.startIndex, to: place)
  }

  @Test func namesAreOfferedWhereTheyAreKnown() throws {
    let inside = analysis.completions(at: try offset("GET https://e.com/{{state."))
    #expect(inside.map(\.text).sorted() == ["base", "seen"])
    let after = analysis.completions(
      at: try offset(#""after", "endpoint": "GET https://e.com/{{state."#))
    #expect(after.map(\.text) == ["base"])
    let by = analysis.completions(at: try offset(#""by": "{{acc"#))
    #expect(by.map(\.text) == ["account"])
    let next = analysis.completions(at: try offset(#""next": "{{get."#))
    #expect(next.map(\.text) == ["n"])
    let keys = analysis.completions(at: try offset(#""seen": { ""#))
    #expect(keys.map(\.text).contains("default"))
  }

  @Test func aNameIsDefinedAtItsItemsAndRenamedWhereItIsRead() throws {
    let occurrences = try #require(analysis.occurrences(at: try offset("{{state.se")))
    #expect(occurrences.kind == .state && occurrences.name == "seen")
    let definition = try offset(#""state": { "se"#) - 2
    #expect(occurrences.definitions.map(\.lowerBound) == [definition])
    #expect(occurrences.reads.map(\.lowerBound) == [try offset("{{state.")])
    #expect(!analysis.findings.contains { $0.severity == .error })
    let entries = OutlineEntry.entries(of: analysis.document.root)
    #expect(entries.last { $0.name == "each" }?.children.first?.kind == .state)
  }
}
