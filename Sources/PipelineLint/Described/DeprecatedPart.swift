import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A deprecated operation, parameter or property.
enum DeprecatedPart: OperationRule {
  static let explanation = Explanation("deprecated-api", .note, PackageResources.deprecated_api_md)

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
        case .cookie: call.request.cookies.first { $0.name == parameter.name }
        default: nil as Request.Parameter?
        }
      let isInEndpoint =
        parameter.place == .query && call.query.contains { $0.name == parameter.name }
      let place = given.flatMap { $0.isInherited ? nil : $0.nameRange }
      guard let place = place ?? (isInEndpoint ? range : nil) else { continue }
      found.append(
        finding(
          "the parameter '\(parameter.name)' is deprecated", at: place,
          related: [parameter.node.related("it is described here")]))
    }
    for problem in call.bodyProblems(operation) {
      guard case .deprecated = problem.kind else { continue }
      found.append(finding(problem))
    }
  }

  /// The deprecated properties that a workflow reads of responses.
  static func checkReads(_ scope: DescribedScope, _ found: inout [Diagnostic]) {
    for read in scope.reads {
      guard let (name, node) = read.reading.deprecated else { continue }
      found.append(
        finding(
          "'\(read.query.text)' reads '\(name)', which is deprecated", at: read.range,
          related: [node.related("it is described here")]))
    }
  }
}
