import PipelineByteText

extension QueryParser {
  /// Takes `==`, `!=`, `<`, `<=`, `>` or `>=` and the blanks after it.
  mutating func takeComparator() throws(QuerySyntaxError) -> Comparison.Operator? {
    try refuseForeignComparator()
    let comparator: Comparison.Operator
    switch (byte, byte(after: 1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): comparator = .equal
    case (UInt8(ascii: "!"), UInt8(ascii: "=")): comparator = .notEqual
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): comparator = .lessOrEqual
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): comparator = .greaterOrEqual
    case (UInt8(ascii: "<"), _): comparator = .less
    case (UInt8(ascii: ">"), _): comparator = .greater
    default: return nil
    }
    position += comparator.rawValue.utf8.count
    skipBlanks()
    return comparator
  }

  /// The comparison whose left side and operator have been read.
  mutating func comparison(
    of left: Operand, by comparator: Comparison.Operator
  ) throws(QuerySyntaxError) -> Comparison {
    try requireComparable(left)
    if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "!") {
      throw error(
        "the side of a comparison is a literal, a query or a function", scalarRange(at: position))
    }
    let right = try operand()
    try requireComparable(right)
    try requireMoments(left, right)
    try requireMoments(right, left)
    let isSame = left.isSameForAllNodes && right.isSameForAllNodes
    let comparison = Comparison(
      left: left, comparator: comparator, right: right, slot: isSame ? newSlot() : nil)
    let mark = position
    skipBlanks()
    if try takeComparator() != nil {
      throw error(
        "a comparison has two sides; join two of them with '&&'",
        comparison.range.lowerBound..<range(from: comparison.range.lowerBound).upperBound)
    }
    position = mark
    return comparison
  }

  /// A literal, query, function or binding.
  mutating func operand() throws(QuerySyntaxError) -> Operand {
    if let literal = try literal() { return .literal(literal) }
    switch byte {
    case UInt8(ascii: "$"), UInt8(ascii: "@"): return .query(try query(isNested: true))
    case UInt8(ascii: "{") where byte(after: 1) == UInt8(ascii: "{"):
      return .binding(try binding())
    case let byte? where Self.isLetter(byte):
      var end = position
      while end < bytes.count, bytes[end].isNameByte { end += 1 }
      if end < bytes.count, bytes[end] == UInt8(ascii: "(") { return .function(try functionCall()) }
      throw foreignWord()
    default: throw foreignOperand()
    }
  }

  /// RFC 9535 §2.3.5.1: a side of a comparison has at most one value.
  private func requireComparable(_ operand: Operand) throws(QuerySyntaxError) {
    switch operand {
    case .literal, .binding: return
    case .query(let query):
      guard !query.isSingular else { return try requireTightBrackets(query) }
      throw error(
        "\(quoted(query.range)) may select many nodes and a comparison needs one value; write "
          + "'value(…)' or 'count(…)' around it, or a filter that compares each", query.range)
    case .function(let call):
      guard call.function.isLogical else { return }
      throw error(
        "'\(call.function.rawValue)(…)' is already true or false; drop the comparison, or write "
          + "'!' before it", call.range)
    }
  }

  /// A moment is compared with a moment only: any other text is in another order.
  private func requireMoments(_ moment: Operand, _ other: Operand) throws(QuerySyntaxError) {
    guard moment.isMoment, !other.isMoment else { return }
    let meant = "datetime(\(text(other.range)))"
    throw error(
      "'datetime' is compared with 'datetime'; write '\(meant)'", other.range, fix: meant)
  }

  /// A query that stands for one value has no blanks within its brackets (RFC 9535 §2.3.5.1:
  /// `name-segment`, `index-segment`).
  func requireTightBrackets(_ query: Query) throws(QuerySyntaxError) {
    for segment in query.segments where bytes[segment.range.lowerBound] == UInt8(ascii: "[") {
      let selector = segment.selectors.first.range
      let tight = selector.lowerBound - 1..<selector.upperBound + 1
      guard segment.range != tight else { continue }
      let fix = "[" + text(selector) + "]"
      throw error(
        "a query for one value has no blanks in its brackets; write '\(fix)'",
        segment.range, fix: fix)
    }
  }
}

extension Operand {
  fileprivate var isMoment: Bool {
    if case .function(let call) = self { call.function == .datetime } else { false }
  }
}
