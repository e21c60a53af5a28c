package import PipelineSourceText

/// The code of diagnostics, explained for readers.
package struct Explanation: Sendable {
  /// Stable, kebab-case.
  package let code: String
  package let severity: Diagnostic.Severity
  /// The finding, in a sentence.
  package let what: String
  /// Why it matters, and the way out.
  package let why: String
  /// A workflow file with this finding.
  package let bad: String
  /// The same without it.
  package let good: String
  /// The answers with which the first one has it, as an object of bodies by step; `nil` if none
  /// matter.
  package let recorded: String?
  /// The description of the API, in YAML, that the first one does not agree with; `nil` if none matters.
  package let described: String?

  init(
    _ code: String, _ severity: Diagnostic.Severity, what: String, why: String, bad: String,
    good: String, recorded: String? = nil, described: String? = nil
  ) {
    self.recorded = recorded
    self.described = described
    self.code = code
    self.severity = severity
    self.what = what
    self.why = why
    self.bad = bad
    self.good = good
  }
}
