/// The refresh tokens of a server that may replace each when it is used.
///
/// A token that is used although it was replaced has been stolen, by its user before or by the user
/// now. Nobody can tell which, so all tokens that came of the same login end (RFC 9700 §4.14.2).
struct TokenFamilies {
  private var current: [String: Int]
  private var spent: [String: Int] = [:]
  /// The access tokens of each family.
  private var accessTokens: [Int: [String]] = [:]
  private var begun = 1
  private var issued = 0
  /// How often a token was used that had been replaced.
  private(set) var reused = 0

  init(first: String) { current = [first: 0] }

  /// Uses a refresh token.
  ///
  /// - Returns: Its family and the refresh token to use next, unless it is no longer good. Then:
  ///   the access tokens that end with it.
  mutating func use(
    _ token: String, rotating: Bool
  ) -> (family: Int?, next: String?, revoked: [String]) {
    if let family = current[token] {
      guard rotating else { return (family, token, []) }
      current[token] = nil
      spent[token] = family
      let next = newToken()
      current[next] = family
      return (family, next, [])
    }
    guard let family = spent[token] else { return (nil, nil, []) }
    reused += 1
    return (nil, nil, end(family))
  }

  /// The first refresh token of a login.
  mutating func begin() -> (family: Int, token: String) {
    let token = newToken()
    defer { begun += 1 }
    current[token] = begun
    return (begun, token)
  }

  mutating func add(_ accessToken: String, to family: Int) {
    accessTokens[family, default: []].append(accessToken)
  }

  /// Ends all refresh tokens of a family. Returns its access tokens.
  mutating func end(_ family: Int) -> [String] {
    current = current.filter { $0.value != family }
    return accessTokens.removeValue(forKey: family) ?? []
  }

  private mutating func newToken() -> String {
    issued += 1
    return "sandbox-refresh-\(issued)"
  }
}
