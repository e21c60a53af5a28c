import SourceText

/// Writes docs/lint.md: every code with what it means, why, and an example.
///
/// `pipeline explain CODE` prints the same sections.
public enum LintReference {
  /// The whole page.
  public static var page: String {
    var text = introduction
    for severity in Diagnostic.Severity.allCases {
      text += "\n## \(heading(of: severity))\n\n"
      for explanation in Explanation.all where explanation.severity == severity {
        text += "- [`\(explanation.code)`](#\(explanation.code)): \(explanation.what)\n"
      }
    }
    for explanation in Explanation.all {
      text += "\n## \(explanation.code)\n\n" + section(of: explanation)
    }
    return text
  }

  /// What is said of one code, as Markdown without its heading.
  public static func section(of explanation: Explanation) -> String {
    var text = "\(explanation.what) \(explanation.why)\n"
    guard !explanation.bad.isEmpty else { return text }
    text += "\n```json\n\(explanation.bad)\n```\n"
    let file = SourceFile(name: "example.json", bytes: Array(explanation.bad.utf8))
    if let finding = Linter().lint(file).diagnostics.first(where: { $0.code == explanation.code }) {
      let rendered = DiagnosticRenderer(style: .plain, width: 90).render(finding, in: file)
      text += "\n```text\n\(rendered)```\n"
    }
    return text + "\nBetter:\n\n```json\n\(explanation.good)\n```\n"
  }

  private static func heading(of severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "Errors: the file cannot be run"
    case .warning: "Warnings: it runs, and hardly does what was meant"
    case .note: "Notes: worth knowing"
    }
  }

  private static let introduction = """
    # What lint finds

    `pipeline lint FILE` names every problem of a workflow file, not only the first, with its place, \
    its code and the way out. `pipeline run` does the same before it sends anything, and runs no file \
    that has an error. Nothing is sent while a file is checked.

    A warning or a note can be silenced where it stands, by any object around it, with a reason:

    ```json
    {
      "steps": [
        {
          "id": "check",
          "$lint": { "ignore": { "unused-extractor": "the step fails where it is missing" } },
          "endpoint": "GET https://api.example.com/health",
          "extract": { "version": "$.version" }
        }
      ]
    }
    ```

    A silencing that silences nothing is reported in turn. Errors cannot be silenced.

    This page is made from the rules' own texts by `swift test`; each example on it is run.

    """
}
