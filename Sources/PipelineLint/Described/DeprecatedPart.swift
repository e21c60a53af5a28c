import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A deprecated operation or parameter.
enum DeprecatedPart: OperationRule {
  static let explanation = Explanation(
    "deprecated-api", .note,
    what: "A request uses an operation or a parameter that the API marks as deprecated.",
    why: """
      The server may drop it in a later version. The description often says what takes its place.
      """,
    bad: """
      {
        "steps": [{ "id": "pets", "endpoint": "GET https://api.example.com/animals" }]
      }
      """,
    good: """
      {
        "steps": [{ "id": "pets", "endpoint": "GET https://api.example.com/pets" }]
      }
      """,
    described: """
      openapi: 3.1.0
      servers: [{ url: https://api.example.com }]
      paths:
        /pets: { get: {} }
        /animals: { get: { deprecated: true } }
      """)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    let endpoint = call.request.endpoint
    let range = endpoint.range(of: endpoint.value.urlRange)
    if operation.isDeprecated {
      found.append(
        finding(
          "\(operation.signature) is deprecated", at: range,
          related: [operation.node.related("it is described here")]))
    }
    for parameter in call.description.parameters(of: operation)
    where parameter.node.node["deprecated"]?.boolean == true {
      let given =
        switch parameter.place {
        case .query: call.request.query.first { $0.name == parameter.name }
        case .header:
          call.request.headers.first { $0.name.equalsIgnoringASCIICase(parameter.name) }
        default: nil as Request.Parameter?
        }
      guard let given, !given.isInherited else { continue }
      found.append(
        finding(
          "the parameter '\(parameter.name)' is deprecated", at: given.nameRange,
          related: [parameter.node.related("it is described here")]))
    }
  }
}
