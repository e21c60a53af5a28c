extension RecoveringParser {
  /// Skips white space, and comments with a word about each.
  mutating func skipTrivia() {
    while !isStopped, let byte {
      if JSONByte.isSpace(byte) {
        position += 1
      } else if byte == UInt8(ascii: "/"), follows("/") {
        reportComment(upTo: lineEnd(from: position))
      } else if byte == UInt8(ascii: "#") {
        reportComment(upTo: lineEnd(from: position))
      } else if byte == UInt8(ascii: "/"), follows("*") {
        reportComment(upTo: end(of: "*/", from: position + 2))
      } else if byte == UInt8(ascii: "<"), bytes[position...].starts(with: Array("<!--".utf8)) {
        reportComment(upTo: end(of: "-->", from: position + 4))
      } else if isConflictMarker {
        readConflictMarker()
      } else if let name = otherSpace() {
        let range = position..<position + name.length
        report(
          "\(name.text) is not white space in JSON; write a space", range,
          fix: .init("write a space", edits: [.init(range, " ")]))
        position = range.upperBound
      } else {
        return
      }
    }
  }

  private func end(of closing: String, from start: Int) -> Int {
    let closing = Array(closing.utf8)
    var at = start
    while at < bytes.count, !bytes[at...].starts(with: closing) { at += 1 }
    return min(at + closing.count, bytes.count)
  }

  private static let conflictMarkers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].map {
    Array($0.utf8)
  }

  /// Whether a line begins here that a version control system wrote between two versions.
  private var isConflictMarker: Bool {
    (position == 0 || bytes[position - 1] == 0x0A)
      && Self.conflictMarkers.contains { bytes[position...].starts(with: $0) }
  }

  /// Reads the first version, and passes over the second.
  private mutating func readConflictMarker() {
    let range = position..<lineEnd(from: position)
    if isInConflict {
      isInConflict = false
      position = lineEnd(from: end(of: "\n>>>>>>>", from: position))
      return
    }
    isInConflict = bytes[position] == UInt8(ascii: "<")
    report("this is a merge conflict; keep one of the two versions", range)
    position = range.upperBound
  }

  private func follows(_ letter: Unicode.Scalar) -> Bool {
    position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: letter)
  }

  func lineEnd(from start: Int) -> Int {
    bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
  }

  private mutating func reportComment(upTo end: Int) {
    // A suggestion: the words are the author's, and only the author knows their right place.
    report(
      #"JSON has no comments; remove it, or keep its words as "$comment": "…""#, position..<end,
      fix: guessedRemoval(of: position..<end))
    position = end
  }

  /// Characters that look like a space and are none.
  private func otherSpace() -> (text: String, length: Int)? {
    guard let byte, byte == 0x0B || byte == 0x0C || byte >= 0xC2 else { return nil }
    if byte < 0x20 { return (byte == 0x0B ? "a vertical tab" : "a form feed", 1) }
    switch Array(bytes[position..<min(position + 3, bytes.count)]) {
    case [0xE2, 0x80, 0xA8]: return ("U+2028 (line separator)", 3)
    case [0xE2, 0x80, 0xA9]: return ("U+2029 (paragraph separator)", 3)
    case [0xE2, 0x80, 0x8B]: return ("U+200B (zero width space)", 3)
    case [0xEF, 0xBB, 0xBF]: return ("U+FEFF (byte order mark)", 3)
    case [0xE3, 0x80, 0x80]: return ("U+3000 (ideographic space)", 3)
    case let three where three.starts(with: [0xC2, 0xA0]): return ("U+00A0 (no-break space)", 2)
    default: return nil
    }
  }

  /// Skips U+FEFF at the front. Refuses UTF-16 and UTF-32 by name.
  mutating func readByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      if reportsByteOrderMark {
        report(
          "the file begins with a byte order mark; save it as UTF-8 without one", 0..<3,
          code: .byteOrderMark, fix: removal(of: 0..<3, "remove the byte order mark"))
      }
      position = 3
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.count >= 2 && (bytes[0] == 0) != (bytes[1] == 0)
    {
      report("the text is UTF-16 or UTF-32; save it as UTF-8", 0..<1, code: .encoding)
      stop()
    }
  }
}
