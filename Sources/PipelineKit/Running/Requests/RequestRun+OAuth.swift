internal import Templates
internal import Workflows

extension RequestRun {
  /// The request with a current token, where its `auth` is OAuth 2.0, and that token.
  func authorized(
    _ parts: RequestBuilder.Parts
  ) async throws(Failure) -> (RequestBuilder.Parts, token: (key: TokenStore.Key, value: String)?) {
    guard let auth = plan.request.auth, case .oauth2(let oauth2) = auth.scheme else {
      return (parts, nil)
    }
    if auth.isInherited, !builder.mayHaveInherited(parts.origin) {
      builder.noteDroppedCredentials(for: parts.origin)
      return (parts, nil)
    }
    let key = try tokenKey(oauth2)
    let request = TokenRequest(run: self, auth: auth, oauth2: oauth2, key: key, parts: parts)
    let token = try await context.tokens.token(for: key, on: context.options.clock) {
      refreshToken throws(Failure) in
      try await request.token(refreshToken)
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

  /// Whether a server that had the token refused it.
  func hasRefusedToken(_ answer: Answer, of parts: RequestBuilder.Parts) -> Bool {
    answer.response.status == 401
      && (answer.origin == parts.origin || builder.listedOrigins.contains(answer.origin))
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
      clientSecret: try oauth2.clientSecret.map { secret throws(Failure) in try text(secret) },
      scopes: try oauth2.scopes.map { scope throws(Failure) in try text(scope) },
      refreshToken: try oauth2.refreshToken.map { token throws(Failure) in try text(token) })
  }

  private func text(_ template: Written<Template>) throws(Failure) -> String {
    try Evaluation.text(template, at: .header, in: unit.scope)
  }
}
