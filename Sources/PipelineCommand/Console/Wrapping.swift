internal import PipelineByteText
internal import PipelineSourceText

/// Wraps lines for a terminal between words.
enum Wrapping {
  /// The lines of `text`, none of them wider than `width` unless a single word is.
  ///
  /// The further lines of a wrapped line are indented. Source lines are left as they are, because
  /// the marks below them point at their columns. Colours take no room.
  static func lines(of text: String, width: Int) -> [String] {
    text.split(ascii: "\n", omittingEmptySubsequences: false).flatMap { line in
      wrapped(String(line), width)
    }
  }

  private static func wrapped(_ line: String, _ width: Int) -> [String] {
    guard self.width(of: line) > width, !isSource(line) else { return [line] }
    let spaces = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
    let indent = min(spaces + 2, width / 3)
    var lines: [String] = []
    var current = String(repeating: " ", count: spaces)
    var isEmpty = true
    for word in line.dropFirst(bytes: spaces).split(ascii: " ", omittingEmptySubsequences: false) {
      let gap = isEmpty ? 0 : 1
      if !isEmpty, self.width(of: current) + gap + self.width(of: String(word)) > width {
        lines.append(current)
        current = String(repeating: " ", count: indent)
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [current]
  }

  /// Whether a line shows the text of a file: a line's number and a bar, or only the bar.
  private static func isSource(_ line: String) -> Bool {
    var rest = plain(line).utf8[...]
    while let byte = rest.first,
      byte == UInt8(ascii: " ") || ASCIISet.digits.contains(byte)
    {
      rest.removeFirst()
    }
    return rest.first == UInt8(ascii: "|")
  }

  private static func width(of text: String) -> Int { Cells.width(of: plain(text)) }

  /// The text without escape sequences.
  private static func plain(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in text.utf8 {
      if byte == 0x1B { isEscape = true }
      if !isEscape { bytes.append(byte) }
      if isEscape, ASCIISet.letters.contains(byte) { isEscape = false }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
