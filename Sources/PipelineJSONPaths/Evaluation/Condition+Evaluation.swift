internal import PipelineJSONText

/// Why a condition has no answer.
package enum ConditionError: Error, Sendable, Hashable {
  /// A bare query tests existence and found `false`, which exists: its author hardly means that.
  case testFindsFalse(query: String, range: Range<Int>)

  /// One phrase that names the query and the way out.
  package var message: String {
    switch self {
    case .testFindsFalse(let query, _):
      "'\(query)' tests whether there is a value, but found false; write '\(query) == true'"
    }
  }

  /// UTF-8 offsets in the condition's text.
  package var range: Range<Int> {
    switch self {
    case .testFindsFalse(_, let range): range
    }
  }
}

extension Condition {
  /// Whether the condition holds. Parts are judged from left to right until the result is certain.
  ///
  /// - Throws: Where a bare singular query outside of filters finds `false`, also one after `!`.
  package func holds(in context: QueryContext) throws(ConditionError) -> Bool {
    var evaluation = Evaluation(context)
    return try evaluation.holds(condition: expression)
  }
}

extension Evaluation {
  fileprivate mutating func holds(
    condition expression: LogicalExpression
  ) throws(ConditionError) -> Bool {
    switch expression {
    case .and(let parts):
      for part in parts {
        guard try holds(condition: part) else { return false }
      }
      return true
    case .or(let parts):
      for part in parts {
        guard try !holds(condition: part) else { return true }
      }
      return false
    case .not(let inner, _): return try !holds(condition: inner)
    case .test(.exists(let query)) where query.isSingular:
      guard case .node(let node) = value(of: .query(query), at: context.current) else {
        return false
      }
      if node.boolean == false {
        throw .testFindsFalse(query: query.text, range: query.range)
      }
      return true
    case .test(let test): return holds(test, at: context.current)
    case .comparison(let comparison): return holds(comparison, at: context.current)
    }
  }
}
