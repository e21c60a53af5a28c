import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A request without a parameter that every operation it may reach requires.
enum MissingParameter: OperationRule {
  static let explanation = Explanation(
    "missing-parameter", .error, PackageResources.missing_parameter_md)

  /// Headers that requests have without the author's help (OpenAPI 3.0 §4.7.12.1, RFC 9110).
  private static let own: Set<String> = [
    "accept", "content-type", "authorization", "user-agent", "host", "content-length",
    "accept-encoding", "cookie", "idempotency-key",
  ]

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    let endpoint = call.request.endpoint
    for parameter in call.description.parameters(of: operation)
    where parameter.isRequired && parameter.schema["default"] == nil && isMissing(parameter, call) {
      let (word, key) =
        switch parameter.place {
        case .query: ("parameter", "query")
        case .cookie: ("cookie", "cookies")
        default: ("header", "headers")
        }
      found.append(
        finding(
          "\(endpoint.value.text) lacks the \(word) '\(parameter.name)', which the API requires;"
            + " add it to '\(key)'",
          at: endpoint.range(of: endpoint.value.urlRange),
          related: [parameter.node.related("'\(parameter.name)' is required here")]))
    }
  }

  private static func isMissing(_ parameter: Parameter, _ call: DescribedCall) -> Bool {
    let request = call.request
    switch parameter.place {
    case .query:
      // A name that is a template may be any, and pagination adds parameters of its own.
      return request.paginate == nil
        && !call.query.contains { $0.name == parameter.name || $0.name.contains(bytes: "{{") }
        && !request.query.contains { $0.name == parameter.name }
        && !parameter.isSentInParts
    case .header:
      return !own.contains(parameter.name.lowercased())
        && !request.headers.contains { $0.name.equalsIgnoringASCIICase(parameter.name) }
    case .cookie:
      return !request.cookies.contains { $0.name == parameter.name }
        && !request.headers.contains { $0.name.equalsIgnoringASCIICase("cookie") }
    case .path, .querystring, .body, .formData: return false
    }
  }
}
