internal import PipelineByteText

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
/// A login that was refused is not tried again. A process that is killed between the answer and
/// `keep` loses the new refresh token: the next run tries the old one, and then one of the two ends
/// follows.
struct StoredToken: Sendable {
  let claim: LoginClaim
  let context: RunContext
  let store: any LoginStore
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
      taken = try await store.take(claim.id)
    } catch let problem as LoginProblem {
      throw claim.failure(problem.message, .file)
    } catch {
      throw FailureReason(.cancelled, "the run stopped")
    }
    defer { taken.giveBack() }
    let login = taken.login
    // A login without a refresh token is good for as long as its access token is.
    if let problem = claim.problem(with: login) { throw problem }
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
    guard var used = login?.refreshToken ?? (claim.isByPerson ? nil : claim.key.refreshToken) else {
      throw claim.ended
    }
    let token: TokenStore.Token
    do throws(TokenRequest.Failure) {
      do throws(TokenRequest.Failure) {
        token = try await fetch(used)
      } catch {
        guard error.isOfGrant, let previous = login?.previous else { throw error }
        used = previous
        token = try await fetch(previous)
      }
    } catch {
      guard error.isOfGrant else { throw error.reason }
      guard var login else {
        var reason = error.reason
        reason.hints.append("the refresh token is not good any more; log in again at the server")
        throw reason
      }
      login.isRefused = true
      login.changed = context.options.clock.wallTime
      try keep(login, taken)
      throw claim.refused
    }
    let next = token.refreshToken ?? used
    // A refresh token that stays the same needs no place of its own.
    if login == nil, next.equals(bytes: used) { return token }
    var kept =
      login
      ?? Login(
        id: claim.id, tokenURL: claim.tokenURL, clientID: claim.key.clientID ?? "",
        scopes: claim.key.scopes, refreshToken: nil, changed: 0)
    kept.previous = next.equals(bytes: used) ? nil : used
    kept.refreshToken = next
    kept.access = token.access(for: claim, on: context)
    kept.isRefused = false
    kept.changed = context.options.clock.wallTime
    try keep(kept, taken)
    return token
  }

  private func keep(_ login: Login, _ taken: any TakenLogin) throws(FailureReason) {
    do throws(LoginProblem) {
      try taken.keep(login)
    } catch {
      throw claim.failure(error.message, .file)
    }
  }

  /// The token that another run has fetched, if it is still good.
  private func current(_ access: Login.Access, _ refused: String?) -> TokenStore.Token? {
    // The sandbox of an earlier run has ended with its access tokens.
    guard !claim.isOfSandbox, access.use.equals(bytes: claim.use),
      !access.token.equals(bytes: refused ?? "")
    else {
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
}

extension TokenStore.Token {
  /// The token as it is kept.
  func access(for claim: LoginClaim, on context: RunContext) -> Login.Access {
    Login.Access(
      token: value,
      expires: expires.map { expiry in
        context.options.clock.wallTime + (expiry - context.tokens.clock.elapsed).seconds
      }, use: claim.use)
  }
}
