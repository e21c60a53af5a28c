import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A query of the body whose filter reads the scope with `$`.
enum BodyFilterOfScope: LintRule {
  static let explanation = Explanation(
    "body-filter-of-scope", .error, PackageResources.body_filter_of_scope_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for query in step.parts.nestingQueries {
      for reference in query.value.references.absoluteQueries.dropFirst() {
        guard let name = reference.firstName,
          name == "inputs" || Self.names(name, beside: step, context)
        else { continue }
        found.append(finding(for: reference, in: query))
      }
    }
  }

  private static func names(_ name: String, beside step: LintStep, _ context: LintContext) -> Bool {
    guard let position = context.blocks[step.block].resolution.step(named: name) else {
      return false
    }
    return position != step.index
  }

  private static func finding(for reference: Query, in query: Written<Query>) -> Diagnostic {
    let binding = "{{\(reference.shown)}}"
    let range = query.range(of: reference.range)
    let fix = DiagnosticFix(
      message: "write \(binding)", edits: [DiagnosticFix.Edit(range: range, replacement: binding)])
    return finding(
      "'$' is the response's body here, so '\(reference.text)' reads the body; write \(binding)",
      at: range, fix: reference.isSingular ? fix : nil)
  }
}
