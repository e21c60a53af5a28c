import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A branch of a choice that is never carried out.
enum UnreachableBranch: LintRule {
  static let explanation = Explanation(
    "unreachable-branch", .warning, PackageResources.unreachable_branch_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let inner = step.inner, context.blocks[inner].resolution.block.isChoice else { return }
    var conditions: [ExactText: Range<Int>] = [:]
    var last: Range<Int>?
    for number in context.blocks[inner].steps {
      let branch = context.steps[number]
      let range = branch.step.when?.range ?? branch.step.id.range
      if let last {
        found.append(
          finding(
            "this branch is never chosen, because an earlier one always is; move that one to the end",
            at: range, related: [.init(range: last, message: "the earlier one is here")]))
        continue
      }
      guard let when = branch.step.when else {
        if branch.isWhole { last = branch.step.id.range }
        continue
      }
      if let first = conditions[ExactText(when.value.text)] {
        found.append(
          finding(
            "this branch is never chosen, because an earlier one has the same condition", at: range,
            related: [.init(range: first, message: "the earlier one is here")]))
      } else {
        conditions[ExactText(when.value.text)] = when.range
      }
      let site = ConditionSite(step: branch, place: .when)
      if context.constantOutcome(of: when.value.expression, in: site) == true { last = when.range }
    }
  }
}
