internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/oauth`: client credentials and refresh tokens (RFC 6749 §§4.4, 6), tokens of any lifetime.
enum OAuthAPI {
  static let client = (id: "sandbox-client", secret: "sandbox-secret")
  /// The refresh token there is from the start.
  static let firstRefreshToken = "sandbox-refresh-0"

  struct State {
    var refreshTokens: Set<String> = [OAuthAPI.firstRefreshToken]
    var rotated = 0
    var issuedByGrant: [Grant: Int] = [:]
  }

  enum Grant: String, CaseIterable {
    case clientCredentials = "client_credentials"
    case refreshToken = "refresh_token"
  }

  static let routes = [
    Route("POST", "/oauth/token", "an access token: ?lifetime=3600 in seconds, ?rotate=1") {
      state, request, _ in
      token(request, &state)
    },
    Route("POST", "/oauth/installations/{id}", "a token for an app's JWT, signed with HS256") {
      state, request, values in
      install(request, values[0], &state)
    },
    Route("GET", "/oauth/me", "whose token it is; 401 without a current one") {
      state, request, _ in
      me(request, state.tokens)
    },
    Route("POST", "/oauth/revoke", "revokes the form's token, or without one all of them") {
      state, request, _ in
      let named = FormText.first("token", in: String(decoding: request.body, as: UTF8.self))
      let count = state.tokens.revoke(named)
      return .object { $0.member("revoked", count) }
    },
    Route("GET", "/oauth/stats", "how many tokens were issued and are current") {
      state, request, _ in
      stats(request, state)
    },
  ]

  private static func token(_ request: ServerRequest, _ state: inout SandboxState) -> ServerResponse
  {
    let form = String(decoding: request.body, as: UTF8.self)
    if let refusal = refusal(of: request, form) { return refusal }
    guard let name = FormText.first("grant_type", in: form) else {
      return error(400, "invalid_request")
    }
    guard let grant = Grant(rawValue: name) else { return error(400, "unsupported_grant_type") }
    var refresh: String?
    if grant == .refreshToken {
      guard let given = FormText.first("refresh_token", in: form),
        state.oauth.refreshTokens.contains(given)
      else { return error(400, "invalid_grant") }
      refresh = rotate(given, request, &state.oauth)
    }
    let lifetime = request.query("lifetime").flatMap { Double($0) } ?? 3600
    guard (0...1e9).contains(lifetime) else { return error(400, "invalid_request") }
    state.oauth.issuedByGrant[grant, default: 0] += 1
    let scope = FormText.first("scope", in: form) ?? ""
    let token = state.tokens.issue(
      client: client.id, scope: scope, lifetime: .seconds(1) * lifetime, at: request.moment)
    return answer(token, lifetime: lifetime, refresh: refresh)
  }

  /// A token for an app that has signed its own (RFC 7519, with HS256 of RFC 7518).
  private static func install(
    _ request: ServerRequest, _ id: String, _ state: inout SandboxState
  ) -> ServerResponse {
    let parts = (AuthorizationField(request)?.bearer ?? "").split(ascii: ".").map(String.init)
    guard parts.count == 3,
      case let mac = DigestAlgorithm.sha256.hmac(
        Array("\(parts[0]).\(parts[1])".utf8), key: Array(client.secret.utf8)),
      parts[2].equals(bytes: Base64.encodeForURLs(mac)),
      let claims = Base64.decode(inAnyForm: parts[1]).flatMap({ try? JSONDocument.parse($0).root }),
      claims["iss"]?.string == client.id, claims["exp"]?.number != nil
    else { return error(401, "invalid_token") }
    let token = state.tokens.issue(
      client: "\(client.id) at \(id)", scope: "", lifetime: .seconds(3600), at: request.moment)
    return .object(201) { $0.member("token", token.text) }
  }

  /// With `?rotate=1` the given refresh token is spent and a new one takes its place.
  private static func rotate(
    _ given: String, _ request: ServerRequest, _ state: inout State
  ) -> String {
    guard request.query("rotate") == "1" else { return given }
    state.refreshTokens.remove(given)
    state.rotated += 1
    let next = "sandbox-refresh-\(state.rotated)"
    state.refreshTokens.insert(next)
    return next
  }

  private static func answer(
    _ token: TokenStore.Token, lifetime: Double, refresh: String?
  ) -> ServerResponse {
    .object(200, [ServerResponse.Field("Cache-Control", "no-store")]) { writer in
      writer.member("access_token", token.text)
      writer.member("token_type", "Bearer")
      let isWhole = lifetime == lifetime.rounded()
      writer.member("expires_in", digits: isWhole ? "\(Int(lifetime))" : "\(lifetime)")
      if let refresh { writer.member("refresh_token", refresh) }
      if !token.scope.isEmpty { writer.member("scope", token.scope) }
    }
  }

  /// The client names itself in the Authorization field or in the form (RFC 6749 §2.3.1).
  private static func refusal(of request: ServerRequest, _ form: String) -> ServerResponse? {
    if let basic = AuthorizationField(request)?.basic {
      let id = FormText.decode(Substring(basic.user).utf8, plus: .space)
      let secret = FormText.decode(Substring(basic.password).utf8, plus: .space)
      if (id, secret) == client { return nil }
      return error(
        401, "invalid_client", [ServerResponse.Field("WWW-Authenticate", "Basic realm=\"oauth\"")])
    }
    let given = (FormText.first("client_id", in: form), FormText.first("client_secret", in: form))
    return given == (client.id, client.secret) ? nil : error(401, "invalid_client")
  }

  private static func error(
    _ status: Int, _ code: String, _ fields: [ServerResponse.Field] = []
  ) -> ServerResponse {
    .failure(status, code, fields)
  }

  private static func me(_ request: ServerRequest, _ tokens: TokenStore) -> ServerResponse {
    let bearer = AuthorizationField(request)?.bearer
    guard let token = bearer.flatMap({ tokens.current($0, at: request.moment) }) else {
      return tokens.refusal(of: request)
        ?? TokenStore.unauthorized("no token of /oauth/token", "Bearer realm=\"sandbox\"")
    }
    return .object { writer in
      writer.member("client", token.client)
      writer.member("scope", token.scope)
      writer.member("token", token.text)
    }
  }

  private static func stats(_ request: ServerRequest, _ state: SandboxState) -> ServerResponse {
    .object { writer in
      writer.member("issued", state.tokens.issued)
      for grant in Grant.allCases {
        writer.member(grant.rawValue, state.oauth.issuedByGrant[grant] ?? 0)
      }
      writer.member("current", state.tokens.currentCount(at: request.moment))
    }
  }
}
