// Texts that are another format than JSON, or JSON inside of something else.

extension RecoveringParser {
  /// Whether all of it is of another format, which one message says.
  mutating func isOtherFormat() -> Bool {
    guard byte != JSONByte.openBrace, let (format, line) = ForeignFormat.of(bytes, from: position)
    else { return false }
    report(
      "JSON begins with '{' or '[', and this seems to be \(format.rawValue); convert it to JSON, for"
        + " example with yq", line)
    stop()
    return true
  }

  /// Whether this begins as a JSON text may. If not, one message covers all of it.
  mutating func isJSON() -> Bool {
    switch byte {
    case JSONByte.openBrace, JSONByte.openBracket: return true
    case JSONByte.quote, UInt8(ascii: "'"):
      let word = bareText(inObject: false).range
      guard isQuotedName(position) else { return true }
      let end = lastByte.map { $0 + 1 } ?? bytes.count
      report(
        "'{' is missing before the first name, and '}' after the last value", word,
        fix: .init(
          "add '{' and '}'",
          edits: [.init(word.lowerBound..<word.lowerBound, "{ "), .init(end..<end, " }")],
          isGuess: true))
    case UInt8(ascii: "`") where bytes[position...].starts(with: [0x60, 0x60, 0x60]):
      report(
        "JSON begins with '{' or '[', not with '```'; remove the fence of Markdown",
        position..<lineEnd(from: position), fix: withoutFence())
    case UInt8(ascii: "`"): return true
    default:
      let word = bareText(inObject: false).range
      let shown = String(decoding: bytes[word], as: UTF8.self)
      if Self.otherLiterals[shown.lowercased()] != nil || isNumberlike(shown) { return true }
      report(
        "JSON begins with '{' or '[', not with '\(shortened(shown))'", word,
        fix: withoutAssignment(shown, at: word.lowerBound))
    }
    return false
  }

  /// The place of the last byte that is not white space.
  private var lastByte: Int? { bytes.lastIndex { !JSONByte.isSpace($0) } }

  /// The text between the fences of Markdown.
  private func withoutFence() -> JSONSyntaxError.Fix? {
    let start = min(lineEnd(from: position) + 1, bytes.count)
    let fence = [UInt8](repeating: 0x60, count: 3)
    guard let last = lastByte, last >= start + 3, bytes[last - 2...last].elementsEqual(fence) else {
      return nil
    }
    return .init(
      "remove the fence",
      edits: [.init(position..<start, ""), .init(last - 2..<last + 1, "")], isGuess: true)
  }

  /// The value of `const name = {…};`.
  private func withoutAssignment(_ text: String, at start: Int) -> JSONSyntaxError.Fix? {
    guard let equals = bytes[start...].firstIndex(of: UInt8(ascii: "=")),
      let open = bytes[equals...].dropFirst().first(where: { !JSONByte.isSpace($0) }),
      open == JSONByte.openBrace || open == JSONByte.openBracket,
      ["const", "let", "var", "module", "export", "window", "exports"]
        .contains(where: { text.hasPrefix($0) }),
      let value = bytes[equals...].firstIndex(of: open), let last = lastByte
    else { return nil }
    var edits = [JSONSyntaxError.Edit(start..<value, "")]
    if bytes[last] == UInt8(ascii: ";") { edits.append(.init(last..<last + 1, "")) }
    return .init("remove the assignment", edits: edits, isGuess: true)
  }
}
