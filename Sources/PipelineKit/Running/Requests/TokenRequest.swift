internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
  /// When a token is received, on the run's clock.
  let clock: any RunClock

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

  /// RFC 6749 §4.4.2 (client credentials) and §6 (refresh token).
  ///
  /// - Parameters:
  ///   - refreshToken: Sent in place of the client's own grant.
  ///   - budget: The share of the run's memory that the response may take.
  func request(
    _ refreshToken: String?, to target: RequestURL, _ budget: ResponseBudget
  ) throws(FailureReason) -> TransportRequest {
    var form = [
      (name: "grant_type", value: refreshToken == nil ? "client_credentials" : "refresh_token")
    ]
    if let refreshToken { form.append(("refresh_token", refreshToken)) }
    if !key.scopes.isEmpty { form.append(("scope", key.scopes.joined(separator: " "))) }
    var headers = [
      HeaderField("Content-Type", "application/x-www-form-urlencoded"),
      HeaderField("Accept", "application/json"),
    ]
    if let secret = key.clientSecret, oauth2.clientAuth == .post {
      redactor.hide(secret, as: "oauth2.clientSecret")
      redactor.hide(FormEncoding.encode(secret), as: "oauth2.clientSecret")
      form += [("client_id", key.clientID), ("client_secret", secret)]
    } else if let secret = key.clientSecret {
      // RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
      let pair = FormEncoding.encode(key.clientID) + ":" + FormEncoding.encode(secret)
      let encoded = Data(pair.utf8).base64EncodedString()
      redactor.hide(secret, as: "oauth2.clientSecret")
      redactor.hide(encoded, as: "oauth2.client")
      headers.append(HeaderField("Authorization", "Basic " + encoded))
    } else {
      form.append(("client_id", key.clientID))
    }
    if let refreshToken { redactor.hide(refreshToken, as: "oauth2.refreshToken") }
    let pairs = form.map { FormEncoding.encode($0.name) + "=" + FormEncoding.encode($0.value) }
    let body = (pairs + key.parameters).joined(separator: "&")
    return TransportRequest(
      method: "POST", to: target, headers: headers, body: .bytes(Array(body.utf8)),
      timeout: step.request.timeout?.total?.value,
      connectTimeout: step.request.connectLimit, silence: step.request.silenceLimit,
      responseLimit: 1 << 20, wantsBody: true,
      connection: try connection(to: target.origin), budget: budget)
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

  /// RFC 6749 §5.
  func token(from answer: RequestRun.Answer) throws(FailureReason) -> TokenStore.Token {
    let body = answer.body(isRead: true)
    let status = answer.response.status
    guard status == 200, let token = body.json?["access_token"]?.string else {
      let reason = body.json?["error_description"]?.string ?? body.json?["error"]?.string
      throw FailureReason(
        .status,
        "could not get a token from \(key.tokenURL): answered \(HTTPStatus.text(status))"
          + (reason.map { ": " + $0 } ?? ""), at: oauth2.tokenURL.range, status: status,
        excerpt: body.excerpt(redactor))
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
