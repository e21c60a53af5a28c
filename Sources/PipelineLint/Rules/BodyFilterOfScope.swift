import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A query of the body whose filter reads the scope with `$`.
enum BodyFilterOfScope: LintRule {
  static let explanation = Explanation(
    "body-filter-of-scope", .error,
    what: "A filter in `extract` or `paginate` names an input or a step with `$`.",
    why: """
      In a query of the response, `$` is the body. So `$.inputs.name` looks for a member `inputs` \
      in the body and finds none. To compare with a value of the scope, insert it with `{{…}}` in \
      place of a literal.
      """,
    bad: """
      {
        "inputs": { "name": { "type": "string" } },
        "steps": [
          {
            "id": "find",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[?@.name == $.inputs.name].id" }
          }
        ],
        "outputs": { "ids": "{{find.ids}}", "name": "{{inputs.name}}" }
      }
      """,
    good: """
      {
        "inputs": { "name": { "type": "string" } },
        "steps": [
          {
            "id": "find",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[?@.name == {{inputs.name}}].id" }
          }
        ],
        "outputs": { "ids": "{{find.ids}}", "name": "{{inputs.name}}" }
      }
      """)

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
