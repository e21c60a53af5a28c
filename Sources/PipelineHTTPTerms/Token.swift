public import PipelineByteText

extension StringProtocol {
  /// Whether this is a `token` of RFC 9110 §5.6.2, as names of methods and header fields are.
  @inlinable
  package var isToken: Bool { !utf8.isEmpty && utf8.allSatisfy(\.isTokenCharacter) }
}

extension UInt8 {
  /// Whether this is a `tchar` of RFC 9110 §5.6.2.
  @inlinable
  package var isTokenCharacter: Bool { ASCIISet.token.contains(self) }
}

extension ASCIISet {
  @usableFromInline static let token = letters.union(digits).union(ASCIISet("!#$%&'*+-.^_`|~"))
}
