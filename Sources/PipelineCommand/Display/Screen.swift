/// The lower end of a terminal: lines that stay above a live area that is drawn again.
///
/// A pure value: it gives the bytes to write, and remembers what they drew.
struct Screen: Sendable {
  let colored: Bool
  /// The cells of the live lines drawn last.
  private var drawn: [Int] = []

  init(colored: Bool) {
    self.colored = colored
  }

  /// The bytes that add `permanent` and show `live` below.
  ///
  /// The terminal may have been resized: lines that were drawn wider than it is now take more rows.
  mutating func frame(permanent: [String], live: [Line], size: TerminalSize) -> String {
    var text = erasure(width: size.width)
    for line in permanent {
      for piece in Wrapping.lines(of: line, width: size.width) { text += piece + "\n" }
    }
    drawn = []
    for line in live {
      // A line as wide as the terminal would make some of them wrap.
      let limit = max(size.width - 1, 1)
      text += line.text(colored: colored, limit: limit) + "\n"
      drawn.append(min(line.width, limit))
    }
    return text
  }

  private func erasure(width: Int) -> String {
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / max(width, 1)) }
    return rows == 0 ? "" : "\u{1B}[\(rows)A\r\u{1B}[J"
  }
}
