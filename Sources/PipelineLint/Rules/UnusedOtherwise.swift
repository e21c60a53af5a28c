import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An `otherwise` of a step that always runs.
enum UnusedOtherwise: LintRule {
  static let explanation = Explanation(
    "unused-otherwise", .warning, PackageResources.unused_otherwise_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    let candidates = context.steps.filter { step in
      step.step.otherwise != nil && step.step.when == nil && step.step.onError != .recover
    }
    if candidates.isEmpty { return [] }
    let maySkip = context.maySkip
    return candidates.compactMap { step in
      guard !maySkip[step.number], step.isWhole,
        let place = step.step.node.members.first(where: { $0.name == "otherwise" })
      else { return nil }
      return finding(
        "'otherwise' is never used: step '\(step.step.id.value)' has no 'when' and nothing that it"
          + " needs can be missing; write \"onError\": \"recover\" if it is for a failure",
        at: place.nameRange, fix: step.step.node.suggesting("onError", "\"recover\""))
    }
  }
}
