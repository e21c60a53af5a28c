/// The question that a filter or condition asks about a node (RFC 9535 §2.3.5).
package indirect enum LogicalExpression: Sendable, Hashable {
  /// Two or more, joined by `||`.
  case or([LogicalExpression])
  /// Two or more, joined by `&&`.
  case and([LogicalExpression])
  /// `!…`, with the place of the whole.
  case not(LogicalExpression, range: Range<Int>)
  case comparison(Comparison)
  case test(Test)

  /// UTF-8 offsets in the parsed text, without parentheses around the whole.
  package var range: Range<Int> {
    switch self {
    case .or(let parts), .and(let parts):
      let first = parts.first?.range ?? 0..<0
      return first.lowerBound..<(parts.last?.range ?? first).upperBound
    case .not(_, let range): return range
    case .comparison(let comparison): return comparison.range
    case .test(let test): return test.range
    }
  }
}

/// A test without a comparison: a query asks whether it selects anything, a function whether it
/// holds.
package indirect enum Test: Sendable, Hashable {
  case exists(Query)
  case function(FunctionCall)

  package var range: Range<Int> {
    switch self {
    case .exists(let query): query.range
    case .function(let call): call.range
    }
  }
}
