/// Makes UTF-8 of a text in another encoding that arrives in pieces.
///
/// A byte order mark at the beginning decides, and is dropped. UTF-8 is passed on as it is.
package struct TextDecoder: Sendable {
  private var charset: Charset
  private var isAtStart = true
  /// The beginning of a character that the next piece completes.
  private var rest: [UInt8] = []
  /// The number of the line that comes next, for messages.
  private var line = 1

  /// - Parameter charset: The encoding, if no mark names another.
  package init(_ charset: Charset) { self.charset = charset }

  /// The text of the next piece in UTF-8.
  package mutating func decode(
    _ piece: [UInt8], isLast: Bool = false
  ) throws(FormatProblem) -> [UInt8] {
    if !isAtStart, charset == .utf8 { return piece }
    if rest.isEmpty { rest = piece } else { rest += piece }
    if isAtStart {
      guard rest.count >= 3 || isLast else { return [] }
      isAtStart = false
      if let marked = Charset.marked(rest) {
        charset = marked.charset
        rest.removeFirst(marked.length)
      }
    }
    switch charset {
    case .utf8: return takeRest()
    case .windows1252: return Array((charset.text(of: takeRest()[...]) ?? "").utf8)
    case .utf16LittleEndian, .utf16BigEndian: return try decodeUTF16(isLast: isLast)
    }
  }

  private mutating func takeRest() -> [UInt8] {
    defer { rest = [] }
    return rest
  }

  private mutating func decodeUTF16(isLast: Bool) throws(FormatProblem) -> [UInt8] {
    var end = rest.count & ~1
    // The first half of a pair waits for the second.
    if !isLast, end >= 2 {
      let high = rest[charset == .utf16BigEndian ? end - 2 : end - 1]
      if high & 0xFC == 0xD8 { end -= 2 }
    }
    guard !isLast || end == rest.count, let text = charset.text(of: rest[..<end]) else {
      throw FormatProblem("the text is not in \(charset.words)", line: line, column: 1)
    }
    rest.removeFirst(end)
    let bytes = Array(text.utf8)
    line += bytes.count { $0 == Byte.lineFeed }
    return bytes
  }
}
