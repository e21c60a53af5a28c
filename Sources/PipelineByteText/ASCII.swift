// Swift compares text by canonical equality and cuts it between characters: "/" with a combining
// mark is one character that is not "/". Text on which a decision depends is compared and cut by
// bytes.

extension UInt8 {
  /// This byte, an ASCII capital in lower case.
  @inlinable package var lowercasedASCII: UInt8 { self &- 65 < 26 ? self | 0x20 : self }

  /// Whether it is an ASCII letter, a digit or `_`.
  @inlinable package var isWordByte: Bool {
    (self & 0xDF) &- 65 < 26 || self &- 48 < 10 || self == UInt8(ascii: "_")
  }

  /// Whether it may be in a name: a word byte, or a byte of a character beyond ASCII (RFC 9535
  /// §2.5.1.1, `name-char`).
  @inlinable package var isNameByte: Bool { isWordByte || self >= 0x80 }
}

extension StringProtocol {
  /// Whether both are the same except for the case of ASCII letters.
  @inlinable
  package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
  }

  /// Without spaces and tabs at either end.
  package var trimmed: String {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var text = Substring(self).utf8.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(Substring(text))
  }
}
