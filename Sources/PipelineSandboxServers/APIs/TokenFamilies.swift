internal import PipelineByteText

/// The refresh tokens of a server that may replace each when it is used.
///
/// A token that is used although it was replaced has been stolen, by its user before or by the user
/// now. The server cannot tell which, so all tokens of the same login end (RFC 9700 §4.14.2).
struct TokenFamilies {
  private var current: [String: Int]
  private var spent: [String: Int] = [:]
  /// The access tokens of each family.
  private var accessTokens: [Int: [String]] = [:]
  private var begun = 1
  private var issued = 0
  /// The families of logins by their numbers, which are in their refresh tokens.
  private var logins: [Int: Int] = [:]
  /// The number of uses of tokens that had been replaced.
  private(set) var reused = 0

  init(first: String) { current = [first: 0] }

  /// Uses a refresh token.
  ///
  /// - Returns: Its family and the refresh token to use next, unless it is no longer good. Then:
  ///   the access tokens that end with it.
  mutating func use(
    _ token: String, rotating: Bool
  ) -> (family: Int?, next: String?, revoked: [String]) {
    adopt(token)
    if let family = current[token] {
      guard rotating else { return (family, token, []) }
      current[token] = nil
      spent[token] = family
      let next = Self.place(of: token).map { Self.token($0.login, $0.number + 1) } ?? newToken()
      current[next] = family
      return (family, next, [])
    }
    guard let family = spent[token] else { return (nil, nil, []) }
    reused += 1
    return (nil, nil, end(family))
  }

  /// The first refresh token of a login.
  mutating func begin() -> (family: Int, token: String) {
    let login = (1...).first { logins[$0] == nil } ?? 0
    let token = Self.token(login, 1)
    return (begin(login, with: token), token)
  }

  private mutating func begin(_ login: Int, with token: String) -> Int {
    defer { begun += 1 }
    logins[login] = begun
    current[token] = begun
    return begun
  }

  /// A person's login outlives the sandbox: a token of one that another sandbox gave is good here,
  /// too.
  private mutating func adopt(_ token: String) {
    guard let place = Self.place(of: token), logins[place.login] == nil else { return }
    _ = begin(place.login, with: token)
  }

  private static func token(_ login: Int, _ number: Int) -> String {
    "sandbox-refresh-\(login).\(number)"
  }

  /// The login and the number of a refresh token that a person's login gave.
  private static func place(of token: String) -> (login: Int, number: Int)? {
    guard token.hasPrefix(bytes: "sandbox-refresh-") else { return nil }
    let numbers = token.dropFirst(bytes: "sandbox-refresh-".utf8.count).split(ascii: ".")
    guard numbers.count == 2, let login = Int(numbers[0]), let number = Int(numbers[1]),
      login > 0, login < 1_000_000, number > 0, number < 1_000_000_000
    else { return nil }
    return (login, number)
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
