internal import PipelineByteText
internal import PipelineJSONText

/// How a client proves who it is.
package enum SecurityScheme: Hashable {
  case bearer
  case basic
  case digest
  /// A key in a header, a query parameter or a cookie.
  case apiKey(name: String, place: String)
  /// The client credentials flow (RFC 6749 §4.4).
  case clientCredentials(tokenURL: String, scopes: [String])
  /// Anything that no request alone can satisfy, such as a client certificate.
  case other(String)
}

extension APIDescription {
  /// The schemes that satisfy an operation together: the first of its alternatives that a workflow can
  /// meet, or else the first. Empty if it needs none.
  package func security(of operation: Operation) -> [SecurityScheme] {
    let alternatives = securityAlternatives(of: operation)
    if alternatives.contains(where: \.isEmpty) { return [] }
    let possible = alternatives.first { schemes in
      !schemes.contains { if case .other = $0 { true } else { false } }
    }
    return possible ?? alternatives.first ?? []
  }

  /// Lists of schemes, each of which satisfies an operation. Without any it needs none.
  package func securityAlternatives(of operation: Operation) -> [[SecurityScheme]] {
    guard let list = operation.node["security"] ?? root["security"] else { return [] }
    return list.node.elements.map { requirement in
      requirement.members.map { scheme($0.name, $0.value) }
    }
  }

  private func scheme(_ name: String, _ scopes: JSONNode) -> SecurityScheme {
    let holder =
      version == .swagger2
      ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
    guard let holder, let scheme = member(name, of: holder)?.node else { return .other(name) }
    switch scheme["type"]?.string {
    case "basic": return .basic
    case "http":
      switch scheme["scheme"]?.string?.lowercased() {
      case "basic": return .basic
      case "digest": return .digest
      case "bearer": return .bearer
      default: return .other(name)
      }
    case "apiKey":
      guard let key = scheme["name"]?.string, let place = scheme["in"]?.string else {
        return .other(name)
      }
      return .apiKey(name: key, place: place)
    case "oauth2":
      let flow =
        scheme["flows"]?["clientCredentials"]
        ?? (scheme["flow"]?.string == "application" ? scheme : nil)
      guard let url = flow?["tokenUrl"]?.string, url.contains(bytes: "://") else { return .bearer }
      return .clientCredentials(
        tokenURL: url, scopes: scopes.elements.compactMap(\.string).sorted())
    case "openIdConnect": return .bearer
    default: return .other(name)
    }
  }
}
