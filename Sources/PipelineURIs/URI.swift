package import PipelineByteText

/// A URI reference in its components, RFC 3986 §3.
///
/// Scheme and authority are checked against the grammar, since trust is decided on them. Path,
/// query and fragment may hold any printable ASCII character, as the URLs of real servers do.
/// `description` gives back the text that was parsed, byte for byte.
@usableFromInline package struct URI: Sendable, Hashable, CustomStringConvertible {
  package internal(set) var scheme: String?
  package internal(set) var authority: Authority?
  package internal(set) var path: String
  package internal(set) var query: String?
  package internal(set) var fragment: String?

  /// The authority of a URI, RFC 3986 §3.2.
  package struct Authority: Sendable, Hashable, CustomStringConvertible {
    package let userinfo: String?
    /// A registered name, an IPv4 address, or an IPv6 address in its brackets.
    package let host: String
    /// The digits after the colon; empty if nothing follows it, nil if there is no colon.
    package let port: String?

    package var description: String {
      (userinfo.map { $0 + "@" } ?? "") + host + (port.map { ":" + $0 } ?? "")
    }
  }

  package var userinfo: String? { authority?.userinfo }
  package var host: String? { authority?.host }

  /// Whether there is a scheme and, for http and https, a host: what a request can be sent to.
  package var isAbsolute: Bool {
    guard let scheme else { return false }
    switch scheme.lowercased() {
    case "http", "https": return authority.map { !$0.host.isEmpty } ?? false
    default: return true
    }
  }

  /// The components of `text`. Nil if it holds anything but printable ASCII, a colon in the first
  /// segment of a relative path, or an authority that the grammar refuses.
  package static func parse(_ text: String) -> URI? {
    let utf8 = text.utf8
    guard utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    var rest = Substring(text)
    var uri = URI(path: "")
    if let end = rest.utf8.firstIndex(where: { ASCIISet.delimiters.contains($0) }),
      rest.utf8[end] == UInt8(ascii: ":")
    {
      let scheme = rest[..<end]
      guard isScheme(scheme) else { return nil }
      uri.scheme = String(scheme)
      rest = rest[rest.utf8.index(after: end)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.utf8.firstIndex(where: { ASCIISet.endOfAuthority.contains($0) })
      guard let authority = Authority.parse(rest[..<(end ?? rest.endIndex)]) else { return nil }
      uri.authority = authority
      rest = rest[(end ?? rest.endIndex)...]
    }
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      uri.fragment = String(rest[rest.utf8.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      uri.query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    uri.path = String(rest)
    return uri
  }

  /// The text of the reference, put together as RFC 3986 §5.3 says.
  @usableFromInline package var description: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority.description }
    // Without an authority, a path of `//…` would read as one.
    if authority == nil, path.utf8.starts(with: "//".utf8) { text += "/." }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, ASCIISet.letters.contains(first) else { return false }
    return text.utf8.allSatisfy { ASCIISet.scheme.contains($0) }
  }
}

extension ASCIISet {
  fileprivate static let delimiters = ASCIISet(":/?#")
  package static let endOfAuthority = ASCIISet("/?#")
}
