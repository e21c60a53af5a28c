import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A state value that no run changes.
enum StateWithoutNext: LintRule {
  static let explanation = Explanation(
    "state-without-next", .warning, PackageResources.state_without_next_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.workflow.state.filter { $0.next == nil && $0.node.kind == .object }
      .filter { !context.incomplete.contains($0.node.index) && !context.hasUnread(in: $0.node) }
      .map { value in
        finding(
          "no run changes the state value '\(value.name)'; write \"next\": …, or "
            + (value.isOfItems ? "remove it" : "make it an input"),
          at: value.nameRange)
      }
  }
}
