import PipelineByteText
import PipelineJSONText
package import PipelineSourceText

extension WorkflowTest {
  /// The content of a text in the form of `respond`, and all its problems.
  package static func respond(
    _ text: String
  ) -> (source: SourceFile, answers: [StepAnswers], diagnostics: [Diagnostic]) {
    let file = WorkflowText(SourceFile(name: "respond", bytes: Array(text.utf8)))
    var decoder = WorkflowDecoder(source: file.source, document: file.document)
    let answers = RespondType().read(file.document.root, "respond", &decoder) ?? []
    let found = file.problems.map { Diagnostic($0) }
    return (file.source, answers, found.isEmpty ? decoder.diagnostics : found)
  }
}

extension WorkflowDecoder {
  /// The whole test file; `nil` if it lacks what it cannot do without.
  package mutating func testFile() -> TestFile? {
    let root = document.root
    if let steps = root.members.first(where: { $0.name.equals(bytes: "steps") }),
      root["tests"] == nil, root["workflow"] == nil
    {
      report(
        .unknownKey,
        "this is a workflow, not a test file; its tests are in a file that names it, which is usually"
          + " called '\(testName)'; 'pipeline new --test' makes one of a run",
        at: steps.nameRange)
      return nil
    }
    guard let fields = fields(of: document.root, .tests, .tests),
      let keys = object(TestFileKeys.self, fields)
    else { return nil }
    reportRepeatedNames(of: keys.tests)
    return TestFile(source: source, workflow: keys.workflow, tests: keys.tests)
  }

  /// What a file with the tests of this one would be called.
  private var testName: String {
    let name = source.name.split(ascii: "/").last.map(String.init) ?? source.name
    return (name.hasSuffix(bytes: ".json") ? String(name.dropLast(5)) : name) + ".test.json"
  }

  private mutating func reportRepeatedNames(of tests: [WorkflowTest]) {
    var seen: [ExactText: Range<Int>] = [:]
    for test in tests {
      if let first = seen.updateValue(test.name.range, forKey: ExactText(test.name.value)) {
        report(
          .duplicateName, "two tests have the name '\(test.name.value)'; rename one",
          at: test.name.range, related: [.init(range: first, message: "the other is here")])
      }
    }
  }
}

/// The keys of a test file.
private struct TestFileKeys: DeclaredObject {
  let workflow: Written<String>
  let tests: [WorkflowTest]

  init?(_ keys: inout Keys) {
    let workflow = keys.required(
      "workflow", .written(.path), "The workflow file that is tested, relative to this file.",
      example: #""./users.json""#, foreign: ["file target subject path"])
    tests =
      keys.required(
        "tests", TestsType(), "The tests. They do not depend on each other.",
        example: #"[{"name": "as recorded", "replay": "./users.har"}]"#,
        foreign: ["cases specs scenarios test examples"]) ?? []
    guard let workflow else { return nil }
    self.workflow = workflow
  }
}

private struct TestsType: ValueType {
  var description: LanguageType { .several(.object(.test)) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [WorkflowTest]? {
    guard let nodes = decoder.elements(of: node, name, "a list of tests") else { return nil }
    if nodes.isEmpty {
      decoder.report(
        .invalidValue, "'\(name)' is empty; add a test or remove the file", at: node.range)
    }
    var tests: [WorkflowTest] = []
    for (number, node) in nodes.enumerated() {
      let place: Place =
        node["name"]?.string.map { .named("test", $0) } ?? .numbered("test", number + 1)
      guard let fields = decoder.fields(of: node, .test, place),
        let test = decoder.reading(fields, { WorkflowTest(&$0, node) })
      else { continue }
      tests.append(test)
    }
    return tests
  }
}

extension WorkflowDecoder {
  /// The elements of a list; `nil`, with a report, if a value is none.
  mutating func elements(
    of node: JSONNode, _ name: String, _ wanted: String
  ) -> [JSONNode]? {
    if node.kind == .array { return Array(node.elements) }
    mistyped(node, name, wanted, hint: node.kind == .string ? "; write [\(node.text)]" : "")
    return nil
  }
}

extension LanguageObject {
  /// A whole `*.test.json`.
  static let tests = LanguageObject(
    .tests, "test file", place: "in a test file", of: TestFileKeys.self)

  /// A member of `tests`.
  static let test = LanguageObject(.test, "test", place: "in a test") { keys in
    _ = WorkflowTest(&keys, keys.decoder.document.root)
  }
}
