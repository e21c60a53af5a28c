internal import PipelineByteText

/// Scheme, host and port: what trust, connections and limits per host are decided on.
///
/// Scheme and host are in lower case and the port is the effective one, so `HTTP://Example.com`
/// and `http://example.com:80` are the same origin (RFC 6454 §4).
package struct Origin: Sendable, Hashable, CustomStringConvertible {
  package let scheme: String
  /// A host name or address of letters, digits, `.`, `-` and `_`, or an IPv6 address in brackets.
  package let host: String
  package let port: Int

  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
  }

  /// The origin of an http or https URL, or nil if `url` is not one.
  ///
  /// Reads no further than the authority, so it suits every request of a run.
  package init?(of url: String) {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")),
      url.utf8[colon...].starts(with: "://".utf8)
    else { return nil }
    let rest = url[url.utf8.index(colon, offsetBy: 3)...]
    let end = rest.utf8.firstIndex(where: { ASCIISet.endOfAuthority.contains($0) })
    guard let authority = URI.Authority.parse(rest[..<(end ?? rest.endIndex)]) else { return nil }
    self.init(scheme: String(url[..<colon]), authority: authority)
  }

  /// A text in place of an origin that is not known, such as `{{inputs.api}}`.
  package init(placeholder text: String) {
    scheme = ""
    host = text
    port = 0
  }

  /// The stand-in for the origin of a handler in Swift, which is called in place of a server.
  package init(handler name: String) {
    scheme = Self.handlerScheme
    host = name
    port = 0
  }

  private static let handlerScheme = "swift"

  /// The name of the handler in Swift; `nil` if it is the origin of a server.
  package var handler: String? { scheme == Self.handlerScheme ? host : nil }

  /// Host and port, for messages.
  package var authority: String { "\(host):\(port)" }

  package var isSecure: Bool { scheme == "https" }

  package var isPlaceholder: Bool { scheme.isEmpty }

  init?(scheme: String, authority: URI.Authority) {
    let scheme = scheme.lowercased()
    guard let standard = Origin.standardPort(of: scheme), !authority.host.isEmpty else {
      return nil
    }
    // A percent-encoded host is decoded by some readers and not by others: it has no origin.
    guard
      authority.host.utf8.first == UInt8(ascii: "[")
        || authority.host.utf8.allSatisfy({ ASCIISet.hostName.contains($0) })
    else { return nil }
    let port = authority.port.flatMap(Int.init) ?? standard
    self.init(scheme: scheme, host: authority.host, port: port)
  }

  /// `https://example.com`, with the port if it is not the scheme's own.
  package var description: String {
    if isPlaceholder { return host }
    if let handler { return Self.handlerScheme + ":" + handler }
    let suffix = port == Origin.standardPort(of: scheme) ? "" : ":\(port)"
    return "\(scheme)://\(host)\(suffix)"
  }

  private static func standardPort(of scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}

extension URI {
  /// The origin of an http or https URL; nil for other schemes and for hosts that two readers
  /// could understand differently.
  package var origin: Origin? {
    guard let scheme, let authority else { return nil }
    return Origin(scheme: scheme, authority: authority)
  }
}

extension ASCIISet {
  fileprivate static let hostName = authorityValue.union(ASCIISet("_"))
}
