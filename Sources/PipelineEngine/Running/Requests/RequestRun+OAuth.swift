internal import PipelineByteText
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
      policy: builder.policy(for: parts.value), context: context)
    let cause = cause == .refusedToken ? RequestCause.refusedToken : .first
    let token = try await context.tokens.store.token(for: key, on: context.tokens.clock) {
      refreshToken, refused throws(FailureReason) in
      let claim = LoginClaim(key: key, oauth2: oauth2, options: context.options)
      if claim.isByPerson, context.carrier.isStandIn { return standIn }
      if let store = try loginStore(for: claim) {
        let stored = StoredToken(claim: claim, context: context, store: store) {
          refreshToken throws(TokenRequest.Failure) in
          try await self.fetch(request, .refresh(refreshToken), cause)
        }
        return try await stored.token(refused: refused)
      }
      do throws(TokenRequest.Failure) {
        return try await self.fetch(request, refreshToken.map { .refresh($0) } ?? .grant, cause)
      } catch {
        throw error.reason
      }
    }
    // Another run may have fetched it.
    if context.options.tokens != nil { context.redactor.hide(token, as: "oauth2.token") }
    return Token(key: key, value: token)
  }

  /// The token of a login where nothing is sent to a server: in a test, or in a replay, whose
  /// recording may have a token that another run had fetched.
  private var standIn: TokenStore.Token {
    let value = "standin-for-login"
    context.redactor.hide(value, as: "oauth2.token")
    return TokenStore.Token(value: value, expires: nil, refreshToken: nil)
  }

  /// Where the login of a token is kept; `nil` if the token needs none, or the server does not
  /// outlive the run either.
  private func loginStore(for claim: LoginClaim) throws(FailureReason) -> (any LoginStore)? {
    if claim.isByPerson {
      guard let store = context.options.logins else { throw claim.needsStore }
      return store
    }
    return claim.isOfSandbox || claim.key.refreshToken == nil ? nil : context.options.logins
  }

  /// Asks a token endpoint for a token, and again if the step's `retry` says so. A token may be
  /// asked for twice, whatever the step's own method is.
  ///
  /// - Parameter basis: What the server is given.
  private func fetch(
    _ token: TokenRequest, _ basis: TokenRequest.Basis, _ cause: RequestCause
  ) async throws(TokenRequest.Failure) -> TokenStore.Token {
    try token.token(from: try await answer(to: token, basis, cause))
  }

  /// The answer of an authorization server.
  func answer(
    to token: TokenRequest, _ basis: TokenRequest.Basis, _ cause: RequestCause
  ) async throws(TokenRequest.Failure) -> Answer {
    let schedule = RetrySchedule(repeating: plan.request.retry)
    var attempt = AttemptCount(cause)
    while true {
      let (request, asked) = try prepared(token, basis)
      let result = await deliverForToken(
        request, asked, &attempt, mayRepeat: basis.mayRepeat)
      let pause = basis.mayRepeat ? retryDelay(result, schedule, attempt.spent) : nil
      report(result, asked, attempt, pause?.duration)
      if let pause {
        do throws(FailureReason) {
          try await wait(pause, before: &attempt)
        } catch {
          throw TokenRequest.Failure(error)
        }
        continue
      }
      switch result {
      case .success(let answer): return answer
      case .failure(.transport(let error)): throw TokenRequest.Failure(token.described(error))
      case .failure(.failed(let failure)): throw TokenRequest.Failure(failure)
      }
    }
  }

  /// The request for a token, and its parts. It is made again for each attempt, because an
  /// assertion in it may be used only once.
  private func prepared(
    _ token: TokenRequest, _ basis: TokenRequest.Basis
  ) throws(TokenRequest.Failure) -> (TransportRequest, Parts) {
    do throws(FailureReason) {
      let target = try token.target(of: basis)
      let request = try token.request(
        basis, to: target, context.usage.responseBudget(limits))
      var asked = Parts(RequestBuilder.Parts(method: request.method, url: target))
      asked.value.isForToken = true
      return (request, asked)
    } catch {
      throw TokenRequest.Failure(error)
    }
  }

  private func deliverForToken(
    _ request: TransportRequest, _ parts: Parts, _ attempt: inout AttemptCount, mayRepeat: Bool
  ) async -> AttemptResult {
    var budget = timeBudget
    do throws(AttemptFailure) {
      return .success(
        try await deliver(request, as: parts, &budget, &attempt, mayRepeat: mayRepeat))
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
  func tokenKey(_ oauth2: OAuth2) throws(FailureReason) -> TokenStore.Key? {
    let builder = builder
    var clientID: String?
    if let written = oauth2.clientID {
      guard let text = try builder.required(written) else { return nil }
      clientID = text
    }
    var clientKey: (String, String?)?
    if let written = oauth2.clientAuth.key {
      guard let pem = try builder.pem(written.key) else { return nil }
      clientKey = (pem, try builder.optional(written.keyID))
    }
    let secret = try builder.optional(oauth2.clientSecret)
    let refreshToken = try builder.optional(oauth2.refreshToken)
    if secret == nil, refreshToken == nil, clientKey == nil, !oauth2.grant.isByPerson,
      let missing = oauth2.clientSecret ?? oauth2.refreshToken
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
      grant: oauth2.grant, tokenURL: try builder.resolveSandbox(url, at: oauth2.tokenURL.range),
      clientID: clientID, clientSecret: secret, clientKey: clientKey,
      clientAuth: oauth2.clientAuth, scopes: try scopes(oauth2), refreshToken: refreshToken,
      credential: try builder.optional(oauth2.credential),
      parameters: try TokenParameters(oauth2, of: step).identity())
  }
}
