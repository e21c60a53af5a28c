/// The access tokens that are current.
struct TokenStore {
  /// `nil` where the request bears a current token; else the 401 to send (RFC 6750 §3).
  func refusal(of request: SandboxRequest) -> Response? {
    guard let credentials = request.header("Authorization") else {
      return Self.unauthorized("a bearer token is needed", "Bearer realm=\"sandbox\"")
    }
    let parts = credentials.split(separator: " ", maxSplits: 1)
    if parts.count == 2, parts[0].lowercased() == "bearer", parts[1] == ReqresAPI.loginToken {
      return nil
    }
    return Self.unauthorized(
      "the token is unknown, revoked or expired",
      "Bearer realm=\"sandbox\", error=\"invalid_token\"")
  }

  static func unauthorized(_ message: String, _ challenge: String) -> Response {
    .failure(401, message, [Response.Field("WWW-Authenticate", challenge)])
  }
}
