import PipelineJSONPaths
import PipelineLanguage
import PipelineSourceText

/// Comparisons that exclude each other, or cover all cases.
enum ConstantCondition: LintRule {
  static let explanation = Explanation(
    "constant-condition", .warning, PackageResources.constant_condition_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for condition in step.parts.conditions where condition.walk.comparisons.count > 1 {
      judge(condition.written.value.expression, condition, &found)
    }
  }

  private static func judge(
    _ expression: LogicalExpression, _ condition: LintCondition, _ found: inout [Diagnostic]
  ) {
    switch expression {
    case .and(let parts):
      for part in parts { judge(part, condition, &found) }
      guard let pair = LiteralClaim.contradiction(in: parts) else { return }
      let bothEqual = pair.first.comparator == .equal && pair.second.comparator == .equal
      found.append(
        finding(
          "this never holds: no '\(pair.first.query)' satisfies both comparisons"
            + (bothEqual ? "; write '||' between them" : ""),
          at: condition.range(of: pair.range)))
    case .or(let parts):
      for part in parts { judge(part, condition, &found) }
      guard let pair = LiteralClaim.alternatives(in: parts) else { return }
      let bothDiffer = pair.first.comparator == .notEqual && pair.second.comparator == .notEqual
      found.append(
        finding(
          "this always holds: every '\(pair.first.query)' satisfies one of the comparisons"
            + (bothDiffer ? "; write '&&' between them" : ""),
          at: condition.range(of: pair.range)))
    case .not(let inner, _): judge(inner, condition, &found)
    case .comparison, .test: break
    }
  }
}
