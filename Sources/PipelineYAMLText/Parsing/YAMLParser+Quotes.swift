// Quoted scalars (YAML 1.2.2 §7.3.1, §7.3.2).

extension YAMLParser {
  mutating func singleQuoted(
    _ properties: YAMLProperties, parent: Int
  ) throws(YAMLProblem) {
    try quoted(.single, UInt8(ascii: "'"), properties) { (parser) throws(YAMLProblem) in
      let made = parser.text.count
      while true {
        let byte = parser.at(parser.position)
        if byte == UInt8(ascii: "'") {
          if parser.at(parser.position + 1) != byte { return }
          parser.text.append(byte)
          parser.position += 2
        } else {
          try parser.quotedByte(byte, made: made, parent: parent)
        }
      }
    }
  }

  mutating func doubleQuoted(
    _ properties: YAMLProperties, parent: Int
  ) throws(YAMLProblem) {
    try quoted(.double, UInt8(ascii: "\""), properties) { (parser) throws(YAMLProblem) in
      var made = parser.text.count
      while true {
        let byte = parser.at(parser.position)
        if byte == UInt8(ascii: "\"") { return }
        if byte == UInt8(ascii: "\\") {
          if parser.isBreak(parser.at(parser.position + 1)) {
            parser.position += 1
            let breaks = try parser.skipQuotedBreaks(parent: parent)
            parser.text.append(contentsOf: repeatElement(0x0A, count: breaks - 1))
          } else {
            try parser.escape()
          }
          // Blanks that an escape stands for are not stripped before a line break.
          made = parser.text.count
        } else {
          try parser.quotedByte(byte, made: made, parent: parent)
        }
      }
    }
  }

  /// A scalar in quotes: its content is in the source, or `read` makes it.
  private mutating func quoted(
    _ style: YAMLEvent.Style, _ quote: UInt8, _ properties: YAMLProperties,
    _ read: (inout YAMLParser) throws(YAMLProblem) -> Void
  ) throws(YAMLProblem) {
    let start = position
    var offset = start + 1
    while true {
      let byte = at(offset)
      if byte == quote || byte == UInt8(ascii: "\\") || isBreakOrEnd(byte) { break }
      offset += 1
    }
    let isMade = at(offset) != quote || style == .single && at(offset + 1) == quote
    let made = text.count
    position = isMade ? start + 1 : offset
    if isMade { try read(&self) }
    var event = YAMLEvent(.scalar, style, start..<position + 1)
    event.content = isMade ? made..<text.count : start + 1..<offset
    event.isContentMade = isMade
    event.properties = properties
    position += 1
    events.append(event)
  }

  /// A byte of the content, or the line breaks at `position`, which are folded.
  private mutating func quotedByte(
    _ byte: UInt8, made: Int, parent: Int
  ) throws(YAMLProblem) {
    if isBreak(byte) {
      while text.count > made, let last = text.last, isBlank(last) { text.removeLast() }
      fold(try skipQuotedBreaks(parent: parent))
    } else if isAtEnd {
      throw problem("the closing quote is missing at the end of the text")
    } else {
      text.append(byte)
      position += 1
    }
  }

  /// Skips line breaks and the blanks around them. Returns their number.
  private mutating func skipQuotedBreaks(parent: Int) throws(YAMLProblem) -> Int {
    var breaks = 0
    while isBreak(at(position)) {
      skipBreak()
      breaks += 1
      if isAtAnyMarker { throw problem("the closing quote is missing before this marker") }
      skipBlanks()
    }
    if isAtEnd { throw problem("the closing quote is missing at the end of the text") }
    if indentation <= parent {
      throw problem("a line inside quotes is indented further than the key before them")
    }
    return breaks
  }

  /// An escape (§5.7).
  private mutating func escape() throws(YAMLProblem) {
    let start = position
    let letter = at(position + 1)
    position += 2
    switch letter {
    case UInt8(ascii: "0"): text.append(0)
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"), 0x09: text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "e"): text.append(0x1B)
    case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "\\"):
      text.append(letter)
    case UInt8(ascii: "N"): text.append(contentsOf: "\u{85}".utf8)
    case UInt8(ascii: "_"): text.append(contentsOf: "\u{A0}".utf8)
    case UInt8(ascii: "L"): text.append(contentsOf: "\u{2028}".utf8)
    case UInt8(ascii: "P"): text.append(contentsOf: "\u{2029}".utf8)
    case UInt8(ascii: "x"): try escapedScalar(digits: 2, from: start)
    case UInt8(ascii: "u"): try escapedScalar(digits: 4, from: start)
    case UInt8(ascii: "U"): try escapedScalar(digits: 8, from: start)
    default:
      position = start
      throw problem("this is not an escape of YAML; write '\\\\' for a backslash")
    }
  }

  private mutating func escapedScalar(digits: Int, from start: Int) throws(YAMLProblem) {
    var code = try hexadecimal(digits: digits, from: start)
    // JSON writes a character above U+FFFF as two escapes.
    if code & 0xFFFF_FC00 == 0xD800, at(position) == UInt8(ascii: "\\"),
      at(position + 1) == UInt8(ascii: "u")
    {
      position += 2
      let low = try hexadecimal(digits: 4, from: start)
      code = low & 0xFC00 == 0xDC00 ? 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF : 0xD800
    }
    guard let scalar = UnicodeScalar(code) else {
      throw YAMLProblem("this escape stands for no character", range: start..<position)
    }
    text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
  }

  private mutating func hexadecimal(digits: Int, from start: Int) throws(YAMLProblem) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = Self.hexadecimal(at(position)) else {
        throw YAMLProblem(
          "this escape needs \(digits) hexadecimal digits", range: start..<position)
      }
      code = code << 4 | digit
      position += 1
    }
    return code
  }
}
