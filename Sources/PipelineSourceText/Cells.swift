/// How many columns of a terminal a text takes.
///
/// East Asian wide characters and emoji take two cells, marks that combine with the character
/// before them none. The tables come from UAX #11 (wide and fullwidth) and the standard library's
/// emoji properties.
package enum Cells {
  /// The cells of `text`, which holds no control characters.
  package static func width(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// The cells of `character`: 0, 1 or 2.
  package static func width(of character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      if scalar.value == emojiSelector { return 2 }
      width = max(width, self.width(of: scalar))
    }
    return width
  }

  /// The longest beginning of `text` that takes at most `limit` cells.
  package static func prefix(_ text: String, _ limit: Int) -> (text: Substring, width: Int) {
    var width = 0
    for index in text.indices {
      let next = width + self.width(of: text[index])
      if next > limit { return (text[..<index], width) }
      width = next
    }
    return (text[...], width)
  }

  /// `text`, shortened with `…` in the end if it takes more than `limit` cells.
  package static func truncated(_ text: String, to limit: Int) -> String {
    if width(of: text) <= limit { return text }
    return limit < 1 ? "" : prefix(text, limit - 1).text + "…"
  }

  /// `text` with characters made visible that a terminal would obey or hide. Control characters
  /// become their pictures (`␛`), others that move or reverse text become U+FFFD.
  package static func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(printable(scalar)) }
    return String(result)
  }

  /// Lines with the characters in them made visible that a terminal would obey or hide.
  ///
  /// - Parameter keepsInks: Whether escape sequences that only set a colour or a weight stay.
  package static func printableLines(_ text: String, keepingInks keepsInks: Bool = false) -> String
  {
    if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F || $0 == 0x0A }) { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if keepsInks, scalar == "\u{1B}", let end = endOfInk(rest) {
        result.append(contentsOf: rest[..<end])
        rest = rest[end...]
        continue
      }
      result.append(scalar == "\n" ? scalar : printable(scalar))
      rest.removeFirst()
    }
    return String(result)
  }

  /// Where an escape sequence that sets a colour ends, which a text begins with.
  private static func endOfInk(
    _ text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView.Index? {
    let body = text.dropFirst()
    guard body.first == "[" else { return nil }
    let numbers = body.dropFirst().prefix { "0"..."9" ~= $0 || $0 == ";" }
    guard numbers.endIndex < text.endIndex, text[numbers.endIndex] == "m" else { return nil }
    return text.index(after: numbers.endIndex)
  }

  /// The character that is shown in place of another one: itself, if it does no harm.
  ///
  /// The characters that change the direction of text are Unicode's `Bidi_Control`.
  package static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB,
      0xFDD0...0xFDEF, 0xFFFE, 0xFFFF:
      "\u{FFFD}"
    default: scalar
    }
  }

  /// VARIATION SELECTOR-16: the character before it is shown as an emoji.
  private static let emojiSelector: UInt32 = 0xFE0F

  private static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if wide.contains(where: { $0.contains(value) }) { return 2 }
    let properties = scalar.properties
    if properties.isEmojiPresentation { return 2 }
    if 0x1160...0x11FF ~= value { return 0 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DF2, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265,
    0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
