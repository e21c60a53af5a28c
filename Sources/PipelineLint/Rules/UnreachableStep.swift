import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A step that needs one that never runs.
enum UnreachableStep: LintRule {
  static let explanation = Explanation(
    "unreachable-step", .warning, PackageResources.unreachable_step_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for block in context.blocks {
      var unreachable = Set<Int>()
      for index in block.resolution.graph.topologicalOrder {
        let number = block.steps[index]
        let step = context.steps[number]
        if Self.neverRuns(step, context) {
          unreachable.insert(index)
        } else if let use = Self.need(of: step, among: unreachable) {
          unreachable.insert(index)
          found.append(
            finding(
              "step '\(step.step.id.value)' never runs, because it needs '\(use.name)', which"
                + " never does",
              at: step.step.id.range,
              related: [.init(range: use.use.range, message: "'\(use.name)' is read here")]))
        }
        if step.step.otherwise != nil { unreachable.remove(index) }
      }
    }
    return found
  }

  private static func neverRuns(
    _ step: LintStep, _ context: LintContext
  ) -> Bool {
    guard let when = step.step.when else { return false }
    return context.constantOutcome(
      of: when.value.expression, in: ConditionSite(step: step, place: .when)) == false
  }

  private static func need(of step: LintStep, among unreachable: Set<Int>) -> ResolvedUse? {
    if unreachable.isEmpty { return nil }
    return step.uses.first { use in
      guard use.use.mode == .needs, case .step(level: 0, let index)? = use.definition else {
        return false
      }
      return unreachable.contains(index)
    }
  }
}
