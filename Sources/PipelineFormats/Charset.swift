internal import PipelineByteText

/// How the bytes of a body are text: the encodings of the WHATWG Encoding Standard that are decoded
/// here, by its labels.
package enum Charset: Sendable, Hashable {
  case utf8, utf16LittleEndian, utf16BigEndian
  /// Also text that is labelled ISO-8859-1 or ASCII, because it is a superset.
  case windows1252

  /// The encoding that a label names, without regard to case; `nil` if it is none of these.
  package init?(label: String) {
    switch label.lowercased() {
    case "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8":
      self = .utf8
    case "ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1",
      "iso-ir-100", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1",
      "us-ascii", "windows-1252", "x-cp1252":
      self = .windows1252
    case "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le":
      self = .utf16LittleEndian
    case "unicodefffe", "utf-16be": self = .utf16BigEndian
    default: return nil
    }
  }

  /// The encoding that a byte order mark names, and the mark's length.
  package static func marked(_ bytes: [UInt8]) -> (charset: Charset, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    return nil
  }

  /// The `charset` of a media type (RFC 9110 §8.3.2), the first if it is given twice; `nil` if
  /// there is none, or an empty one.
  package static func label(in contentType: String) -> String? {
    var rest = contentType.utf8[...]
    // Past the type itself, then past each parameter.
    while let semicolon = endOfParameter(rest) {
      rest = rest[rest.index(after: semicolon)...]
      let parameter = rest[..<(endOfParameter(rest) ?? rest.endIndex)]
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(Substring(parameter[..<equals])).trimmed
      guard name.equalsIgnoringASCIICase("charset") else { continue }
      let value = String(Substring(parameter[parameter.index(after: equals)...])).trimmed
      let label = value.utf8.first == UInt8(ascii: "\"") ? unquoted(value) : value
      return label.isEmpty ? nil : label
    }
    return nil
  }

  /// The place of the semicolon after a parameter. One inside quotes belongs to the value.
  private static func endOfParameter(_ text: Substring.UTF8View) -> Substring.UTF8View.Index? {
    var isQuoted = false
    var isEscaped = false
    for index in text.indices {
      switch text[index] {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isQuoted
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ";") where !isQuoted: return index
      default: break
      }
    }
    return nil
  }

  private static func unquoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8.dropFirst() {
      if !isEscaped, byte == UInt8(ascii: "\"") { break }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      if !isEscaped { bytes.append(byte) }
    }
    return String(validating: bytes, as: UTF8.self)?.trimmed ?? text
  }

  // MARK: Decoding

  /// The text of `bytes`, without their byte order mark; `nil` if they are not in this encoding.
  package func text(of bytes: ArraySlice<UInt8>) -> String? {
    switch self {
    case .utf8: return String(validating: bytes, as: UTF8.self)
    case .windows1252:
      var text = String.UnicodeScalarView()
      for byte in bytes { text.append(Self.scalar(ofWindows1252: byte)) }
      return String(text)
    case .utf16LittleEndian, .utf16BigEndian:
      guard bytes.count.isMultiple(of: 2) else { return nil }
      let isBigEndian = if case .utf16BigEndian = self { true } else { false }
      let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
      }
      return String(validating: units, as: UTF16.self)
    }
  }

  /// The encoding as a message names it.
  package var words: String {
    switch self {
    case .utf8: "UTF-8"
    case .windows1252: "windows-1252"
    case .utf16LittleEndian: "UTF-16 (little endian)"
    case .utf16BigEndian: "UTF-16 (big endian)"
    }
  }

  static func scalar(ofWindows1252 byte: UInt8) -> Unicode.Scalar {
    guard byte & 0xE0 == 0x80 else { return Unicode.Scalar(byte) }
    return highCharacters[Int(byte & 0x1F)]
  }

  /// The characters of 0x80 to 0x9F. Bytes that windows-1252 leaves undefined are control
  /// characters, as WHATWG's index has them.
  private static let highCharacters = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
