// Bytes, lines and the gaps between tokens.

extension YAMLParser {
  /// The byte at an offset; 0 at the end, because a text cannot contain NUL.
  @inline(__always)
  func at(_ offset: Int) -> UInt8 { offset < input.count ? input[offset] : 0 }

  @inline(__always)
  func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
  @inline(__always)
  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  @inline(__always)
  func isBreakOrEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }
  @inline(__always)
  func isSpaceOrEnd(_ byte: UInt8) -> Bool { isBlank(byte) || isBreakOrEnd(byte) }

  func isFlowIndicator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
  }

  var isAtEnd: Bool { position >= input.count }
  /// Counted in bytes. Indentation is spaces, so bytes and columns are the same in it.
  var column: Int { position - lineStart }

  /// The number of spaces that begin the line of `position`.
  var indentation: Int {
    var offset = lineStart
    while at(offset) == 0x20 { offset += 1 }
    return offset - lineStart
  }

  /// Whether only blanks precede `position` on its line.
  var isFirstOnLine: Bool {
    var offset = position
    while offset > lineStart, isBlank(input[offset - 1]) { offset -= 1 }
    return offset == lineStart
  }

  /// Whether the byte at `position` is this indicator, with a gap after it.
  func isAtIndicator(_ byte: UInt8) -> Bool {
    at(position) == byte && isSpaceOrEnd(at(position + 1))
  }

  /// Whether a line of `---` or `...` begins here.
  func isAtMarker(_ byte: UInt8) -> Bool {
    position == lineStart && at(position) == byte && at(position + 1) == byte
      && at(position + 2) == byte && isSpaceOrEnd(at(position + 3))
  }

  var isAtAnyMarker: Bool {
    isAtMarker(UInt8(ascii: "-")) || isAtMarker(UInt8(ascii: "."))
  }

  mutating func skipBlanks() { while isBlank(at(position)) { position += 1 } }

  mutating func skipBreak() {
    position += at(position) == 0x0D && at(position + 1) == 0x0A ? 2 : 1
    lineStart = position
  }

  /// Skips blanks, line breaks and comments. Returns whether the last blanks include a tab.
  mutating func skipGap() -> Bool {
    var hasTab = false
    while true {
      let byte = at(position)
      if byte == 0x20 {
        position += 1
      } else if byte == 0x09 {
        hasTab = true
        position += 1
      } else if isBreak(byte) {
        skipBreak()
        hasTab = false
      } else if byte == UInt8(ascii: "#"), isCommentPermitted {
        while !isBreakOrEnd(at(position)) { position += 1 }
      } else {
        return hasTab
      }
    }
  }

  /// A comment needs a blank or the start of a line before it.
  private var isCommentPermitted: Bool {
    position == lineStart || isBlank(input[position - 1])
  }

  /// Skips what may follow a node on its line: blanks and a comment.
  mutating func expectLineEnd() throws(YAMLProblem) {
    skipBlanks()
    if at(position) == UInt8(ascii: "#"), isCommentPermitted {
      while !isBreakOrEnd(at(position)) { position += 1 }
    }
    guard isBreakOrEnd(at(position)) else {
      throw problem("this cannot follow a complete value; start a line, or put quotes around all")
    }
  }

  /// A problem at the character at `position`.
  func problem(
    _ message: String, code: YAMLProblem.Code = .syntax
  ) -> YAMLProblem {
    var end = min(position + 1, input.count)
    while end < input.count, input[end] & 0xC0 == 0x80 { end += 1 }
    return YAMLProblem(message, range: min(position, input.count)..<end, code: code)
  }

  /// Notes that a collection begins.
  mutating func descend() throws(YAMLProblem) {
    depth += 1
    if depth > limits.depth {
      throw problem("collections nest deeper than \(limits.depth)", code: .depth)
    }
  }

  mutating func append(
    _ kind: YAMLEvent.Kind, _ style: YAMLEvent.Style, from start: Int,
    _ properties: YAMLProperties = YAMLProperties()
  ) {
    var event = YAMLEvent(kind, style, start..<position)
    event.properties = properties
    events.append(event)
  }

  /// A node without content: `null`, at the end of what calls for it.
  mutating func appendEmpty(at offset: Int, _ properties: YAMLProperties = YAMLProperties()) {
    var event = YAMLEvent(.scalar, .plain, offset..<offset)
    event.content = offset..<offset
    event.properties = properties
    events.append(event)
  }
}
