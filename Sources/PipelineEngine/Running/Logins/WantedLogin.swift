internal import PipelineByteText
package import PipelineLanguage
internal import PipelineTemplates
internal import PipelinePlanning
internal import PipelineURIs

/// A login that a person makes for requests of a workflow.
package struct WantedLogin: Sendable {
  let run: RequestRun
  let claim: LoginClaim
  /// The steps that use it.
  package internal(set) var steps: [String]
  /// Whether a run is sure to need it.
  package internal(set) var isCertain: Bool

  package var name: String { claim.id.name }
  package var grant: OAuth2.Grant { claim.key.grant }
  package var tokenURL: String { claim.tokenURL }
  package var scopes: [String] { claim.key.scopes }

  /// Why a run cannot use what a store has of it; `nil` if it can, as far as is known without the
  /// server.
  package func problem(in store: any LoginStore) throws(LoginProblem) -> String? {
    claim.problem(with: try store.login(claim.id))?.message
  }

  /// What a login came to.
  package struct Granted: Sendable {
    fileprivate let token: TokenStore.Token
    /// The permissions that were requested, and that the server left out.
    package let withheld: [String]
    /// Whether it can be renewed without a person.
    package var isRenewable: Bool { token.refreshToken != nil }
  }

  // MARK: In a browser

  /// Where the browser may come back to.
  package func redirectAddress() throws(LoginProblem) -> LoopbackURL {
    guard let written = claim.oauth2.redirectURL else { return .anywhere }
    let text = try orProblem { () throws(FailureReason) in try run.builder.optional(written) }
    guard let text else { return .anywhere }
    guard let address = LoopbackURL(text) else {
      throw LoginProblem("'redirectURL' is '\(text)', and " + LoopbackURL.rule)
    }
    return address
  }

  /// Begins a login in a browser.
  ///
  /// - Parameter redirectURL: What the browser comes back to.
  package func browserLogin(redirectURL: String) throws(LoginProblem) -> BrowserLogin {
    let endpoint = try address(claim.oauth2.authorizationURL)
    var parameters = [(name: "client_id", value: claim.key.clientID ?? "")]
    if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
    let encoded = parameters.map { (name: $0.name, value: URI.percentEncode($0.value)) }
    let others = try orProblem { () throws(FailureReason) in
      try TokenParameters(claim.oauth2, of: run.step).pairsOfAddress()
    }
    return BrowserLogin(
      at: endpoint, redirectURL: redirectURL, parameters: encoded + others,
      server: [endpoint, claim.key.tokenURL].compactMap { Origin(of: $0) })
  }

  /// Gives the server the code that the browser has brought. It is sent once.
  package func redeem(
    _ code: String, of login: BrowserLogin
  ) async throws(LoginProblem) -> Granted {
    do throws(TokenRequest.Failure) {
      return granted(
        try await token(
          for: .code(code, verifier: login.proof.verifier, redirectURL: login.redirectURL)))
    } catch {
      throw LoginProblem("\(error.reason.message); \(BrowserLogin.again)")
    }
  }

  // MARK: On another device

  /// Begins a login by a code.
  package func deviceLogin() async throws(LoginProblem) -> DeviceLogin {
    let address = try address(claim.oauth2.deviceAuthorizationURL)
    do throws(TokenRequest.Failure) {
      let request = try await request()
      let answer = try request.deviceAnswer(
        try await run.answer(to: request, .beginning(at: address), .first))
      do throws(LoginProblem) {
        return try DeviceLogin(answer, from: address)
      } catch {
        throw TokenRequest.Failure(FailureReason(.value, error.message))
      }
    } catch {
      throw LoginProblem("\(error.reason.message); \(BrowserLogin.nothing)")
    }
  }

  /// Asks the server until a person has allowed the login, or until it is too late.
  ///
  /// - Parameter limit: How long a person may take; `nil` for as long as the server lets them.
  package func wait(
    for login: DeviceLogin, within limit: Duration?
  ) async throws(LoginProblem) -> Granted {
    let clock = run.context.options.clock
    let last = clock.elapsed + min(login.lifetime, limit ?? login.lifetime)
    var interval = login.interval
    var hasAsked = false
    var lost: String?
    while true {
      let left = last - clock.elapsed
      // The interval is one between two questions, so the first may come earlier.
      guard left >= interval || !hasAsked && left > .zero else {
        let end = limit.map { $0 < login.lifetime ? login.late(after: $0) : login.expired }
        throw LoginProblem(
          (end ?? login.expired).message + (lost.map { "; the last answer: " + $0 } ?? ""))
      }
      hasAsked = true
      guard (try? await clock.sleep(for: min(interval, left))) != nil else {
        throw LoginProblem("the login was given up; \(BrowserLogin.nothing)")
      }
      do throws(TokenRequest.Failure) {
        return granted(try await token(for: .device(login.deviceCode)))
      } catch {
        switch login.step(after: error) {
        case .goOn: lost = nil
        case .slowDown:
          interval += .seconds(5)
          lost = error.code == nil ? error.reason.message : nil
        case .end(let problem): throw problem
        }
      }
    }
  }

  // MARK: Keeping

  /// Keeps a login in place of the one before.
  package func keep(_ granted: Granted, in store: any LoginStore) async throws(LoginProblem) {
    let taken: any TakenLogin
    do {
      taken = try await store.take(claim.id)
    } catch let problem as LoginProblem {
      throw problem
    } catch {
      throw LoginProblem("the login was given up; \(BrowserLogin.nothing)")
    }
    defer { taken.giveBack() }
    let context = run.context
    try taken.keep(
      Login(
        id: claim.id, tokenURL: claim.tokenURL, clientID: claim.key.clientID ?? "", scopes: scopes,
        refreshToken: granted.token.refreshToken,
        access: granted.token.access(for: claim, on: context),
        changed: context.options.clock.wallTime))
  }

  /// Renews the tokens of a login that is kept, whether they are still good or not.
  package func renew(in store: any LoginStore) async throws(LoginProblem) {
    let current = try store.login(claim.id)?.access?.token
    let stored = StoredToken(claim: claim, context: run.context, store: store) {
      refreshToken throws(TokenRequest.Failure) in
      try await token(for: .refresh(refreshToken))
    }
    do throws(FailureReason) {
      _ = try await stored.token(refused: current)
    } catch {
      throw LoginProblem(error.message)
    }
  }

  // MARK: Asking

  private func request() async throws(TokenRequest.Failure) -> TokenRequest {
    guard let auth = run.plan.request.auth, let url = RequestURL(claim.key.tokenURL) else {
      throw TokenRequest.Failure(
        claim.failure("'\(claim.key.tokenURL)' is not an http or https URL"))
    }
    var parts = RequestBuilder.Parts(method: run.plan.request.method, url: url)
    // The certificate of `defaults` is for the base URL's origin.
    if run.plan.request.endpoint.value.url.isRelative, let base = run.builder.baseURL {
      parts.home = (try? run.builder.resolveSandbox(base, at: claim.oauth2.tokenURL.range))
        .flatMap { Origin(of: $0) }
    }
    do throws(FailureReason) {
      try run.builder.addConnection(to: &parts)
    } catch {
      throw TokenRequest.Failure(error)
    }
    return TokenRequest(
      step: run.step, auth: auth, oauth2: claim.oauth2, key: claim.key, parts: parts,
      policy: run.builder.policy(for: parts), context: run.context)
  }

  private func token(
    for basis: TokenRequest.Basis
  ) async throws(TokenRequest.Failure) -> TokenStore.Token {
    let request = try await request()
    return try request.token(from: try await run.answer(to: request, basis, .first))
  }

  private func granted(_ token: TokenStore.Token) -> Granted {
    let given = token.scope?.split(ascii: " ").map(String.init)
    return Granted(
      token: token,
      withheld: given.map { given in scopes.filter { !given.contains(bytes: $0) } } ?? [])
  }

  /// An endpoint of the server as a text.
  private func address(_ written: Written<URLTemplate>?) throws(LoginProblem) -> String {
    guard let written else { throw LoginProblem("there is no address for a login") }
    let builder = run.builder
    let text = try orProblem { () throws(FailureReason) in
      let text: String
      do throws(ExpansionError) {
        text = try written.value.expand(base: builder.baseURL) { run.unit.scope.value(of: $0) }
      } catch {
        throw FailureReason(error, in: written)
      }
      return try builder.resolveSandbox(text, at: written.range)
    }
    guard Origin(of: text) != nil else {
      throw LoginProblem("'\(text)' is not an http or https URL")
    }
    return text
  }

  private func orProblem<Value>(
    _ body: () throws(FailureReason) -> Value
  ) throws(LoginProblem) -> Value {
    do throws(FailureReason) {
      return try body()
    } catch {
      throw LoginProblem(error.message)
    }
  }
}
