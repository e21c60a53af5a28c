extension Condition {
  /// The condition a text says, or why it says none. Blanks around it are allowed.
  package static func parse(
    _ text: String, in mode: Query.Mode = .standard
  ) -> Result<Condition, QuerySyntaxError> {
    Result { () throws(QuerySyntaxError) in
      var parser = QueryParser(text, mode: mode)
      return Condition(text: text, expression: try parser.wholeCondition())
    }
  }
}

extension QueryParser {
  /// `logical-expr`, and nothing around it but blanks.
  mutating func wholeCondition() throws(QuerySyntaxError) -> LogicalExpression {
    isInExpression = true
    skipBlanks()
    guard !isAtEnd else {
      throw error("the condition is empty", 0..<bytes.count)
    }
    if byte == UInt8(ascii: "?") {
      throw error(
        "'?' is allowed only before a filter in brackets; drop it", position..<position + 1, fix: ""
      )
    }
    if starts(with: "[?") {
      throw error(
        "write a condition without '[?' and ']', which make a filter", position..<position + 2)
    }
    let expression = try logicalExpression()
    skipBlanks()
    guard isAtEnd else { throw foreignRestOfExpression(nil, opening: position..<position) }
    return expression
  }
}
