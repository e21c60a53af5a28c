import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// A rule that judges each function call of a query or a condition by itself, in steps and in outputs.
protocol FunctionCallRule: LintRule {
  /// - Parameter node: The text that contains the call.
  static func judge(_ call: FunctionCall, in node: JSONNode) -> Diagnostic?
}

extension FunctionCallRule {
  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    judge(all: step.parts.calls, &found)
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for block in context.blocks { judge(all: block.outputs.calls, &found) }
    return found
  }

  static func judge(all calls: [(call: FunctionCall, node: JSONNode)], _ found: inout [Diagnostic])
  {
    found += calls.compactMap { judge($0.call, in: $0.node) }
  }
}
