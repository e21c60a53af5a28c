import PipelineByteText
import PipelineLint
import PipelineSourceText

/// Writes docs/lint.md: every code with its meaning, its reason and an example.
///
/// `pipeline explain CODE` prints the same sections.
enum LintReference {
  /// The whole page.
  static var page: String {
    var text = introduction
    for severity in Diagnostic.Severity.allCases {
      text += "\n## \(heading(of: severity))\n\n"
      for explanation in Explanation.all where explanation.severity == severity {
        text += wrapped(
          "- [`\(explanation.code)`](#\(explanation.code)): \(explanation.what)", indent: "  ")
      }
    }
    for explanation in Explanation.all {
      text += "\n## \(explanation.code)\n\n" + section(of: explanation)
    }
    return text
  }

  /// The explanation of one code, as Markdown without its heading.
  static func section(of explanation: Explanation) -> String {
    var text = wrapped("\(explanation.what) \(explanation.why)")
    guard !explanation.bad.isEmpty else { return text }
    text += "\n```json\n\(explanation.bad)\n```\n"
    let file = SourceFile(name: "example.json", bytes: Array(explanation.bad.utf8))
    if let recorded = explanation.recorded {
      text += "\nWith these answers, recorded by step:\n\n```json\n\(recorded)\n```\n"
    }
    if let described = explanation.described {
      text += "\nWith this description of the API:\n\n```yaml\n\(described)\n```\n"
    }
    let linter = Linter(
      recorded: explanation.recordedAnswers, described: explanation.description)
    if let finding = linter.lint(file).diagnostics.first(where: { $0.code == explanation.code }) {
      let rendered = DiagnosticRenderer(style: .plain, width: 90).render(finding, in: file)
      text += "\n```text\n\(rendered)```\n"
    }
    return text + "\nBetter:\n\n```json\n\(explanation.good)\n```\n"
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

    `swift test` generates this page from the texts of the rules and runs each example.

    """
}
