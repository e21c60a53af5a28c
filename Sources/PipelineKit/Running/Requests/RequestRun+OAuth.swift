internal import JSONText
internal import Templates
internal import Workflows

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RequestRun {
  /// The request with a current token, where its `auth` is OAuth 2.0, and that token.
  func authorized(
    _ parts: RequestBuilder.Parts
  ) async throws(Failure) -> (RequestBuilder.Parts, token: (key: TokenStore.Key, value: String)?) {
    guard let auth = plan.request.auth, case .oauth2(let oauth2) = auth.scheme else {
      return (parts, nil)
    }
    let key = try tokenKey(oauth2)
    let token = try await context.tokens.token(for: key, at: context.options.clock.elapsed) {
      refreshToken throws(Failure) in
      try await fetchToken(oauth2, key, refreshToken)
    }
    var parts = parts
    let field = HTTPField("Authorization", "Bearer " + token)
    if auth.isInherited {
      parts.credentials.inherited.append(field)
    } else {
      parts.credentials.own.append(field)
    }
    return (parts, (key, token))
  }

  private func tokenKey(_ oauth2: Auth.OAuth2) throws(Failure) -> TokenStore.Key {
    let url: String
    do throws(ExpansionError) {
      url = try oauth2.tokenURL.value.expand(base: builder.baseURL) { unit.scope.value(of: $0) }
    } catch {
      throw Failure(error, in: oauth2.tokenURL)
    }
    return TokenStore.Key(
      tokenURL: try builder.resolveSandbox(url, at: oauth2.tokenURL.range),
      clientID: try text(oauth2.clientID),
      scopes: try oauth2.scopes.map { scope throws(Failure) in try text(scope) },
      refreshToken: try oauth2.refreshToken.map { token throws(Failure) in try text(token) })
  }

  private func text(_ template: Written<Template>) throws(Failure) -> String {
    try Evaluation.text(template, at: .header, in: unit.scope)
  }

  /// RFC 6749 §4.4.2 (client credentials) and §6 (refresh token).
  private func fetchToken(
    _ oauth2: Auth.OAuth2, _ key: TokenStore.Key, _ refreshToken: String?
  ) async throws(Failure) -> TokenStore.Token {
    let secret = try oauth2.clientSecret.map { secret throws(Failure) in try text(secret) }
    var form = [
      (name: "grant_type", value: refreshToken == nil ? "client_credentials" : "refresh_token")
    ]
    if let refreshToken { form.append(("refresh_token", refreshToken)) }
    if !key.scopes.isEmpty { form.append(("scope", key.scopes.joined(separator: " "))) }
    var headers = [
      HTTPField("Content-Type", "application/x-www-form-urlencoded"),
      HTTPField("Accept", "application/json"),
    ]
    if let secret {
      // RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
      let pair = FormEncoding.encode(key.clientID) + ":" + FormEncoding.encode(secret)
      let encoded = Data(pair.utf8).base64EncodedString()
      context.redactor.hide(secret)
      context.redactor.hide(encoded)
      headers.append(HTTPField("Authorization", "Basic " + encoded))
    } else {
      form.append(("client_id", key.clientID))
    }
    if let refreshToken { context.redactor.hide(refreshToken) }
    let body = form.map { FormEncoding.encode($0.name) + "=" + FormEncoding.encode($0.value) }
      .joined(separator: "&")
    var settings = ConnectionSettings()
    settings.caFile = try builder.build().connection.caFile
    settings.refusesPrivateAddresses =
      Origin(of: key.tokenURL).map { !context.trust.origins.contains($0) } ?? true
    try context.countRequest(unit.callers)
    let origin = Origin(of: key.tokenURL)
    if let origin {
      do {
        try await context.enter(origin, unit.callers, parking)
      } catch {
        throw Failure(.cancelled, "the run stopped")
      }
    }
    defer { if let origin { context.leave(origin, unit.callers) } }
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await context.transport.send(
        HTTPRequest(
          method: "POST", url: key.tokenURL, headers: headers, body: .bytes(Array(body.utf8)),
          timeout: plan.request.timeout?.value, responseLimit: 1 << 20, connection: settings))
    } catch {
      var failure = Failure(error, at: oauth2.tokenURL.range)
      failure.message = "could not get a token from \(key.tokenURL): " + failure.message
      throw failure
    }
    return try token(from: response, oauth2, key)
  }

  /// RFC 6749 §5.
  private func token(
    from response: HTTPResponse, _ oauth2: Auth.OAuth2, _ key: TokenStore.Key
  ) throws(Failure) -> TokenStore.Token {
    let body = ResponseBody(response)
    guard response.status == 200, let token = body.json?["access_token"]?.string else {
      let reason = body.json?["error_description"]?.string ?? body.json?["error"]?.string
      throw Failure(
        .status,
        "could not get a token from \(key.tokenURL): answered \(response.status)"
          + (reason.map { ": " + $0 } ?? ""), at: oauth2.tokenURL.range, status: response.status,
        excerpt: body.excerpt(context.redactor))
    }
    context.redactor.hide(token)
    let refreshToken = body.json?["refresh_token"]?.string
    if let refreshToken { context.redactor.hide(refreshToken) }
    // Given up a little early, so that it does not expire on its way.
    let lifetime = body.json?["expires_in"]?.number?.double
    let expires = lifetime.map {
      context.options.clock.elapsed + .seconds($0 - min(30, $0 / 10))
    }
    return TokenStore.Token(value: token, expires: expires, refreshToken: refreshToken)
  }
}
