internal import PipelineByteText

/// Splits a text at its braces, language.md §4. A run of `{` is read in fours, and each `{{{{` is a
/// literal `{{`. Of the rest, two open a template, and of three the first is a literal `{`.
struct BraceScanner: Sequence, IteratorProtocol {
  enum Piece: Hashable {
    /// Bytes that stand for themselves.
    case text(Range<Int>)
    /// A run of `{{{{`, each a literal `{{`.
    case escapedBraces(Range<Int>)
    /// `{{` inside `}}`.
    case reference(outer: Range<Int>, inner: Range<Int>)
    /// `{{` and a likely reference after it, without `}}`.
    case unclosed(Range<Int>)
  }

  /// A reference is no longer, so that scanning stays linear whatever is not closed.
  private static let greatestLength = 4096

  private let bytes: [UInt8]
  /// Where the next piece begins.
  private var position: Int
  private let end: Int

  /// The pieces of `range` of `bytes`, which together cover it without gaps. Linear in its length.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  mutating func next() -> Piece? {
    var index = position
    while index < end {
      guard bytes[index] == UInt8(ascii: "{") else {
        index += 1
        continue
      }
      var runEnd = index
      while runEnd < end, bytes[runEnd] == UInt8(ascii: "{") { runEnd += 1 }
      let fours = (runEnd - index) & ~3
      if fours > 0 { return text(before: index) ?? take(.escapedBraces(index..<index + fours)) }
      if runEnd - index >= 2 { return text(before: runEnd - 2) ?? reference(from: runEnd - 2) }
      index = runEnd
    }
    return text(before: end)
  }

  /// The text that precedes the piece at `index`, if there is any.
  private mutating func text(before index: Int) -> Piece? {
    position < index ? take(.text(position..<index)) : nil
  }

  private mutating func take(_ piece: Piece) -> Piece {
    switch piece {
    case .text(let range), .escapedBraces(let range), .reference(let range, _),
      .unclosed(let range):
      position = range.upperBound
    }
    return piece
  }

  /// The template that opens at `open`.
  private mutating func reference(from open: Int) -> Piece {
    let inner = open + 2
    // A quote that nothing closes is not a quote: `{{user's}}` ends at its braces.
    if let close = closingBraces(from: inner, skipsQuotes: true)
      ?? closingBraces(from: inner, skipsQuotes: false)
    {
      return take(.reference(outer: open..<close + 2, inner: inner..<close))
    }
    var index = inner
    while index < end, BraceScanner.isReferenceByte(bytes[index]) { index += 1 }
    if index < end, bytes[index] == UInt8(ascii: "}") { index += 1 }
    return take(.unclosed(open..<index))
  }

  /// The next `}}`, or nil if none comes or another `{{` opens before it.
  private func closingBraces(from start: Int, skipsQuotes: Bool) -> Int? {
    var index = start
    var isInBrackets = false
    var quote: UInt8?
    let end = Swift.min(end, start + BraceScanner.greatestLength)
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

  /// The characters of names, dots and simple indices.
  static func isReferenceByte(_ byte: UInt8) -> Bool {
    referenceBytes.contains(byte)
  }

  private static let referenceBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_.[]"))
}
