import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A state value that nothing reads.
enum UnusedState: LintRule {
  static let explanation = Explanation("unused-state", .warning, PackageResources.unused_state_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    let state = context.workflow.state
    guard !state.isEmpty else { return [] }
    var used = Set<String>()
    for step in context.steps {
      for use in step.uses { guard note(use, &used) else { return [] } }
    }
    for block in context.blocks {
      for use in block.resolution.outputUses { guard note(use, &used) else { return [] } }
    }
    let names = state.map(\.name)
    // A misspelt name is one mistake, and one finding.
    for name in used.subtracting(names).sorted().prefix(FindingBounds.advised) {
      if let meant = Spelling.nearest(to: name, among: names) { used.insert(meant) }
    }
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

  /// Notes the state value that is read; `false`: all of them are.
  private static func note(_ use: ResolvedUse, _ used: inout Set<String>) -> Bool {
    guard use.definition == .state else {
      if use.definition == nil { used.insert(use.name) }
      return true
    }
    let segments = use.use.query.segments
    guard segments.count > 1, !segments[1].names.isEmpty else { return false }
    used.formUnion(segments[1].names)
    return true
  }
}
