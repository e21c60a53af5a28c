/// One source line made ready for a terminal, and the place of its carets.
struct Excerpt {
  /// The line: tabs as spaces, control characters as pictures, cut with `…` if it is too long.
  let text: String
  /// The cells before the first caret.
  let caret: Int
  /// At least 1.
  let caretCount: Int

  /// A user-perceived character of the line.
  private struct Cell {
    let text: String
    let width: Int
    /// Bytes of the file.
    let range: Range<Int>
  }

  private static let tab = 4

  /// The line at the start of `range`, at most `width` cells of it. A range over several lines ends
  /// with the first.
  ///
  /// Reads O(width) bytes, however long the line.
  init(of range: Range<Int>, in file: SourceFile, width: Int) {
    let line = file.line(file.position(at: range.lowerBound).line)
    let lower = min(max(range.lowerBound, line.lowerBound), line.upperBound)
    let upper = min(max(range.upperBound, lower), line.upperBound)
    let reach = Self.reach(around: lower, in: file, line, width: width)
    var start = max(line.lowerBound, lower - reach)
    while start > line.lowerBound, start < lower, file.bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = min(line.upperBound, lower + reach)
    while end < line.upperBound, file.bytes[end] & 0xC0 == 0x80 { end += 1 }

    let cells = Self.hiding(file.hidden, in: Self.cells(file.bytes, start..<end))
    let before = cells.prefix { $0.range.upperBound <= lower }.reduce(0) { $0 + $1.width }
    let under = cells.drop { $0.range.upperBound <= lower }.prefix { $0.range.lowerBound < upper }
      .reduce(0) { $0 + $1.width }
    let total = cells.reduce(0) { $0 + $1.width }

    // The start of the shown part: far enough left of the carets to read what they mark.
    let isCutLeft = start > line.lowerBound || before + under > width - 1 && total > width
    let wanted = isCutLeft ? max(min(before - width / 3, total - width + 1), 0) : 0
    var skipped = 0
    let rest = cells.drop { cell in
      guard skipped < wanted else { return false }
      skipped += cell.width
      return true
    }
    var shown = start > line.lowerBound || skipped > 0 ? "…" : ""
    let lead = shown.isEmpty ? 0 : 1

    var used = lead
    let fits = end == line.upperBound && lead + total - skipped <= width
    for cell in rest {
      guard fits || used + cell.width < width else { break }
      shown += cell.text
      used += cell.width
    }
    if !fits { shown += "…" }
    while shown.hasSuffix(" ") { shown.removeLast() }
    text = shown
    caret = lead + before - skipped
    caretCount = max(1, min(under, used - caret))
  }

  /// How many bytes before and after `offset` have to be looked at. If each is one cell, this is
  /// the shown part and as much again. Otherwise it is large enough that marks without a width do
  /// not use it up.
  private static func reach(
    around offset: Int, in file: SourceFile, _ line: Range<Int>, width: Int
  ) -> Int {
    let near = max(line.lowerBound, offset - 2 * width)..<min(line.upperBound, offset + 2 * width)
    let isPlain = file.bytes[near].allSatisfy { (0x20..<0x7F).contains($0) }
    return (isPlain ? 2 : 16) * width
  }

  /// The characters with `•••` in place of hidden ones.
  private static func hiding(_ parts: [Range<Int>], in cells: [Cell]) -> [Cell] {
    guard !parts.isEmpty else { return cells }
    var last: Range<Int>?
    return cells.map { cell in
      guard let part = parts.first(where: { $0.overlaps(cell.range) }) else { return cell }
      defer { last = part }
      return part == last
        ? Cell(text: "", width: 0, range: cell.range)
        : Cell(text: "•••", width: 3, range: cell.range)
    }
  }

  /// The characters of `range`, each with its width.
  private static func cells(_ bytes: [UInt8], _ range: Range<Int>) -> [Cell] {
    var scalars = String.UnicodeScalarView()
    var ends: [Int] = []
    var parser = Unicode.UTF8.ForwardParser()
    var input = bytes[range].makeIterator()
    var offset = range.lowerBound
    parsing: while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded):
        scalars.append(Unicode.UTF8.decode(encoded))
        offset += encoded.count
      case .error(let length):
        scalars.append("\u{FFFD}")
        offset += length
      case .emptyInput:
        break parsing
      }
      ends.append(offset)
    }
    var cells: [Cell] = []
    var start = range.lowerBound
    var index = 0
    var column = 0
    for character in String(scalars) {
      index += character.unicodeScalars.count
      let end = ends[index - 1]
      var text: String
      switch character {
      case "\t":
        text = String(repeating: " ", count: tab - column % tab)
      case "\u{FEFF}" where start == 0:
        text = ""
      default:
        text = Cells.printable(String(character))
      }
      let width = Cells.width(of: text)
      // A mark with nothing to combine with would combine with the text before the line.
      if width == 0, cells.isEmpty, !text.isEmpty { text = "\u{25CC}" + text }
      let cell = Cell(text: text, width: Cells.width(of: text), range: start..<end)
      cells.append(cell)
      column += cell.width
      start = end
    }
    return cells
  }
}
