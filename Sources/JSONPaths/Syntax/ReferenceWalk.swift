/// Collects the absolute queries and bindings of an expression, nested ones too, in text order.
struct ReferenceWalk {
  private(set) var references: [(query: Query, range: Range<Int>)] = []
  private(set) var absolute: [Query] = []
  private(set) var bindings: [Binding] = []

  mutating func visit(_ query: Query) {
    if query.anchor == .root {
      absolute.append(query)
      references.append((query, query.range))
    }
    for segment in query.segments {
      for selector in segment.selectors {
        if case .filter(let expression) = selector.kind { visit(expression) }
      }
    }
  }

  mutating func visit(_ expression: LogicalExpression) {
    switch expression {
    case .or(let parts), .and(let parts):
      for part in parts { visit(part) }
    case .not(let inner, _): visit(inner)
    case .comparison(let comparison):
      visit(comparison.left)
      visit(comparison.right)
    case .test(.exists(let query)): visit(query)
    case .test(.function(let call)): visit(.function(call))
    }
  }

  private mutating func visit(_ operand: Operand) {
    switch operand {
    case .literal: break
    case .query(let query): visit(query)
    case .function(let call):
      for argument in call.arguments { visit(argument) }
    case .binding(let binding):
      bindings.append(binding)
      references.append((binding.query, binding.range))
    }
  }
}
