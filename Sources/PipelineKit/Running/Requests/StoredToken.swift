internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineURIs

/// A token of a login that is kept between runs.
///
/// A server that rotates refresh tokens takes each of them once. So one process at a time renews a
/// login, and what it was given is on the disk before it is used:
///
///     take ── good access token ──────────────► used
///      │
///      └─ refresh ── new tokens ── keep ──────► used
///            │
///            └─ refused ── the one before ── refused ── keep as refused ──► fails
///
/// A login that was refused is not tried again. Whoever is killed between the answer and `keep` has
/// lost the new refresh token: the next run tries the old one, and then one of the two ends follows.
struct StoredToken: Sendable {
  let key: TokenStore.Key
  let oauth2: OAuth2
  let context: RunContext
  let store: any LoginStore
  /// The refresh token that the workflow gives.
  let given: String
  /// Asks the server.
  let fetch:
    @Sendable (_ refreshToken: String) async throws(TokenRequest.Failure)
      -> TokenStore.Token

  /// The current token of the login.
  ///
  /// - Parameter refused: The last token that a server refused.
  func token(refused: String?) async throws(FailureReason) -> TokenStore.Token {
    let taken: any TakenLogin
    do {
      taken = try await store.take(id)
    } catch let problem as LoginProblem {
      throw failure(.file, problem.message)
    } catch {
      throw FailureReason(.cancelled, "the run stopped")
    }
    defer { taken.giveBack() }
    let login = taken.login
    if let login { try check(login) }
    if let access = login?.access, let token = current(access, refused) { return token }
    // A run that is stopped now still keeps what the server answers.
    let grace = Grace(clock: context.options.clock)
    let result: Result<TokenStore.Token, FailureReason> = await grace.guarding(on: nil) {
      guard grace.hold() else { return .failure(FailureReason(.cancelled, "the run stopped")) }
      defer { grace.release() }
      do throws(FailureReason) {
        return .success(try await renew(login, taken))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Fetches a token, and keeps what renews it before anybody uses it.
  private func renew(
    _ login: Login?, _ taken: any TakenLogin
  ) async throws(FailureReason) -> TokenStore.Token {
    var used = login?.refreshToken ?? given
    let token: TokenStore.Token
    do throws(TokenRequest.Failure) {
      do throws(TokenRequest.Failure) {
        token = try await fetch(used)
      } catch {
        guard case .grantRefused = error, let previous = login?.previous else { throw error }
        used = previous
        token = try await fetch(previous)
      }
    } catch {
      guard case .grantRefused(var reason) = error else { throw error.reason }
      guard var login else {
        reason.hints.append("the refresh token is not good any more; log in again at the server")
        throw reason
      }
      login.isRefused = true
      login.changed = context.options.clock.wallTime
      try keep(login, taken)
      throw isRefused
    }
    let next = token.refreshToken ?? used
    // A refresh token that stays the same needs no place of its own.
    if login == nil, next.equals(bytes: given) { return token }
    var kept =
      login
      ?? Login(
        id: id, tokenURL: key.tokenURL, clientID: key.clientID ?? "", scopes: key.scopes,
        refreshToken: nil, changed: 0)
    kept.previous = next.equals(bytes: used) ? nil : used
    kept.refreshToken = next
    kept.access = Login.Access(
      token: token.value,
      expires: token.expires.map { expiry in
        context.options.clock.wallTime + (expiry - context.tokens.clock.elapsed).seconds
      }, use: use)
    kept.isRefused = false
    kept.changed = context.options.clock.wallTime
    try keep(kept, taken)
    return token
  }

  private func keep(_ login: Login, _ taken: any TakenLogin) throws(FailureReason) {
    do throws(LoginProblem) {
      try taken.keep(login)
    } catch {
      throw failure(.file, error.message)
    }
  }

  /// The token that another run has fetched, if it is still good.
  private func current(_ access: Login.Access, _ refused: String?) -> TokenStore.Token? {
    guard access.use.equals(bytes: use), !access.token.equals(bytes: refused ?? "") else {
      return nil
    }
    context.redactor.hide(access.token, as: "oauth2.token")
    guard let expires = access.expires else {
      return TokenStore.Token(value: access.token, expires: nil, refreshToken: nil)
    }
    let left = expires - context.options.clock.wallTime
    guard left > 0 else { return nil }
    return TokenStore.Token(
      value: access.token, expires: context.tokens.clock.elapsed + .seconds(left),
      refreshToken: nil)
  }

  // MARK: Which login it is

  private var id: Login.ID {
    let origin = Origin(of: key.tokenURL)?.description
    return Login.ID(
      name: key.credential ?? [origin, key.clientID].compactMap(\.self).joined(separator: " "),
      seed: Login.ID.seed(of: given))
  }

  /// What an access token is good for.
  private var use: String {
    let text = (key.scopes + [""] + key.parameters).map { "\($0.utf8.count):\($0)" }.joined()
    return Hexadecimal.encode(SHA256.hash(Array(text.utf8)).prefix(16))
  }

  // MARK: Failures

  /// Refresh tokens go only to the server and the client that they were given by and for.
  private func check(_ login: Login) throws(FailureReason) {
    guard login.tokenURL.equals(bytes: key.tokenURL),
      login.clientID.equals(bytes: key.clientID ?? "")
    else {
      throw failure(
        .value,
        "the login '\(id.name)' is one of the client '\(login.clientID)' at \(login.tokenURL), and"
          + " not of '\(key.clientID ?? "")' at \(key.tokenURL); give this one another 'credential'"
      )
    }
    if login.isRefused { throw isRefused }
  }

  private var isRefused: FailureReason {
    failure(
      .value,
      "\(key.tokenURL) no longer takes the refresh token of the login '\(id.name)', nor the one before;"
        + " log in again at the server, and give the run its new refresh token")
  }

  private func failure(_ kind: FailureReason.Kind, _ message: String) -> FailureReason {
    FailureReason(kind, message, at: (oauth2.refreshToken ?? oauth2.credential)?.range)
  }
}
