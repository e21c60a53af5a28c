internal import JSONPaths

extension Condition {
  /// The queries that the condition compares or tests, in the order of the text.
  var comparedQueries: [Query] { queries(of: expression) }

  private func queries(of expression: LogicalExpression) -> [Query] {
    switch expression {
    case .or(let parts), .and(let parts): parts.flatMap(queries)
    case .not(let inner, _): queries(of: inner)
    case .comparison(let comparison):
      queries(of: comparison.left) + queries(of: comparison.right)
    case .test(.exists(let query)): [query]
    case .test(.function(let call)): call.arguments.flatMap(queries)
    }
  }

  private func queries(of operand: Operand) -> [Query] {
    switch operand {
    case .query(let query): [query]
    case .function(let call): call.arguments.flatMap(queries)
    case .literal, .binding: []
    }
  }
}
