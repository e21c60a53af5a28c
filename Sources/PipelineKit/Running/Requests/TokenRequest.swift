internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

/// The request for a token, and the token in its response.
struct TokenRequest {
  let step: RequestStep
  let auth: Auth
  let oauth2: OAuth2
  let key: TokenStore.Key
  /// The request that the token is for.
  let parts: RequestBuilder.Parts
  /// The readers of that request's credentials.
  let policy: CredentialPolicy
  let context: RunContext

  /// When a token is received, on the clock of all runs that share it.
  private var clock: any RunClock { context.tokens.clock }
  private var redactor: Redactor { step.redactor }

  /// Where the token is asked for.
  func target() throws(FailureReason) -> RequestURL {
    guard let url = RequestURL(key.tokenURL) else {
      throw FailureReason(
        .value, "'\(redactor.redact(key.tokenURL))' is not an http or https URL",
        at: oauth2.tokenURL.range)
    }
    return url
  }

  func described(_ error: TransportError) -> FailureReason {
    var failure = FailureReason(error, at: oauth2.tokenURL.range)
    failure.hints += step.timeHint(error)
    failure.message = "could not get a token from \(key.tokenURL): " + failure.message
    return failure
  }

  // MARK: The request

  /// The request of the grant, or that of RFC 6749 §6.
  ///
  /// - Parameters:
  ///   - refreshToken: Sent in place of the client's own grant.
  ///   - budget: The share of the run's memory that the response may take.
  func request(
    _ refreshToken: String?, to target: RequestURL, _ budget: ResponseBudget
  ) throws(FailureReason) -> TransportRequest {
    let type = refreshToken == nil ? oauth2.grant.type : OAuth2.Grant.typeOfRefresh
    var form = [(name: "grant_type", value: type)]
    if let refreshToken {
      redactor.hide(refreshToken, as: "oauth2.refreshToken")
      form.append(("refresh_token", refreshToken))
    }
    if !key.scopes.isEmpty { form.append(("scope", key.scopes.joined(separator: " "))) }
    var headers = [
      HeaderField("Content-Type", "application/x-www-form-urlencoded"),
      HeaderField("Accept", "application/json"),
    ]
    try addClient(to: &form, &headers)
    var request = TransportRequest(
      method: "POST", to: target, headers: headers, body: .none,
      timeout: step.request.timeout?.total?.value,
      connectTimeout: step.request.connectLimit, silence: step.request.silenceLimit,
      responseLimit: 1 << 20, wantsBody: true,
      connection: try connection(to: target.origin), budget: budget)
    request.clock = context.options.clock
    let pairs =
      form.map { FormEncoding.encode($0.name) + "=" + FormEncoding.encode($0.value) }
      + (try TokenParameters(oauth2, of: step).pairs(for: request, context))
    request.body = .bytes(Array(pairs.joined(separator: "&").utf8))
    return request
  }

  /// Adds what says and proves who the client is.
  private func addClient(
    to form: inout [(name: String, value: String)], _ headers: inout [HeaderField]
  ) throws(FailureReason) {
    let clientID = key.clientID ?? ""
    switch oauth2.clientAuth {
    case .basic, .post, .clientSecretJWT:
      guard let secret = key.clientSecret else { break }
      redactor.hide(secret, as: "oauth2.clientSecret")
      switch oauth2.clientAuth {
      case .post:
        redactor.hide(FormEncoding.encode(secret), as: "oauth2.clientSecret")
        form += [("client_id", clientID), ("client_secret", secret)]
      case .clientSecretJWT:
        try addAssertion(.hs256, keyID: nil, .secret(Array(secret.utf8)), to: &form)
      case .basic, .privateKeyJWT:
        // RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
        let pair = FormEncoding.encode(clientID) + ":" + FormEncoding.encode(secret)
        let encoded = Base64.encode(Array(pair.utf8))
        redactor.hide(encoded, as: "oauth2.client")
        headers.append(HeaderField("Authorization", "Basic " + encoded))
      }
      return
    case .privateKeyJWT(let written):
      guard let key = key.clientKey else { break }
      try addAssertion(written.algorithm, keyID: key.keyID, .pem(key.pem), to: &form)
      return
    }
    if let clientID = key.clientID { form.append(("client_id", clientID)) }
  }

  /// How long the proof of a client is good for.
  private static let assertionLifetime = 300

