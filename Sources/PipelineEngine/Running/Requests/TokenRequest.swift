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

  /// What the server is given for a token.
  enum Basis: Sendable {
    /// The client's own grant.
    case grant
    /// RFC 6749 §6
    case refresh(String)
    /// RFC 6749 §4.1.3, with the proof of RFC 7636 §4.5. It is good once.
    case code(String, verifier: String, redirectURL: String)
    /// RFC 8628 §3.4
    case device(String)
    /// RFC 8628 §3.1: a login begins at this address, and the answer is not a token.
    case beginning(at: String)

    /// Whether the server takes it more than once.
    var mayRepeat: Bool { if case .code = self { false } else { true } }
  }

  /// Where the token is asked for.
  func target(of basis: Basis) throws(FailureReason) -> RequestURL {
    let text = if case .beginning(let address) = basis { address } else { key.tokenURL }
    guard let url = RequestURL(text) else {
      throw FailureReason(
        .value, "'\(redactor.redact(text))' is not an http or https URL",
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

  /// The request for a token.
  ///
  /// - Parameter budget: The share of the run's memory that the response may take.
  func request(
    _ basis: Basis, to target: RequestURL, _ budget: ResponseBudget
  ) throws(FailureReason) -> TransportRequest {
    var form = pairs(of: basis)
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

  private func pairs(of basis: Basis) -> [(name: String, value: String)] {
    let scopes =
      key.scopes.isEmpty ? [] : [(name: "scope", value: key.scopes.joined(separator: " "))]
    switch basis {
    case .grant: return [("grant_type", oauth2.grant.type)] + scopes
    case .refresh(let token):
      redactor.hide(token, as: "oauth2.refreshToken")
      return [("grant_type", OAuth2.Grant.typeOfRefresh), ("refresh_token", token)] + scopes
    case .code(let code, let verifier, let redirectURL):
      redactor.hide(code, as: "oauth2.code")
      redactor.hide(verifier, as: "oauth2.verifier")
      return [
        ("grant_type", oauth2.grant.type), ("code", code), ("redirect_uri", redirectURL),
        ("code_verifier", verifier),
      ]
    case .device(let code):
      redactor.hide(code, as: "oauth2.deviceCode")
      return [("grant_type", oauth2.grant.type), ("device_code", code)]
    case .beginning: return scopes
    }
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
  struct Failure: Error {
    var reason: FailureReason
    /// The code of the error, if the server answered with one (RFC 6749 §5.2).
    var code: String?

    init(_ reason: FailureReason, code: String? = nil) {
      self.reason = reason
      self.code = code
    }

    /// Whether the grant is no longer good: it was used before, revoked, or is too old.
    var isOfGrant: Bool { code?.equals(bytes: "invalid_grant") == true }
  }

  /// The answer to the beginning of a login on another device.
  func deviceAnswer(_ answer: RequestRun.Answer) throws(Failure) -> JSONNode {
    let body = answer.body(isRead: true)
    guard answer.response.status == 200, let node = body.json, node["device_code"] != nil else {
      throw refusal(answer, body, "begin a login at \(answer.url.text)")
    }
    return node
  }

  /// RFC 6749 §5.
  func token(from answer: RequestRun.Answer) throws(Failure) -> TokenStore.Token {
    let body = answer.body(isRead: true)
    guard answer.response.status == 200, let token = body.json?["access_token"]?.string else {
      throw refusal(answer, body, "get a token from \(key.tokenURL)")
    }
    redactor.hide(token, as: "oauth2.token")
    if let flaw = Self.flaw(of: token, type: body.json?["token_type"]?.string) {
      throw Failure(
        FailureReason(
          .value, "the token that \(key.tokenURL) gave cannot be used: \(flaw)",
          at: oauth2.tokenURL.range))
    }
    let refreshToken = body.json?["refresh_token"]?.string
    if let refreshToken { redactor.hide(refreshToken, as: "oauth2.refreshToken") }
    return TokenStore.Token(
      value: token, expires: body.json?["expires_in"].flatMap(expiry), refreshToken: refreshToken,
      scope: body.json?["scope"]?.string)
  }

  /// Why a token cannot be sent as `Bearer` (RFC 6749 §7.1 and appendix A.12).
  private static func flaw(of token: String, type: String?) -> String? {
    if token.isEmpty { return "it is empty" }
    guard token.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return "it has characters that no token has"
    }
    // Others are names that servers have for `Bearer`.
    let proved = ["mac", "dpop", "pop", "hawk"]
    guard let type, proved.contains(where: { $0.equalsIgnoringASCIICase(type) }) else { return nil }
    return "its type is '\(type)', and requests are made with 'Bearer'"
  }

  /// - Parameter action: What the server was asked for: `get a token from …`.
  private func refusal(
    _ answer: RequestRun.Answer, _ body: ResponseBody, _ action: String
  ) -> Failure {
    let status = answer.response.status
    let code = body.json?["error"]?.string
    let reason = body.json?["error_description"]?.string ?? code
    // A token may be in it where none is looked for.
    let isGiven = (200..<300).contains(status) && code == nil
    let lack = isGiven ? " without a token that is a text, as RFC 6749 §5.1 has it" : ""
    return Failure(
      FailureReason(
        .status,
        "could not \(action): answered \(HTTPStatus.text(status))" + lack
          + (reason.map { ": " + $0 } ?? ""), at: oauth2.tokenURL.range, status: status,
        excerpt: isGiven ? body.outline.shortened(to: 300) : body.excerpt(redactor)),
      code: status < 500 ? code : nil)
  }

  /// Hides what may be a credential in an answer, wherever it is, before any of it is reported.
  static func hideCredentials(of body: ResponseBody, _ redactor: Redactor) {
    if let root = body.json {
      hideCredentials(of: root, redactor)
    } else if let text = String(validating: body.response.body, as: UTF8.self) {
      if !text.contains(ascii: "="), !text.contains(ascii: " ") {
        redactor.hide(text.trimmed, as: "oauth2.token")
      }
      for pair in text.split(ascii: "&") {
        let name = String(pair.prefix(before: "="))
        let value = String(pair.dropFirst(bytes: min(name.utf8.count + 1, pair.utf8.count)))
        guard let known = recordedName(ofMember: name) else { continue }
        redactor.hide(value, as: known)
        if let decoded = URI.percentDecode(value) { redactor.hide(decoded, as: known) }
      }
    }
  }

  private static func hideCredentials(of node: JSONNode, _ redactor: Redactor) {
    for element in node.elements { hideCredentials(of: element, redactor) }
    for member in node.members {
      // An object has other members than credentials, such as the type of the token.
      if member.value.kind != .object, let known = recordedName(ofMember: member.name) {
        redactor.hide(member.value, as: known)
      } else {
        hideCredentials(of: member.value, redactor)
      }
    }
  }

  /// The name in recordings of the credential that a member of an answer is; `nil` if it is none.
  private static func recordedName(ofMember name: String) -> String? {
    if name.equals(bytes: "refresh_token") { return "oauth2.refreshToken" }
    return CredentialNames.isField(name) || name.equals(bytes: "id_token") ? "oauth2.token" : nil
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
