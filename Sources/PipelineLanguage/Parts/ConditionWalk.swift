package import PipelineJSONPaths

/// The comparisons, tests and function calls of a condition, at its top level and in its filters.
package struct ConditionWalk {
  package private(set) var comparisons: [Comparison] = []
  /// Tests of the condition itself, not of a filter inside a query.
  package private(set) var tests: [Query] = []
  package private(set) var calls: [FunctionCall] = []
  /// The calls of `match` and `search` that are tests of the condition itself.
  package private(set) var patternTests: [FunctionCall] = []
  package private(set) var queries: [Query] = []
  /// The comparisons in the filters of its queries.
  package private(set) var filterComparisons: [Comparison] = []

  package init(_ expression: LogicalExpression) {
    visit(expression)
  }

  /// The function calls in the filters of a query.
  package init(filtersOf query: Query) {
    visitFilters(of: query)
  }

  private mutating func visit(_ expression: LogicalExpression) {
    switch expression {
    case .or(let parts), .and(let parts): for part in parts { visit(part) }
    case .not(let inner, _): visit(inner)
    case .comparison(let comparison):
      comparisons.append(comparison)
      visit(comparison.left)
      visit(comparison.right)
    case .test(.exists(let query)):
      tests.append(query)
      visit(.query(query))
    case .test(.function(let call)):
      if call.function == .match || call.function == .search { patternTests.append(call) }
      visit(.function(call))
    }
  }

  private mutating func visit(_ operand: Operand) {
    switch operand {
    case .literal, .binding: break
    case .query(let query):
      queries.append(query)
      visitFilters(of: query)
    case .function(let call):
      calls.append(call)
      for argument in call.arguments { visit(argument) }
    }
  }

  /// Only calls count inside filters: `@` is something else there.
  private mutating func visitFilters(of query: Query) {
    guard query.hasInner else { return }
    for segment in query.segments {
      for selector in segment.selectors {
        guard case .filter(let expression) = selector.kind else { continue }
        let inner = ConditionWalk(expression)
        calls += inner.calls
        filterComparisons += inner.comparisons + inner.filterComparisons
      }
    }
  }
}
