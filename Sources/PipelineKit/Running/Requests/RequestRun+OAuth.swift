internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

extension RequestRun {
  /// A token, and its use.
  final class Token: Sendable {
    let key: TokenStore.Key
    let value: String

    init(key: TokenStore.Key, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Whether the request's `auth` is OAuth 2.0.
  var needsToken: Bool {
    if case .oauth2? = plan.request.auth?.scheme { true } else { false }
  }

  /// A current token; `nil` if the request's target may not see it.
  ///
  /// - Parameter cause: Why the request that needs it is sent.
  func token(for parts: Parts, _ cause: RequestCause) async throws(FailureReason) -> Token? {
    guard let auth = plan.request.auth, case .oauth2(let oauth2) = auth.scheme else { return nil }
    let writer = CredentialPolicy.Writer(isInherited: auth.isInherited)
    guard builder.policy(for: parts.value).mayHave(writer, parts.value.origin) else {
      builder.noteWithheld([writer], parts.value.origin)
      return nil
    }
    guard let key = try tokenKey(oauth2) else { return nil }
    let request = TokenRequest(
      step: step, auth: auth, oauth2: oauth2, key: key, parts: parts.value,
      policy: builder.policy(for: parts.value), clock: context.tokens.clock)
    let token = try await context.tokens.store.token(for: key, on: context.tokens.clock) {
      refreshToken throws(FailureReason) in
      try await self.fetch(request, refreshToken, cause == .refusedToken ? .refusedToken : .first)
    }
    // Another run may have fetched it.
    if context.options.tokens != nil { context.redactor.hide(token, as: "oauth2.token") }
    return Token(key: key, value: token)
  }

  /// Asks a token endpoint for a token, and again if the step's `retry` says so. A token may be
  /// asked for twice, whatever the step's own method is.
  ///
  /// - Parameter refreshToken: Sent in place of the client's own grant.
  private func fetch(
    _ token: TokenRequest, _ refreshToken: String?, _ cause: RequestCause
  ) async throws(FailureReason) -> TokenStore.Token {
    let target = try token.target()
    var request = try token.request(refreshToken, to: target, context.usage.responseBudget(limits))
    request.clock = context.options.clock
    var asked = Parts(RequestBuilder.Parts(method: request.method, url: target))
    asked.value.isForToken = true
    let schedule = RetrySchedule(repeating: plan.request.retry)
    var attempt = AttemptCount(cause)
    while true {
      let result = await deliverForToken(request, asked, &attempt)
      let pause = retryDelay(result, schedule, attempt.spent)
      report(result, asked, attempt, pause?.duration)
      if let pause {
        try await wait(pause, before: &attempt)
        continue
      }
      switch result {
      case .success(let answer): return try token.token(from: answer)
      case .failure(.transport(let error)): throw token.described(error)
      case .failure(.failed(let failure)): throw failure
      }
    }
  }

  private func deliverForToken(
    _ request: TransportRequest, _ parts: Parts, _ attempt: inout AttemptCount
  ) async -> AttemptResult {
    var budget = timeBudget
    do throws(AttemptFailure) {
      return .success(try await deliver(request, as: parts, &budget, &attempt, mayRepeat: true))
    } catch {
      return .failure(error)
    }
  }

  /// The request with its token.
  func authorized(_ parts: Parts, _ token: Token?) -> Parts {
    guard let token, let auth = plan.request.auth else { return parts }
    var parts = parts
    parts.value.credentials[CredentialPolicy.Writer(isInherited: auth.isInherited)].headers
      .append(HeaderField("Authorization", "Bearer " + token.value))
    parts.value.token = token
    return parts
  }

  /// Whether a server that had the token refused it.
  func hasRefusedToken(_ answer: Answer, of parts: Parts) -> Bool {
    answer.response.status == 401
      && (answer.origin == parts.value.origin || builder.listedOrigins.contains(answer.origin))
  }

  /// The scopes that are there.
  private func scopes(_ oauth2: OAuth2) throws(FailureReason) -> [String] {
    var scopes: [String] = []
    for template in oauth2.scopes {
      if let scope = try builder.optional(template) { scopes.append(scope) }
    }
    return scopes
  }

  /// `nil` if a value is absent that a token needs.
  private func tokenKey(_ oauth2: OAuth2) throws(FailureReason) -> TokenStore.Key? {
    let builder = builder
    guard let clientID = try builder.required(oauth2.clientID) else { return nil }
    let secret = try builder.optional(oauth2.clientSecret)
    let refreshToken = try builder.optional(oauth2.refreshToken)
    if secret == nil, refreshToken == nil, let missing = oauth2.clientSecret ?? oauth2.refreshToken
    {
      builder.noteLeftOut(missing)
      return nil
    }
    let url: String
    do throws(ExpansionError) {
      url = try oauth2.tokenURL.value.expand(base: builder.baseURL) { unit.scope.value(of: $0) }
    } catch {
      throw FailureReason(error, in: oauth2.tokenURL)
    }
    return TokenStore.Key(
      tokenURL: try builder.resolveSandbox(url, at: oauth2.tokenURL.range),
      clientID: clientID, clientSecret: secret,
      scopes: try scopes(oauth2), refreshToken: refreshToken, clientAuth: oauth2.clientAuth,
      parameters: try parameters(oauth2))
  }

  /// The parameters that are there, as a form writes them.
  private func parameters(_ oauth2: OAuth2) throws(FailureReason) -> [String] {
    var pairs: [String] = []
    for parameter in oauth2.parameters {
      pairs += try ParameterText(parameter, unit.scope, unit.files)
        .pairs(encodedBy: FormEncoding.encode).map { $0.name + "=" + $0.value }
    }
    return pairs
  }
}
