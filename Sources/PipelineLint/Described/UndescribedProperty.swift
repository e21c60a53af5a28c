import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A property in a body that the API does not describe.
enum UndescribedProperty: OperationRule {
  static let explanation = Explanation(
    "undescribed-property", .warning,
    what: "The body of a request has a property that the API does not describe.",
    why: """
      It is an error if the schema allows no other properties. Otherwise only a name that is nearly \
      that of a described property is reported, because a server may take more than it describes.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "create",
            "endpoint": "POST https://api.example.com/pets",
            "body": { "json": { "name": "Rex", "statos": "free" } }
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
            "body": { "json": { "name": "Rex", "status": "free" } }
          }
        ]
      }
      """,
    described: ExampleDescription.createPet)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    for problem in call.bodyProblems(operation) {
      guard case .undescribed(let isRuledOut) = problem.kind else { continue }
      var finding = finding(problem)
      if isRuledOut { finding.severity = .error }
      found.append(finding)
    }
  }
}
