internal import PipelineJSONText
package import PipelineSourceText

/// One thing that lint looks for.
///
/// A rule holds no state, so it is a type. It performs no I/O and sees the whole workflow, with
/// names resolved and static types known.
protocol LintRule: SendableMetatype {
  /// What `pipeline explain` and docs/lint.md say.
  static var explanation: Explanation { get }

  /// Judges one step. Every rule sees it before any rule sees the next one, while it is in the
  /// cache.
  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic])

  /// Judges everything that does not belong to one step.
  static func check(_ context: LintContext) -> [Diagnostic]
}

extension LintRule {
  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {}

  static func check(_ context: LintContext) -> [Diagnostic] { [] }
}

extension LintRule {
  static var code: String { explanation.code }

  /// A finding of this rule.
  static func finding(
    _ message: String, at range: Range<Int>, related: [Diagnostic.Related] = [],
    fix: DiagnosticFix? = nil
  ) -> Diagnostic {
    Diagnostic(
      code: Self.explanation.code, severity: Self.explanation.severity, message: message,
      range: range, related: related, fix: fix)
  }

  /// A finding with the ending for the first findings of its kind.
  static func finding(
    _ message: String, at range: Range<Int>, advice: @escaping @Sendable () -> Proposal
  ) -> Diagnostic {
    var finding = finding(message, at: range)
    finding.advice = Advice(advice)
    return finding
  }
}

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
  /// The answers with which the first one has it, as an object of bodies by step; `nil`: none matter.
  package let recorded: String?

  init(
    _ code: String, _ severity: Diagnostic.Severity, what: String, why: String, bad: String,
    good: String, recorded: String? = nil
  ) {
    self.recorded = recorded
    self.code = code
    self.severity = severity
    self.what = what
    self.why = why
    self.bad = bad
    self.good = good
  }

  /// Every code there is, in alphabetical order.
  package static let all: [Explanation] = {
    let rules =
      LintRules.all.map { $0.explanation } + RecordedRules.all.map { $0.explanation }
    return (rules + json + keys + names + texts + schemas).sorted { $0.code < $1.code }
  }()

  /// The recorded answers of its examples.
  package var recordedAnswers: RecordedAnswers {
    guard let recorded, let document = try? JSONDocument.parse(Array(recorded.utf8)) else {
      return RecordedAnswers()
    }
    return RecordedAnswers(document.root)
  }

  /// The explanation of a code.
  package static subscript(_ code: String) -> Explanation? { byCode[code] }

  private static let byCode = Dictionary(
    all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
