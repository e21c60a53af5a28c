internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineTemplates

/// The OAuth 2.0 tokens of a run, or of several. Each is fetched once, shared by all steps that
/// need it, and renewed when it expires or is refused.
actor TokenStore {
  /// The use of a token. Equal uses share one.
  struct Key: Sendable {
    let grant: OAuth2.Grant
    let tokenURL: String
    let clientID: String?
    let clientSecret: String?
    /// The client's private key in PEM, and its name.
    let clientKey: (pem: String, keyID: String?)?
    let clientAuth: ClientAuth
    let scopes: [String]
    let refreshToken: String?
    /// The name of the login in the store, if the author gave one.
    let credential: String?
    /// What tells more parameters apart: `audience=https%3A%2F%2Fapi.example.com`.
    let parameters: [String]

    /// All that tells one use from another.
    var identity: [String?] {
      [
        grant.rawValue, tokenURL, clientID, clientSecret, clientKey?.pem, clientKey?.keyID,
        clientAuth.name, clientAuth.key?.algorithm.rawValue, refreshToken, credential,
      ] + scopes + [nil] + parameters
    }
  }

  /// A token, and until when it is good.
  struct Token: Sendable {
    let value: String
    /// On the store's clock; `nil` if it is good until it is refused.
    let expires: Duration?
    /// The refresh token to use next time, if the server gave a new one.
    let refreshToken: String?
    /// The permissions that the server gave, if it says so.
    var scope: String?
  }

  private enum Entry {
    case token(Token)
    case fetching([CheckedContinuation<Void, Never>])
  }

  private var entries: [Key: Entry] = [:]
  private var refreshTokens: [Key: String] = [:]
  private var refused: [Key: String] = [:]

  /// The token for `key`, fetched if there is none that is still good.
  ///
  /// - Parameter fetch: Given the refresh token to use, and the last token that a server refused.
  ///   Called by one task at a time.
  func token(
    for key: Key, on clock: any RunClock,
    fetch:
      @Sendable (_ refreshToken: String?, _ refused: String?) async throws(FailureReason)
      -> Token
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
          let token = try await fetch(refreshTokens[key] ?? key.refreshToken, refused[key])
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

  /// Forgets a token that a server refused, unless it was renewed in the meantime.
  func refuse(_ value: String, for key: Key) {
    refused[key] = value
    if case .token(let token) = entries[key], token.value == value { entries[key] = nil }
  }

  /// Forgets all tokens except those that are being fetched.
  func removeAll() {
    refreshTokens = [:]
    refused = [:]
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

extension TokenStore.Key: Hashable {
  /// Equal uses are the same bytes: another secret is another client.
  static func == (left: Self, right: Self) -> Bool {
    left.identity.elementsEqual(right.identity) { $0.equals(bytes: $1) }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
