package import PipelineByteText

extension ASCIISet {
  /// RFC 3986 §2.2: the delimiters a component may use for itself.
  package static let subDelimiters = ASCIISet("!$&'()*+,;=")

  /// RFC 3986 §3.3: `pchar` without percent-encoded octets.
  package static let segment = unreserved.union(subDelimiters).union(ASCIISet(":@"))

  /// The literal characters of a reserved expansion (`{{+x}}`) in a path: segments and the `/`
  /// between them.
  ///
  /// RFC 6570 §3.2.3 keeps `?`, `#`, `[` and `]` as well. They would end the path or are not
  /// allowed in it, so they are encoded here.
  package static let path = segment.union(ASCIISet("/"))

  /// The literal characters of a query: those of RFC 3986 §3.4, and `[` and `]`. Servers, browsers
  /// and API documentation use these there unencoded (`filter[name]=x`).
  package static let query = segment.union(ASCIISet("/?[]"))

  /// The characters that a value may bring into the authority of a URL.
  package static let authorityValue = letters.union(digits).union(ASCIISet(".-"))

  package static let scheme = letters.union(digits).union(ASCIISet("+-."))
  package static let host = unreserved.union(subDelimiters)
  package static let userinfo = host.union(ASCIISet(":"))
}
