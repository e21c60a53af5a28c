import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A `dependsOn` that repeats what a reference already says.
enum RedundantDependency: LintRule {
  static let explanation = Explanation(
    "redundant-dependency", .note, PackageResources.redundant_dependency_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    if step.step.dependsOn.isEmpty { return }
    let reads = reads(of: step, context)
    var seen: [String: Range<Int>] = [:]
    for name in step.step.dependsOn {
      if let first = seen[name.value] {
        found.append(
          finding(
            "'dependsOn' names '\(name.value)' twice", at: name.range,
            related: [.init(range: first, message: "the first time")],
            fix: removal(of: name, from: step.step)))
      } else if let position = context.blocks[step.block].resolution.step(named: name.value),
        let range = reads[position]
      {
        found.append(
          finding(
            "step '\(step.step.id.value)' reads '\(name.value)' and so waits for it anyway",
            at: name.range,
            related: [.init(range: range, message: "'\(name.value)' is read here")],
            fix: removal(of: name, from: step.step)))
      }
      seen[name.value] = name.range
    }
  }

  /// The steps that a step needs, and where. One that it only waits for is another matter: there
  /// `dependsOn` also skips it after a failure. A collection that collects failures has rows even if
  /// an item failed, and then only `dependsOn` skips it.
  private static func reads(of step: LintStep, _ context: LintContext) -> [Int: Range<Int>] {
    var reads: [Int: Range<Int>] = [:]
    for edge in context.blocks[step.block].resolution.edges(to: step.index) {
      guard case .use(let use) = edge.reason, use.mode == .needs,
        !context.blocks[step.block].resolution.steps[edge.from].step.collectsFailures
      else { continue }
      if reads[edge.from] == nil { reads[edge.from] = use.range }
    }
    return reads
  }

  /// Takes a name out of the list, or the whole key if it is the only one.
  private static func removal(of name: Written<String>, from step: Step) -> DiagnosticFix? {
    guard let member = step.node.members.first(where: { $0.name == "dependsOn" }) else {
      return nil
    }
    let elements = Array(member.value.elements)
    let message = "remove '\(name.value)' from 'dependsOn'"
    guard let index = elements.firstIndex(where: { $0.index == name.node.index }) else {
      return nil
    }
    if elements.count == 1 {
      return step.node.removing(member).map { DiagnosticFix(message: message, edits: [$0]) }
    }
    let range =
      index == 0
      ? elements[0].range.lowerBound..<elements[1].range.lowerBound
      : elements[index - 1].range.upperBound..<elements[index].range.upperBound
    return DiagnosticFix(
      message: message, edits: [DiagnosticFix.Edit(range: range, replacement: "")])
  }
}
