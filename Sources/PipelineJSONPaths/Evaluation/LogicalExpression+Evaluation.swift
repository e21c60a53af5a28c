internal import PipelineJSONText

extension Evaluation {
  /// Whether the expression holds, `@` being `current`.
  mutating func holds(_ expression: LogicalExpression, at current: JSONNode?) -> Bool {
    switch expression {
    case .comparison(let comparison): return holds(comparison, at: current)
    case .test(let test): return holds(test, at: current)
    case .not(let inner, _): return !holds(inner, at: current)
    case .and(let parts):
      for part in parts where !holds(part, at: current) { return false }
      return true
    case .or(let parts):
      for part in parts where holds(part, at: current) { return true }
      return false
    }
  }

  mutating func holds(_ test: Test, at current: JSONNode?) -> Bool {
    switch test {
    case .exists(let query): return selectsAny(query, at: current)
    case .function(let call): return holds(call, at: current)
    }
  }

  private mutating func selectsAny(_ query: Query, at current: JSONNode?) -> Bool {
    guard query.anchor == .current else { return !nodes(ofAbsolute: query).isEmpty }
    guard let current else { return false }
    if query.isSingular {
      return singularIndex(of: query, in: current.document, at: current.index) != nil
    }
    return !indexes(of: query, at: current, limit: 1).isEmpty
  }

  /// The nodes that a relative query selects from the current node, in that node's document.
  mutating func indexes(of query: Query, at current: JSONNode, limit: Int) -> [Int] {
    var selection = Selection(limit: limit)
    select(query.segments, from: 0, in: current.document, at: current.index, &selection)
    return selection.indexes
  }
}
