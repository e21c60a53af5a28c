import PipelineByteText

/// A settings format in place of JSON. Naming the format helps more than the first wrong character.
enum ForeignFormat: String {
  case yaml = "YAML"
  case toml = "TOML"

  /// The format of the text, and the line that reveals it; `nil` if it may be JSON with mistakes.
  static func of(_ bytes: [UInt8], from start: Int) -> (format: ForeignFormat, line: Range<Int>)? {
    let lines = firstLines(of: bytes, from: start)
    guard let first = lines.first else { return nil }
    let text = bytes[first]
    if text.elementsEqual("---".utf8) || text.starts(with: "%YAML".utf8)
      || text.starts(with: "- ".utf8)
    {
      return (.yaml, first)
    }
    if isHeader(text) {
      guard lines.count > 1, isHeader(bytes[lines[1]]) || isAssignment(bytes[lines[1]]) else {
        return nil
      }
      return (.toml, first)
    }
    if isAssignment(text) { return (.toml, first) }
    let name = text.prefix(while: isKeyByte)
    let rest = text[name.endIndex...]
    guard let letter = name.first, !JSONByte.isDigit(letter), rest.first == JSONByte.colon,
      rest.count == 1 || rest.dropFirst().first == 0x20
    else { return nil }
    return (.yaml, first)
  }

  /// How far is looked, in bytes: settings say early what they are.
  private static let reach = 4096

  /// The first two lines that hold more than a comment, without the white space around them.
  private static func firstLines(of bytes: [UInt8], from start: Int) -> [Range<Int>] {
    let bytes = bytes[..<min(bytes.count, start + reach)]
    var lines: [Range<Int>] = []
    var position = start
    while position < bytes.endIndex, lines.count < 2 {
      let end = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      let line = bytes[position..<end]
      position = end + 1
      guard let from = line.firstIndex(where: { !JSONByte.isSpace($0) }),
        let last = line.lastIndex(where: { !JSONByte.isSpace($0) }),
        bytes[from] != UInt8(ascii: "#")
      else { continue }
      lines.append(from..<last + 1)
    }
    return lines
  }

  /// As in `[limits]` and `[[steps]]`.
  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.drop { $0 == JSONByte.openBracket }.prefix(while: isKeyByte)
    guard let letter = name.first, !JSONByte.isDigit(letter), letter != JSONByte.minus,
      (1...2).contains(name.startIndex - line.startIndex),
      !["true", "false", "null"].contains(where: { name.elementsEqual($0.utf8) })
    else { return false }
    let rest = line[name.endIndex...]
    let brackets = rest.prefix { $0 == JSONByte.closeBracket }.count
    return brackets == name.startIndex - line.startIndex
      && endsLine(rest.dropFirst(brackets))
  }

  /// As in `name = "users"`. Assignments of other languages continue in the next lines.
  private static func isAssignment(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.prefix(while: isKeyByte)
    let rest = line[name.endIndex...].drop { $0 == 0x20 }
    guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return false }
    let value = rest.dropFirst().drop { $0 == 0x20 }
    guard let letter = value.first else { return false }
    return letter == JSONByte.quote || letter == UInt8(ascii: "'") || JSONByte.isDigit(letter)
      || value.starts(with: "true".utf8) || value.starts(with: "false".utf8)
      || (letter == JSONByte.openBracket || letter == JSONByte.openBrace) && value.count > 1
        && (value.last == JSONByte.closeBracket || value.last == JSONByte.closeBrace)
  }

  private static func endsLine(_ rest: ArraySlice<UInt8>) -> Bool {
    rest.first { $0 != 0x20 }.map { $0 == UInt8(ascii: "#") } ?? true
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    byte.isWordByte || "-.$".utf8.contains(byte)
  }
}
