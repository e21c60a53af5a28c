import PipelineSourceText

/// One thing that lint looks for.
///
/// A rule holds no state, so it is a type. It performs no I/O and sees the whole workflow, with
/// names resolved and static types known.
protocol LintRule: ExplainedRule {
  /// Whether what it finds in a step is that something is missing or has no effect. It then sees only
  /// steps that were read whole, because the rest may be in a part that could not be read.
  static var needsWholeStep: Bool { get }

  /// Judges one step. Every rule sees it before any rule sees the next one, while it is in the
  /// cache.
  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic])

  /// Judges the parts of what is read in one place: of each step, and of the outputs and next values
  /// of each block.
  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic])

  /// Judges everything that does not belong to one step.
  static func check(_ context: LintContext) -> [Diagnostic]
}

extension LintRule {
  static var needsWholeStep: Bool { false }

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {}

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {}

  static func check(_ context: LintContext) -> [Diagnostic] { [] }
}

extension LintRule {
  /// A finding with the ending for the first findings of its kind.
  static func finding(
    _ message: String, at range: Range<Int>, advice: @escaping @Sendable () -> Proposal
  ) -> Diagnostic {
    var finding = finding(message, at: range)
    finding.advice = Advice(advice)
    return finding
  }
}
