package import PipelineTemplates

/// A token that the run fetches (RFC 6749), and how.
package struct OAuth2: AuthForm {
  package let grant: Grant
  package let tokenURL: Written<URLTemplate>
  /// Where a person allows a login in a browser.
  package let authorizationURL: Written<URLTemplate>?
  /// Where the browser goes back to; `nil` for a free port of this machine.
  package let redirectURL: Written<Template>?
  /// Where a login on another device begins.
  package let deviceAuthorizationURL: Written<URLTemplate>?
  /// `nil` if the assertion of the grant names the client.
  package let clientID: Written<Template>?
  package let clientSecret: Written<Template>?
  package let clientAuth: ClientAuth
  package let scopes: [Written<Template>]
  package let refreshToken: Written<Template>?
  /// The name of the login in the store; `nil` if it is named after the server and the client.
  package let credential: Written<Template>?
  /// Sent with each request for a token or a login, under the names of the specifications:
  /// `audience`, `resource`.
  package let parameters: [RequestParameter]

  /// What a token is given for. The names are those of OpenAPI where it has them.
  package enum Grant: String, Sendable, CaseIterable {
    /// RFC 6749 §4.4
    case clientCredentials
    /// RFC 6749 §6
    case refreshToken
    /// RFC 6749 §4.1, with PKCE (RFC 7636): a person has allowed it in a browser.
    case authorizationCode
    /// RFC 8628: a person has allowed it on another device.
    case deviceAuthorization
    /// RFC 7523 §2.1
    case jwtBearer
    /// RFC 8693
    case tokenExchange

    /// The value of `grant_type` that asks for the first token.
    package var type: String {
      switch self {
      case .clientCredentials: "client_credentials"
      case .refreshToken: Self.typeOfRefresh
      case .authorizationCode: "authorization_code"
      case .deviceAuthorization: "urn:ietf:params:oauth:grant-type:device_code"
      case .jwtBearer: "urn:ietf:params:oauth:grant-type:jwt-bearer"
      case .tokenExchange: "urn:ietf:params:oauth:grant-type:token-exchange"
      }
    }

    package static let typeOfRefresh = "refresh_token"

    /// The parameters without which there is no token.
    var requiredParameters: [String] {
      switch self {
      case .clientCredentials, .refreshToken, .authorizationCode, .deviceAuthorization: []
      case .jwtBearer: ["assertion"]
      case .tokenExchange: ["subject_token", "subject_token_type"]
      }
    }

    /// Whether the client may leave its name to an assertion.
    var namesClientElsewhere: Bool { !requiredParameters.isEmpty }

    /// Whether a person logs in before the run: `pipeline login`.
    package var isByPerson: Bool { self == .authorizationCode || self == .deviceAuthorization }
  }

  package func forEachPart(_ visit: (StepPart) -> Void) {
    for url in [tokenURL, authorizationURL, deviceAuthorizationURL] {
      if let url { visit(StepPart(content: .url(url), mode: .needs)) }
    }
    if let redirectURL { visit(.text(redirectURL)) }
    if let clientID { visit(.text(clientID)) }
    if let clientSecret { visit(.text(clientSecret, .credential)) }
    if let key = clientAuth.key {
      visit(.text(key.key, .credential))
      if let keyID = key.keyID { visit(.text(keyID)) }
    }
    for scope in scopes { visit(.text(scope)) }
    if let refreshToken { visit(.text(refreshToken, .credential)) }
    if let credential { visit(.text(credential)) }
    for parameter in parameters { visit(.parameter(parameter, .field(parameter.style))) }
  }

  package var needed: [[Written<Template>]] {
    // A login by a person may do without a secret.
    [clientID.map { [$0] } ?? [], grant.isByPerson ? [] : secrets].filter { !$0.isEmpty }
  }

  package var secrets: [Written<Template>] {
    [clientSecret, clientAuth.key?.key, refreshToken].compactMap(\.self)
  }

  package func planText(_ values: PlannedCredentials) -> String {
    var text = "oauth2 " + values.url(tokenURL)
    if grant != .clientCredentials { text += ", " + grant.rawValue }
    switch clientAuth {
    case .basic: break
    case .post: text += ", secret in the body"
    case .clientSecretJWT: text += ", clientSecretJWT"
    case .privateKeyJWT(let key): text += ", privateKeyJWT \(key.algorithm.rawValue)"
    }
    if let credential { text += ", login " + values.text(credential) }
    return text
      + (parameters.isEmpty ? "" : ", with " + parameters.map(\.name).joined(separator: ", "))
  }
}
