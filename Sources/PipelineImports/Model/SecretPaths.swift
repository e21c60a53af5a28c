internal import PipelineByteText
internal import PipelineLanguage

extension ImportedCollection {
  /// Makes secret inputs of the segments of URLs that are credentials: the token of a bot, or the last
  /// segment of a webhook.
  mutating func takeSecretSegments() {
    var known: [String: String] = [:]
    var names = UniqueNames()
    for variable in variables { names.reserve(variable.name) }
    for index in requests.indices {
      guard case .text(let text)? = requests[index].url.parts.first,
        let (before, secret, after) = Self.secretSegment(of: text)
      else { continue }
      let name =
        known[secret] ?? names.next(before.hasSuffix(bytes: "/bot") ? "botToken" : "webhook")
      known[secret] = name
      declare(Variable(name: name, value: ForeignText(plain: secret), isSecret: true))
      requests[index].url = ForeignText(
        parts: [.text(before), .variable(name), .text(after)]
          + requests[index].url.parts.dropFirst())
    }
  }

  /// What is before and after the segment that makes a URL secret.
  private static func secretSegment(
    of url: String
  ) -> (before: String, secret: String, after: String)? {
    guard let scheme = url.firstRange(bytes: "://"), CredentialNames.isSecret(url) else {
      return nil
    }
    let (start, path) = (url[..<scheme.upperBound], url.prefix(before: "?", "#"))
    let segments = path[scheme.upperBound...].split(ascii: "/")
    for number in segments.indices.dropFirst().reversed() {
      var others = segments
      others[number] = "a"
      guard !CredentialNames.isSecret(start + others.joined(separator: "/")) else { continue }
      var before = start + segments[..<number].joined(separator: "/") + "/"
      var secret = String(segments[number])
      if secret.hasPrefix(bytes: "bot"), secret.contains(bytes: ":") {
        before += "bot"
        secret = String(secret.dropFirst(bytes: 3))
      }
      let rest = segments[(number + 1)...].map { "/" + $0 }.joined()
      return (String(before), secret, rest + url.dropFirst(bytes: path.utf8.count))
    }
    return nil
  }
}
