/// The bytes and characters that XML gives a meaning.
enum XMLByte {
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let ampersand = UInt8(ascii: "&")

  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether a byte may be in a name, which `isName` decides for those above ASCII.
  @inline(__always) static func isInName(_ byte: UInt8) -> Bool {
    if byte >= 0x80 { return true }
    let half = byte < 64 ? lowerNames : upperNames
    return half >> UInt64(byte & 63) & 1 != 0
  }

  /// The bytes of names below 64, a bit for each: `-`, `.`, digits and `:`.
  private static let lowerNames: UInt64 = 0x07FF_6000_0000_0000
  /// The bytes of names from 64 to 127: letters and `_`.
  private static let upperNames: UInt64 = 0x07FF_FFFE_87FF_FFFE

  /// Whether a name may begin with a byte that may be in one.
  @inline(__always) static func isNameStart(_ byte: UInt8) -> Bool {
    byte != 0x2D && byte != 0x2E && !(byte &- 0x30 < 10)
  }

  /// Whether a text is a name (§2.3).
  static func isName(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, isNameStart(first) else { return false }
    guard name.allSatisfy(isInName) else { return false }
    guard name.contains(where: { $0 >= 0x80 }) else { return true }
    let scalars = String(decoding: name, as: UTF8.self).unicodeScalars
    guard let start = scalars.first, isNameStart(start) else { return false }
    return scalars.dropFirst().allSatisfy {
      isNameStart($0) || $0.value == 0xB7 || (0x300...0x36F).contains($0.value)
        || $0.value == 0x203F || $0.value == 0x2040 || $0.value < 0x80
    }
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3A, 0x5F, 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF,
      0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF,
      0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether XML has a character (§2.2).
  static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
