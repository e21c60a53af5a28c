import PipelineJSONSchemas
import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import Testing

@Suite struct TestFileTests {
  private static let workflow = """
    {"inputs": {"page": {"default": 1}, "id": {"optional": true},
      "size": {"type": "integer", "optional": true}},
      "environments": {"staging": {"page": 2}},
      "state": {"since": {"default": "2026-01-01", "next": "2026-01-02"}},
      "steps": [
        {"id": "example", "endpoint": "GET https://a.example/{{inputs.page}}"},
        {"id": "list", "endpoint": "GET https://a.example/", "extract": {"total": "$.total"}},
        {"id": "user", "endpoint": "GET https://a.example/"},
        {"id": "each", "forEach": [1, 2], "endpoint": "GET https://a.example/{{item}}"},
        {"id": "rest", "wait": "2h"},
        {"id": "block", "steps": [{"id": "inner", "endpoint": "GET https://a.example/"}]}
      ],
      "outputs": {"total": "{{list.total}}"}}
    """

  private struct Files: FileLoader {
    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      guard path != "./missing.json" else { return .failure(FileLoadError("no such file")) }
      return .success(SourceFile(name: path, bytes: Array(workflow.utf8)))
    }
  }

  private func lint(_ text: String) -> LintedTests {
    let file = SourceFile(name: "a.test.json", bytes: Array(text.utf8))
    return Linter(loader: Files()).lintTests(WorkflowText(file))
  }

  /// A run without a value for an input ends before its first request, unless that is what is tested.
  @Test func aTestGivesTheInputsThatAreRequired() {
    struct Needing: FileLoader {
      func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
        let text = """
          {"inputs": {"since": {"type": "date"}, "key": {"env": "KEY"}, "id": {"optional": true}},
            "environments": {"live": {"since": "2026-01-01"}},
            "steps": [{"id": "a", "endpoint": "GET https://a.example/",
              "query": {"s": "{{inputs.since}}", "k": "{{inputs.key}}", "i": "{{inputs.id}}"}}]}
          """
        return .success(SourceFile(name: path, bytes: Array(text.utf8)))
      }
    }
    func messages(_ test: String) -> [String] {
      let text = "{\"workflow\": \"./a.json\", \"tests\": [\(test)]}"
      let file = SourceFile(name: "a.test.json", bytes: Array(text.utf8))
      return Linter(loader: Needing()).lintTests(WorkflowText(file)).diagnostics.map(\.message)
    }
    #expect(messages(#"{"name": "none"}"#) == ["test 'none' needs the input 'since'"])
    #expect(messages(#"{"name": "given", "inputs": {"since": "2026-01-01"}}"#).isEmpty)
    #expect(messages(#"{"name": "live", "environment": "live"}"#).isEmpty)
    #expect(messages(#"{"name": "fails", "expect": {"status": "failed"}}"#).isEmpty)
  }

  private func findings(_ test: String) -> [String] {
    let text = "{\"workflow\": \"./a.json\", \"tests\": [\(test)]}"
    return lint(text).diagnostics.map { finding in
      let file = SourceFile(name: "", bytes: Array(text.utf8))
      return "\(finding.code) \(file.text(finding.range)): \(finding.message)"
    }
  }

  /// Every key as its table shows it is accepted, and what it is not is refused, by the decoder and by
  /// the schema alike.
  @Test(arguments: LanguageObject.Kind.testCases.filter { $0 != .lint })
  func everyKeyIsReadAsItsTableSays(_ kind: LanguageObject.Kind) throws {
    let schema = try #require(
      Schema.parse(try JSONDocument.parse(LanguageSchema.textOfTests).root).schema)
    for key in kind.object.keys {
      let file = KeyExamples.file(with: key, of: kind)
      #expect(lint(file).diagnostics.map(\.message) == [], "\(key.name) of \(kind): \(file)")
      #expect(schema.validate(try JSONDocument.parse(Array(file.utf8)).root).isEmpty, "\(file)")
      guard key.type != .json else { continue }
      let wrong = KeyExamples.file(with: key, of: kind, value: "[[true]]")
      #expect(lint(wrong).hasErrors, "\(wrong)")
      let document = try JSONDocument.parse(Array(wrong.utf8))
      #expect(!schema.validate(document.root).isEmpty, "\(wrong)")
    }
  }

  /// The edit that a message speaks of, applied.
  @Test(arguments: [
    (#"{"name": "a", "respond": {"usr": {"json": 1}}}"#, #""respond": {"user":"#),
    (#"{"name": "a", "respond": {"user, lst": [{"json": 1}]}}"#, #"{"user, list": ["#),
    (#"{"name": "a", "expect": {"failures": [{"step": "usr"}]}}"#, #"{"step": "user"}"#),
    (
      #"{"name": "a", "expect": {"failures": [{"step": "user", "kind": "netwrk"}]}}"#,
      #""kind": "network""#
    ),
    (#"{"name": "a", "expect": {"where": ["@.outputs.total != 1"]}}"#, "[\"$.outputs.total != 1"),
    (#"{"name": "a", "expect": {"where": ["!$.requests.usr"]}}"#, "!$.requests.user"),
    (#"{"name": "a", "expect": {"where": ["$.output.total == 1"]}}"#, "$.outputs.total == 1"),
    (#"{"name": "a", "expect": {"where": ["$.outputs.totl == 1"]}}"#, "$.outputs.total == 1"),
    (#"{"name": "a", "expect": {"where": ["$.state.snce == 1"]}}"#, "$.state.since == 1"),
    (
      #"{"name": "a", "expect": {"where": ["$.steps.block.inner.status == 'failed'"]}}"#,
      "$.steps['block.inner'].status"
    ),
  ])
  func aNearNameIsAnEdit(_ test: String, _ expected: String) throws {
    let text = "{\"workflow\": \"./a.json\", \"tests\": [\(test)]}"
    let linted = lint(text)
    let fix = try #require(linted.diagnostics.first?.fix, "\(linted.diagnostics)")
    let fixed = String(decoding: linted.file.applying([fix]).bytes, as: UTF8.self)
    #expect(fixed.contains(expected), "\(fixed)")
    #expect(lint(fixed).diagnostics.isEmpty, "\(lint(fixed).diagnostics)")
  }

  @Test(arguments: [
    (
      #"{"name": "a", "respond": {"usr": {"json": 1}}}"#,
      #"unknown-reference "usr": the workflow has no step 'usr'; did you mean 'user'?"#
    ),
    (
      #"{"name": "a", "respond": {"list": {"jsn": 1}}}"#,
      #"unknown-key "jsn": unknown key 'jsn' in the answer of 'list'; did you mean 'json'?"#
    ),
    (
      #"{"name": "a", "respond": {"list": {"delay": "3s", "json": 1}}}"#,
      #"unknown-key "delay": unknown key 'delay' in the answer of 'list'; write 'after'"#
    ),
    (
      #"{"name": "a", "respond": {"list": {"body": {"total": 1}}}}"#,
      #"unknown-key "body": unknown key 'body' in the answer of 'list'; "#
        + "write 'json' for a body of JSON, or 'text' or 'file'"
    ),
    (
      #"{"name": "a", "respond": {"each": {"item": [{"json": 1}, {"json": 2}]}}}"#,
      #"unknown-key "item": unknown key 'item' in the answers of 'each'; did you mean 'items'?"#
    ),
    (
      #"{"name": "a", "expect": {"status": "failure"}}"#,
      #"invalid-value "failure": 'status' must be one of "succeeded", "failed", "cancelled" or "#
        + #""waiting", not "failure"; did you mean "failed"?"#
    ),
    (
      #"{"name": "a", "expect": {"where": ["@.outputs.total != 1"]}}"#,
      #"unknown-reference @.outputs.total: '@' has no value in a test's conditions; "#
        + "write '$.outputs.total'"
    ),
    (
      #"{"name": "a", "expect": {"where": ["!$.requests.usr"]}}"#,
      "unknown-reference $.requests.usr: the workflow has no step 'usr'; did you mean 'user'?"
    ),
    (
      #"{"name": "a", "expect": {"where": ["$.steps.block.inner.status == 'failed'"]}}"#,
      "unknown-reference $.steps.block.inner.status: "
        + "an inner step is written '$.steps['block.inner']'"
    ),
    (
      #"{"name": "a", "expect": {"where": ["$.outputs.totl == 1"]}}"#,
      "unknown-reference $.outputs.totl: "
        + "the workflow has no output 'totl'; did you mean 'total'?"
    ),
    (
      #"{"name": "a", "expect": {"where": "$.elapsed < 1"}}"#,
      #"wrong-type "$.elapsed < 1": 'where' must be a list of conditions, "#
        + #"not the text "$.elapsed < 1"; write ["$.elapsed < 1"]"#
    ),
    (
      #"{"name": "a", "inputs": {"size": "7"}}"#,
      #"wrong-type "7": the input 'size' must be a whole number, not the text "7"; "#
        + "write it without quotes"
    ),
    (
      #"{"name": "a", "mocks": {"list": {"json": 1}}}"#,
      #"unknown-key "mocks": unknown key 'mocks' in test 'a'; write 'respond'"#
    ),
    (
      #"{"name": "a", "outputs": {"total": 1}}"#,
      #"unknown-key "outputs": unknown key 'outputs' in test 'a'; "#
        + "write 'expect': {\"outputs\": …}"
    ),
    (
      #"{"name": "a", "respond": {"list": {"items": [{"json": 1}]}}}"#,
      #"invalid-value "list": step 'list' has no items; answer it with one answer or a list"#
    ),
    (
      #"{"name": "a", "respond": {"block": {"json": 1}}}"#,
      #"invalid-value "block": step 'block' sends no request; answer the steps that do"#
    ),
    (
      #"{"name": "a", "respond": {"rest": {"json": 1}}}"#,
      #"invalid-value "rest": step 'rest' waits and sends no request; give its 'values'"#
    ),
    (
      #"{"name": "a", "inputs": {"pge": 1}}"#,
      #"unknown-input "pge": the workflow has no input 'pge'; did you mean 'page'?"#
    ),
    (
      #"{"name": "a", "expect": {"outputs": {"totl": 1}}}"#,
      #"unknown-reference "totl": the workflow has no output 'totl'; did you mean 'total'?"#
    ),
    (
      #"{"name": "a", "expect": {"state": {"sinc": 1}}}"#,
      #"unknown-reference "sinc": the workflow has no state 'sinc'; did you mean 'since'?"#
    ),
    (
      #"{"name": "a", "expect": {"where": ["$.state.sinc == 1"]}}"#,
      "unknown-reference $.state.sinc: the workflow has no state 'sinc'; did you mean 'since'?"
    ),
    (
      #"{"name": "a", "expect": {"files": ["a.json"]}}"#,
      #"wrong-type ["a.json"]: 'files' must be an object with contents by path, not a list"#
    ),
    (
      #"{"name": "a", "expect": {"where": ["$.output.total == 1"]}}"#,
      "unknown-reference $.output.total: '$.output.total' reads 'output', which a test does not have;"
        + " did you mean 'outputs'?"
    ),
    (
      #"{"name": "a", "expect": {"failures": [{"step": "list", "kind": "netwrk"}]}}"#,
      #"invalid-value "netwrk": 'kind' must be one of "network", "timeout", "status", "expect", "extract", "schema", "limit", "value", "file", "cancelled" or "fail", not "netwrk"; did you mean 'network'?"#
    ),
    (
      #"{"name": "a", "respond": {"list": {"fault": "dns", "status": 500}}}"#,
      #"conflicting-keys "status": 'status' has no effect beside 'fault'; remove one of them"#
    ),
    (
      #"{"name": "a"}, {"name": "a"}"#,
      #"duplicate-name "a": two tests have the name 'a'; rename one"#
    ),
  ])
  func aMistakeIsSaidWithItsPlaceAndTheWayOut(_ test: String, _ finding: String) {
    #expect(findings(test) == [finding])
  }

  @Test func aWorkflowThatIsNotThereIsAnError() {
    let linted = lint(#"{"workflow": "./missing.json", "tests": [{"name": "a"}]}"#)
    #expect(linted.diagnostics.map(\.code) == ["unreadable-file"])
  }

  @Test func stepsOfBlocksHaveTheirNamesJoined() {
    #expect(findings(#"{"name": "a", "respond": {"block.inner": {"json": 1}}}"#) == [])
  }

  @Test func anEditorCompletesKeysAndSteps() {
    func completions(_ text: String) -> [String] {
      let bytes = Array(text.utf8)
      let place = bytes.firstIndex(of: UInt8(ascii: "|")) ?? 0
      let file = SourceFile(
        name: "a.test.json", bytes: bytes.filter { $0 != UInt8(ascii: "|") })
      return WorkflowAnalysis(file, loader: Files()).completions(at: place).map(\.text)
    }
    #expect(completions(#"{"workflow": "a", "tests": [{"re|"}]}"#) == ["respond", "replay"])
    #expect(
      completions(#"{"workflow": "a", "tests": [{"name": "a", "respond": {"l|"}}]}"#) == ["list"])
    #expect(
      completions(
        #"{"workflow": "a", "tests": [{"name": "a", "respond": {"list": {"fault": "t|"}}}]}"#)
        == ["timeout", "truncated", "tls"])
  }
}
