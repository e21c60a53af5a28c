internal import PipelineByteText

extension QueryParser {
  /// `function-name "(" [S function-argument *(S "," S function-argument)] S ")"`, well-typed.
  mutating func functionCall() throws(QuerySyntaxError) -> FunctionCall {
    try nested { (parser) throws(QuerySyntaxError) in try parser.flatFunctionCall() }
  }

  private mutating func flatFunctionCall() throws(QuerySyntaxError) -> FunctionCall {
    let start = position
    while let byte, byte.isNameByte { position += 1 }
    let name = start..<position
    guard let function = FunctionCall.Function(rawValue: text(name)) else {
      throw foreignFunction(name)
    }
    position += 1
    let arguments = try arguments(of: function, opening: start..<position)
    let range = start..<position
    guard arguments.count == function.arity else {
      throw error(
        "'\(function.rawValue)' takes \(function.arity == 1 ? "one argument" : "two arguments"), "
          + "not \(arguments.count)", range)
    }
    for argument in arguments { try requireTyped(argument, for: function) }
    return call(function, arguments, range)
  }

  private mutating func arguments(
    of function: FunctionCall.Function, opening: Range<Int>
  ) throws(QuerySyntaxError) -> [Operand] {
    skipBlanks()
    if take(")") { return [] }
    var arguments: [Operand] = []
    while true {
      if byte == UInt8(ascii: "!") || byte == UInt8(ascii: "(") {
        throw error(
          "'\(function.rawValue)' takes values, not tests", scalarRange(at: position))
      }
      arguments.append(try operand())
      skipBlanks()
      if take(")") { return arguments }
      guard take(",") else {
        if try takeComparator() != nil || starts(with: "&&") || starts(with: "||") {
          throw error(
            "'\(function.rawValue)' takes values, not tests",
            opening.lowerBound..<range(from: opening.lowerBound).upperBound)
        }
        throw foreignRestOfExpression(
          "'(' of '\(function.rawValue)' is not closed", opening: opening)
      }
      skipBlanks()
    }
  }

  /// RFC 9535 §2.4.3.
  private func requireTyped(
    _ argument: Operand, for function: FunctionCall.Function
  ) throws(QuerySyntaxError) {
    let name = function.rawValue
    switch argument {
    case .query(let query):
      if function.takesNodes { return }
      if query.isSingular { return try requireTightBrackets(query) }
      throw error(
        "'\(name)' takes one value and \(quoted(query.range)) may select many nodes; write "
          + "'value(…)' around it" + (function == .length ? " or 'count' for 'length'" : ""),
        query.range)
    case .function(let call):
      if !function.takesNodes && !call.function.isLogical { return }
      let gives = call.function.isLogical ? "is true or false" : "is a value"
      let takes = function.takesNodes ? "a query" : "a value"
      throw error(
        "'\(name)' takes \(takes), and '\(call.function.rawValue)(…)' \(gives)", call.range)
    case .literal(let literal):
      if function == .datetime, !literal.isMoment {
        throw error(
          "'datetime' takes a moment such as '2026-01-31T09:00:00Z', and \(quoted(literal.range)) is not"
            + " one", literal.range)
      }
      if !function.takesNodes { return }
      throw error("'\(name)' takes a query, not a literal", literal.range)
    case .binding(let binding):
      if !function.takesNodes { return }
      throw error("'\(name)' takes a query, not a value", binding.range)
    }
  }

  private mutating func call(
    _ function: FunctionCall.Function, _ arguments: [Operand], _ range: Range<Int>
  ) -> FunctionCall {
    var compiled: IRegexp?
    var problem: QuerySyntaxError?
    if function.isLogical, case .literal(let literal) = arguments[1],
      case .string(let pattern) = literal.value
    {
      switch IRegexp.parse(pattern) {
      case .success(let regexp): compiled = regexp
      case .failure(let error): problem = place(error, in: literal)
      }
    }
    return FunctionCall(
      function: function, arguments: arguments, range: range, pattern: compiled,
      slot: newSlot(), isSameForAllNodes: arguments.allSatisfy(\.isSameForAllNodes),
      patternProblem: problem)
  }

  /// A pattern's problem at its place in the query's text.
  private func place(_ problem: IRegexpError, in literal: Literal) -> QuerySyntaxError {
    let content = literal.range.lowerBound + 1..<literal.range.upperBound - 1
    var offsets: [Int] = []
    var index = content.lowerBound
    while index < content.upperBound {
      offsets.append(index)
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < content.upperBound else {
        index += 1
        continue
      }
      guard bytes[index + 1] == UInt8(ascii: "u") else {
        index += 2
        continue
      }
      // What `\u` stands for may be several bytes: the whole literal is pointed at instead.
      return QuerySyntaxError(message: problem.message, range: literal.range)
    }
    offsets.append(content.upperBound)
    let last = offsets.count - 1
    let lower = offsets[min(problem.range.lowerBound, last)]
    let upper = offsets[min(problem.range.upperBound, last)]
    // A fix is inserted between quotes, so its backslashes are doubled.
    var fix = problem.fix?.split(separator: "\\", omittingEmptySubsequences: false)
      .joined(separator: "\\\\")
    if fix?.contains(where: { $0 == "'" || $0 == "\"" }) == true { fix = nil }
    return QuerySyntaxError(
      message: problem.message, range: lower..<max(lower, upper), fix: fix,
      isGuess: problem.isGuess)
  }
}

extension Literal {
  fileprivate var isMoment: Bool {
    if case .string(let text) = value { RFC3339.isDateTime(text) } else { false }
  }
}
