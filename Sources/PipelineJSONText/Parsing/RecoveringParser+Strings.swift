extension RecoveringParser {
  /// Reads a string in double quotes.
  mutating func readString(isName: Bool = false) {
    let start = position + 1
    if isName, closeBeforeColon(from: start) { return }
    position = start
    var kind = TapeElement.Kind.string
    while let byte {
      switch byte {
      case JSONByte.quote:
        if readMisquoted(from: start, isName: isName) { return }
        append(kind, offset: start, span: position - start)
        position += 1
        return
      case JSONByte.backslash:
        if readEscape() {
          if kind == .string { kind = .escapedString }
        } else {
          kind = .lenientString
        }
      case 0x0A, 0x0D:
        guard isLineBreakInside() else { return closeAtLineEnd(from: start) }
        reportControl(byte)
        kind = .lenientString
      case 0..<0x20:
        reportControl(byte)
        kind = .lenientString
      case 0x80...:
        if !readSequence() { kind = .lenientString }
      default: position += 1
      }
      if isStopped { break }
    }
    if !isStopped {
      report(
        "the text ends before this string is closed; add '\"'", start - 1..<start,
        related: [.init("the text ends here", range: bytes.count..<bytes.count)])
      isCutOff = true
    }
    append(.lenientString, offset: start, span: position - start)
  }

  /// Moves past a multi-byte sequence, or past bytes that are none, with a word about them.
  mutating func readSequence() -> Bool {
    let length = UTF8Sequence.length(in: bytes, at: position)
    if length > 0 {
      position += length
      return true
    }
    let fault = UTF8Sequence.fault(in: bytes, at: position)
    report(
      "the text is not UTF-8 here (\(fault.message)); save it as UTF-8",
      position..<position + fault.length, code: .encoding)
    position += fault.length
    return false
  }

  private mutating func readEscape() -> Bool {
    let start = position
    guard start + 1 < bytes.count else {
      position += 1
      return false
    }
    let escaped = bytes[start + 1]
    switch escaped {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
      return true
    case UInt8(ascii: "u"): return readUnicodeEscape(from: start)
    default:
      let length = max(UTF8Sequence.length(in: bytes, at: start + 1), 1)
      let shown = String(decoding: bytes[start..<start + 1 + length], as: UTF8.self)
      let isControl = escaped < 0x20
      report(
        isControl
          ? "JSON does not join lines with '\\'; write one line, with '\\n' for a line break"
          : "'\(shown)' is not an escape of JSON; write '\\\(shown)' for a backslash",
        start..<start + (isControl ? 1 : 1 + length))
      position += 1 + length
      return false
    }
  }

  private mutating func readUnicodeEscape(from start: Int) -> Bool {
    guard let unit = Hexadecimal.unit(in: bytes, at: start + 2, end: bytes.count) else {
      var end = start + 2
      while end < min(start + 6, bytes.count), Hexadecimal.digit(bytes[end]) < 16 { end += 1 }
      report("'\\u' takes four hexadecimal digits, like \\u00e9", start..<end)
      position = end
      return false
    }
    position = start + 6
    guard unit & 0xF800 == 0xD800 else { return true }
    if unit < 0xDC00, position + 1 < bytes.count, bytes[position] == JSONByte.backslash,
      bytes[position + 1] == UInt8(ascii: "u"),
      let low = Hexadecimal.unit(in: bytes, at: position + 2, end: bytes.count),
      low & 0xFC00 == 0xDC00
    {
      position += 6
      return true
    }
    let shown = String(decoding: bytes[start..<start + 6], as: UTF8.self)
    let way =
      unit < 0xDC00
      ? "a second escape from \\udc00 to \\udfff follows the first"
      : "the first half is missing before it"
    report(
      "'\(shown)' is half of a surrogate pair, which is not a character; \(way)", start..<start + 6)
    return false
  }

  private mutating func reportControl(_ byte: UInt8) {
    let range = position..<position + 1
    let (name, escape): (String, String) =
      switch byte {
      case 0x09: ("a tab", "\\t")
      case 0x0A: ("a line break", "\\n")
      case 0x0D: ("a carriage return", "\\r")
      default:
        ("a control character", "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      }
    report(
      "\(name) must be escaped in a string; write '\(escape)'", range,
      fix: .init("write '\(escape)'", edits: [.init(range, escape)]))
    position += 1
  }

  /// At a line break in a string: whether the string continues after it. It does if the next quote
  /// closes something, because commas, colons and brackets follow it.
  func isLineBreakInside() -> Bool {
    var at = position
    while at < bytes.count, bytes[at] != JSONByte.quote {
      at += bytes[at] == JSONByte.backslash ? 2 : 1
    }
    at += 1
    while at < bytes.count, JSONByte.isSpace(bytes[at]) { at += 1 }
    guard at < bytes.count else { return false }
    return [JSONByte.comma, JSONByte.colon, JSONByte.closeBrace, JSONByte.closeBracket]
      .contains(bytes[at])
  }
}
