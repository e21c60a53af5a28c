import PipelineByteText
import PipelineTemplates
import PipelineJSONPaths
import PipelineJSONText
package import PipelineLanguage
import PipelinePlanning
package import PipelineSourceText

/// A test file that was judged, with the workflow that it tests.
package struct LintedTests: Sendable {
  package let file: SourceFile
  /// Sorted by position.
  package let diagnostics: [Diagnostic]
  /// The readable part of the file.
  package let tests: TestFile?
  /// The workflow; `nil` if it cannot be read.
  package let workflow: LintedWorkflow?

  /// Whether anything keeps the tests from being run.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

extension Linter {
  /// Judges a test file: its structure, and the names that it takes from its workflow.
  ///
  /// Problems of the workflow itself are reported when that is linted.
  package func lintTests(_ text: WorkflowText) -> LintedTests {
    var decoder = WorkflowDecoder(source: text.source, document: text.document)
    let tests = decoder.testFile()
    let isJSON = text.problems.isEmpty
    var workflow: LintedWorkflow?
    if let tests {
      let loader = loader?.forWorkflow(at: tests.workflow.value, testedBy: text.source.name)
      switch Self.load(tests.workflow.value, for: text.source.name, loader) {
      case .failure(let error):
        let range = tests.workflow.range
        decoder.report(.unreadableFile, error.message, error.proposal(at: range), at: range)
      case .success(let source):
        let linted = Linter(loader: loader).lint(source)
        workflow = linted
        if linted.hasErrors {
          if others.contains(ExactText(FilePath.normalized(source.name))) { break }
          let error = linted.diagnostics.first { $0.severity == .error }
          decoder.report(
            "called-workflow",
            "'\(tests.workflow.value)' cannot be tested: \(error?.message ?? "it has errors")",
            at: tests.workflow.range)
        } else {
          TestNames(linted).check(tests, &decoder)
        }
      }
    }
    let missing = tests.map(missingRecordings) ?? []
    let found =
      text.problems.map { Diagnostic($0) } + (isJSON ? decoder.diagnostics + missing : [])
    let silenced = Silencing.apply(decoder.silencings, to: found, isRecorded: false)
    return LintedTests(
      file: text.source,
      diagnostics: silenced.sortedByPosition().bounded(others: decoder.uncounted),
      tests: tests, workflow: workflow)
  }

  /// The recordings that tests replay, and that are not there. The other tests can be run.
  private func missingRecordings(of tests: TestFile) -> [Diagnostic] {
    tests.tests.compactMap(\.replay).filter {
      loader?.isMissing($0.value, relativeTo: tests.source.name) == true
    }.map { replay in
      Diagnostic(
        code: "unreadable-file", severity: .warning,
        message: "'\(replay.value)' cannot be read: no such file beside the test file;"
          + " 'pipeline run --record' makes one", range: replay.range)
    }
  }

  private static func load(
    _ path: String, for file: String, _ loader: (any FileLoader)?
  ) -> Result<SourceFile, FileLoadError> {
    guard let loader else { return .failure(FileLoadError("'\(path)' is not read here")) }
    return loader.load(path, relativeTo: file)
  }
}
