internal import PipelineByteText
internal import PipelineJSONText

/// How a client proves who it is.
package enum SecurityScheme: Hashable {
  case bearer
  case basic
  case digest
  /// A key in a header, a query parameter or a cookie.
  case apiKey(name: String, place: String)
  /// A token by OAuth 2.0; without a flow if the description has none by which a program gets one.
  case oauth2(OAuth2Flow?)
  /// Anything that no request alone can satisfy, such as a client certificate.
  case other(String)
}

/// A flow of OAuth 2.0 by which a program gets a token (RFC 6749, RFC 8628).
package struct OAuth2Flow: Hashable {
  /// The flows in the order in which a program takes them: the first one needs no person.
  package enum Grant: String, CaseIterable {
    case clientCredentials, authorizationCode, deviceAuthorization

    /// What Swagger 2.0 calls it.
    fileprivate var formerName: String? {
      switch self {
      case .clientCredentials: "application"
      case .authorizationCode: "accessCode"
      case .deviceAuthorization: nil
      }
    }

    fileprivate var loginName: String? {
      switch self {
      case .clientCredentials: nil
      case .authorizationCode: "authorizationUrl"
      case .deviceAuthorization: "deviceAuthorizationUrl"
      }
    }
  }

  package let grant: Grant
  package let tokenURL: String
  /// Where the login of a person begins.
  package let loginURL: String?
  package let scopes: [String]

  /// - Returns: `nil` if a scheme has no flow with all its addresses.
  fileprivate init?(_ scheme: JSONNode, scopes: JSONNode) {
    func url(_ flow: JSONNode, _ name: String) -> String? {
      flow[name]?.string.flatMap { $0.contains(bytes: "://") ? $0 : nil }
    }
    for grant in Grant.allCases {
      let isFormer = grant.formerName.map { scheme["flow"]?.string?.equals(bytes: $0) == true }
      guard let flow = scheme["flows"]?[grant.rawValue] ?? (isFormer == true ? scheme : nil),
        let tokenURL = url(flow, "tokenUrl")
      else { continue }
      let loginURL = grant.loginName.flatMap { url(flow, $0) }
      guard grant.loginName == nil || loginURL != nil else { continue }
      self.grant = grant
      self.tokenURL = tokenURL
      self.loginURL = loginURL
      self.scopes = scopes.elements.compactMap(\.string).sorted()
      return
    }
    return nil
  }
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
    case "oauth2": return .oauth2(OAuth2Flow(scheme, scopes: scopes))
    // Its addresses are in another file.
    case "openIdConnect": return .oauth2(nil)
    default: return .other(name)
    }
  }
}
