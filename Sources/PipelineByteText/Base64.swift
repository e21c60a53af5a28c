/// Base64 with padding, RFC 4648 §4.
@usableFromInline package enum Base64 {
  @usableFromInline static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  @inlinable
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var rest = bytes.makeIterator()
    while let first = rest.next() {
      let second = rest.next()
      let third = second == nil ? nil : rest.next()
      let word = UInt32(first) << 16 | UInt32(second ?? 0) << 8 | UInt32(third ?? 0)
      text.append(alphabet[Int(word >> 18 & 63)])
      text.append(alphabet[Int(word >> 12 & 63)])
      text.append(second == nil ? UInt8(ascii: "=") : alphabet[Int(word >> 6 & 63)])
      text.append(third == nil ? UInt8(ascii: "=") : alphabet[Int(word & 63)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// With the alphabet that is safe in URLs, without padding: RFC 4648 §5.
  package static func encodeForURLs(_ bytes: some Collection<UInt8>) -> String {
    let text = encode(bytes).utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
