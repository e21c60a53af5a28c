/// A set of ASCII characters, tested in constant time.
///
/// Bytes from 0x80 on are never members.
public struct ASCIISet: Sendable, Hashable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: UInt64 = 0

  /// The characters of `members`; characters beyond ASCII are ignored.
  public init(_ members: String) {
    for byte in members.utf8 { insert(byte) }
  }

  @inlinable public func contains(_ byte: UInt8) -> Bool {
    let half = byte & 64 == 0 ? low : high
    return byte < 128 && half &>> UInt64(byte & 63) & 1 != 0
  }

  public func union(_ other: ASCIISet) -> ASCIISet {
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
  public static let letters = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  public static let digits = ASCIISet("0123456789")

  /// RFC 3986 §2.3: the characters that percent-encoding never touches.
  public static let unreserved = letters.union(digits).union(ASCIISet("-._~"))

  public static let hexadecimal = digits.union(ASCIISet("ABCDEFabcdef"))
}
