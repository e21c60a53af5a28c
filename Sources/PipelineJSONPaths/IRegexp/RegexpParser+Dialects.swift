// Constructs of other regular expression dialects that RFC 9485 does not have, by name.

extension RegexpParser {
  /// The error for a backslash and the text after it.
  func foreignEscape(inClass: Bool) -> IRegexpError {
    guard position + 1 < bytes.count else {
      return IRegexpError(
        "'\\' must not be last; write '\\\\' for the character", position..<position + 1,
        fix: "\\\\", changing: .match)
    }
    let range = position..<end(ofScalarAt: position + 1)
    let escape = text(range)
    if let fix = Self.classEscapes[escape] {
      guard inClass else { return absent(escape, range, writing: "[" + fix + "]") }
      guard !fix.hasPrefix("^") else {
        return IRegexpError(
          "'\(escape)' is not in RFC 9485; list the characters themselves", range)
      }
      return absent(escape, range, writing: fix)
    }
    switch escape.dropFirst() {
    case "$": return absent(escape, range, writing: inClass ? "$" : "[$]")
    case "b", "B":
      return IRegexpError("'\(escape)' (word boundary) is not in RFC 9485", range)
    case "A": return absent(escape, range, writing: inClass ? "A" : "^")
    case "z": return absent(escape, range, writing: inClass ? "z" : "$")
    case "Z":
      // In some dialects the text may go on with a line's end.
      return absent(escape, range, writing: inClass ? "Z" : "$", changing: .match)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9":
      return IRegexpError(
        "'\(escape)' (backreference) is not in RFC 9485, whose patterns are matched in linear time",
        range)
    case "f", "v", "a", "e", "0", "x", "u", "U", "c", "N":
      return IRegexpError(
        "'\(escape)' is not in RFC 9485; write the character itself", range)
    case "K", "Q", "E", "R", "X", "h", "H", "i", "I", "C", "k", "g":
      return IRegexpError("'\(escape)' is not in RFC 9485", range)
    default:
      let character = String(escape.dropFirst())
      return IRegexpError(
        "'\(character)' needs no '\\' and RFC 9485 allows none", range, fix: character,
        changing: character.unicodeScalars.allSatisfy { ScalarSet.asciiWord.contains($0.value) }
          ? .match : .nothing)
    }
  }

  private func absent(
    _ what: String, _ range: Range<Int>, writing fix: String,
    changing change: IRegexpError.Change = .nothing
  ) -> IRegexpError {
    IRegexpError(
      "'\(what)' is not in RFC 9485; write '\(fix)'", range, fix: fix, changing: change)
  }

  private static let classEscapes = [
    "\\d": "0-9", "\\D": "^0-9",
    "\\w": "A-Za-z0-9_", "\\W": "^A-Za-z0-9_",
    "\\s": " \\t\\r\\n", "\\S": "^ \\t\\r\\n",
  ]

  /// Throws if a group begins with `(?…`.
  func refuseForeignGroup() throws(IRegexpError) {
    guard peek(1) == UInt8(ascii: "?") else { return }
    let opening = text(position..<min(position + 4, bytes.count))
    func error(
      _ message: String, _ length: Int, fix: String? = nil,
      changing change: IRegexpError.Change = .match
    ) -> IRegexpError {
      IRegexpError(
        message, position..<min(position + length, bytes.count), fix: fix, changing: change)
    }
    if opening.hasPrefix("(?:") {
      let isFirst = groupCount == 0
      throw error(
        "'(?:' is not in RFC 9485; write '('" + (isFirst ? ", which is the first group then" : ""),
        3, fix: "(", changing: isFirst ? .capture : .nothing)
    }
    if opening.hasPrefix("(?=") || opening.hasPrefix("(?!") {
      throw error("'\(opening.prefix(3))' (lookahead) is not in RFC 9485", 3)
    }
    if opening.hasPrefix("(?<=") || opening.hasPrefix("(?<!") {
      throw error("'\(opening)' (lookbehind) is not in RFC 9485", 4)
    }
    if opening.hasPrefix("(?<") || opening.hasPrefix("(?P") || opening.hasPrefix("(?'") {
      let close = bytes[position...].firstIndex { $0 == UInt8(ascii: ">") }
      let length = close.map { $0 + 1 - position } ?? 3
      throw error(
        "groups have no names in RFC 9485; write '('", length, fix: "(", changing: .capture)
    }
    if opening.hasPrefix("(?>") {
      throw error("'(?>' (atomic group) is not in RFC 9485; write '('", 3, fix: "(")
    }
    if opening.hasPrefix("(?i") {
      throw error(
        "'(?i)' is not in RFC 9485; write both cases, as in '[Aa]'", 3)
    }
    throw error("'(?' is not in RFC 9485; write '(' for a group", 2)
  }
}
