internal import PipelineByteText
internal import PipelineJSONText

extension WorkflowWriter {
  /// All cookies that no response gave are credentials.
  mutating func addCookies(
    _ cookies: [Field], to step: inout [JSONValue.Member], _ line: Int
  ) {
    var members: [JSONValue.Member] = []
    for (name, text) in cookies where !members.contains(where: { $0.name.equals(bytes: name) }) {
      members.append(.init(name, secret(name, text, line)))
    }
    if !members.isEmpty { step.append(.init("cookies", .object(members))) }
  }

  /// A credential. One that the file holds becomes a secret input.
  mutating func secret(_ word: String, _ text: ForeignText, _ line: Int) -> JSONValue {
    if let plain = text.plain {
      return plain.isEmpty ? "" : .string("{{inputs.\(inputs.secret(word, value: plain))}}")
    }
    for part in text.parts {
      switch part {
      case .answer(let request, let source): markSecret(source, of: request)
      case .variable(let name): markSecret(variable: name)
      default: break
      }
    }
    let template = template(text, line: line)
    for piece in template.split(ascii: "{") where piece.hasPrefix(bytes: "inputs.") {
      inputs.markSecret(String(piece.dropFirst(bytes: 7).prefix(before: "}")))
    }
    return .string(template)
  }

  /// Takes a header `Authorization` with a scheme that `auth` knows.
  func takeAuthorization(
    _ headers: inout [Field], _ line: Int
  ) -> ImportedRequest.Auth? {
    guard
      let index = headers.firstIndex(where: { $0.name.equalsIgnoringASCIICase("authorization") })
    else { return nil }
    let value = headers[index].value
    let scheme = value.start.prefix(before: " ").lowercased()
    guard value.start.utf8.count > scheme.utf8.count else { return nil }
    let rest = ForeignText(
      parts: [.text(String(value.start.dropFirst(bytes: scheme.utf8.count + 1)))]
        + value.parts.dropFirst()
    ).trimmed
    switch scheme {
    case "bearer":
      headers.remove(at: index)
      return .bearer(rest)
    case "basic", "digest":
      guard let (user, password) = Self.userAndPassword(rest) else { return nil }
      headers.remove(at: index)
      return scheme.equals(bytes: "basic")
        ? .basic(user: user, password: password) : .digest(user: user, password: password)
    default: return nil
    }
  }

  /// `user:password`, `user password`, or both in base64.
  private static func userAndPassword(
    _ text: ForeignText
  ) -> (user: ForeignText, password: ForeignText)? {
    if let (user, password) = text.cut(at: ":") ?? text.cut(at: " ") {
      return (user.trimmed, password.trimmed)
    }
    guard let plain = text.plain, let bytes = Base64.decode(plain),
      let decoded = String(validating: bytes, as: UTF8.self),
      let (user, password) = ForeignText(plain: decoded).cut(at: ":")
    else { return nil }
    return (user, password)
  }

  mutating func auth(_ auth: ImportedRequest.Auth, _ line: Int) -> JSONValue {
    switch auth {
    case .bearer(let token): return ["bearer": secret("token", token, line)]
    case .basic(let user, let password):
      return ["basic": credentials(user, password, line)]
    case .digest(let user, let password):
      return ["digest": credentials(user, password, line)]
    case .awsSigV4(let service, let region, let key, let secretKey, let session):
      var members: [JSONValue.Member] = [
        .init("service", value(service, line)), .init("region", value(region, line)),
        .init("accessKey", secret("accessKey", key, line)),
        .init("secretKey", secret("secretKey", secretKey, line)),
      ]
      if !session.isEmpty {
        members.append(.init("sessionToken", secret("sessionToken", session, line)))
      }
      return .object([.init("awsSigV4", .object(members))])
    case .oauth2(let settings): return ["oauth2": oauth2(settings, line)]
    }
  }

  private mutating func oauth2(_ settings: OAuth2Settings<ForeignText>, _ line: Int) -> JSONValue {
    var written = OAuth2Settings<JSONValue>(
      grant: settings.grant, tokenURL: .string(endpoint(settings.tokenURL, line)),
      clientID: value(settings.clientID, line))
    written.loginURL = settings.loginURL.map { .string(endpoint($0, line)) }
    written.redirectURL = settings.redirectURL.map { value($0, line) }
    written.clientSecret = settings.clientSecret.map { secret("clientSecret", $0, line) }
    written.isSecretInBody = settings.isSecretInBody
    written.scopes = settings.scopes.map { value($0, line) }
    written.refreshToken = settings.refreshToken.map { secret("refreshToken", $0, line) }
    written.parameters = settings.parameters.map { ($0.name, value($0.value, of: $0.name, line)) }
    return written.json
  }

  private mutating func credentials(
    _ user: ForeignText, _ password: ForeignText, _ line: Int
  ) -> JSONValue {
    ["user": value(user, line), "password": secret("password", password, line)]
  }
}
