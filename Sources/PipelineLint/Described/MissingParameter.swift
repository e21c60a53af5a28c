import PipelineByteText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A request without a parameter that every operation it may reach requires.
enum MissingParameter: DescribedRule {
  static let explanation = Explanation(
    "missing-parameter", .error,
    what: "A request lacks a query parameter or a header that the API requires.",
    why: """
      The server is likely to answer 400. Add the parameter to 'query' or 'headers'. Parameters that \
      the request brings itself, such as 'Accept' and 'Authorization', are not missed.
      """,
    bad: """
      {
        "steps": [{ "id": "found", "endpoint": "GET https://api.example.com/search" }]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "found",
            "endpoint": "GET https://api.example.com/search",
            "query": { "q": "cats" }
          }
        ]
      }
      """,
    described: """
      openapi: 3.1.0
      servers: [{ url: https://api.example.com }]
      paths:
        /search:
          get:
            parameters: [{ name: q, in: query, required: true, schema: { type: string } }]
      """)

  /// Headers that requests have without the author's help (OpenAPI 3.0 §4.7.12.1, RFC 9110).
  private static let own: Set<String> = [
    "accept", "content-type", "authorization", "user-agent", "host", "content-length",
    "accept-encoding", "cookie", "idempotency-key",
  ]

  static func check(
    _ request: Request, _ call: DescribedCall, _ api: DescribedOperations,
    _ found: inout [Diagnostic]
  ) {
    let reached = call.operations.filter { $0.method == request.endpoint.value.method }
    guard let first = reached.first else { return }
    let others = reached.dropFirst().map { api.description.parameters(of: $0) }
    for parameter in api.description.parameters(of: first)
    where parameter.isRequired && isMissing(parameter, request, call) {
      let isRequiredByAll = others.allSatisfy { parameters in
        parameters.contains {
          $0.isRequired && $0.place == parameter.place && $0.name == parameter.name
        }
      }
      guard isRequiredByAll else { continue }
      let (word, key) = parameter.place == .query ? ("parameter", "query") : ("header", "headers")
      found.append(
        finding(
          "\(first.signature) requires the \(word) '\(parameter.name)'; add it to '\(key)'"
            + " (\(parameter.node.position))",
          at: request.endpoint.range(of: request.endpoint.value.urlRange)))
    }
  }

  private static func isMissing(
    _ parameter: Parameter, _ request: Request, _ call: DescribedCall
  ) -> Bool {
    switch parameter.place {
    case .query:
      // A name that is a template may be any, and pagination adds parameters of its own.
      request.paginate == nil
        && !call.query.contains { $0 == parameter.name || $0.contains(bytes: "{{") }
        && !request.query.contains { $0.name == parameter.name }
    case .header:
      !own.contains(parameter.name.lowercased())
        && !request.headers.contains { $0.name.equalsIgnoringASCIICase(parameter.name) }
    case .path, .cookie, .querystring, .body, .formData: false
    }
  }
}
