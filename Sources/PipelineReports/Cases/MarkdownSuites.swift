internal import PipelineByteText

/// Suites as GitHub's Markdown: a row for each, and what failed in them.
package enum MarkdownSuites {
  private static let mostSuites = 200
  private static let mostProblems = 50

  package static func text(of suites: [Suite]) -> String {
    let bad = suites.reduce(0) { $0 + badCount($1) }
    let cases = suites.reduce(0) { $0 + $1.cases.count }
    let skipped = suites.reduce(0) { $0 + $1.count(.skipped) }
    var title = bad == 0 ? "✅ \(cases.countText("test"))" : "❌ \(bad.groupedText) of"
    title += bad == 0 ? " passed" : " \(cases.countText("test")) failed"
    if skipped > 0 { title += ", \(skipped.groupedText) skipped" }
    var lines = ["## \(title)", "", "| file | tests | failed | skipped | time |"]
    lines.append("|---|--:|--:|--:|--:|")
    // Failed suites come first, because a long list is cut.
    let sorted = suites.filter { badCount($0) > 0 } + suites.filter { badCount($0) == 0 }
    for suite in sorted.prefix(mostSuites) {
      let cells = [
        (badCount(suite) == 0 ? "✅ " : "❌ ") + MarkdownReport.escaped(suite.name),
        suite.cases.count.groupedText, badCount(suite) == 0 ? "" : badCount(suite).groupedText,
        suite.count(.skipped) == 0 ? "" : suite.count(.skipped).groupedText, suite.time.timeText,
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    if suites.count > mostSuites {
      lines += ["", "\((suites.count - mostSuites).countText("more file"))."]
    }
    lines += problems(of: suites)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func badCount(_ suite: Suite) -> Int {
    suite.count(.failed) + suite.count(.broken)
  }

  private static func problems(of suites: [Suite]) -> [String] {
    let all = suites.flatMap { suite in
      suite.cases.filter { $0.outcome == .failed || $0.outcome == .broken }
        .flatMap { testCase in testCase.problems.map { (suite, testCase, $0) } }
    }
    guard !all.isEmpty else { return [] }
    var lines = ["", "### Failures", ""]
    for (suite, testCase, problem) in all.prefix(mostProblems) {
      lines.append(
        "- **\(MarkdownReport.escaped(testCase.name))**: \(MarkdownReport.escaped(problem.message))"
      )
      let line = (problem.line ?? testCase.line).map { ":\($0)" } ?? ""
      lines.append("  <br>`\(MarkdownReport.code((testCase.file ?? suite.file) + line))`")
    }
    if all.count > mostProblems {
      lines += ["", "\((all.count - mostProblems).countText("more failure"))."]
    }
    return lines
  }
}
