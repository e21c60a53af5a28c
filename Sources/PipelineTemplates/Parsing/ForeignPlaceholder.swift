internal import PipelineByteText

/// A placeholder between marks of other tools: `{a}`, `<a>`, `<%= a %>`, `%a%`, `%(a)s`.
struct ForeignPlaceholder {
  /// The place of the placeholder with its marks.
  let range: Range<Int>
  /// The place of the text between the marks.
  let inside: Range<Int>
  /// Whether the marks alone show that it is a placeholder: `<%= a %>` and `%(a)s`.
  let isMarked: Bool

  /// The maximum length, which keeps searching linear.
  private static let greatestLength = 256

  /// The placeholder that begins at `start`; `nil` if none does, or if it does not end in `range`.
  init?(_ bytes: [UInt8], at start: Int, in range: Range<Int>) {
    let text = bytes[start..<min(range.upperBound, start + Self.greatestLength)]
    let (opening, closing): (String, String)
    switch bytes[start] {
    case UInt8(ascii: "{"): (opening, closing) = ("{", "}")
    case UInt8(ascii: "<") where text.starts(with: "<%=".utf8): (opening, closing) = ("<%=", "%>")
    case UInt8(ascii: "<") where text.starts(with: "<%".utf8): (opening, closing) = ("<%", "%>")
    case UInt8(ascii: "<"): (opening, closing) = ("<", ">")
    case UInt8(ascii: "%") where text.starts(with: "%(".utf8): (opening, closing) = ("%(", ")")
    case UInt8(ascii: "%"): (opening, closing) = ("%", "%")
    default: return nil
    }
    var first = start + opening.utf8.count
    guard let close = Self.close(of: text, from: first, closing, openedBy: bytes[start]) else {
      return nil
    }
    var (last, end) = (close, close + closing.utf8.count)
    isMarked = opening.utf8.count > 1
    if opening == "%(" {
      guard end < text.endIndex, ASCIISet("sdif").contains(text[end]) else { return nil }
      end += 1
    } else if isMarked {
      while first < last, text[first] == UInt8(ascii: " ") { first += 1 }
      while last > first, text[last - 1] == UInt8(ascii: " ") { last -= 1 }
    }
    self.range = start..<end
    inside = first..<last
  }

  /// Where the closing mark begins. None comes after another opening mark, so that a text of opening
  /// marks is read in linear time.
  private static func close(
    of text: ArraySlice<UInt8>, from first: Int, _ closing: String, openedBy open: UInt8
  ) -> Int? {
    let mark = closing.utf8
    guard let start = mark.first else { return nil }
    var index = first
    while index < text.endIndex {
      if text[index] == start, text[index...].starts(with: mark) { return index }
      if text[index] == open { return nil }
      index += 1
    }
    return nil
  }
}
