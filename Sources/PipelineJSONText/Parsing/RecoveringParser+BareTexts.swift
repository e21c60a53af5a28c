/// Texts without quotes in place of a string.
extension RecoveringParser {
  struct BareText {
    var range: Range<Int>
    /// Where reading continues.
    var end: Int
    /// Whether quotes around it make it a string as it is.
    var isPlain = true
    var hasClosingQuote = false
  }

  /// The text that the author meant. It ends at the end of its line, at a comma before another
  /// member or element, at a bracket that closes what is around it, or at a comment.
  func bareText(inObject: Bool) -> BareText {
    var text = BareText(range: position..<position, end: position)
    var (at, depth, quotes) = (position, 0, 0)
    scan: while !isLineEnd(at) {
      switch bytes[at] {
      case JSONByte.openBrace, JSONByte.openBracket, UInt8(ascii: "("): depth += 1
      case JSONByte.closeBrace, JSONByte.closeBracket:
        if depth == 0 { break scan }
        depth -= 1
      case UInt8(ascii: ")"): depth = max(depth - 1, 0)
      case JSONByte.comma where depth == 0 && (!inObject || isCommaBetween(at)): break scan
      case UInt8(ascii: ";") where isLineEnd(afterSpaces(at + 1)): break scan
      case UInt8(ascii: "/"), UInt8(ascii: "#"):
        if at > position, bytes[at - 1] == 0x20, isComment(at) { break scan }
      case JSONByte.quote:
        if depth == 0, quotes == 0, at > position {
          if isQuotedName(at) { break scan }
          text.hasClosingQuote = isValueEnd(at + 1)
          if text.hasClosingQuote { break scan }
        }
        quotes += 1
        text.isPlain = false
      case JSONByte.backslash, 0..<0x20: text.isPlain = false
      case 0x80...:
        let length = UTF8Sequence.length(in: bytes, at: at)
        if length == 0 { text.isPlain = false }
        at += max(length - 1, 0)
      default: break
      }
      at += 1
    }
    at = min(max(at, position + 1), bytes.count)
    text.end = text.hasClosingQuote ? at + 1 : at
    while at > position + 1, JSONByte.isSpace(bytes[at - 1]) { at -= 1 }
    text.range = position..<at
    return text
  }

  /// Reads a text that has no quotes, or lacks one.
  mutating func readBareText(inObject: Bool) {
    let text = bareText(inObject: inObject)
    if inObject, text.end < bytes.count, bytes[text.end] == JSONByte.closeBracket {
      let start = text.range.lowerBound..<text.range.lowerBound
      report(
        "'[' is missing before this value; add it", text.range,
        fix: .init("add '['", edits: [.init(start, "[")]))
      return isStopped ? append(.null, offset: position, span: 0) : begin(.array, isImplied: true)
    }
    let word = String(decoding: bytes[text.range], as: UTF8.self)
    let isWord = word.utf8.count <= 40 && !word.utf8.contains(0x20)
    if text.hasClosingQuote {
      let start = text.range.lowerBound
      report(
        "the opening quote of this string is missing; add '\"'", start..<text.end,
        fix: text.isPlain ? .init("add '\"'", edits: [.init(start..<start, "\"")]) : nil)
    } else if !text.isPlain || !word.utf8.contains(where: isWordByte) {
      report(
        "'\(shortened(word))' is not a JSON value; write a string in double quotes, a number, a"
          + " list or an "
          + "object", text.range)
    } else if isNumberlike(word) {
      report(
        "'\(shortened(word))' is not a number; write a string in double quotes"
          + (isWord ? ": \"\(word)\"" : ""), text.range, fix: quoting(text.range))
    } else {
      report(
        isWord
          ? "'\(word)' is not a JSON value; write it in double quotes: \"\(word)\""
          : "a string needs double quotes; add '\"' before and after it", text.range,
        fix: quoting(text.range))
    }
    append(.lenientString, offset: text.range.lowerBound, span: text.range.count)
    position = text.end
  }

  /// Reads a name or value in the quotes of a word processor; gives false if there are none.
  mutating func readTypographic() -> Bool {
    guard let (first, length) = typographicQuote(at: position) else { return false }
    let start = position + length
    var at = start
    while !isLineEnd(at) {
      if let (last, length) = typographicQuote(at: at), at > start,
        isValueEnd(at + length) || isColon(afterSpaces(at + length))
      {
        let range = position..<at + length
        let inner = start..<at
        let isPlain = !bytes[inner].contains { $0 < 0x20 || [0x22, 0x5C].contains($0) }
        let text = String(decoding: bytes[inner], as: UTF8.self)
        report(
          "'\(first)' and '\(last)' are not quotes in JSON; write "
            + (text.count > 40 ? "'\"'" : "\"\(text)\""), range,
          fix: isPlain ? .init("use double quotes", edits: [.init(range, "\"\(text)\"")]) : nil)
        append(.lenientString, offset: inner.lowerBound, span: inner.count)
        position = range.upperBound
        return true
      }
      at += max(UTF8Sequence.length(in: bytes, at: at), 1)
    }
    return false
  }

  private func typographicQuote(at start: Int) -> (Character, length: Int)? {
    let length = start < bytes.count ? UTF8Sequence.length(in: bytes, at: start) : 0
    guard length > 1,
      let character = String(decoding: bytes[start..<start + length], as: UTF8.self).first,
      "“”„«»‘’".contains(character)
    else { return nil }
    return (character, length)
  }

  func isNumberlike(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    if JSONByte.isDigit(first) || word == "∞" { return true }
    guard "+-.".utf8.contains(first), let second = word.utf8.dropFirst().first else { return false }
    return JSONByte.isDigit(second)
      || ["nan", "infinity", "inf"].contains(word.dropFirst().lowercased())
  }

  /// A text as a message quotes it.
  func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(37) + "…" : text
  }

  func quoting(_ range: Range<Int>) -> JSONSyntaxError.Fix {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    return .init(
      "add double quotes", edits: [.init(lower..<lower, "\""), .init(upper..<upper, "\"")])
  }
}
