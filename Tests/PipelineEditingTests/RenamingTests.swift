import PipelineEditing
import PipelineImports
import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import PipelineTestSupport
import Testing

/// A rename reaches every place of a name, and renaming back undoes it.
@Suite struct RenamingTests {
  /// The files of a folder.
  private struct FolderFiles: FileLoader {
    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
      guard let bytes = readFile(folder + "/" + path) else {
        return .failure(FileLoadError("'\(path)' cannot be read"))
      }
      return .success(SourceFile(name: folder + "/" + path, bytes: bytes))
    }
  }

  private static let samples = ["", "/parts"].flatMap { part in
    Conformance.files(in: Conformance.packageRoot + "/workflows" + part, ending: ".json")
  }

  /// Sound workflows that the rules of lint are tested with; with `LONG_TESTS=1` all of them.
  private static let fixtures = LongTests.share(allFixtures, step: 8, part: 0)

  private static let allFixtures = Conformance.files(
    in: Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Fixtures", ending: ""
  ).map { $0 + "/ok.json" }.filter { readFile($0) != nil }

  private func analysis(_ path: String, _ bytes: [UInt8]) -> WorkflowAnalysis {
    WorkflowAnalysis(SourceFile(name: path, bytes: bytes), loader: FolderFiles())
  }

  private func applied(_ edits: [DiagnosticFix.Edit], to file: SourceFile) -> [UInt8] {
    file.applying([DiagnosticFix(message: "", edits: edits, isSafe: false)]).bytes
  }

  @Test(arguments: samples + fixtures)
  func everyNameIsRenamedThereAndBack(_ path: String) throws {
    try renameAll(path, try #require(readFile(path)))
  }

  /// Collections of Postman that other people wrote.
  private static let collections = ["run", "examples"].flatMap { folder in
    Conformance.corpora.map {
      Conformance.files(in: "\($0)/postman/newman/\(folder)", ending: ".json")
    } ?? []
  }

  @Test(
    .enabled(if: Conformance.corpora != nil, "there are no corpora"), arguments: collections)
  func everyNameOfATranslatedFileIsRenamedThereAndBack(_ path: String) throws {
    var importer = Importer(isRelaxed: false)
    let file = Importer.File(name: path, bytes: try #require(readFile(path)))
    // What is not a collection is refused.
    guard let workflow = try? importer.workflow(of: [file]) else { return }
    try renameAll(path, Array(workflow.node.text.utf8))
  }

  private func renameAll(_ path: String, _ bytes: [UInt8]) throws {
    let original = analysis(path, bytes)
    var seen: Set<Range<Int>> = []
    var refusals: [String] = []
    for found in original.allOccurrences where found.source == nil {
      guard let first = found.definitions.first, seen.insert(first).inserted else { continue }
      do {
        let edits = try original.renaming(found, to: "renamed_name") { analysis(path, $0) }
        #expect(edits.count == found.all.count)
        let after = analysis(path, applied(edits, to: original.file))
        let shift =
          edits.count { $0.range.lowerBound < first.lowerBound }
          * ("renamed_name".utf8.count - found.name.utf8.count)
        let renamed = try #require(after.occurrences(at: first.lowerBound + shift))
        let back = try after.renaming(renamed, to: found.name) { analysis(path, $0) }
        #expect(applied(back, to: after.file) == bytes, "\(found.name)")
      } catch let refusal as RenameRefusal {
        refusals.append("\(found.name): \(refusal.message)")
      }
    }
    // Rows that '$object' reads have the names that it asks for.
    #expect(refusals.allSatisfy { $0.contains("$object") }, "\(refusals)")
  }

  private static let text = #"""
    {"inputs": {"n": {"type": "integer", "default": 1}},
    "environments": {"live": {"n": 2}}, "defaultEnvironment": "live",
    "steps": [{"id": "a", "endpoint": "GET https://e.com/{{inputs.n}}",
     "extract": {"v": "$.v"}, "otherwise": {"v": 0}, "expect": {"where": ["@.values.v > 0"]}},
    {"id": "b", "dependsOn": ["a"], "values": {"v": "{{a.v}}", "t": "$.a.v"}},
    {"id": "c", "forEach": [1, 2], "as": "v", "concurrency": 1, "until": "@.r",
     "choose": [{"when": "$.v > 1", "values": {"r": "{{v}}"}}, {"values": {"r": null}}]}],
    "outputs": {"o": "$.b.v", "r": "$.c[?@.r == 2].r", "v": "$.c[*].r"}}
    """#

  private func renamed(_ mark: String, to name: String, in text: String = text) throws -> String {
    let bytes = Array(text.utf8)
    let place = try #require(text.firstRange(of: mark)).upperBound
    let offset = text.utf8.distance(from: text.startIndex, to: place)
    let analysis = analysis("a.json", bytes)
    let found = try #require(analysis.occurrences(at: offset))
    let edits = try analysis.renaming(found, to: name) { self.analysis("a.json", $0) }
    return String(decoding: applied(edits, to: analysis.file), as: UTF8.self)
  }

  @Test func aValueIsRenamedWhereverItIsGivenAndRead() throws {
    let text = try renamed(#""extract": {"v"#, to: "value")
    #expect(text.contains(#""extract": {"value": "$.v"}, "otherwise": {"value": 0}"#))
    #expect(text.contains("@.values.value > 0") && text.contains(#""t": "$.a.value""#))
    #expect(text.contains("{{a.value}}") && text.contains(#""values": {"v""#))
    #expect(text.contains(#""as": "v""#) && text.contains(#""o": "$.b.v""#))
  }

  @Test func aValueOfBranchesIsRenamedInAllOfThem() throws {
    let text = try renamed(#""values": {"r"#, to: "result")
    #expect(text.contains(#"{"result": "{{v}}"}}, {"values": {"result": null}}"#))
    #expect(text.contains(#""until": "@.result""#))
    #expect(text.contains(#""r": "$.c[?@.result == 2].result", "v": "$.c[*].result""#))
  }

  @Test func aStepIsRenamedInDependsOn() throws {
    let text = try renamed(#""dependsOn": ["a"#, to: "first")
    #expect(text.contains(#""id": "first""#) && text.contains(#"["first"]"#))
    #expect(text.contains("{{first.v}}") && text.contains("$.first.v"))
  }

  @Test func anInputIsRenamedInEnvironments() throws {
    let text = try renamed(#"{{inputs.n"#, to: "number")
    #expect(text.contains(#""inputs": {"number""#) && text.contains(#"{"live": {"number": 2}}"#))
    #expect(text.contains("{{inputs.number}}"))
  }

  @Test func anEnvironmentIsRenamedWhereItIsChosen() throws {
    let text = try renamed(#""environments": {"li"#, to: "on air")
    #expect(text.contains(#"{"on air": {"n": 2}}, "defaultEnvironment": "on air""#))
  }

  @Test func halfWrittenTextIsRenamedToo() throws {
    let text = try renamed(
      #""id": "a"#, to: "first",
      in: #"""
        {"steps": [{"id": "a", "endpoint": "GET https://e.com/", "extract": {"v": "$.v"}},
        {"id": "b", "endpoint": "GET https://e.com/{{a.v}}", "query": {"q": "{{a.
        """#)
    #expect(text.contains(#""id": "first""#) && text.contains("{{first.v}}"))
    #expect(text.hasSuffix("{{first."))
  }

  @Test(arguments: ["b", "1x", "", "inputs", "é", "a b", "run"])
  func aNameThatWouldBreakTheFileIsRefused(_ name: String) {
    let refusal = #expect(throws: RenameRefusal.self) { try renamed(#""id": "a"#, to: name) }
    #expect(refusal?.message.isEmpty == false)
  }

  @Test func aNameThatWouldHideAnotherIsRefused() {
    #expect(throws: RenameRefusal.self) { try renamed(#""as": "v"#, to: "a") }
    #expect(throws: RenameRefusal.self) { try renamed(#""values": {"v"#, to: "t") }
  }
}
