internal import PipelineByteText

/// How a request of another tool authenticates its sender.
enum ForeignAuth: Sendable {
  case scheme(ImportedRequest.Auth)
  case header(name: String, value: ForeignText)
  case cookie(name: String, value: ForeignText)
  case query(name: String, value: ForeignText)
  /// It does not, whatever its folder says.
  case none

  /// - Parameters:
  ///   - mode: The name of the scheme there.
  ///   - values: Its parameters. The tools give them different names.
  ///   - further: What the user has added to the requests for a token.
  /// - Returns: `nil` if the mode is not translated; the report says so.
  init?(
    _ mode: String, _ values: [String: ForeignText], _ further: [ForeignOAuth2.Parameter] = [],
    line: Int, _ report: inout ImportReport
  ) {
    func value(_ names: String...) -> ForeignText {
      names.lazy.compactMap { values[$0] }.first ?? ForeignText()
    }
    defer { Self.reportUnread(mode, values, line, &report) }
    switch mode {
    case "none", "noauth": self = .none
    case "bearer": self = Self.bearer(value("token"), prefix: value("prefix"))
    case "basic": self = .scheme(.basic(user: value("username"), password: value("password")))
    case "digest": self = .scheme(.digest(user: value("username"), password: value("password")))
    case "awsv4", "iam":
      self = .scheme(
        .awsSigV4(
          service: value("service"), region: value("region"),
          key: value("accessKeyId", "accessKey"),
          secret: value("secretAccessKey", "secretKey"), session: value("sessionToken")))
    case "apikey":
      let name = value("key").plain ?? ""
      guard !name.isEmpty else { return nil }
      let place = value("placement", "in", "addTo").plain ?? "header"
      var key = value("value")
      key.isCredential = true
      self =
        place.hasPrefix(bytes: "query")
        ? .query(name: name, value: key)
        : place.hasPrefix(bytes: "cookie")
          ? .cookie(name: name, value: key) : .header(name: name, value: key)
    case "oauth2":
      self = .scheme(ForeignOAuth2(values, further, line: line).auth(&report))
    default:
      report.refuse(line, "the authentication '\(String(mode.prefix(40)))' is not translated")
      return nil
    }
  }

  /// The parameters of the schemes, by their names in the tools.
  private static let names: [String: Set<String>] = [
    "bearer": ["token", "prefix"], "basic": ["username", "password"],
    // A server says the others when it asks for the password.
    "digest": [
      "username", "password", "realm", "nonce", "algorithm", "qop", "nonceCount", "clientNonce",
      "opaque", "disableRetryRequest",
    ],
    "apikey": ["key", "value", "placement", "in", "addTo"],
    "awsv4": [
      "service", "region", "accessKeyId", "accessKey", "secretAccessKey", "secretKey",
      "sessionToken",
    ],
  ]

  /// Names the parameters that nothing was made of.
  private static func reportUnread(
    _ mode: String, _ values: [String: ForeignText], _ line: Int, _ report: inout ImportReport
  ) {
    guard let known = names[mode == "iam" ? "awsv4" : mode] else { return }
    let further: Set = ["type", "mode", "disabled", "showPassword"]
    for (name, value) in values.sorted(by: { $0.key < $1.key })
    where !known.contains(name) && !further.contains(name) {
      if !value.isEmpty, value.plain != "false" { report.approximate(key: name, line: line) }
    }
  }

  /// A token, with another word before it than `Bearer`.
  private static func bearer(_ token: ForeignText, prefix: ForeignText) -> ForeignAuth {
    let word = prefix.plain ?? ""
    guard !word.isEmpty, !word.equalsIgnoringASCIICase("bearer") else {
      return .scheme(.bearer(token))
    }
    var value = ForeignText(plain: word + " ")
    value.append(token)
    return .header(name: "Authorization", value: value)
  }

  /// - Parameter yieldsToHeader: Whether a header `Authorization` of the request goes before it.
  ///   Otherwise it goes before the header.
  func apply(to request: inout ImportedRequest, yieldsToHeader: Bool = false) {
    switch self {
    case .scheme(let auth):
      let isAuthorization = { (field: (name: String, value: ForeignText)) in
        field.name.equalsIgnoringASCIICase("authorization")
      }
      if yieldsToHeader, request.headers.contains(where: isAuthorization) { return }
      request.headers.removeAll(where: isAuthorization)
      request.auth = auth
    case .header(let name, let value): request.headers.append((name, value))
    case .cookie(let name, let value): request.cookies.append((name, value))
    case .query(let name, let value): request.query.append((name, value))
    case .none: break
    }
  }
}
