/// The OAuth 2.0 tokens that several runs share: each is fetched once, and renewed when it expires or
/// is refused.
///
/// Tokens belong to the client and the token endpoint that a step names. They are kept in memory.
public final class SharedTokens: Sendable {
  let store = TokenStore()
  /// On which tokens expire.
  let clock: any RunClock

  /// - Parameter clock: On which tokens expire: that of the runs.
  public init(clock: any RunClock = SystemClock()) {
    self.clock = clock
  }

  /// Forgets all tokens, such as when a user signs out.
  public func removeAll() async { await store.removeAll() }
}
