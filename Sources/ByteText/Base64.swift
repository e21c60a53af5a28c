/// Base64 with padding, RFC 4648 §4.
package enum Base64 {
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

  /// The bytes of `text`; nil if a character is not in the alphabet or the padding is wrong.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var group = 0
    var digits = 0
    var padding = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: byte) else { return nil }
      group = group << 6 | value
      digits += 1
      if digits % 4 == 0 {
        bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
        group = 0
      }
    }
    switch (digits % 4, padding) {
    case (0, 0): break
    case (2, 2): bytes.append(UInt8(group >> 4 & 255))
    case (3, 1): bytes += [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)]
    default: return nil
    }
    return bytes
  }

  private static func value(of byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
