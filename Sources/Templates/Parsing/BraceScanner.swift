/// Splits a text at its braces, language.md §4: a run of `{` is read in fours, each `{{{{` a
/// literal `{{`; of the rest two open a template, and of three the first is a literal `{`.
struct BraceScanner {
  enum Piece: Hashable {
    /// Bytes that stand for themselves.
    case text(Range<Int>)
    /// A run of `{{{{`, each a literal `{{`.
    case escapedBraces(Range<Int>)
    /// `{{` inside `}}`.
    case reference(outer: Range<Int>, inner: Range<Int>)
    /// `{{` and what looks like a reference after it, with no `}}`.
    case unclosed(Range<Int>)
  }

  /// A reference is no longer, so that scanning stays linear whatever is not closed.
  private static let greatestLength = 4096

  private let bytes: [UInt8]
  private let end: Int
  private var pieces: [Piece] = []

  /// The pieces of `range` of `bytes`; together they cover it without gaps. Linear in its length.
  static func pieces(of bytes: [UInt8], in range: Range<Int>) -> [Piece] {
    var scanner = BraceScanner(bytes: bytes, end: range.upperBound)
    scanner.scan(from: range.lowerBound)
    return scanner.pieces
  }

  private init(bytes: [UInt8], end: Int) {
    self.bytes = bytes
    self.end = end
    pieces.reserveCapacity(3)
  }

  private mutating func scan(from start: Int) {
    var textStart = start
    var index = start
    while index < end {
      guard bytes[index] == UInt8(ascii: "{") else {
        index += 1
        continue
      }
      var runEnd = index
      while runEnd < end, bytes[runEnd] == UInt8(ascii: "{") { runEnd += 1 }
      let fours = (runEnd - index) & ~3
      if fours > 0 {
        endText(textStart, at: index)
        pieces.append(.escapedBraces(index..<index + fours))
        index += fours
        textStart = index
      }
      switch runEnd - index {
      case 2, 3:
        endText(textStart, at: runEnd - 2)
        index = reference(from: runEnd - 2)
        textStart = index
      default:
        index = runEnd
      }
    }
    endText(textStart, at: end)
  }

  private mutating func endText(_ start: Int, at end: Int) {
    if start < end { pieces.append(.text(start..<end)) }
  }

  /// Adds the template that opens at `open` and returns where it ends.
  private mutating func reference(from open: Int) -> Int {
    let inner = open + 2
    // A quote that nothing closes is no quote: `{{user's}}` ends at its braces.
    if let close = closingBraces(from: inner, skipsQuotes: true)
      ?? closingBraces(from: inner, skipsQuotes: false)
    {
      pieces.append(.reference(outer: open..<close + 2, inner: inner..<close))
      return close + 2
    }
    var index = inner
    while index < end, BraceScanner.isReferenceByte(bytes[index]) { index += 1 }
    if index < end, bytes[index] == UInt8(ascii: "}") { index += 1 }
    pieces.append(.unclosed(open..<index))
    return index
  }

  /// The next `}}`, or nil where none comes or another `{{` opens before it.
  private func closingBraces(from start: Int, skipsQuotes: Bool) -> Int? {
    var index = start
    var isInBrackets = false
    var quote: UInt8?
    let end = min(end, start + BraceScanner.greatestLength)
    while index < end {
      let byte = bytes[index]
      let next = index + 1 < end ? bytes[index + 1] : 0
      if let open = quote {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "}") where next == byte: return index
        case UInt8(ascii: "{") where next == byte: return nil
        case UInt8(ascii: "["): isInBrackets = skipsQuotes
        case UInt8(ascii: "]"): isInBrackets = false
        case UInt8(ascii: "'"), UInt8(ascii: "\""): if isInBrackets { quote = byte }
        default: break
        }
      }
      index += 1
    }
    return nil
  }

  /// What names, dots and simple indices are made of.
  static func isReferenceByte(_ byte: UInt8) -> Bool {
    referenceBytes.contains(byte)
  }

  private static let referenceBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_.[]"))
}
