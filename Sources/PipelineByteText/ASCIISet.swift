/// A set of ASCII characters, tested in constant time.
///
/// Bytes from 0x80 on are never members.
@usableFromInline package struct ASCIISet: Sendable, Hashable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: UInt64 = 0

  /// The characters of `members`; characters beyond ASCII are ignored.
  package init(_ members: String) {
    for byte in members.utf8 { insert(byte) }
  }

  /// Whether a byte is one of the characters.
  @inlinable package func contains(_ byte: UInt8) -> Bool {
    let half = byte & 64 == 0 ? low : high
    return byte < 128 && half &>> UInt64(byte & 63) & 1 != 0
  }

  /// The characters of both sets.
  package func union(_ other: ASCIISet) -> ASCIISet {
    var union = self
    union.low |= other.low
    union.high |= other.high
    return union
  }

  private mutating func insert(_ byte: UInt8) {
    switch byte {
    case 0..<64: low |= 1 << UInt64(byte)
    case 64..<128: high |= 1 << UInt64(byte - 64)
    default: break
    }
  }
}

extension ASCIISet {
  /// `A` to `Z` and `a` to `z`.
  package static let letters = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  /// `0` to `9`.
  package static let digits = ASCIISet("0123456789")

  /// RFC 3986 §2.3: the characters that percent-encoding never touches.
  @usableFromInline package static let unreserved = letters.union(digits).union(ASCIISet("-._~"))

  /// The digits of base 16, in both cases.
  package static let hexadecimal = digits.union(ASCIISet("ABCDEFabcdef"))
}
