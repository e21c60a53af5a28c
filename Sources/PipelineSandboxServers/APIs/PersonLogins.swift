internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineJSONText
internal import PipelineURIs

/// Logins that a person allows: with a browser (RFC 6749 §4.1, RFC 7636), or with a code that is
/// typed on another device (RFC 8628).
struct PersonLogins {
  /// A login that was allowed.
  struct Allowed {
    let scope: String
    /// The code that it came with.
    var code: String?
  }

  private struct Code {
    let client: String
    let redirectURL: String
    let challenge: String
    let scope: String
  }

  private struct Device {
    let client: String
    let scope: String
    var pollsLeft: Int
    let isDenied: Bool
    /// Monotonic nanoseconds between polls, and since the server's start.
    var interval: UInt64
    var lastPoll: UInt64
    let expiry: UInt64
  }

  private var codes: [String: Code] = [:]
  private var families: [String: Int] = [:]
  private var devices: [String: Device] = [:]
  private var count = 0

  // MARK: In a browser

  /// Sends the browser back with a code, or says why not.
  mutating func authorize(_ request: ServerRequest) -> ServerResponse {
    guard let redirectURL = request.query("redirect_uri"),
      ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"].contains(where: {
        redirectURL.hasPrefix(bytes: $0)
      })
    else { return .failure(400, "redirect_uri is not an http URL of this machine with a port") }
    func back(_ pairs: [(String, String)]) -> ServerResponse {
      let state = request.query("state").map { [("state", $0)] } ?? []
      let query = (pairs + state).map { $0.0 + "=" + URI.percentEncode($0.1) }
      let mark = redirectURL.contains(bytes: "?") ? "&" : "?"
      return .empty(
        302,
        [ServerResponse.Field("Location", redirectURL + mark + query.joined(separator: "&"))])
    }
    guard request.query("response_type") == "code" else {
      return back([("error", "unsupported_response_type")])
    }
    guard let client = request.query("client_id"),
      [OAuthAPI.app, OAuthAPI.client.id].contains(client)
    else { return .failure(400, "client_id is unknown") }
    guard let challenge = request.query("code_challenge"), challenge.utf8.count == 43,
      request.query("code_challenge_method") == "S256"
    else { return back([("error", "invalid_request"), ("error_description", "S256 is needed")]) }
    if request.query("decision") == "deny" {
      return back([("error", "access_denied"), ("error_description", "the person said no")])
    }
    count += 1
    let code = "sandbox-code-\(count)"
    codes[code] = Code(
      client: client, redirectURL: redirectURL, challenge: challenge,
      scope: request.query("scope") ?? "")
    return back([("code", code)])
  }

  /// Takes a code, which is good once. A second use ends what the first one gave.
  mutating func redeem(
    _ form: String, of client: String, _ tokens: inout TokenFamilies
  ) throws(OAuthAPI.Refusal) -> Allowed {
    let text = FormText.first("code", in: form) ?? ""
    guard let code = codes.removeValue(forKey: text) else {
      if let family = families[text] { _ = tokens.end(family) }
      throw OAuthAPI.Refusal("invalid_grant")
    }
    let verifier = FormText.first("code_verifier", in: form) ?? ""
    guard code.client == client, FormText.first("redirect_uri", in: form) == code.redirectURL,
      Base64.encodeForURLs(SHA256.hash(Array(verifier.utf8))) == code.challenge
    else { throw OAuthAPI.Refusal("invalid_grant") }
    return Allowed(scope: code.scope, code: text)
  }

  /// Notes which tokens a code gave.
  mutating func note(_ code: String, _ family: Int) { families[code] = family }

  // MARK: On another device

  mutating func begin(_ request: ServerRequest) -> ServerResponse {
    let form = String(decoding: request.body, as: UTF8.self)
    guard let client = FormText.first("client_id", in: form), client == OAuthAPI.app else {
      return .failure(401, "invalid_client")
    }
    count += 1
    let code = "sandbox-device-\(count)"
    let seconds = request.query("interval").flatMap { UInt64($0) } ?? 1
    let lifetime = request.query("expires").flatMap { UInt64($0) } ?? 600
    devices[code] = Device(
      client: client, scope: FormText.first("scope", in: form) ?? "",
      pollsLeft: request.query("polls").flatMap { Int($0) } ?? 1,
      isDenied: request.query("decision") == "deny", interval: min(seconds, 3600) * 1_000_000_000,
      lastPoll: request.moment.sinceStart,
      expiry: request.moment.sinceStart + min(lifetime, 86_400) * 1_000_000_000)
    let host = request.header("Host") ?? "127.0.0.1"
    return .object { writer in
      writer.member("device_code", code)
      writer.member("user_code", "SAND-BOX\(count)")
      writer.member("verification_uri", "http://\(host)/oauth/device")
      writer.member("expires_in", Int(lifetime))
      writer.member("interval", Int(seconds))
    }
  }

  /// RFC 8628 §3.5.
  mutating func poll(
    _ form: String, of client: String, at moment: ServerMoment
  ) throws(OAuthAPI.Refusal) -> Allowed {
    let code = FormText.first("device_code", in: form) ?? ""
    guard var device = devices[code], device.client == client else {
      throw OAuthAPI.Refusal("invalid_grant")
    }
    guard moment.sinceStart < device.expiry else { throw OAuthAPI.Refusal("expired_token") }
    // A little early is not a fault: clocks and networks differ.
    let isEarly = moment.sinceStart + 50_000_000 < device.lastPoll + device.interval
    device.lastPoll = moment.sinceStart
    if isEarly { device.interval += 5_000_000_000 } else { device.pollsLeft -= 1 }
    devices[code] = device
    if isEarly { throw OAuthAPI.Refusal("slow_down") }
    if device.pollsLeft >= 0 { throw OAuthAPI.Refusal("authorization_pending") }
    devices[code] = nil
    if device.isDenied { throw OAuthAPI.Refusal("access_denied") }
    return Allowed(scope: device.scope)
  }
}
