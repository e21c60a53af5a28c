import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A `dependsOn` that names no step of its block.
enum UnknownDependency: LintRule {
  static let explanation = Explanation(
    "unknown-dependency", .error, PackageResources.unknown_dependency_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let block = context.blocks[step.block]
    for name in step.step.dependsOn {
      guard let problem = problem(with: name.value, of: step, in: block) else { continue }
      found.append(
        finding(problem, at: name.range) {
          guard block.resolution.step(named: name.value) == nil else {
            return Proposal("", fix: removal(of: name.node, from: step.step))
          }
          let others = Set(block.resolution.steps.lazy.map(\.step.id.value))
            .filter { $0 != step.step.id.value }.sorted()
          let near = Proposal.nearest(to: name.value, among: others, inQuotesAt: name.range)
          guard near == .none else { return near }
          return .oneOf(others, at: name.range, "beside it are", quoted: true)
        })
    }
  }

  /// The edit that takes a name out of `dependsOn`.
  private static func removal(of name: JSONNode, from step: Step) -> DiagnosticFix? {
    guard let list = step.node["dependsOn"], list.kind == .array else { return nil }
    return .suggesting(
      "remove it", [list.count > 1 ? list.removing(element: name) : step.node.removing("dependsOn")]
    )
  }

  private static func problem(
    with name: String, of step: LintStep, in block: LintBlock
  ) -> String? {
    let id = step.step.id.value
    if name == id { return "step '\(id)' depends on itself" }
    guard let index = block.resolution.step(named: name) else {
      return "step '\(id)' depends on '\(name)', which is not a step beside it"
    }
    guard index >= block.mainCount, step.index < block.mainCount else { return nil }
    return "step '\(id)' depends on '\(name)', a step of 'finally', which runs after all others"
  }
}
