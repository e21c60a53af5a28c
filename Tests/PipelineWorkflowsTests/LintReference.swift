import PipelineByteText
import PipelineLint
import PipelineSourceText

/// Writes docs/lint.md, the list of all codes, and a page for each of them: its meaning, its reason
/// and an example.
///
/// `pipeline explain CODE` prints the same texts.
enum LintReference {
  /// The list of all codes.
  static var index: String {
    var text = introduction
    for severity in Diagnostic.Severity.allCases {
      text += "\n## \(heading(of: severity))\n\n"
      for explanation in Explanation.all where explanation.severity == severity {
        let code = explanation.code
        text += wrapped("- [`\(code)`](lint/\(code).md): \(explanation.text.what)", indent: "  ")
      }
    }
    return text
  }

  /// The page of one code.
  static func page(of explanation: Explanation) -> String {
    let text = explanation.text
    var page = "# \(text.title)\n\n" + wrapped(text.what) + "\n" + wrapped(text.why)
    if !text.bad.isEmpty {
      page += "\n```json\n\(text.bad)\n```\n"
      if let recorded = text.recorded {
        page += "\nWith these answers, recorded by step:\n\n```json\n\(recorded)\n```\n"
      }
      if let described = text.described {
        page += "\nWith this description of the API:\n\n```yaml\n\(described)\n```\n"
      }
      page += findings(in: text) + "\nBetter:\n\n```json\n\(text.good)\n```\n"
    }
    return page + "\n[All findings](../lint.md)\n"
  }

  /// The findings in the bad example, and the fixes for them.
  private static func findings(in text: ExplanationText) -> String {
    let file = SourceFile(name: "example.json", bytes: Array(text.bad.utf8))
    let found = Linter(recorded: text.recordedAnswers, described: text.description)
      .lint(file).diagnostics
    let renderer = DiagnosticRenderer(style: .plain, width: 90)
    var page = "\n```text\n" + found.map { renderer.render($0, in: file) }.joined() + "```\n"
    var fixes: [String] = []
    for fix in found.compactMap(\.fix) {
      let line = wrapped(
        fix.isSafe
          ? "`pipeline lint --fix` does this: `\(fix.message)`"
          : "Editors offer this fix: `\(fix.message)`")
      if !fixes.contains(line) { fixes.append(line) }
    }
    for line in fixes { page += "\n" + line }
    return page
  }

  /// A paragraph in lines of at most 100 columns.
  static func wrapped(_ paragraph: String, indent: String = "") -> String {
    var text = ""
    var line = ""
    for word in paragraph.split(ascii: " ") {
      if line.unicodeScalars.count + 1 + word.unicodeScalars.count > 100 {
        text += line + "\n"
        line = indent + word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return text + line + "\n"
  }

  private static func heading(of severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "Errors: the file cannot be run"
    case .warning: "Warnings: it runs, but probably not as intended"
    case .note: "Notes: worth knowing"
    }
  }

  private static let introduction = """
    # What lint finds

    `pipeline lint FILE` reports every problem of a workflow file, not only the first. Each finding has
    a place, a code and a way out. `pipeline run` checks the file in the same way before it sends
    anything. It does not run a file that has an error. Lint itself sends nothing.

    You can silence a warning or a note in the object where it occurs, or in any object around it. Give
    a reason:

    ```json
    {
      "steps": [
        {
          "id": "check",
          "$lint": { "ignore": { "unused-extractor": "the step fails if it is missing" } },
          "endpoint": "GET https://api.example.com/health",
          "extract": { "version": "$.version" }
        }
      ]
    }
    ```

    A silencing without effect is reported too. Errors cannot be silenced.

    The page of a code says why it matters and shows an example and a better one. `pipeline explain
    CODE` prints the same. `swift test` makes the pages from `Sources/PipelineLint/Explanations/Texts`
    and runs each example.

    """
}
