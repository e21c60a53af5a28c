import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A request without the credentials that the operation requires.
enum MissingCredentials: OperationRule {
  static let explanation = Explanation(
    "missing-credentials", .warning, PackageResources.missing_credentials_md)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    let alternatives = call.description.securityAlternatives(of: operation)
    guard !alternatives.isEmpty,
      !alternatives.contains(where: { $0.allSatisfy { isMet($0, call) } })
    else { return }
    let ways = alternatives.map { $0.map(words).joined(separator: " and ") }
    let endpoint = call.request.endpoint
    let security = operation.node["security"] ?? call.description.root["security"]
    found.append(
      finding(
        "the API requires credentials here: \(ways.joined(separator: ", or "))",
        at: endpoint.range(of: endpoint.value.urlRange),
        related: security.map { [$0.related("they are required here")] } ?? []))
  }

  /// Whether a request may satisfy a scheme. Any `auth` may be what a scheme of HTTP stands for.
  private static func isMet(_ scheme: SecurityScheme, _ call: DescribedCall) -> Bool {
    let request = call.request
    func hasHeader(_ name: String) -> Bool {
      request.headers.contains { $0.name.equalsIgnoringASCIICase(name) }
    }
    switch scheme {
    case .other: return true
    case .bearer, .basic, .digest, .oauth2:
      return request.auth != nil || hasHeader("authorization")
    case .apiKey(let name, let place):
      if case .sign? = request.auth?.scheme { return true }
      switch place {
      case "query":
        return (request.query.map(\.name) + call.query.map(\.name)).contains(name)
      case "cookie": return request.cookies.contains { $0.name == name } || hasHeader("cookie")
      default:
        return hasHeader(name)
          || name.equalsIgnoringASCIICase("authorization") && request.auth != nil
      }
    }
  }

  private static func words(_ scheme: SecurityScheme) -> String {
    switch scheme {
    case .bearer: "a bearer token"
    case .basic: "a user and a password"
    case .digest: "a user and a password (digest)"
    case .oauth2: "a token by OAuth 2"
    case .apiKey(let name, "query"): "the parameter '\(name)'"
    case .apiKey(let name, "cookie"): "the cookie '\(name)'"
    case .apiKey(let name, _): "the header '\(name)'"
    case .other(let name): "'\(name)'"
    }
  }
}
