internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineJSONText

/// `/oauth`: an authorization server (RFC 6749) that gives tokens of any lifetime.
enum OAuthAPI {
  /// A client with a secret.
  static let client = (id: "sandbox-client", secret: "sandbox-secret")
  /// A client on a person's machine, which has none.
  static let app = "sandbox-app"
  /// The refresh token there is from the start.
  static let firstRefreshToken = "sandbox-refresh-0"

  struct State {
    var families = TokenFamilies(first: OAuthAPI.firstRefreshToken)
    var logins = PersonLogins()
    var issuedByGrant: [Grant: Int] = [:]
    /// The ids of assertions, each of which is good once.
    var assertions: Set<String> = []
  }

  enum Grant: String, CaseIterable {
    case clientCredentials = "client_credentials"
    case refreshToken = "refresh_token"
    case authorizationCode = "authorization_code"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
  }

  static let routes = [
    Route(
      "POST", "/oauth/token",
      "an access token: ?lifetime=3600 in seconds, ?rotate=1 replaces refresh tokens"
    ) { state, request, _ in
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
    Route("GET", "/oauth/records", "the pages of /pages/link; 401 without a current token") {
      state, request, _ in
      let bearer = AuthorizationField(request)?.bearer
      return bearer.flatMap { state.tokens.current($0, at: request.moment) } == nil
        ? me(request, state.tokens) : PagesAPI.link(request)
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
    Route("GET", "/oauth/authorize", "a login in a browser: allowed at once, ?decision=deny") {
      state, request, _ in
      state.oauth.logins.authorize(request)
    },
    Route(
      "POST", "/oauth/device", "a login by a code: ?polls=1 until it is allowed, ?decision=deny"
    ) { state, request, _ in
      state.oauth.logins.begin(request)
    },
    Route("GET", "/oauth/device", "what a person opens for a login by a code") { _, _, _ in
      .bytes(
        Array("The sandbox allows this login by itself.\n".utf8),
        type: "text/plain; charset=utf-8")
    },
  ]

  /// What a grant gives.
  struct Granted {
    var client: String
    var scope: String
    /// The chain of refresh tokens; `nil` if there is no refresh token.
    var family: Int?
    var refreshToken: String?
    var isExchanged = false
  }

  /// The code of an error of RFC 6749 §5.2.
  struct Refusal: Error {
    var status = 400
    let code: String
    var fields: [ServerResponse.Field] = []

    init(_ code: String, status: Int = 400, _ fields: [ServerResponse.Field] = []) {
      (self.status, self.code, self.fields) = (status, code, fields)
    }
  }

  private static func token(_ request: ServerRequest, _ state: inout SandboxState) -> ServerResponse
  {
    do throws(Refusal) {
      let form = String(decoding: request.body, as: UTF8.self)
      guard let name = FormText.first("grant_type", in: form) else {
        _ = try client(of: request, form, &state)
        throw Refusal("invalid_request")
      }
      guard let grant = Grant(rawValue: name) else {
        _ = try client(of: request, form, &state)
        throw Refusal("unsupported_grant_type")
      }
      let granted = try granted(grant, request, form, &state)
      let lifetime = request.query("lifetime").flatMap { Double($0) } ?? 3600
      guard (0...1e9).contains(lifetime) else { throw Refusal("invalid_request") }
      state.oauth.issuedByGrant[grant, default: 0] += 1
      let token = state.tokens.issue(
        client: granted.client, scope: granted.scope, lifetime: .seconds(1) * lifetime,
        at: request.moment)
      if let family = granted.family { state.oauth.families.add(token.text, to: family) }
      return answer(token, lifetime: lifetime, granted)
    } catch {
      return .failure(error.status, error.code, error.fields)
    }
  }

  private static func granted(
    _ grant: Grant, _ request: ServerRequest, _ form: String, _ state: inout SandboxState
  ) throws(Refusal) -> Granted {
    let scope = FormText.first("scope", in: form) ?? ""
    switch grant {
    case .clientCredentials:
      let client = try client(of: request, form, &state)
      guard client != app else { throw Refusal("unauthorized_client") }
      return Granted(client: client, scope: scope)
    case .refreshToken:
      let client = try client(of: request, form, &state)
      let given = FormText.first("refresh_token", in: form) ?? ""
      let (family, next, revoked) = state.oauth.families.use(
        given, rotating: request.query("rotate") == "1")
      for token in revoked { _ = state.tokens.revoke(token) }
      guard let family, let next else { throw Refusal("invalid_grant") }
      return Granted(client: client, scope: scope, family: family, refreshToken: next)
    case .authorizationCode, .deviceCode:
      let client = try client(of: request, form, &state)
      let login =
        grant == .authorizationCode
        ? try state.oauth.logins.redeem(form, of: client, &state.oauth.families)
        : try state.oauth.logins.poll(form, of: client, at: request.moment)
      let (family, token) = state.oauth.families.begin()
      if let code = login.code { state.oauth.logins.note(code, family) }
      return Granted(client: client, scope: login.scope, family: family, refreshToken: token)
    case .jwtBearer:
      let claims = try claims(FormText.first("assertion", in: form), "invalid_grant")
      guard claims["exp"]?.number != nil, claims["aud"]?.string != nil else {
        throw Refusal("invalid_grant")
      }
      return Granted(client: claims["sub"]?.string ?? client.id, scope: scope)
    case .tokenExchange:
      let given = FormText.first("subject_token", in: form) ?? ""
      guard let type = FormText.first("subject_token_type", in: form),
        type == "urn:ietf:params:oauth:token-type:access_token"
      else { throw Refusal("invalid_request") }
      guard let token = state.tokens.current(given, at: request.moment) else {
        throw Refusal("invalid_grant")
      }
      return Granted(client: token.client, scope: scope, isExchanged: true)
    }
  }

  /// The claims of a token that the client has signed with its secret (HS256 of RFC 7518).
  private static func claims(_ token: String?, _ code: String) throws(Refusal) -> JSONNode {
    let parts = (token ?? "").split(ascii: ".").map(String.init)
    guard parts.count == 3,
      case let mac = DigestAlgorithm.sha256.hmac(
        Array("\(parts[0]).\(parts[1])".utf8), key: Array(client.secret.utf8)),
      parts[2].equals(bytes: Base64.encodeForURLs(mac)),
      let claims = Base64.decode(inAnyForm: parts[1]).flatMap({ try? JSONDocument.parse($0).root }),
      claims["iss"]?.string == client.id
    else { throw Refusal(code, status: code == "invalid_client" ? 401 : 400) }
    return claims
  }

  /// A token for an app that has signed its own (RFC 7519).
  private static func install(
    _ request: ServerRequest, _ id: String, _ state: inout SandboxState
  ) -> ServerResponse {
    guard let claims = try? claims(AuthorizationField(request)?.bearer, "invalid_token"),
      claims["exp"]?.number != nil
    else { return .failure(401, "invalid_token") }
    let token = state.tokens.issue(
      client: "\(client.id) at \(id)", scope: "", lifetime: .seconds(3600), at: request.moment)
    return .object(201) { $0.member("token", token.text) }
  }

  private static func answer(
    _ token: TokenStore.Token, lifetime: Double, _ granted: Granted
  ) -> ServerResponse {
    .object(200, [ServerResponse.Field("Cache-Control", "no-store")]) { writer in
      writer.member("access_token", token.text)
      writer.member("token_type", "Bearer")
      let isWhole = lifetime == lifetime.rounded()
      writer.member("expires_in", digits: isWhole ? "\(Int(lifetime))" : "\(lifetime)")
      if let refresh = granted.refreshToken { writer.member("refresh_token", refresh) }
      if !token.scope.isEmpty { writer.member("scope", token.scope) }
      if granted.isExchanged {
        writer.member("issued_token_type", "urn:ietf:params:oauth:token-type:access_token")
      }
    }
  }

  /// The client of a request. It names itself in the Authorization field, in the form (RFC 6749
  /// §2.3.1), or with a token that it has signed (RFC 7523 §2.2).
  private static func client(
    of request: ServerRequest, _ form: String, _ state: inout SandboxState
  ) throws(Refusal) -> String {
    if let basic = AuthorizationField(request)?.basic {
      let id = FormText.decode(Substring(basic.user).utf8, plus: .space)
      let secret = FormText.decode(Substring(basic.password).utf8, plus: .space)
      if (id, secret) == client { return id }
      throw Refusal(
        "invalid_client", status: 401,
        [ServerResponse.Field("WWW-Authenticate", "Basic realm=\"oauth\"")])
    }
    if let assertion = FormText.first("client_assertion", in: form) {
      let claims = try claims(assertion, "invalid_client")
      guard claims["sub"]?.string == client.id, claims["exp"]?.number != nil,
        claims["aud"]?.string?.contains(bytes: "/oauth/token") == true,
        let id = claims["jti"]?.string, state.oauth.assertions.insert(id).inserted
      else { throw Refusal("invalid_client", status: 401) }
      return client.id
    }
    let id = FormText.first("client_id", in: form)
    let secret = FormText.first("client_secret", in: form)
    if id == app, secret == nil { return app }
    guard (id, secret) == (client.id, client.secret) else {
      throw Refusal("invalid_client", status: 401)
    }
    return client.id
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
        let name = grant.rawValue.split(ascii: ":").last.map(String.init) ?? grant.rawValue
        writer.member(name, state.oauth.issuedByGrant[grant] ?? 0)
      }
      writer.member("reused", state.oauth.families.reused)
      writer.member("current", state.tokens.currentCount(at: request.moment))
    }
  }
}
