import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// An input that nothing reads.
enum UnusedInput: LintRule {
  static let explanation = Explanation("unused-input", .warning, PackageResources.unused_input_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    // A base file serves other files too.
    let inputs = context.workflow.inputs.filter {
      $0.node.document === context.workflow.document
    }
    // A workflow that does nothing is a mistake of its own.
    let isEmpty = context.steps.isEmpty && context.workflow.block.outputs?.isEmpty ?? true
    guard !inputs.isEmpty, !isEmpty else { return [] }
    let names = inputs.map(\.name)
    var used = Set<String>()
    for step in context.steps {
      // By number: a use is large to copy.
      let uses = step.uses
      for number in uses.indices {
        switch uses[number].outcome {
        case .found(.inputs): guard note(uses[number], &used) else { return [] }
        case .unknown: used.insert(uses[number].name)
        case .found, .itself, .runsLater: break
        }
      }
    }
    for block in context.blocks {
      for use in block.resolution.endUses where use.definition == .inputs {
        guard note(use, &used) else { return [] }
      }
    }
    // A misspelt name is one mistake, and one finding.
    for name in used.subtracting(names).sorted().prefix(FindingBounds.advised) {
      if let meant = Spelling.nearest(to: name, among: names) { used.insert(meant) }
    }
    let unused = inputs.filter { !used.contains($0.name) }
    // After a name was changed, the only one that is not read is the one that was meant.
    if unused.count < 2, !used.isSubset(of: names) || unused.isEmpty { return [] }
    // It may be read in a part that could not be.
    var named = WrittenPaths()
    named.add(context.workflow.document.bytes[...])
    return unused.filter { !named.contains("inputs", $0.name) }
      .map { input in
        let map = context.workflow.document.root["inputs"]
        let member = map?.members.first { $0.nameRange == input.nameRange }
        let edit = member.flatMap { map?.removing($0) }
        return finding(
          "nothing reads the input '\(input.name)'", at: input.nameRange,
          fix: edit.map {
            DiagnosticFix(message: "remove '\(input.name)'", edits: [$0], isSafe: false)
          })
      }
  }

  /// Notes the input that is read; `false`: all of them are, as in `$.inputs[*]`.
  private static func note(_ use: ResolvedUse, _ used: inout Set<String>) -> Bool {
    let segments = use.use.query.segments
    guard segments.count > 1 else { return false }
    guard let name = segments[1].name else {
      used.formUnion(segments[1].names)
      return !segments[1].names.isEmpty
    }
    used.insert(name)
    return true
  }
}
