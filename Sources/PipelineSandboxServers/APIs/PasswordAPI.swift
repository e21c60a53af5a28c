internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/basic` and `/digest`: user and password in both schemes (RFC 7617, RFC 7616).
enum PasswordAPI {
  static let user = "sandbox"
  static let password = "open-sesame"
  private static let realm = "sandbox"

  struct State {
    /// The counts seen with each nonce: a pair is good for one request.
    fileprivate var nonces: [String: Set<String>] = [:]
    fileprivate var lastNonce = 0
  }

  private enum Algorithm: String {
    case md5 = "MD5"
    case sha256 = "SHA-256"

    func hash(_ text: String) -> String {
      let algorithm: DigestAlgorithm = self == .md5 ? .md5 : .sha256
      return String(hex: algorithm.digest(Array(text.utf8)))
    }
  }

  static let routes = [
    Route("*", "/basic", "Basic authentication: sandbox, open-sesame") { _, request, _ in
      guard let basic = AuthorizationField(request)?.basic, basic == (user, password) else {
        return TokenStore.unauthorized(
          "user and password are needed", "Basic realm=\"\(realm)\", charset=\"UTF-8\"")
      }
      return welcome
    },
    Route("*", "/digest/md5", "Digest authentication with MD5; a nonce lasts ?uses=N") {
      state, request, _ in
      digest(request, .md5, &state.passwords)
    },
    Route("*", "/digest/sha-256", "Digest authentication with SHA-256") { state, request, _ in
      digest(request, .sha256, &state.passwords)
    },
  ]

  private static var welcome: ServerResponse {
    .object { writer in
      writer.member("authenticated", true)
      writer.member("user", user)
    }
  }

  private static func digest(
    _ request: ServerRequest, _ algorithm: Algorithm, _ state: inout State
  ) -> ServerResponse {
    guard let field = AuthorizationField(request), field.scheme == "digest" else {
      return challenge(algorithm, .first, &state)
    }
    let given = field.parameters
    guard let nonce = given["nonce"], let count = given["nc"], let seen = state.nonces[nonce] else {
      return challenge(algorithm, .stale, &state)
    }
    guard isRight(given, request, algorithm) else { return challenge(algorithm, .first, &state) }
    let uses = request.integer("uses", in: 1...1_000_000, otherwise: 1_000_000)
    guard seen.count < uses, !seen.contains(count) else {
      return challenge(algorithm, .stale, &state)
    }
    state.nonces[nonce]?.insert(count)
    return welcome
  }

  /// RFC 7616 §3.4.1, with `qop=auth`.
  private static func isRight(
    _ given: [String: String], _ request: ServerRequest, _ algorithm: Algorithm
  ) -> Bool {
    guard given["username"] == user, given["realm"] == realm, given["qop"] == "auth",
      given["uri"] == request.target, let nonce = given["nonce"], let count = given["nc"],
      let client = given["cnonce"], let response = given["response"]
    else { return false }
    let secret = algorithm.hash("\(user):\(realm):\(password)")
    let target = algorithm.hash("\(request.method):\(request.target)")
    return response == algorithm.hash("\(secret):\(nonce):\(count):\(client):auth:\(target)")
  }

  private enum Reason { case first, stale }

  private static func challenge(
    _ algorithm: Algorithm, _ reason: Reason, _ state: inout State
  ) -> ServerResponse {
    if state.nonces.count > 10_000 { state.nonces.removeAll() }
    state.lastNonce += 1
    let nonce = algorithm.hash("nonce \(state.lastNonce)")
    state.nonces[nonce] = []
    let stale = reason == .stale ? ", stale=true" : ""
    return TokenStore.unauthorized(
      "user and password are needed",
      "Digest realm=\"\(realm)\", qop=\"auth\", algorithm=\(algorithm.rawValue), "
        + "nonce=\"\(nonce)\", opaque=\"sandbox\"\(stale)")
  }
}
