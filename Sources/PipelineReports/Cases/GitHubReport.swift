internal import PipelineByteText
internal import PipelineSourceText

/// Problems as workflow commands of GitHub Actions, which shows them beside the lines of a file.
package enum GitHubReport {
  /// - Parameter paths: How files are named; `nil` if it is as they are.
  package static func text(of suites: [Suite], paths: AnnotationPaths? = nil) -> String {
    var text = ""
    for suite in suites {
      for testCase in suite.cases where testCase.outcome != .passed && testCase.outcome != .skipped
      {
        for problem in testCase.problems {
          let message = ([problem.message] + problem.details).joined(separator: "\n")
          let line = problem.line ?? testCase.line ?? 1
          let name = testCase.file ?? suite.file
          text +=
            "::error file=\(property(paths?.path(name) ?? name)),line=\(line),"
            + "col=\(problem.column ?? 1),title=\(property(testCase.name))::\(data(message))\n"
        }
      }
    }
    return text
  }

  private static func data(_ text: String) -> String {
    Cells.printableLines(text.replacing(bytes: "\r", with: "")).replacing(bytes: "%", with: "%25")
      .replacing(bytes: "\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(Cells.printable(text)).replacing(bytes: ":", with: "%3A").replacing(
      bytes: ",", with: "%2C")
  }
}
