import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A value in a request that the API does not take.
enum UndescribedValue: OperationRule {
  static let explanation = Explanation(
    "undescribed-value", .error,
    what: "A value in a request is not one that the API takes.",
    why: """
      The server is likely to answer 400. The type, the listed values, the bounds, the lengths and the \
      pattern of literal values are compared with the schema, and the types of templates as far as \
      they are known. Another format, such as that of a date, is a warning, because not every server \
      checks it.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "create",
            "endpoint": "POST https://api.example.com/pets",
            "body": { "json": { "name": "Rex", "status": "solt" } }
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "create",
            "endpoint": "POST https://api.example.com/pets",
            "body": { "json": { "name": "Rex", "status": "sold" } }
          }
        ]
      }
      """,
    described: ExampleDescription.createPet)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    for problem in call.parameterProblems(operation) + call.bodyProblems(operation) {
      switch problem.kind {
      case .value: found.append(finding(problem))
      case .format:
        var finding = finding(problem)
        finding.severity = .warning
        found.append(finding)
      case .missing, .undescribed, .deprecated: break
      }
    }
  }
}
