import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// Workflows as people write them who know curl, Postman or GitHub Actions better, and exactly what is
/// said of each: no finding is missing, and none is there that helps nobody.
///
/// A member `x-recorded` of a workflow holds answers by step. A case of a file in `Corpus/` is a title behind `===`, the workflow, and behind `---` its findings.
@Suite struct CorpusTests {
  private static let folder = Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Corpus"
  private static let names = Fixtures.entries(of: folder)

  @Test(arguments: names)
  func everyDefectIsNamedAndNothingElse(_ name: String) throws {
    let path = Self.folder + "/" + name
    var text = ""
    for entry in try Self.cases(of: path) {
      let file = SourceFile(name: "defect.json", bytes: Array(entry.workflow.utf8))
      let recorded = JSONDocument.parseRecovering(file.bytes).document.root["x-recorded"]
      let answers = recorded.map { RecordedAnswers($0) } ?? RecordedAnswers()
      let found = Linter(loader: FixtureLoader(), recorded: answers).lint(file).diagnostics
      #expect(!found.isEmpty, "nothing is found: \(entry.title)")
      text += "=== \(entry.title)\n\(entry.workflow)\n--- findings\n"
      text += found.map { Self.line($0, in: file) }.joined() + "\n"
    }
    Snapshot.check(text, in: path)
  }

  @Test func thereAreEnoughOfThem() throws {
    let count = try Self.names.reduce(0) { try $0 + Self.cases(of: Self.folder + "/" + $1).count }
    #expect(count >= 380)
  }

  /// What `--fix` does to a slip of JSON: where each finding has a fix, nothing is left that is no JSON.
  @Test func theFixesOfASlipMakeJSONOfIt() throws {
    var count = 0
    for entry in try Self.cases(of: Self.folder + "/slips.txt") {
      var file = SourceFile(name: "defect.json", bytes: Array(entry.workflow.utf8))
      let found = Linter(loader: FixtureLoader()).lint(file).diagnostics
      let fixes = found.compactMap(\.fix)
      guard fixes.count == found.count else { continue }
      // As `--fix` does, again for those that touched one another.
      var left = found
      for _ in 0..<2 {
        let bytes = file.applying(left.compactMap(\.fix)).bytes
        file = SourceFile(name: "defect.json", bytes: bytes)
        left = Linter(loader: FixtureLoader()).lint(file).diagnostics
      }
      #expect(!left.contains { $0.code.hasPrefix("json") }, "\(entry.title): \(left)")
      count += 1
    }
    #expect(count > 50)
  }

