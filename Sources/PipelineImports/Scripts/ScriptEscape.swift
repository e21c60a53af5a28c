internal import PipelineByteText

/// The escapes in texts of JavaScript and Hurl (ECMA-262 §12.9.4).
enum ScriptEscape {
  /// Takes what comes after a backslash, and gives what it stands for; `nil` if it stands for
  /// nothing.
  static func take(_ scalars: inout Substring.UnicodeScalarView) -> String? {
    guard let escaped = scalars.popFirst() else { return nil }
    switch escaped {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    case "0": return "\0"
    // It joins two lines.
    case "\n": return ""
    case "x": return takeDigits(2, &scalars).flatMap(Unicode.Scalar.init).map { String($0) }
    case "u": return takeUnit(&scalars)
    default: return String(escaped)
    }
  }

  /// `u00e9`, `u{e9}`, or two halves of a scalar (UTF-16).
  private static func takeUnit(_ scalars: inout Substring.UnicodeScalarView) -> String? {
    if scalars.first == "{" {
      scalars.removeFirst()
      let digits = String(Substring(scalars).prefix(before: "}"))
      scalars = scalars.drop { $0 != "}" }.dropFirst()
      return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) }
    }
    guard let unit = takeDigits(4, &scalars) else { return nil }
    guard (0xD800..<0xDC00).contains(unit) else {
      return Unicode.Scalar(unit).map { String($0) }
    }
    guard scalars.popFirst() == "\\", scalars.popFirst() == "u",
      let low = takeDigits(4, &scalars), (0xDC00..<0xE000).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)).map { String($0) }
  }

  private static func takeDigits(
    _ count: Int, _ scalars: inout Substring.UnicodeScalarView
  ) -> UInt32? {
    let digits = scalars.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    scalars = scalars.dropFirst(count)
    return UInt32(String(digits), radix: 16)
  }
}
