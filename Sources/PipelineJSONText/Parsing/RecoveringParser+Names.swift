extension RecoveringParser {
  /// Reads a member's name and its colon.
  mutating func readName(_ byte: UInt8) {
    let start = position
    switch byte {
    case JSONByte.quote: readString(isName: true)
    case UInt8(ascii: "'"), UInt8(ascii: "`"): readForeignString(byte)
    case JSONByte.openBrace where closeBeforeBrace() || beginListBeforeBrace(): return
    case JSONByte.openBrace, JSONByte.openBracket, JSONByte.colon:
      report(
        "a name in double quotes is expected before '\(Character(Unicode.Scalar(byte)))'",
        position..<position + 1)
      append(.lenientString, offset: position, span: 0)
      if !isStopped {
        if byte == JSONByte.colon { position += 1 }
        expectation = .value
        return
      }
    default:
      if !readBareName() { return }
    }
    if isStopped { return dropNameWithoutValue() }
    let name = start..<position
    skipTrivia()
    if isStopped { return dropNameWithoutValue() }
    expectation = .value
    if self.byte == JSONByte.colon {
      position += 1
      previousEnd = position
    } else {
      readMissingColon(after: name)
    }
    if isStopped { dropNameWithoutValue() }
  }

  private mutating func readMissingColon(after name: Range<Int>) {
    let isArrow = bytes[position...].starts(with: Array("=>".utf8))
    let range = position..<min(position + (isArrow ? 2 : 1), bytes.count)
    let isInstead = byte == UInt8(ascii: "=") || byte == JSONByte.comma && isValueBehindComma
    if isInstead {
      let found = isArrow ? "=>" : String(decoding: bytes[range], as: UTF8.self)
      report(
        "write ':' between a name and its value, not '\(found)'", range,
        fix: .init("write ':'", edits: [.init(range, ":")]))
      position = range.upperBound
      previousEnd = position
      return
    }
    if isListInBraces() { return }
    let gap = name.upperBound..<name.upperBound
    let isNameNext = isQuotedName(position)
    let isColonAlone = isValueNext && !isNameNext
    previousEnd = name.upperBound
    report(
      "':' and a value are missing after this name", name,
      fix: isColonAlone ? .init("add ':'", edits: [.init(gap, ":")]) : nil)
    if !isColonAlone, !isStopped {
      append(.null, offset: position, span: 0)
      commaAt = nil
      expectation = isNameNext ? .next : .separator
    }
  }

  /// In `{"id", "get", "name": 1}` the first comma was to be a colon.
  private var isValueBehindComma: Bool {
    let start = afterSpaces(position + 1)
    guard start < bytes.count, bytes[start] == JSONByte.quote, !isQuotedName(start),
      let end = closingQuote(from: start + 1, JSONByte.quote),
      let closing = closingBracket(from: position)
    else { return false }
    return isValueEnd(end + 1) && bytes[position..<closing].contains(JSONByte.colon)
  }

  /// Keeps the tape's order: in an object every name has a value.
  mutating func dropNameWithoutValue() {
    expectation = .separator
    guard let container = open.last, tape.count > container + 1,
      TapeElement(word: tape[tape.count - 1]).isString
    else { return }
    tape.removeLast()
  }

  /// Reads a name without quotes; gives false if there is none.
  private mutating func readBareName() -> Bool {
    if readTypographic() { return true }
    let start = position
    var end = position
    while !isLineEnd(end), bytes[end] == 0x20 || !Self.endsName(bytes[end]) { end += 1 }
    let isColonNext = !isLineEnd(end) && bytes[end] == JSONByte.colon && !isComment(end + 1)
    if isColonNext {
      while end > start, bytes[end - 1] == 0x20 { end -= 1 }
    } else {
      _ = wordRange()
      (end, position) = (position, start)
    }
    let range = start..<end
    let word = String(decoding: bytes[range], as: UTF8.self)
    let following = afterSpaces(end)
    if !isLineEnd(end), bytes[end] == JSONByte.quote,
      !isLineEnd(afterSpaces(end + 1)), bytes[afterSpaces(end + 1)] == JSONByte.colon
    {
      report(
        "the opening quote of this name is missing; add '\"'", start..<end + 1,
        fix: .init("add '\"'", edits: [.init(start..<start, "\"")]))
      append(.lenientString, offset: start, span: range.count)
      position = end + 1
      return true
    }
    let isMember =
      following < bytes.count
      && (bytes[following] == JSONByte.colon || bytes[following] == UInt8(ascii: "=")
        || bytes[following] == JSONByte.quote)
    guard isMember || isLineEnd(following) && isValueAhead(following) else {
      return skipForeignText()
    }
    let isName = word.utf8.allSatisfy { $0 >= 0x20 && $0 != JSONByte.backslash }
    position = end
    report("a name needs double quotes: \"\(word)\"", range, fix: isName ? quoting(range) : nil)
    append(.lenientString, offset: start, span: range.count)
    return true
  }

  private func isValueAhead(_ start: Int) -> Bool {
    let at = afterWhiteSpace(start)
    return at < bytes.count && bytes[at] == JSONByte.colon
  }

  /// Text that is not a member at all: `...rest`.
  private mutating func skipForeignText() -> Bool {
    let text = bareText(inObject: true)
    let shown = shortened(String(decoding: bytes[text.range], as: UTF8.self))
    report(
      "'\(shown)' is not a member; a member is a name in double quotes, ':' and a value", text.range
    )
    position = text.end
    previousEnd = position
    expectation = .separator
    return false
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case JSONByte.quote, JSONByte.comma, JSONByte.colon, JSONByte.openBrace, JSONByte.closeBrace,
      JSONByte.openBracket, JSONByte.closeBracket, UInt8(ascii: ";"), UInt8(ascii: "="),
      UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "/"), UInt8(ascii: "#"), 0x00..<0x20,
      0x80...:
      true
    default: false
    }
  }
}
