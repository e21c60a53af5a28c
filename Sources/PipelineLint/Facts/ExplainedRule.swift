import PipelineSourceText

/// A rule of lint, whatever it looks at: its findings have the code and severity of its explanation.
protocol ExplainedRule: SendableMetatype {
  /// Its code, its severity and its text.
  static var explanation: Explanation { get }
}

extension ExplainedRule {
  static var code: String { explanation.code }

  /// A finding of this rule.
  static func finding(
    _ message: String, at range: Range<Int>, related: [Diagnostic.Related] = [],
    fix: DiagnosticFix? = nil
  ) -> Diagnostic {
    Diagnostic(
      code: explanation.code, severity: explanation.severity, message: message, range: range,
      related: related, fix: fix)
  }
}