  /// RFC 7523 §2.2 and §3. Made for each request: it may be used once, and not for long.
  private func addAssertion(
    _ algorithm: TokenAlgorithm, keyID: String?, _ signingKey: SignedToken.Key,
    to form: inout [(name: String, value: String)]
  ) throws(FailureReason) {
    let clientID = key.clientID ?? ""
    let now = Int(context.options.clock.wallTime.rounded(.down))
    var claims = JSONWriter(style: .compact)
    claims.beginObject()
    claims.member("iss", clientID)
    claims.member("sub", clientID)
    claims.member("aud", key.tokenURL)
    claims.member("jti", context.randomID())
    claims.member("iat", now)
    claims.member("exp", now + Self.assertionLifetime)
    claims.endObject()
    let assertion: String
    do throws(SignedToken.Problem) {
      assertion = try SignedToken.text(
        claims: claims.bytes, algorithm, keyID: keyID, signingKey)
    } catch {
      let place = oauth2.clientAuth.key?.key.range ?? oauth2.tokenURL.range
      throw FailureReason(
        .value, "the client's assertion cannot be signed: " + error.message, at: place)
    }
    redactor.hide(assertion, as: "oauth2.assertion")
    form += [
      ("client_id", clientID),
      ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
      ("client_assertion", assertion),
    ]
  }

  /// The client's secret goes only to a place that the author, or a run's input, names.
  private func connection(to origin: Origin) throws(FailureReason) -> ConnectionSettings {
    var policy = policy
    let isWritten = !step.unit.foreign.contains(.tokenURL)
    guard isWritten || policy.listed.contains(origin) else {
      throw FailureReason.credentials(to: origin, at: oauth2.tokenURL.range)
    }
    // The certificate that a step writes beside its `oauth2` is for this endpoint, too (RFC 8705).
    if isWritten, !auth.isInherited { policy.own = origin }
    var settings = ConnectionSettings()
    settings.caFile = parts.connection.caFile
    settings.proxy = parts.connection.proxy
    let hasCertificate =
      parts.credentials.own.hasCertificate && policy.mayHave(.step, origin)
      || parts.credentials.inherited.hasCertificate && policy.mayHave(.defaults, origin)
    if hasCertificate {
      settings.certificateFile = parts.connection.certificateFile
      settings.keyFile = parts.connection.keyFile
    }
    return settings
  }

  // MARK: The answer

  /// Why a server gave no token.
  enum Failure: Error {
    /// The grant is no longer good: it was used before, revoked, or is too old (RFC 6749 §5.2).
    case grantRefused(FailureReason)
    case other(FailureReason)

    var reason: FailureReason {
      switch self {
      case .grantRefused(let reason), .other(let reason): reason
      }
    }
  }

  /// RFC 6749 §5.
  func token(from answer: RequestRun.Answer) throws(Failure) -> TokenStore.Token {
    let body = answer.body(isRead: true)
    let status = answer.response.status
    guard status == 200, let token = body.json?["access_token"]?.string else {
      let code = body.json?["error"]?.string
      let reason = body.json?["error_description"]?.string ?? code
      let failure = FailureReason(
        .status,
        "could not get a token from \(key.tokenURL): answered \(HTTPStatus.text(status))"
          + (reason.map { ": " + $0 } ?? ""), at: oauth2.tokenURL.range, status: status,
        excerpt: body.excerpt(redactor))
      throw code == "invalid_grant" && status < 500 ? .grantRefused(failure) : .other(failure)
    }
    redactor.hide(token, as: "oauth2.token")
    let refreshToken = body.json?["refresh_token"]?.string
    if let refreshToken { redactor.hide(refreshToken, as: "oauth2.refreshToken") }
    return TokenStore.Token(
      value: token, expires: body.json?["expires_in"].flatMap(expiry), refreshToken: refreshToken)
  }

  /// Given up a little early, so that it does not expire on its way.
  private func expiry(_ lifetime: JSONNode) -> Duration? {
    // Some servers send the number as a text. More than a hundred years is not accepted.
    guard let seconds = lifetime.number?.double ?? lifetime.string.flatMap(Double.init),
      seconds < 100 * 365 * 86_400
    else { return nil }
    return clock.elapsed + .seconds(max(0, seconds - min(30, seconds / 10)))
  }
}
