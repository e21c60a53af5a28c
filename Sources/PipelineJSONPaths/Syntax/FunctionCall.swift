/// A call of `datetime` or of one of RFC 9535's five functions (§2.4), checked for well-typedness.
package struct FunctionCall: Sendable, Hashable {
  package enum Function: String, Sendable, Hashable, CaseIterable {
    /// Scalars of a string, elements of an array, members of an object.
    case length
    /// How many nodes a query selects.
    case count
    /// Whether a text as a whole matches an I-Regexp.
    case match
    /// Whether some part of a text matches an I-Regexp.
    case search
    /// The value of a query's only node.
    case value
    /// The moment of a `date-time` of RFC 3339, to be compared with others: an extension as §2.4
    /// provides for.
    case datetime
  }

  package let function: Function
  package let arguments: [Operand]
  /// UTF-8 offsets in the parsed text, from the name to the closing parenthesis.
  package let range: Range<Int>
  /// The literal pattern of `match` or `search`, compiled.
  let pattern: IRegexp?
  /// The place of the literal pattern's matcher, or of the value, in an evaluation's cache.
  let slot: Int
  /// Whether it has one value for all nodes that a filter judges.
  let isSameForAllNodes: Bool
  /// Why the literal pattern of `match` or `search` is not an I-Regexp, placed in the parsed text.
  /// Such a call is a valid query that never holds (RFC 9535 §2.4.6), so lint reports it.
  package let patternProblem: QuerySyntaxError?
}

extension FunctionCall.Function {
  /// Whether a call is true or false. Other functions have a value to compare.
  package var isLogical: Bool { self == .match || self == .search }

  /// Whether the argument is a list of nodes. Other functions take one value.
  var takesNodes: Bool { self == .count || self == .value }

  var arity: Int { isLogical ? 2 : 1 }
}
