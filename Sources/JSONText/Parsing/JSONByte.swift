/// The bytes that RFC 8259 gives a meaning.
enum JSONByte {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let point = UInt8(ascii: ".")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")

  /// The letters after the first of `true`, `null` and `false`, the first in the low bits.
  static let rue: UInt32 = 0x65_75_72
  static let ull: UInt32 = 0x6C_6C_75
  static let als: UInt32 = 0x73_6C_61

  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The high bit of every byte of `word` that cannot be passed over inside a string: a quote, a
  /// backslash, a control character, a byte past ASCII. Bits above the lowest may be wrong, as a
  /// borrow runs upward.
  @inline(__always) static func special(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let found =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20)
      & ~word | word
    return found & (ones &* 0x80)
  }
}
