import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A step that reads its own values.
enum SelfReference: LintRule {
  static let explanation = Explanation("self-reference", .error, PackageResources.self_reference_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let uses = step.uses
    for number in uses.indices where uses[number].outcome == .itself {
      let visible = { context.visibleNames(block: step.block, step: step.number) }
      found.append(finding(for: uses[number], in: step.step, visible, context))
    }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated() {
      for use in block.resolution.endUses where use.outcome == .itself {
        let way = inner(use, context.visibleNames(block: number, step: nil), context)
        found.append(
          finding(
            "an output of '\(use.name)' reads '\(use.name)' itself, whose values these outputs are"
              + way.text, at: use.use.range, fix: way.fix))
      }
    }
    return found
  }

  /// What to write: the name of an inner step without that of the step around it.
  private static func inner(
    _ use: ResolvedUse, _ visible: [String], _ context: LintContext
  ) -> Proposal {
    let names = use.use.query.segments.dropFirst().map(\.name)
    guard let first = names.first, let first, visible.contains(first) else { return .none }
    let path = names.prefix { $0 != nil }.compactMap { $0 }.joined(separator: ".")
    return Proposal(
      "; write '\(path)'",
      fix: context.place(of: "\(use.name).\(first)", in: use.use.range).map {
        .replacing($0, with: first, isSafe: false)
      })
  }

  private static func finding(
    for use: ResolvedUse, in step: Step, _ visible: () -> [String], _ context: LintContext
  ) -> Diagnostic {
    let id = step.id.value
    if let inherited = step.inheritedSetting(with: use.use.range) {
      return finding(
        "step '\(id)' inherits \(inherited.words), which reads '\(use.name)'; "
          + "write \(inherited.removal) in '\(id)'",
        at: step.id.range,
        related: [.init(range: use.use.range, message: "'\(use.name)' is read here")],
        fix: step.adding(inherited))
    }
    if use.name == id {
      return finding(
        "step '\(id)' reads its own values, which exist only after it has ended; "
          + wayOut(of: step), at: use.use.range)
    }
    let way = inner(use, visible(), context)
    return finding(
      "step '\(id)' reads '\(use.name)', the step that contains it" + way.text,
      at: use.use.range, fix: way.fix)
  }

  private static func wayOut(of step: Step) -> String {
    switch step.action {
    case .request: "read the response in 'extract', or with '@' in 'expect'"
    default: "read the step that the value comes from"
    }
  }
}
