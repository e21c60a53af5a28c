import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// Values that are computed, and nothing reads.
enum UnusedStep: LintRule {
  static let explanation = Explanation("unused-step", .note, PackageResources.unused_step_md)

  static let needsWholeStep = true

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard case .values(let fields) = step.step.action, !context.usage.reads(step),
      step.step.expect.checks.isEmpty
    else { return }
    // A block without outputs returns the values of its steps.
    if let parent = context.blocks[step.block].parent, context.usage.isWhollyRead(parent) { return }
    var name = "step '\(step.step.id.value)'"
    if let branch = step.step.branch {
      // An empty branch is how a choice does nothing.
      if fields.isEmpty { return }
      name = "branch \(branch) of " + name
    }
    found.append(
      finding(
        fields.isEmpty
          ? name + " does nothing" : "nothing reads the values that " + name + " computes",
        at: step.step.id.range))
  }
}
