/// Strings whose quotes are wrong: of another kind, one too few, too many.
extension RecoveringParser {
  /// Reads a string in quotes that JSON does not know.
  mutating func readForeignString(_ quote: UInt8) {
    let start = position + 1
    position = start
    var edits = [JSONSyntaxError.Edit(start - 1..<start, "\"")]
    var isPlain = true
    while var character = byte, character != 0x0A, character != 0x0D {
      if character == quote, isClosing(quote) { break }
      if character == JSONByte.backslash {
        if position + 1 < bytes.count, bytes[position + 1] == quote {
          edits.append(.init(position..<position + 1, ""))
        } else {
          isPlain = false
        }
        position += 1
        guard let escaped = byte else { break }
        character = escaped
      } else if character == JSONByte.quote {
        edits.append(.init(position..<position, "\\"))
      }
      if character < 0x20 { isPlain = false }
      if character < 0x80 {
        position += 1
      } else if !readSequence() {
        isPlain = false
      }
      if isStopped { break }
    }
    position = min(position, bytes.count)
    let end = position
    let isClosed = byte == quote
    if isClosed { position += 1 }
    edits.append(.init(end..<end + 1, "\""))
    let quoted = Character(Unicode.Scalar(quote))
    report(
      "JSON writes strings in double quotes, not \(quoted == "'" ? "single quotes" : "backquotes")",
      start - 1..<position,
      fix: isPlain && isClosed ? .init("use double quotes", edits: edits) : nil)
    append(.lenientString, offset: start, span: end - start)
  }

  /// Whether the quote here closes its string. An apostrophe precedes a letter, and another quote
  /// after it ends the string.
  private func isClosing(_ quote: UInt8) -> Bool {
    guard position + 1 < bytes.count, isWordByte(bytes[position + 1]) else { return true }
    var next = position + 1
    while let end = closingQuote(from: next, quote) {
      if isValueEnd(end + 1) || isColon(afterSpaces(end + 1)) { return false }
      next = end + 1
    }
    return true
  }

  /// A line ends in a string. The string was meant to end where brackets around it are still open.
  mutating func closeAtLineEnd(from start: Int) {
    var end = start
    var depth = 0
    scan: while end < position {
      switch bytes[end] {
      case JSONByte.openBrace, JSONByte.openBracket: depth += 1
      case JSONByte.closeBrace, JSONByte.closeBracket:
        if depth == 0 { break scan }
        depth -= 1
      default: break
      }
      end += 1
    }
    while end > start, JSONByte.isSpace(bytes[end - 1]) || bytes[end - 1] == JSONByte.comma {
      end -= 1
    }
    close(start..<end)
  }

  private mutating func close(_ range: Range<Int>) {
    let end = range.upperBound..<range.upperBound
    report(
      "this string is not closed on its line; add '\"'", range.lowerBound - 1..<range.upperBound,
      fix: .init("add '\"'", edits: [.init(end, "\"")]))
    append(.lenientString, offset: range.lowerBound, span: range.count)
    position = range.upperBound
  }

  /// At a quote after which no string ends: whether the string was to end before the quote, or
  /// after it.
  mutating func readMisquoted(from start: Int, isName: Bool) -> Bool {
    let quote = position
    guard quote + 1 < bytes.count, !isAfterString(bytes[quote + 1]), !isComment(quote + 1) else {
      return false
    }
    if quote == start, bytes[quote + 1] == JSONByte.quote { return readTripleQuoted() }
    if isName { return false }
    var end = quote
    while end > start, JSONByte.isSpace(bytes[end - 1]) { end -= 1 }
    if end > start, bytes[end - 1] == JSONByte.comma, isInArray || isQuotedName(quote) {
      close(start..<end - 1)
      return true
    }
    return readInnerQuotes(from: start)
  }

  /// At the text of a name: closes it before the colon after its first word, if none follows its
  /// quote.
  mutating func closeBeforeColon(from start: Int) -> Bool {
    var end = start
    while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
    guard end > start, isColon(afterSpaces(end)) else { return false }
    if let quote = closingQuote(from: end, JSONByte.quote), isColon(afterSpaces(quote + 1)) {
      return false
    }
    close(start..<end)
    return true
  }

  private var isInArray: Bool { open.last.map { TapeElement(word: tape[$0]).isArray } ?? false }

  /// Whether the byte may directly follow a string, even if a comma or colon is missing.
  private func isAfterString(_ byte: UInt8) -> Bool {
    switch byte {
    case JSONByte.comma, JSONByte.colon, JSONByte.openBrace, JSONByte.closeBrace,
      JSONByte.openBracket, JSONByte.closeBracket, UInt8(ascii: ";"), UInt8(ascii: "="), 0...0x20:
      true
    default: false
    }
  }

  /// Quotes in a string come in pairs: it ends at the first that ends a value and leaves pairs.
  private mutating func readInnerQuotes(from start: Int) -> Bool {
    var inner = [position]
    var odd: Int?
    var even: Int?
    while even == nil, let next = closingQuote(from: inner[inner.count - 1] + 1, JSONByte.quote) {
      if isValueEnd(next + 1) {
        if inner.count.isMultiple(of: 2) { even = next }
        odd = odd ?? next
      }
      inner.append(next)
    }
    guard let end = even ?? odd else { return false }
    let edits = inner.dropLast().map { JSONSyntaxError.Edit($0..<$0, "\\") }
    report(
      "a quote inside a string is written '\\\"'", position..<position + 1,
      fix: even == nil ? nil : .init("write '\\\"'", edits: edits))
    append(.lenientString, offset: start, span: end - start)
    position = end + 1
    return true
  }

  /// Two quotes have been read and a third is here.
  private mutating func readTripleQuoted() -> Bool {
    let start = position + 2
    var end = start
    while end < bytes.count, !bytes[end...].starts(with: [0x22, 0x22, 0x22]) { end += 1 }
    guard end < bytes.count else { return false }
    report(
      "JSON has no strings in three quotes; write one string, with '\\n' for a line break",
      start - 3..<end + 3)
    append(.lenientString, offset: start, span: end - start)
    position = end + 3
    return true
  }
}
