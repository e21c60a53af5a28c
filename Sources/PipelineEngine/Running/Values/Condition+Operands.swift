internal import PipelineJSONPaths

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

// MARK: - What is read of `@`

extension Condition {
  /// Whether the result may depend on the text of the member `name` of `@`, and not only on its
  /// existence. A text has no members, so that a query of these does not count.
  func dependsOnText(_ name: String) -> Bool {
    currentQueries(of: expression).contains { query, isTest in
      guard !query.segments.isEmpty, query.mayBegin(with: name) else { return false }
      return !query.beginsWithNames || query.segments.count == 1 && !isTest
    }
  }

  /// The queries of `@`, and whether each is only tested for a selection.
  private func currentQueries(
    of expression: LogicalExpression
  ) -> [(query: Query, isTest: Bool)] {
    let found: [(query: Query, isTest: Bool)] =
      switch expression {
      case .or(let parts), .and(let parts): parts.flatMap(currentQueries)
      case .not(let inner, _): currentQueries(of: inner)
      case .comparison(let comparison):
        (queries(of: comparison.left) + queries(of: comparison.right)).map { ($0, false) }
      case .test(.exists(let query)): [(query, true)]
      case .test(.function(let call)): call.arguments.flatMap(queries).map { ($0, false) }
      }
    return found.filter { $0.query.anchor == .current }
  }
}

extension Query {
  /// Whether the first segment may select a member of this name.
  fileprivate func mayBegin(with name: String) -> Bool {
    guard beginsWithNames else { return true }
    return firstNames.contains { $0.utf8.elementsEqual(name.utf8) }
  }
}
