/// Two values and a relation between them: `@.price < 10` (RFC 9535 §2.3.5.2.2).
package struct Comparison: Sendable, Hashable {
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  package let left: Operand
  package let comparator: Operator
  package let right: Operand

  /// UTF-8 offsets in the parsed text, from the left side's first byte to the right side's last.
  package var range: Range<Int> { left.range.lowerBound..<right.range.upperBound }
}

/// A side of a comparison, or a function's argument.
package indirect enum Operand: Sendable, Hashable {
  case literal(Literal)
  /// Singular in a comparison. Any query as an argument of `count` and `value`.
  case query(Query)
  case function(FunctionCall)
  /// `{{…}}`, in mode `.template`.
  case binding(Binding)

  package var range: Range<Int> {
    switch self {
    case .literal(let literal): literal.range
    case .query(let query): query.range
    case .function(let call): call.range
    case .binding(let binding): binding.range
    }
  }
}
