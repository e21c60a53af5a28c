import PipelineJSONText
import PipelineTemplates
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A number of items, or a bound of a range, that is not a number.
enum BoundType: LintRule {
  static let explanation = Explanation(
    "bound-type", .error,
    what: "A range, `concurrency` or `batch` takes its number from a value that is not a number.",
    why: """
      Values are not converted: the text `"5"` is not a number, and the step fails before it sends \
      anything. Declare the input with `"type": "integer"`, or extract the value with it.
      """,
    bad: """
      {
        "inputs": { "pages": { "type": "string" } },
        "steps": [
          {
            "id": "page",
            "forEach": { "from": 1, "to": "{{inputs.pages}}" },
            "endpoint": "GET https://api.example.com/users?page={{item}}"
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "pages": { "type": "integer" } },
        "steps": [
          {
            "id": "page",
            "forEach": { "from": 1, "to": "{{inputs.pages}}" },
            "endpoint": "GET https://api.example.com/users?page={{item}}"
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard step.step.forEach != nil else { return }
    for (use, reading) in zip(step.uses, context.readings[step.number]) {
      guard case .bound = use.use.site, use.use.isWhole, case .shape(let shape) = reading,
        let kinds = shape.possibleKinds, !kinds.contains(.number), !shape.isContainer
      else { continue }
      found.append(
        finding(
          "'\(use.use.query.shown)' is \(shape.words), but a whole number is needed here; give it"
            + " \"type\": \"integer\" where it is declared or extracted", at: use.use.range,
          fix: context.typing(use.use.query, as: "integer", in: step)))
    }
  }
}
