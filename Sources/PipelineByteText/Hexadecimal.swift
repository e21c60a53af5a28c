/// Bytes as pairs of hexadecimal digits (RFC 4648 §8).
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// `nil` if the text is not such pairs, in capital or small letters.
  package static func decode(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.count % 2 == 0 else { return nil }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count / 2)
    for place in stride(from: 0, to: bytes.count, by: 2) {
      guard let high = value(of: bytes[place]), let low = value(of: bytes[place + 1]) else {
        return nil
      }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
