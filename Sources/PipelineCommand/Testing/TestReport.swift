internal import PipelineKit
internal import PipelineReports
internal import PipelineSourceText
internal import PipelineTesting

/// The results of the tests of a file.
struct TestedFile: Sendable {
  struct Test: Sendable {
    let result: TestResult
    /// How long it took, in real time.
    let duration: Duration
  }

  let file: SourceFile
  /// Why no test could be run; empty if there are results.
  var findings: Findings?
  var tests: [Test] = []
  /// Tests that `--live` does not send.
  var skipped: [String] = []

  var failed: [Test] { tests.filter { !$0.result.passed } }
}

/// A form of test results that other tools read.
struct TestReport: Sendable {
  enum Format: String, WordChoice {
    case junit, tap, markdown, github, json

    /// Whether it is written to stdout if no file is named.
    var needsNoFile: Bool { self == .github || self == .json }
  }

  let format: Format
  /// Where it goes; `nil` for stdout.
  let file: AtomicFile?

  /// - Parameters:
  ///   - gaps: What no test reached.
  ///   - start: When the tests began, in seconds since 1970.
  ///   - paths: How annotations name files; `nil` if it is as the command does.
  func text(
    _ files: [TestedFile], gaps: [String], start: Double, paths: AnnotationPaths?
  ) -> String {
    let suites = files.map { Suite($0, startedAt: start) }
    return switch format {
    case .junit: JUnitReport.text(of: suites)
    case .tap: TAPReport.text(of: suites)
    case .markdown: MarkdownSuites.text(of: suites)
    case .github: GitHubReport.text(of: suites, paths: paths)
    case .json: Self.json(files, gaps: gaps)
    }
  }
}

extension Suite {
  /// The tests of a file.
  fileprivate init(_ tested: TestedFile, startedAt: Double) {
    let name = tested.file.name
    var cases: [Case] = []
    if tested.findings != nil {
      let problem = Case.Problem(
        kind: "lint", message: "the file has errors; see 'pipeline lint'")
      cases.append(
        Case(
          group: name, name: "file", outcome: .broken, time: 0, file: name,
          problems: [problem]))
    }
    cases += tested.tests.map { test in
      Case(
        group: name, name: test.result.name, outcome: test.result.passed ? .passed : .failed,
        time: test.duration.wholeMicroseconds, file: name,
        problems: test.result.problems.map { problem in
          let place = tested.file.position(at: problem.range.lowerBound)
          return Case.Problem(
            kind: "expect", message: problem.message,
            details: ["\(name):\(place.line):\(place.column)"] + problem.details,
            line: place.line, column: place.column)
        })
    }
    cases += tested.skipped.map { test in
      Case(
        group: name, name: test, outcome: .skipped, time: 0, file: name,
        problems: [Case.Problem(kind: "skipped", message: "'--live' does not send it")])
    }
    self.init(
      name: name, file: name, startedAt: startedAt, time: cases.reduce(0) { $0 + $1.time },
      cases: cases)
  }
}
