internal import PipelineByteText
internal import PipelineURIs

/// A login that a person allows in a browser (RFC 6749 §4.1, RFC 7636, RFC 8252).
package struct BrowserLogin: Sendable {
  /// What the browser opens.
  package let address: String
  /// What the browser comes back to.
  package let redirectURL: String
  /// Known to this login and the server alone (RFC 6749 §10.12).
  let state: String
  let proof: PKCE
  /// The origins of the server: those of its two endpoints.
  let server: [Origin]

  /// - Parameters:
  ///   - endpoint: Where the server lets a person log in.
  ///   - parameters: The parameters that not every login has.
  ///   - server: The origins that its issuer may have.
  init(
    at endpoint: String, redirectURL: String, parameters: [(name: String, value: String)],
    server: [Origin], state: String = Base64.encodeForURLs(PKCE.octets()), proof: PKCE = PKCE()
  ) {
    self.redirectURL = redirectURL
    self.state = state
    self.proof = proof
    self.server = server
    let own = [
      ("response_type", "code"), ("redirect_uri", redirectURL), ("state", state),
      ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
    ].map { (name: $0.0, value: URI.percentEncode($0.1)) }
    address = URI.adding(encoded: own + parameters, to: endpoint)
  }

  /// The code that the browser brought back.
  ///
  /// - Parameter query: The query of the address that it came to, as it was written.
  /// - Throws: Why the login ends without one.
  package func code(from query: String) throws(LoginProblem) -> String {
    let parameters = URI.parse("?" + query)?.parameters ?? []
    func value(_ name: String) throws(LoginProblem) -> String? {
      let values = parameters.filter { $0.name.equals(bytes: name) }
      // RFC 6749 §3.1
      guard values.count < 2 else {
        throw LoginProblem("the browser came back with '\(name)' twice; \(Self.again)")
      }
      return values.first?.text
    }
    guard let returned = try value("state"), returned.equals(bytes: state) else {
      throw LoginProblem(
        "the browser came back with a 'state' that is not that of this login (RFC 6749 §10.12):"
          + " another page sent it, or an older login; \(Self.again)")
    }
    // RFC 9207 §2.4
    if let issuer = try value("iss"), !server.contains(where: { $0 == Origin(of: issuer) }) {
      throw LoginProblem(
        "the browser came back from the server '\(issuer)', and not from"
          + " \(server.first.map(\.description) ?? "this one") (RFC 9207); \(Self.again)")
    }
    if let error = try value("error") {
      let words = try value("error_description").map { ": " + $0 } ?? ""
      throw LoginProblem(
        error.equals(bytes: "access_denied")
          ? "the login was refused in the browser (access_denied\(words)); \(Self.nothing)"
          : "the server ended the login: \(error)\(words); \(Self.nothing)")
    }
    guard let code = try value("code"), !code.isEmpty else {
      throw LoginProblem("the browser came back without a code; \(Self.again)")
    }
    return code
  }

  static let nothing = "nothing is kept"
  static let again = "nothing is kept, so log in again"
}
