import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A polling whose end is not written.
enum UnboundedPolling: LintRule {
  static let explanation = Explanation(
    "unbounded-polling", .note, PackageResources.unbounded_polling_md)

  static let needsWholeStep = true

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard step.request?.poll != nil,
      let member = step.step.node.members.first(where: { $0.name == "poll" }),
      member.value["within"] == nil, member.value["attempts"] == nil
    else { return }
    found.append(
      finding(
        "polling ends after 5m; write 'within' or 'attempts' with the limit that you expect",
        at: member.nameRange))
  }
}
