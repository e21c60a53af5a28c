import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates
import PipelineTestSupport
import Testing

/// How much of what is wrong lint finds, measured on cases that were written before the rules were
/// looked at.
@Suite struct RecallTests {
  private static let folder = Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Recall"

  static func cases(_ name: String) throws -> [RecallCase] {
    let bytes = try #require(readFile("\(folder)/\(name)"))
    return RecallCase.all(in: String(decoding: bytes, as: UTF8.self))
  }

  private static let certain = [
    "secrets.txt", "types.txt", "texts.txt", "flow.txt", "words.txt", "later.txt",
  ]

  @Test(arguments: certain)
  func everyCertainDefectHasOneFindingOnItsLine(_ name: String) throws {
    for entry in try Self.cases(name) {
      let outcome = entry.outcome
      #expect(
        outcome.isFound && outcome.surplus <= 0,
        "\(entry.title), lines \(entry.marked.sorted()): \(outcome.findings)")
    }
  }

  @Test func thereAreEnoughOfThem() throws {
    let count = try Self.certain.reduce(0) { try $0 + Self.cases($1).count }
    #expect(count >= 580)
    #expect(try Self.cases("valid.txt").count >= 90)
  }

  @Test func adviceIsGivenAndNoneOfItTwice() throws {
    let cases = try Self.cases("advice.txt")
    let outcomes = cases.map { ($0, $0.outcome) }
    let missed = outcomes.filter { !$0.1.isFound }.map(\.0.title)
    #expect(missed.isEmpty, "\(missed)")
    for (entry, outcome) in outcomes {
      #expect(outcome.surplus <= 0, "\(entry.title): \(outcome.findings)")
    }
  }

  @Test func nothingIsFoundInUnusualFilesThatAreRight() throws {
    for entry in try Self.cases("valid.txt") {
      #expect(entry.outcome.findings.isEmpty, "\(entry.title): \(entry.outcome.findings)")
    }
  }

  /// A fix settles its finding, and leaves JSON behind.
  @Test(arguments: certain + ["advice.txt"])
  func theFixOfAFindingSettlesIt(_ name: String) throws {
    for entry in try Self.cases(name) {
      let file = entry.file
      let found = entry.lint().diagnostics
      for finding in found {
        guard let fix = finding.fix else { continue }
        let (bytes, applied) = file.applying([fix])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(applied == 1, "\(entry.title): \(fix)")
        let left = entry.lint(SourceFile(name: file.name, bytes: bytes)).diagnostics
        let count = { (all: [Diagnostic]) in
          all.count { $0.code == finding.code && $0.message == finding.message }
        }
        #expect(count(left) < count(found), "\(entry.title): \(finding.message)\n\(text)")
        let slips = { (all: [Diagnostic]) in all.count { $0.code.hasPrefix("json-") } }
        #expect(slips(left) <= slips(found), "\(entry.title)\n\(text)")
      }
    }
  }

  /// What `--fix` does to a file that runs changes none of its requests, and orders them as before.
  @Test func safeFixesChangeNoRequestOfAFileThatRuns() throws {
    var fixed = 0
    for linted in try Self.all() where !linted.hasErrors {
      let fixes = linted.diagnostics.compactMap(\.fix).filter(\.isSafe)
      guard !fixes.isEmpty else { continue }
      let file = SourceFile(
        name: linted.file.name, bytes: linted.file.applying(fixes).bytes)
      let after = Linter(loader: FixtureLoader()).lint(file)
      #expect(!after.hasErrors, "\(String(decoding: file.bytes, as: UTF8.self))")
      #expect(
        Self.requests(of: after) == Self.requests(of: linted),
        "\(String(decoding: linted.file.bytes, as: UTF8.self))")
      fixed += 1
    }
    #expect(fixed > 5)
  }

  /// The corpus, the cases here, the examples of codes, and the fixtures.
  private static func all() throws -> [LintedWorkflow] {
    var all: [LintedWorkflow] = []
    for name in certain + ["advice.txt", "valid.txt"] {
      all += try cases(name).map { $0.lint() }
    }
    let corpus = Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Corpus"
    for name in Fixtures.entries(of: corpus) {
      for entry in try CorpusTests.cases(of: corpus + "/" + name) {
        let file = SourceFile(name: "defect.json", bytes: Array(entry.workflow.utf8))
        all.append(Linter(loader: FixtureLoader()).lint(file))
      }
    }
    for explanation in Explanation.all {
      let (code, text) = (explanation.code, explanation.text)
      for example in [text.bad, text.good] where !example.isEmpty {
        all.append(
          Linter().lint(SourceFile(name: "\(code).json", bytes: Array(example.utf8))))
      }
      for name in Fixtures.files(of: code) where name.hasSuffix(".json") {
        let bytes = try #require(readFile("\(Fixtures.folder)/\(code)/\(name)"))
        all.append(
          Linter(loader: FixtureLoader()).lint(SourceFile(name: "\(code)/\(name)", bytes: bytes)))
      }
    }
    return all
  }

  /// What each step sends, as far as the file says it, and which steps it comes after.
  private static func requests(of linted: LintedWorkflow) -> [String] {
    guard let workflow = linted.workflow else { return [] }
    return requests(of: Resolution.of(workflow))
  }

  private static func requests(of block: Resolution) -> [String] {
    var earlier = [Set<Int>](repeating: [], count: block.steps.count)
    for step in block.graph.topologicalOrder {
      for other in block.graph.dependencies[step] {
        earlier[step].formUnion(earlier[other].union([other]))
      }
    }
    return block.steps.enumerated().map { index, part in
      let step = part.step
      var line = "\(step.id.value) after \(earlier[index].sorted()) \(step.when?.node.text ?? "")"
      if case .request(let request) = step.action {
        line += " \(request.method) \(request.endpoint.value.url.text)"
        for list in [request.query, request.headers, request.cookies] {
          line += list.map { " \($0.name)=\($0.node.text)" }.joined()
        }
        line += request.auth?.node.text ?? ""
        line += request.body?.node.text ?? ""
        line += request.extract.map { " \($0.name)=\($0.node.text)" }.joined()
      }
      if let inner = part.inner { line += " \(requests(of: inner))" }
      return line
    }
  }
}
