/// The well-formed byte sequences of UTF-8: RFC 3629 §4, table 3-7 of the Unicode standard.
enum UTF8Sequence {
  /// The length of the well-formed sequence that begins with these bytes; 0 if there is none. Bytes
  /// past the end of a text are given as 0.
  @inline(__always)
  static func length(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> Int {
    switch first {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: return isContinuation(second) ? 2 : 0
    case 0xE0...0xEF:
      guard isContinuation(second), isContinuation(third) else { return 0 }
      if first == 0xE0 && second < 0xA0 { return 0 }  // overlong
      if first == 0xED && second > 0x9F { return 0 }  // surrogates
      return 3
    case 0xF0...0xF4:
      guard isContinuation(second), isContinuation(third), isContinuation(fourth) else { return 0 }
      if first == 0xF0 && second < 0x90 { return 0 }  // overlong
      if first == 0xF4 && second > 0x8F { return 0 }  // past U+10FFFF
      return 4
    default: return 0
    }
  }

  @inline(__always) static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The same for the bytes of an array from `index` on.
  static func length(in bytes: [UInt8], at index: Int) -> Int {
    func byte(_ distance: Int) -> UInt8 {
      index + distance < bytes.count ? bytes[index + distance] : 0
    }
    return length(byte(0), byte(1), byte(2), byte(3))
  }

  /// The problem with the bytes at `index`, which begin no well-formed sequence.
  static func fault(in bytes: [UInt8], at index: Int) -> (message: String, length: Int) {
    let first = bytes[index]
    var length = 1
    while length < 4, index + length < bytes.count, isContinuation(bytes[index + length]) {
      length += 1
    }
    let second = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch first {
    case 0x80...0xBF: return ("a continuation byte on its own", 1)
    case 0xC0, 0xC1: return ("an overlong sequence", min(length, 2))
    case 0xE0 where isContinuation(second) && second < 0xA0:
      return ("an overlong sequence", min(length, 3))
    case 0xF0 where isContinuation(second) && second < 0x90:
      return ("an overlong sequence", length)
    case 0xED where isContinuation(second) && second > 0x9F:
      return ("a surrogate, which UTF-8 does not encode", min(length, 3))
    case 0xF4 where isContinuation(second) && second > 0x8F:
      return ("a character past U+10FFFF", length)
    case 0xF5...0xFF: return ("a byte that UTF-8 does not have", 1)
    case 0xC2...0xDF: return ("a sequence that is cut short", 1)
    case 0xE0...0xEF: return ("a sequence that is cut short", min(length, 2))
    default: return ("a sequence that is cut short", min(length, 3))
    }
  }

  /// The UTF-8 bytes of a scalar value, in the low bits first, and how many they are.
  @inline(__always) static func encode(_ scalar: UInt32) -> (bytes: UInt32, length: Int) {
    switch scalar {
    case 0..<0x80: return (scalar, 1)
    case 0x80..<0x800: return (0xC0 | scalar >> 6 | (0x80 | scalar & 0x3F) << 8, 2)
    case 0x800..<0x10000:
      return (
        0xE0 | scalar >> 12 | (0x80 | scalar >> 6 & 0x3F) << 8 | (0x80 | scalar & 0x3F) << 16, 3
      )
    default:
      let low = (0x80 | scalar >> 6 & 0x3F) << 16 | (0x80 | scalar & 0x3F) << 24
      return (0xF0 | scalar >> 18 | (0x80 | scalar >> 12 & 0x3F) << 8 | low, 4)
    }
  }
}
