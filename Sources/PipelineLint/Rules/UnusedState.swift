import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A state value that nothing reads.
enum UnusedState: LintRule {
  static let explanation = Explanation("unused-state", .warning, PackageResources.unused_state_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    let state = context.workflow.state
    guard !state.isEmpty,
      let used = context.members(
        readOf: .state, among: state.map(\.name), byNextValues: false)
    else { return [] }
    let unused = state.filter { !used.contains($0.name) }
    if unused.isEmpty { return [] }
    // It may be read in a part that could not be.
    return unused.filter { !context.unread.contains("state", $0.name) }
      .map { value in
        finding(
          "nothing reads the state value '\(value.name)'", at: value.nameRange,
          fix: .suggesting(
            "remove '\(value.name)'",
            [
              (context.owner(of: value)?.node ?? context.workflow.document.root)
                .removing(value.name, from: "state")
            ]))
      }
  }
}
