internal import PipelineHTTPServers

/// The access tokens that `/oauth/token` has issued.
struct TokenStore {
  struct Token {
    let text: String
    let client: String
    let scope: String
    /// Monotonic nanoseconds since the server's start.
    let expiry: UInt64
  }

  private var tokens: [String: Token] = [:]
  private(set) var issued = 0

  /// A new token, never issued before.
  mutating func issue(
    client: String, scope: String, lifetime: Duration, at moment: ServerMoment
  ) -> Token {
    if tokens.count >= 10_000 { tokens = tokens.filter { $0.value.expiry > moment.sinceStart } }
    issued += 1
    let token = Token(
      text: "sandbox-access-\(issued)", client: client, scope: scope,
      expiry: moment.sinceStart + lifetime.nanoseconds)
    tokens[token.text] = token
    return token
  }

  /// Revokes one token, or all. Returns how many.
  mutating func revoke(_ text: String?) -> Int {
    guard let text else {
      defer { tokens.removeAll() }
      return tokens.count
    }
    return tokens.removeValue(forKey: text) == nil ? 0 : 1
  }

  func current(_ text: String, at moment: ServerMoment) -> Token? {
    tokens[text].flatMap { $0.expiry > moment.sinceStart ? $0 : nil }
  }

  func currentCount(at moment: ServerMoment) -> Int {
    tokens.values.filter { $0.expiry > moment.sinceStart }.count
  }

  /// `nil` if the request bears a current token or a login's; else the 401 to send (RFC 6750 §3).
  func refusal(of request: ServerRequest) -> ServerResponse? {
    guard let bearer = AuthorizationField(request)?.bearer else {
      return Self.unauthorized("a bearer token is needed", "Bearer realm=\"sandbox\"")
    }
    if bearer == ReqresAPI.loginToken || current(bearer, at: request.moment) != nil { return nil }
    return Self.unauthorized(
      "the token is unknown, revoked or expired",
      "Bearer realm=\"sandbox\", error=\"invalid_token\"")
  }

  static func unauthorized(_ message: String, _ challenge: String) -> ServerResponse {
    .failure(401, message, [ServerResponse.Field("WWW-Authenticate", challenge)])
  }
}
