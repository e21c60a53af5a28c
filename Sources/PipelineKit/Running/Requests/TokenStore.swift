internal import PipelineByteText
internal import PipelineLanguage

/// The OAuth 2.0 tokens of a run, or of several. Each is fetched once, shared by all steps that
/// need it, and renewed when it expires or is refused.
actor TokenStore {
  /// The use of a token.
  struct Key: Hashable, Sendable {
    let tokenURL: String
    let clientID: String
    let clientSecret: String?
    let scopes: [String]
    let refreshToken: String?
    let clientAuth: OAuth2.ClientAuth
    /// More parameters, each as a form writes it: `audience=https%3A%2F%2Fapi.example.com`.
    let parameters: [String]

    /// Equal keys are the same bytes: another secret is another client.
    static func == (left: Key, right: Key) -> Bool {
      left.tokenURL.equals(bytes: right.tokenURL) && left.clientID.equals(bytes: right.clientID)
        && left.clientSecret.equals(bytes: right.clientSecret)
        && left.scopes.elementsEqual(right.scopes) { $0.equals(bytes: $1) }
        && left.refreshToken.equals(bytes: right.refreshToken)
        && left.clientAuth == right.clientAuth
        && left.parameters.elementsEqual(right.parameters) { $0.equals(bytes: $1) }
    }
  }

  /// A token, and until when it is good.
  struct Token: Sendable {
    let value: String
    /// On the store's clock; `nil`: until it is refused.
    let expires: Duration?
    /// The refresh token to use next time, if the server gave a new one.
    let refreshToken: String?
  }

  private enum Entry {
    case token(Token)
    case fetching([CheckedContinuation<Void, Never>])
  }

  private var entries: [Key: Entry] = [:]
  private var refreshTokens: [Key: String] = [:]

  /// The token for `key`, fetched if there is none that is still good.
  ///
  /// - Parameter fetch: Given the refresh token to use. Called by one task at a time.
  func token(
    for key: Key, on clock: any RunClock,
    fetch: @Sendable (_ refreshToken: String?) async throws(FailureReason) -> Token
  ) async throws(FailureReason) -> String {
    while true {
      switch entries[key] {
      case .token(let token):
        if token.expires.map({ clock.elapsed < $0 }) ?? true { return token.value }
        entries[key] = nil
      case .fetching:
        await wait(for: key)
      case nil:
        entries[key] = .fetching([])
        do throws(FailureReason) {
          let token = try await fetch(refreshTokens[key] ?? key.refreshToken)
          // Without a new one, the client's grant is used again (RFC 6749 §4.4.3).
          if key.refreshToken != nil, let refreshToken = token.refreshToken {
            refreshTokens[key] = refreshToken
          }
          settle(key, .token(token))
          return token.value
        } catch {
          settle(key, nil)
          throw error
        }
      }
    }
  }

  /// Forgets a token that a server refused, unless it was renewed meanwhile.
  func refuse(_ value: String, for key: Key) {
    if case .token(let token) = entries[key], token.value == value { entries[key] = nil }
  }

  /// Forgets all tokens except those that are being fetched.
  func removeAll() {
    refreshTokens = [:]
    entries = entries.filter { if case .fetching = $0.value { true } else { false } }
  }

  private func wait(for key: Key) async {
    await withCheckedContinuation { continuation in
      guard case .fetching(var waiters) = entries[key] else {
        continuation.resume()
        return
      }
      waiters.append(continuation)
      entries[key] = .fetching(waiters)
    }
  }

  private func settle(_ key: Key, _ entry: Entry?) {
    guard case .fetching(let waiters) = entries[key] else { return }
    entries[key] = entry
    for waiter in waiters { waiter.resume() }
  }
}
