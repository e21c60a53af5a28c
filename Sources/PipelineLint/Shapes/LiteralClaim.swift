import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText

/// The claim of a comparison with a literal about a query: `$.list.total > 5`.
struct LiteralClaim {
  let query: String
  let comparator: Comparison.Operator
  let literal: Literal.Value
  let range: Range<Int>

  /// Two claims that lie together.
  struct Pair {
    let first: LiteralClaim
    let second: LiteralClaim

    var range: Range<Int> { first.range.lowerBound..<second.range.upperBound }
  }

  private init?(_ expression: LogicalExpression) {
    guard case .comparison(let comparison) = expression else { return nil }
    switch (comparison.left, comparison.right) {
    case (.query(let query), .literal(let literal)):
      self.query = query.text
      comparator = comparison.comparator
      self.literal = literal.value
    case (.literal(let literal), .query(let query)):
      self.query = query.text
      comparator = comparison.comparator.flipped
      self.literal = literal.value
    default: return nil
    }
    range = comparison.range
  }

  /// Two claims of one query, joined by `&&`, that never hold both.
  static func contradiction(in parts: [LogicalExpression]) -> Pair? {
    pair(of: parts) { $0.excludes($1) }
  }

  /// Two claims about one query, joined by `||`, that cover all cases.
  static func alternatives(in parts: [LogicalExpression]) -> Pair? {
    pair(of: parts) { one, two in
      switch (one.comparator, two.comparator) {
      case (.notEqual, .notEqual): !one.hasEqualLiteral(two)
      case (.equal, .notEqual), (.notEqual, .equal): one.hasEqualLiteral(two)
      default: false
      }
    }
  }

  private static func pair(
    of parts: [LogicalExpression], where isMeant: (LiteralClaim, LiteralClaim) -> Bool
  ) -> Pair? {
    let claims = parts.compactMap(LiteralClaim.init)
    let ofQuery = Dictionary(grouping: claims.indices) { ExactText(claims[$0].query) }
    for (index, one) in claims.enumerated() {
      guard let others = ofQuery[ExactText(one.query)], others.count > 1,
        index <= others[min(others.count, Self.compared) - 1]
      else { continue }
      for other in others where other > index && isMeant(one, claims[other]) {
        return Pair(first: one, second: claims[other])
      }
    }
    return nil
  }

  /// The number of claims of one query that are compared with all later ones.
  private static let compared = 50

  private func hasEqualLiteral(_ other: LiteralClaim) -> Bool {
    switch (literal, other.literal) {
    case (.string(let one), .string(let two)): one.utf8.elementsEqual(two.utf8)
    case (.number(let one), .number(let two)): JSONNumber(one) == JSONNumber(two)
    case (.boolean(let one), .boolean(let two)): one == two
    case (.null, .null): true
    default: false
    }
  }

  /// Whether no value satisfies both.
  private func excludes(_ other: LiteralClaim) -> Bool {
    if comparator == .notEqual || other.comparator == .notEqual {
      // Anything but one value leaves room, unless that value is asked for.
      return (comparator == .equal || other.comparator == .equal) && hasEqualLiteral(other)
    }
    guard case .number(let one) = literal, case .number(let two) = other.literal,
      let left = JSONNumber(one), let right = JSONNumber(two)
    else {
      return comparator == .equal && other.comparator == .equal && !hasEqualLiteral(other)
    }
    // A lower bound above an upper bound.
    return Self.isAbove(self, left, other, right) || Self.isAbove(other, right, self, left)
  }

  private static func isAbove(
    _ lower: LiteralClaim, _ least: JSONNumber, _ upper: LiteralClaim, _ most: JSONNumber
  ) -> Bool {
    guard [.equal, .greater, .greaterOrEqual].contains(lower.comparator),
      [.equal, .less, .lessOrEqual].contains(upper.comparator)
    else { return false }
    if least > most { return true }
    return least == most && (lower.comparator == .greater || upper.comparator == .less)
  }
}

extension Comparison.Operator {
  /// The claim with its sides exchanged.
  fileprivate var flipped: Comparison.Operator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}
