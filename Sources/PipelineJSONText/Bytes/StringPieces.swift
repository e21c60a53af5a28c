/// Walks the content of a string piece by piece: a plain byte, or an escape and its meaning.
///
/// Lenient as recovered documents need it: a wrong escape stands for the character after the
/// backslash and half a surrogate pair for U+FFFD. In a strictly parsed document neither occurs.
struct StringPieces: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  struct Piece {
    /// Where it is in the text.
    let range: Range<Int>
    /// Its UTF-8, the first byte in the low bits.
    let utf8: UInt32
    /// How many bytes of `utf8` count.
    let length: Int
  }

  mutating func next() -> Piece? {
    guard position < end else { return nil }
    let start = position
    let byte = bytes[start]
    guard byte == UInt8(ascii: "\\"), start + 1 < end else {
      position += 1
      return Piece(range: start..<position, utf8: UInt32(byte), length: 1)
    }
    position += 2
    let escaped = bytes[start + 1]
    switch escaped {
    case UInt8(ascii: "n"): return Piece(range: start..<position, utf8: 0x0A, length: 1)
    case UInt8(ascii: "t"): return Piece(range: start..<position, utf8: 0x09, length: 1)
    case UInt8(ascii: "r"): return Piece(range: start..<position, utf8: 0x0D, length: 1)
    case UInt8(ascii: "b"): return Piece(range: start..<position, utf8: 0x08, length: 1)
    case UInt8(ascii: "f"): return Piece(range: start..<position, utf8: 0x0C, length: 1)
    case UInt8(ascii: "u"):
      guard let scalar = scalar(fromUnicodeEscapeAt: start) else { fallthrough }
      let (utf8, length) = UTF8Sequence.encode(scalar)
      return Piece(range: start..<position, utf8: utf8, length: length)
    default: return Piece(range: start..<position, utf8: UInt32(escaped), length: 1)
    }
  }

  /// Reads `\uXXXX`, or the pair of them that makes one character, and moves past it.
  private mutating func scalar(fromUnicodeEscapeAt start: Int) -> UInt32? {
    guard let unit = Hexadecimal.unit(in: bytes, at: start + 2, end: end) else { return nil }
    position = start + 6
    guard unit & 0xF800 == 0xD800 else { return unit }
    guard unit < 0xDC00, position + 1 < end, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u"),
      let low = Hexadecimal.unit(in: bytes, at: position + 2, end: end), low & 0xFC00 == 0xDC00
    else { return 0xFFFD }
    position += 6
    return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
  }
}

enum Hexadecimal {
  /// The value of one digit; 255 for any other byte.
  @inline(__always) static func digit(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x46: byte &- 0x37
    case 0x61...0x66: byte &- 0x57
    default: 255
    }
  }

  /// The value of four digits at `index`; `nil` if fewer than four precede `end`.
  static func unit(in bytes: [UInt8], at index: Int, end: Int) -> UInt32? {
    guard index + 4 <= end else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[index..<index + 4] {
      let digit = digit(byte)
      guard digit < 16 else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
