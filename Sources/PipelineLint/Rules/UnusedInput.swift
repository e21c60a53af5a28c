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
    guard let used = context.members(readOf: .inputs, among: names, byNextValues: true) else {
      return []
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
}
