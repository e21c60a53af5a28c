import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A secret that the run returns.
enum SecretInOutput: LintRule {
  static let explanation = Explanation(
    "secret-in-output", .warning, PackageResources.secret_in_output_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated() where block.parent == nil {
      for output in block.resolution.block.outputs ?? [] where !output.isRevealed {
        guard
          let use = output.value.uses.first(where: {
            context.read($0.query, inOutputsOf: number).shape.isSecret
          })
        else { continue }
        found.append(
          finding(
            "'\(use.query.shown)' is a secret, and this output is shown as •••; to return it, "
              + "write {\"value\": \(output.node.text), \"reveal\": true}", at: use.range,
            fix: .replacing(
              output.node.range, with: "{\"value\": \(output.node.text), \"reveal\": true}",
              isSafe: false)))
      }
    }
    return found
  }
}
