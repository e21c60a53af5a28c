extension QueryParser {
  /// One selector of the brackets that open at `bracket`.
  mutating func selector(in bracket: Int) throws(QuerySyntaxError) -> Selector {
    let start = position
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      let name = try quotedString()
      if mode == .template { try refuseTemplateAsKey(start..<position) }
      return Selector(kind: .name(MemberName(name)), range: start..<position)
    case UInt8(ascii: "*"):
      position += 1
      return Selector(kind: .wildcard, range: start..<position)
    case UInt8(ascii: "?"):
      position += 1
      let expression = try filter()
      return Selector(kind: .filter(expression), range: range(from: start))
    case UInt8(ascii: "{") where mode == .template && starts(with: "{{") && !isInReference:
      let binding = try binding()
      let end = position
      skipBlanks()
      if byte == UInt8(ascii: ":") { return try slice(from: start, .binding(binding)) }
      position = end
      return Selector(kind: .key(binding), range: start..<position)
    case UInt8(ascii: "-"), UInt8(ascii: ":"): return try indexOrSlice()
    case let byte? where Self.isDigit(byte): return try indexOrSlice()
    default: throw foreignSelector(in: bracket)
    }
  }

  private mutating func filter() throws(QuerySyntaxError) -> LogicalExpression {
    try nested { (parser) throws(QuerySyntaxError) in
      let outer = parser.isInExpression
      parser.isInExpression = true
      defer { parser.isInExpression = outer }
      parser.skipBlanks()
      return try parser.logicalExpression()
    }
  }

  /// `index-selector`, or `[start S] ":" S [end S] [":" [S step]]`.
  private mutating func indexOrSlice() throws(QuerySyntaxError) -> Selector {
    let start = position
    let first = byte == UInt8(ascii: ":") ? nil : try integer()
    let mark = position
    skipBlanks()
    guard byte == UInt8(ascii: ":") else {
      position = mark
      return Selector(kind: .index(first ?? 0), range: start..<position)
    }
    return try slice(from: start, first.map { .number($0) })
  }

  /// The rest of a slice, at its first `:`. Its bounds may be templates where a key may be one.
  private mutating func slice(
    from start: Int, _ first: Slice.Bound?
  ) throws(QuerySyntaxError) -> Selector {
    _ = take(":")
    var end = position
    skipBlanks()
    let last = try bound()
    if last != nil {
      end = position
      skipBlanks()
    }
    var step: Slice.Bound?
    if take(":") {
      end = position
      skipBlanks()
      step = try bound()
      if step != nil { end = position }
    }
    position = end
    return Selector(
      kind: .slice(Slice(start: first, end: last, step: step)), range: start..<position)
  }

  /// `nil` if there is none.
  private mutating func bound() throws(QuerySyntaxError) -> Slice.Bound? {
    if isAtInteger { return .number(try integer()) }
    guard mode == .template, starts(with: "{{"), !isInReference else { return nil }
    return .binding(try binding())
  }

  private var isAtInteger: Bool {
    byte.map { Self.isDigit($0) || $0 == UInt8(ascii: "-") } ?? false
  }

  /// `int = "0" / (["-"] DIGIT1 *DIGIT)`, within the exact integers of I-JSON (RFC 9535 §2.1).
  private mutating func integer() throws(QuerySyntaxError) -> Int {
    let start = position
    let isNegative = take("-")
    let digits = position
    var value = 0
    var isTooLarge = false
    while let byte, Self.isDigit(byte) {
      if !isTooLarge { value = value * 10 + Int(byte - 0x30) }
      if value > Self.greatestInteger { isTooLarge = true }
      position += 1
    }
    guard position > digits else {
      throw error("digits follow '-' in an index", start..<scalarRange(at: position).upperBound)
    }
    if let byte, byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
      while let byte = self.byte, Self.isNumberByte(byte) { position += 1 }
      if let slice = sliceOfOtherTool(start..<position) { throw slice }
      throw error(
        "\(quoted(start..<position)) is not an index; an index is a whole number without fraction or "
          + "exponent", start..<position)
    }
    if bytes[digits] == 0x30, position - digits > 1 || isNegative {
      let plain = isTooLarge ? nil : value == 0 ? "0" : isNegative ? "-\(value)" : "\(value)"
      throw error(
        "\(quoted(start..<position)) is not an index: an index must not begin with zeros"
          + (plain.map { "; write '\($0)'" } ?? ""), start..<position, fix: plain)
    }
    guard !isTooLarge else {
      throw error(
        "\(quoted(start..<position)) is out of range: an index lies within ±(2⁵³ − 1)",
        start..<position)
    }
    return isNegative ? -value : value
  }

  /// The error for `0..3`: how far it goes differs between tools, so the fix is a guess.
  private func sliceOfOtherTool(_ range: Range<Int>) -> QuerySyntaxError? {
    let bounds = bytes[range].split(separator: UInt8(ascii: ".")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard bounds.count == 2, let from = bounds[0], let to = bounds[1],
      text(range).utf8.elementsEqual("\(from)..\(to)".utf8),
      max(from.magnitude, to.magnitude) <= Self.greatestInteger
    else { return nil }
    let rule = "a slice is written with ':', without the element at its end"
    // Tools that write '..' mean the last element by -1.
    if to == -1 {
      let wanted = from < 0 ? "the last \(-from)" : "all from \(from)"
      return error(
        "\(rule); write '\(from):' for \(wanted)", range, fix: "\(from):", isGuess: true)
    }
    guard from < to, (from < 0) == (to < 0) else {
      return error("\(rule), as in '0:3' for 3 elements", range)
    }
    let count = to - from == 1 ? "1 element" : "\(to - from) elements"
    return error(
      "\(rule); write '\(from):\(to)' for \(count)", range, fix: "\(from):\(to)", isGuess: true)
  }

  private static let greatestInteger = 9_007_199_254_740_991

  static func isNumberByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-") || byte | 0x20 == UInt8(ascii: "e")
  }
}