  /// Whatever a fix says, it is what settles the finding: it is gone afterwards, and the file is still
  /// JSON without a key that is there twice. What is safe adds nothing to be found.
  @Test(arguments: names)
  func theFixOfAFindingSettlesIt(_ name: String) throws {
    for entry in try Self.cases(of: Self.folder + "/" + name) {
      let file = SourceFile(name: "defect.json", bytes: Array(entry.workflow.utf8))
      let recorded = JSONDocument.parseRecovering(file.bytes).document.root["x-recorded"]
      let linter = Linter(
        loader: FixtureLoader(), recorded: recorded.map { RecordedAnswers($0) } ?? RecordedAnswers()
      )
      let found = linter.lint(file).diagnostics
      let slips = found.count { $0.code.hasPrefix("json-") }
      for finding in found {
        guard let fix = finding.fix else { continue }
        let (bytes, applied) = file.applying([fix])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(applied == 1, "\(entry.title): \(fix)")
        let left = linter.lint(SourceFile(name: "defect.json", bytes: bytes)).diagnostics
        #expect(
          left.count { $0.code == finding.code && $0.message == finding.message }
            < found.count { $0.code == finding.code && $0.message == finding.message },
          "\(entry.title): \(finding.message)\n\(text)")
        // Nothing behind the start of another language was read.
        let isUnread = finding.message.hasPrefix("JSON begins with")
        #expect(
          left.count { $0.code.hasPrefix("json-") } <= slips || isUnread,
          "\(entry.title)\n\(text)")
        guard fix.isSafe, slips == 0 else { continue }
        // Of what was behind the mistake, one thing may be seen now.
        let grave = { (all: [Diagnostic]) in all.count { $0.severity != .note } }
        #expect(grave(left) <= grave(found), "\(entry.title): \(left.map(\.message))\n\(text)")
      }
    }
  }

  /// Editors and agents act on fixes, not on prose. Many of the others name several ways out.
  @Test func mostMistakesHaveAFix() throws {
    var counts = (cases: 0, withFix: 0, findings: 0, fixes: 0)
    for name in Self.names {
      for entry in try Self.cases(of: Self.folder + "/" + name) {
        let file = SourceFile(name: "defect.json", bytes: Array(entry.workflow.utf8))
        let found = Linter(loader: FixtureLoader()).lint(file).diagnostics
        counts.cases += 1
        counts.findings += found.count
        counts.fixes += found.count { $0.fix != nil }
        if found.contains(where: { $0.fix != nil }) { counts.withFix += 1 }
      }
    }
    // A rule or message that loses its fix makes this smaller.
    #expect(counts.withFix >= 401, "\(counts)")
  }

  /// One slip, one finding: none drags others behind it on its line.
  @Test func aSlipOfJSONHasOneFindingOnItsLine() throws {
    let several: Set<String> = [
      "a value without quotes and a comment behind it", "a value in single quotes",
      "None, True and False of Python", "a fraction without its digit", "a call of JavaScript",
    ]
    for entry in try Self.cases(of: Self.folder + "/slips.txt") {
      let file = SourceFile(name: "defect.json", bytes: Array(entry.workflow.utf8))
      let lines = Linter(loader: FixtureLoader()).lint(file).diagnostics.map {
        file.position(at: $0.range.lowerBound).line
      }
      #expect(
        Set(lines).count == lines.count || several.contains(entry.title), "\(entry.title)")
    }
  }

  /// Whichever quote, bracket, comma or colon of a file is left out: there is one finding of JSON, or the
  /// text is JSON still.
  @Test(arguments: [
    "users", "accounts", "banking", "overview", "pages-cursor", "find-or-create", "oauth",
  ])
  func aCharacterLeftOutIsOneFinding(sample: String) throws {
    let path = Conformance.packageRoot + "/workflows/\(sample).json"
    let bytes = try #require(readFile(path))
    for (index, byte) in bytes.enumerated() where "\"{}[],:".utf8.contains(byte) {
      var rest = bytes
      rest.remove(at: index)
      let problems = JSONDocument.parseRecovering(rest).problems
      let line = String(decoding: bytes[..<index].suffix(60), as: UTF8.self)
      #expect(problems.count < 2, "after \(line): \(problems.map(\.message))")
    }
  }

  private static func line(_ diagnostic: Diagnostic, in file: SourceFile) -> String {
    let start = file.position(at: diagnostic.range.lowerBound)
    let end = file.position(at: diagnostic.range.upperBound)
    let last = end.line == start.line ? "\(end.column)" : "\(end.line):\(end.column)"
    return "\(start.line):\(start.column)–\(last): \(diagnostic.severity.rawValue): "
      + "\(diagnostic.message) [\(diagnostic.code)]"
      + (diagnostic.fix.map { " — fix: \($0.message)" } ?? "") + "\n"
  }

  static func cases(of path: String) throws -> [(title: String, workflow: String)] {
    let text = String(decoding: try #require(readFile(path)), as: UTF8.self)
    var cases: [(title: String, workflow: String)] = []
    var workflow: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("=== ") {
        cases.append((String(line.dropFirst(4)), ""))
        workflow = []
      } else if line.hasPrefix("--- "), let lines = workflow {
        cases[cases.count - 1].workflow = lines.joined(separator: "\n")
        workflow = nil
      } else {
        workflow?.append(line)
      }
    }
    return cases
  }
}
