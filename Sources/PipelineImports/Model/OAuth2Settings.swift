internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineOpenAPI

/// The settings of a token by OAuth 2.0 that a run fetches itself.
struct OAuth2Settings<Text: Sendable>: Sendable {
  let grant: OAuth2.Grant
  let tokenURL: Text
  /// Where the login of a person begins; `nil` if the grant has none.
  var loginURL: Text?
  /// Where a browser comes back to; `nil` for any free port of this machine.
  var redirectURL: Text?
  let clientID: Text
  var clientSecret: Text?
  /// Whether the client sends its secret in the body, and not in a header.
  var isSecretInBody = false
  var scopes: [Text] = []
  var refreshToken: Text?
  /// Sent with each request for a token.
  var parameters: [(name: String, value: Text)] = []
}

extension OAuth2Settings<JSONValue> {
  /// The settings of a flow that the description of an API has.
  init(_ flow: OAuth2Flow, clientID: JSONValue, clientSecret: JSONValue) {
    self.init(
      grant: OAuth2.Grant(rawValue: flow.grant.rawValue) ?? .clientCredentials,
      tokenURL: .string(flow.tokenURL), loginURL: flow.loginURL.map { .string($0) },
      clientID: clientID, clientSecret: clientSecret, scopes: flow.scopes.map { .string($0) })
  }

  /// The value of `oauth2`.
  var json: JSONValue {
    var members: [JSONValue.Member] = []
    if grant != .clientCredentials, grant != .refreshToken {
      members.append(.init("grant", .string(grant.rawValue)))
    }
    if let loginURL {
      let key =
        grant == .deviceAuthorization ? "deviceAuthorizationURL" : "authorizationURL"
      members.append(.init(key, loginURL))
    }
    members.append(.init("tokenURL", tokenURL))
    if let redirectURL { members.append(.init("redirectURL", redirectURL)) }
    members.append(.init("clientId", clientID))
    if let clientSecret {
      members.append(.init("clientSecret", clientSecret))
      if isSecretInBody { members.append(.init("clientAuth", "post")) }
    }
    if !scopes.isEmpty { members.append(.init("scopes", .array(scopes))) }
    if let refreshToken { members.append(.init("refreshToken", refreshToken)) }
    if !parameters.isEmpty {
      members.append(
        .init("parameters", .object(parameters.map { .init($0.name, $0.value) })))
    }
    return .object(members)
  }
}

extension OAuth2Settings<ForeignText> {
  /// The texts that placeholders may be in.
  var texts: [ForeignText] {
    let single = [tokenURL, loginURL, redirectURL, clientID, clientSecret, refreshToken]
    return single.compactMap(\.self) + scopes + parameters.map(\.value)
  }
  func mapTexts(_ change: (ForeignText) -> ForeignText) -> OAuth2Settings {
    OAuth2Settings(
      grant: grant, tokenURL: change(tokenURL), loginURL: loginURL.map(change),
      redirectURL: redirectURL.map(change), clientID: change(clientID),
      clientSecret: clientSecret.map(change), isSecretInBody: isSecretInBody,
      scopes: scopes.map(change), refreshToken: refreshToken.map(change),
      parameters: parameters.map { ($0.name, change($0.value)) })
  }
}
