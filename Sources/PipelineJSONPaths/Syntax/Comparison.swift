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
  /// The place of the answer in an evaluation's cache; `nil` if it depends on the node that is
  /// judged.
  let slot: Int?

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

  /// Whether the operand has one value for all nodes that a filter judges.
  var isSameForAllNodes: Bool {
    switch self {
    case .literal, .binding: true
    case .query(let query): query.anchor == .root
    case .function(let call): call.isSameForAllNodes
    }
  }

  package var range: Range<Int> {
    switch self {
    case .literal(let literal): literal.range
    case .query(let query): query.range
    case .function(let call): call.range
    case .binding(let binding): binding.range
    }
  }
}
