import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A body without a property that the API requires.
enum MissingProperty: OperationRule {
  static let explanation = Explanation(
    "missing-property", .error,
    what: "The body of a request lacks a property that the API requires.",
    why: """
      The server is likely to answer 400. Add the property. Properties that only responses have, with \
      `readOnly`, are not missed.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "create",
            "endpoint": "POST https://api.example.com/pets",
            "body": { "json": { "status": "free" } }
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
      guard case .missing = problem.kind else { continue }
      found.append(finding(problem))
    }
  }
}
