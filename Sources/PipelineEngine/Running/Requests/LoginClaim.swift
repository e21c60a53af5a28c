internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineURIs

/// The login that a token comes from: which one it is, and what must hold of it.
struct LoginClaim: Sendable {
  let key: TokenStore.Key
  let oauth2: OAuth2
  let options: RunOptions

  /// Whether a person makes it with `pipeline login`.
  var isByPerson: Bool { key.grant.isByPerson }

  /// Whether the sandbox of the run is its server.
  var isOfSandbox: Bool {
    options.sandboxOrigin.map { key.tokenURL.hasPrefix(bytes: $0 + "/") } ?? false
  }

  /// The token endpoint as it is kept: the sandbox has another port in each run.
  var tokenURL: String {
    guard isByPerson, isOfSandbox, let sandbox = options.sandboxOrigin else { return key.tokenURL }
    return "sandbox:" + key.tokenURL.dropFirst(bytes: sandbox.utf8.count)
  }

  var id: Login.ID {
    let server = isByPerson && isOfSandbox ? "sandbox:" : Origin(of: key.tokenURL)?.description
    return Login.ID(
      name: key.credential ?? [server, key.clientID].compactMap(\.self).joined(separator: " "),
      seed: isByPerson ? nil : key.refreshToken.map(Login.ID.seed))
  }

  /// What an access token is good for.
  var use: String {
    let text = (key.scopes + [""] + key.parameters).map { "\($0.utf8.count):\($0)" }.joined()
    return Hexadecimal.encode(SHA256.hash(Array(text.utf8)).prefix(16))
  }

  // MARK: What must hold

  /// Why the login cannot be used; `nil` if it can, as far as is known without the server.
  ///
  /// - Parameter login: What the store has.
  func problem(with login: Login?) -> FailureReason? {
    guard let login else {
      return isByPerson ? failure("there is no login '\(id.name)' yet; \(advice)") : nil
    }
    // Refresh tokens go only to the server and the client that they were given by and for.
    guard login.tokenURL.equals(bytes: tokenURL), login.clientID.equals(bytes: key.clientID ?? "")
    else {
      return failure(
        "the login '\(id.name)' is one of the client '\(login.clientID)' at \(login.tokenURL), and"
          + " not of '\(key.clientID ?? "")' at \(tokenURL); give this one another 'credential'")
    }
    if login.isRefused { return refused }
    guard isByPerson else { return nil }
    let missing = key.scopes.filter { !login.scopes.contains(bytes: $0) }
    if !missing.isEmpty {
      let names = missing.map { "'\($0)'" }.joined(separator: ", ")
      return failure("the login '\(id.name)' was made without the scope \(names); \(advice)")
    }
    guard login.refreshToken == nil else { return nil }
    guard let access = login.access, access.expires.map({ $0 > options.clock.wallTime }) ?? true
    else { return ended }
    if access.use.equals(bytes: use) { return nil }
    return failure(
      "the login '\(id.name)' was made for other 'scopes' or 'parameters', and the server gave no"
        + " refresh token; \(advice)")
  }

  /// The server has refused all refresh tokens of the login.
  var refused: FailureReason {
    failure(
      "\(tokenURL) no longer takes the refresh token of the login '\(id.name)', nor the one before; "
        + (isByPerson
          ? advice : "log in again at the server, and give the run its new refresh token"))
  }

  /// There is nothing that would renew the login.
  var ended: FailureReason {
    failure(
      "the login '\(id.name)' is over, and \(tokenURL) gave no refresh token to renew it;"
        + " \(advice)")
  }

  /// Nothing keeps logins.
  var needsStore: FailureReason {
    failure(
      "the login '\(id.name)' is made by a person, and nothing keeps logins here; run the file with"
        + " the command 'pipeline', or give the token as an input with \"bearer\"")
  }

  /// What a person types.
  private var advice: String {
    guard let command = options.loginCommand else { return "log in with 'pipeline login'" }
    let name = oauth2.credential == nil ? nil : key.credential
    return "log in: " + command(name, options.recordedInputs)
  }

  func failure(_ message: String, _ kind: FailureReason.Kind = .value) -> FailureReason {
    FailureReason(
      kind, message, at: (oauth2.refreshToken ?? oauth2.credential)?.range ?? oauth2.tokenURL.range)
  }
}
