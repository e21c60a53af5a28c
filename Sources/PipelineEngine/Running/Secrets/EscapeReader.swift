/// Reads one escape of JSON, of a string literal, of a URL or of HTML.
struct EscapeReader {
  let bytes: [UInt8]

  enum Meaning {
    case byte(UInt8)
    case scalar(Unicode.Scalar)
  }

  struct Escape {
    let meaning: Meaning
    /// In bytes.
    let length: Int
  }

  static func mayBegin(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
  }

  /// The escape that begins at `index`; `nil` if none does.
  func escape(at index: Int) -> Escape? {
    switch bytes[index] {
    case UInt8(ascii: "%"): percent(at: index)
    case UInt8(ascii: "\\"): backslash(at: index)
    case UInt8(ascii: "&"): entity(at: index)
    default: nil
    }
  }

  /// `%2F`, and `%u002F` as old JavaScript writes it.
  private func percent(at index: Int) -> Escape? {
    if byte(index + 1) == UInt8(ascii: "u") { return utf16(at: index, opening: "%u") }
    return hexadecimal(from: index + 1, digits: 2).map {
      Escape(meaning: .byte(UInt8($0)), length: 3)
    }
  }

  private func backslash(at index: Int) -> Escape? {
    guard let next = byte(index + 1) else { return nil }
    switch next {
    case UInt8(ascii: "u"):
      return byte(index + 2) == UInt8(ascii: "{")
        ? braced(at: index) : utf16(at: index, opening: "\\u")
    case UInt8(ascii: "U"):
      return hexadecimal(from: index + 2, digits: 8).flatMap(Unicode.Scalar.init).map {
        Escape(meaning: .scalar($0), length: 10)
      }
    case UInt8(ascii: "x"):
      return hexadecimal(from: index + 2, digits: 2).map {
        Escape(meaning: .byte(UInt8($0)), length: 4)
      }
    case UInt8(ascii: "0")...UInt8(ascii: "7"): return octal(at: index)
    case UInt8(ascii: "n"): return Escape(meaning: .byte(0x0A), length: 2)
    case UInt8(ascii: "r"): return Escape(meaning: .byte(0x0D), length: 2)
    case UInt8(ascii: "t"): return Escape(meaning: .byte(0x09), length: 2)
    case UInt8(ascii: "b"): return Escape(meaning: .byte(0x08), length: 2)
    case UInt8(ascii: "f"): return Escape(meaning: .byte(0x0C), length: 2)
    case UInt8(ascii: "v"): return Escape(meaning: .byte(0x0B), length: 2)
    case UInt8(ascii: "a"): return Escape(meaning: .byte(0x07), length: 2)
    case UInt8(ascii: "e"): return Escape(meaning: .byte(0x1B), length: 2)
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E, 0x20:
      return Escape(meaning: .byte(next), length: 2)
    default: return nil
    }
  }

  /// `\303`, as C writes a byte.
  private func octal(at index: Int) -> Escape? {
    var (value, length) = (0, 1)
    while length < 4, let digit = byte(index + length), (0x30...0x37).contains(digit),
      value * 8 + Int(digit & 7) < 256
    {
      value = value * 8 + Int(digit & 7)
      length += 1
    }
    return Escape(meaning: .byte(UInt8(value)), length: length)
  }

  /// `\u{1F600}`.
  private func braced(at index: Int) -> Escape? {
    var (value, length): (UInt32, Int) = (0, 3)
    while length < 9, let digit = byte(index + length).flatMap(Self.digit) {
      value = value << 4 | digit
      length += 1
    }
    guard length > 3, byte(index + length) == UInt8(ascii: "}"), let scalar = Unicode.Scalar(value)
    else { return nil }
    return Escape(meaning: .scalar(scalar), length: length + 1)
  }

  /// Four digits after `opening`, or two such groups for a scalar beyond U+FFFF.
  private func utf16(at index: Int, opening: StaticString) -> Escape? {
    guard let first = hexadecimal(from: index + 2, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(first) { return Escape(meaning: .scalar(scalar), length: 6) }
    guard first < 0xDC00, byte(index + 6) == opening.utf8Start[0],
      byte(index + 7) == opening.utf8Start[1],
      let second = hexadecimal(from: index + 8, digits: 4), (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return nil }
    return Escape(meaning: .scalar(scalar), length: 12)
  }

  /// `&quot;`, `&#34;`, `&#x22;`.
  private func entity(at index: Int) -> Escape? {
    guard let end = bytes[index..<min(index + 12, bytes.count)].firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let name = bytes[(index + 1)..<end]
    let scalar: Unicode.Scalar?
    if name.first == UInt8(ascii: "#") {
      let digits = name.dropFirst()
      let isHexadecimal = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
      scalar = UInt32(
        String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self),
        radix: isHexadecimal ? 16 : 10
      ).flatMap(Unicode.Scalar.init)
    } else {
      scalar = Self.entities.first { name.elementsEqual($0.name.utf8) }?.scalar
    }
    return scalar.map { Escape(meaning: .scalar($0), length: end + 1 - index) }
  }

  private static let entities: [(name: String, scalar: Unicode.Scalar)] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("sol", "/"),
    ("plus", "+"), ("equals", "="), ("colon", ":"), ("nbsp", " "),
  ]

  // MARK: Digits

  private func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private func hexadecimal(from start: Int, digits: Int) -> UInt32? {
    guard start + digits <= bytes.count else { return nil }
    var value: UInt32 = 0
    for index in start..<start + digits {
      guard let digit = Self.digit(bytes[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}
