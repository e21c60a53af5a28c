internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineURIs

/// A login that a person allows with a code on any device (RFC 8628).
package struct DeviceLogin: Sendable {
  /// What the person types.
  package let userCode: String
  /// Where.
  package let address: String
  /// The same with the code in it, if the server gave one.
  package let wholeAddress: String?
  /// How long the code is good for.
  package let lifetime: Duration
  let deviceCode: String
  /// The least time between two questions.
  let interval: Duration

  /// - Throws: What the answer lacks.
  init(_ answer: JSONNode, from server: String) throws(LoginProblem) {
    func text(_ names: String...) throws(LoginProblem) -> String {
      for name in names { if let text = answer[name]?.string, !text.isEmpty { return text } }
      throw LoginProblem("\(server) began a login without '\(names[0])' (RFC 8628 §3.2)")
    }
    deviceCode = try text("device_code")
    userCode = try text("user_code")
    // Some servers still have the name of a draft.
    let address = try text("verification_uri", "verification_url")
    guard Origin(of: address) != nil else {
      throw LoginProblem(
        "\(server) began a login at '\(address)', which is not an http or https address")
    }
    self.address = address
    wholeAddress = answer["verification_uri_complete"]?.string.flatMap {
      Origin(of: $0) == nil ? nil : $0
    }
    func seconds(_ name: String, _ standard: Double, in range: ClosedRange<Double>) -> Duration {
      let given = answer[name]?.number?.double ?? answer[name]?.string.flatMap(Double.init)
      return .seconds(min(range.upperBound, max(range.lowerBound, given ?? standard)))
    }
    lifetime = seconds("expires_in", 600, in: 0...86_400)
    interval = seconds("interval", 5, in: 0.05...3600)
  }

  /// What follows from a question that was not answered with a token.
  enum Step {
    case goOn
    case slowDown
    case end(LoginProblem)
  }

  /// RFC 8628 §3.5.
  func step(after failure: TokenRequest.Failure) -> Step {
    switch failure.code {
    case "authorization_pending": return .goOn
    case "slow_down": return .slowDown
    case "access_denied":
      return .end(
        LoginProblem("the login was refused (access_denied); \(BrowserLogin.nothing)"))
    case "expired_token": return .end(expired)
    case nil where failure.reason.isPassing: return .slowDown
    default: return .end(LoginProblem("\(failure.reason.message); \(BrowserLogin.nothing)"))
    }
  }

  /// The login was not allowed within the time that a person was given, while its code is good.
  func late(after limit: Duration) -> LoginProblem {
    LoginProblem(
      "nobody allowed the login within \(Quantities.text(of: limit)); \(BrowserLogin.again)")
  }

  /// The code of the login is too old.
  var expired: LoginProblem {
    LoginProblem(
      "the code \(userCode) is too old: nobody allowed the login in time; \(BrowserLogin.again)")
  }
}

extension FailureReason {
  /// Whether the same request may be answered later.
  fileprivate var isPassing: Bool {
    switch kind {
    case .network, .timeout: true
    default: status.map { $0 >= 500 || $0 == 429 } ?? false
    }
  }
}
