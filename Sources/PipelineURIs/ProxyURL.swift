internal import PipelineByteText

/// The URL of a proxy.
package enum ProxyURL {
  private static let schemes: Set<String> = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// Why a text names no proxy: a phrase that follows "the proxy" and does not show the text, which
  /// may have a password. An empty text means that there is none.
  ///
  /// Without a scheme, `host:port` is an HTTP proxy, as curl reads it.
  package static func problem(in text: String) -> String? {
    guard !text.isEmpty else { return nil }
    var rest = text[...]
    var hasScheme = false
    if let mark = text.firstRange(bytes: "://") {
      let scheme = String(text[..<mark.lowerBound]).lowercasedASCII
      guard schemes.contains(scheme) else {
        return "has a scheme that no proxy has; write 'http://', 'https://', 'socks5://' or"
          + " 'socks5h://'"
      }
      hasScheme = true
      rest = text[mark.upperBound...]
    }
    if let at = rest.lastIndex(ascii: "@") { rest = rest[at...].dropFirst(bytes: 1) }
    if rest.hasSuffix(bytes: "/") { rest = rest.dropLast(bytes: 1) }
    guard let authority = URI.Authority.parse(rest), !authority.host.isEmpty else {
      return isPortWrong(rest)
        ? "has a port that is not between 1 and 65535"
        : "is not a URL; write it as in 'http://proxy.example.com:3128'"
    }
    if let port = authority.port.flatMap({ Int($0) }), !(1...65_535).contains(port) {
      return "has a port that is not between 1 and 65535"
    }
    return hasScheme || authority.port != nil
      ? nil : "has neither a scheme nor a port; write it as in 'http://proxy.example.com:3128'"
  }

  private static func isPortWrong(_ authority: Substring) -> Bool {
    guard let colon = authority.lastIndex(ascii: ":") else { return false }
    let port = authority[colon...].utf8.dropFirst()
    return !port.isEmpty && port.allSatisfy { $0 &- 48 < 10 }
      && URI.Authority.parse(authority[..<colon]).map { !$0.host.isEmpty } ?? false
  }
}
