internal import PipelineByteText
internal import PipelineURIs

extension ForeignText {
  /// A URL without what is before its host, and that, as it is written (RFC 3986 §3.2.1); `nil` if
  /// there is nothing.
  package var cuttingUserInfo: (url: ForeignText, info: ForeignText)? {
    var (url, rest) = (ForeignText(), self)
    let ends: [Unicode.Scalar] = ["/", "?", "#"]
    if let (scheme, after) = cut(at: ":"), after.start.hasPrefix(bytes: "//"),
      !ends.contains(where: scheme.contains)
    {
      url = scheme
      url.append(.text("://"))
      rest = after.dropping("//")
    }
    let authority = ends.reduce(rest) { $0.cut(at: $1)?.before ?? $0 }
    let pieces = authority.split(at: "@")
    guard pieces.count > 1 else { return nil }
    // A password may hold an '@', though it should not.
    var info = pieces[0]
    for piece in pieces.dropFirst().dropLast() {
      info.append(.text("@"))
      info.append(piece)
    }
    for _ in pieces.dropFirst() { rest = rest.cut(at: "@")?.after ?? rest }
    url.append(rest)
    return (url, info)
  }

  /// The user and the password of what is before a host. Both are decoded, because they are sent so.
  package var userAndPassword: (user: ForeignText, password: ForeignText) {
    // What is encoded separates nothing.
    let (user, password) = cut(at: ":") ?? (self, ForeignText())
    return (user.percentDecoded, password.percentDecoded)
  }

  /// A URL without the user and the password before its host, and both of them; `nil` if it has none.
  var withoutUserInfo: (url: ForeignText, user: ForeignText, password: ForeignText)? {
    guard let (url, info) = cuttingUserInfo else { return nil }
    let (user, password) = info.userAndPassword
    return (url, user, password)
  }

  /// Whether a URL has a user before its host.
  var hasUserInfo: Bool { withoutUserInfo != nil }

  private var percentDecoded: ForeignText { mapTexts { URI.percentDecode($0) ?? $0 } ?? self }
}

extension ImportedCollection {
  /// Makes credentials of the user and the password in URLs, and in the variables that URLs begin
  /// with.
  mutating func takeUserInfo(_ report: inout ImportReport) {
    var known: [String: ImportedRequest.Auth] = [:]
    for var variable in variables {
      guard let (url, user, password) = variable.value?.withoutUserInfo,
        url.start.hasPrefix(bytes: "http")
      else { continue }
      variable.value = url
      declare(variable)
      known[variable.name] = .basic(user: user, password: password)
    }
    for index in requests.indices {
      if let (url, user, password) = requests[index].url.withoutUserInfo {
        requests[index].url = url
        requests[index].add(.basic(user: user, password: password))
      } else if case .variable(let name)? = requests[index].url.parts.first, let auth = known[name]
      {
        requests[index].add(auth)
      }
    }
    for (number, environment) in environments.enumerated() {
      for (index, variable) in environment.values.enumerated() {
        guard let url = variable.value?.withoutUserInfo?.url, url.start.hasPrefix(bytes: "http")
        else { continue }
        environments[number].values[index].value = url
        report.refuse(
          1,
          "the user and the password in '\(variable.name)' of the environment"
            + " '\(environment.name)' are left out: write 'auth' with 'basic'")
      }
    }
  }
}

extension ImportedRequest {
  /// Authenticates its sender, unless it does already.
  fileprivate mutating func add(_ new: Auth) {
    if auth == nil, !headers.contains(where: { $0.name.equalsIgnoringASCIICase("authorization") }) {
      auth = new
    }
  }
}
