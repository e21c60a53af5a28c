extension QueryParser {
  /// `logical-expr`, at its first byte. Stops after the last part, before any blanks.
  mutating func logicalExpression() throws(QuerySyntaxError) -> LogicalExpression {
    var parts = [try conjunction()]
    while try takeOperator("||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  /// `logical-and-expr`
  private mutating func conjunction() throws(QuerySyntaxError) -> LogicalExpression {
    var parts = [try basicExpression()]
    while try takeOperator("&&") { parts.append(try basicExpression()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Takes blanks, the operator and blanks. Takes nothing if another byte follows.
  private mutating func takeOperator(_ word: String) throws(QuerySyntaxError) -> Bool {
    let mark = position
    skipBlanks()
    guard starts(with: word) else {
      try refuseForeignOperator()
      position = mark
      return false
    }
    position += 2
    skipBlanks()
    return true
  }

  /// `basic-expr = paren-expr / comparison-expr / test-expr`
  private mutating func basicExpression() throws(QuerySyntaxError) -> LogicalExpression {
    switch byte {
    case UInt8(ascii: "("):
      let start = position
      let inner = try parenthesized()
      try refuseComparison(ofParentheses: start..<position)
      return inner
    case UInt8(ascii: "!"): return try negation()
    default: break
    }
    let left = try operand()
    let mark = position
    skipBlanks()
    if let comparator = try takeComparator() {
      return .comparison(try comparison(of: left, by: comparator))
    }
    position = mark
    return .test(try test(left))
  }

  /// `"(" S logical-expr S ")"`
  private mutating func parenthesized() throws(QuerySyntaxError) -> LogicalExpression {
    try nested { (parser) throws(QuerySyntaxError) in
      let start = parser.position
      parser.position += 1
      parser.skipBlanks()
      let inner = try parser.logicalExpression()
      parser.skipBlanks()
      guard parser.take(")") else {
        throw parser.foreignRestOfExpression(
          "'(' is not closed", opening: start..<start + 1)
      }
      return inner
    }
  }

  /// `"!" S (paren-expr / test-expr)`
  private mutating func negation() throws(QuerySyntaxError) -> LogicalExpression {
    let start = position
    position += 1
    skipBlanks()
    if byte == UInt8(ascii: "(") {
      let inner = try parenthesized()
      try refuseComparison(ofParentheses: start..<position)
      return .not(inner, range: start..<position)
    }
    if byte == UInt8(ascii: "!") {
      throw error("'!!' has no effect; drop both", start..<position + 1, fix: "")
    }
    let operand = try operand()
    let end = position
    skipBlanks()
    if let comparator = try takeComparator() {
      let comparison = try comparison(of: operand, by: comparator)
      let fix = "!(\(text(comparison.range)))"
      throw error(
        "'!' negates a test, not a side of a comparison; write '\(fix)'",
        start..<comparison.range.upperBound, fix: fix)
    }
    position = end
    let test = try test(operand)
    return .not(.test(test), range: start..<position)
  }

  /// An expression without a comparison must be true or false: a query, or a call of `match` or
  /// `search`.
  private func test(_ operand: Operand) throws(QuerySyntaxError) -> Test {
    switch operand {
    case .query(let query): return .exists(query)
    case .function(let call):
      guard call.function.isLogical else {
        throw error(
          "'\(call.function.rawValue)(…)' is a value, not a test; compare it, as in "
            + "'\(text(call.range)) > 0'", call.range)
      }
      return .function(call)
    case .literal(let literal):
      throw error(
        "\(quoted(literal.range)) alone is not a test; a condition compares something, as in"
          + " \"$.list.total > 0\"", literal.range)
    case .binding(let binding):
      let fix = text(binding.range) + " == true"
      throw error(
        "\(quoted(binding.range)) alone is not a test; write '\(fix)'", binding.range, fix: fix,
        isGuess: true)
    }
  }
}
