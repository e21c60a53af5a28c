/// The reads of a query or a condition, other than its current node: a `$…` or a `{{…}}`.
package struct QueryReference: Sendable {
  /// The text of the read, without the braces of a `{{…}}`.
  package let query: Query
  /// UTF-8 offsets in the parsed text, a `{{…}}` with its braces.
  package let range: Range<Int>
  /// Whether it is a `{{…}}`.
  package let isBinding: Bool
}

extension [QueryReference] {
  /// The `$…` among them.
  package var absoluteQueries: [Query] {
    compactMap { $0.isBinding ? nil : $0.query }
  }
}

/// Collects the absolute queries and bindings of an expression, nested ones too, in text order.
struct ReferenceWalk {
  private(set) var references: [QueryReference] = []

  mutating func visit(_ query: Query) {
    if query.anchor == .root {
      references.append(QueryReference(query: query, range: query.range, isBinding: false))
    }
    guard query.hasInner else { return }
    for segment in query.segments {
      for selector in segment.selectors {
        switch selector.kind {
        case .filter(let expression): visit(expression)
        case .key(let binding): visit(binding)
        case .slice(let slice): for binding in slice.bindings { visit(binding) }
        case .name, .wildcard, .index: break
        }
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
    case .binding(let binding): visit(binding)
    }
  }

  private mutating func visit(_ binding: Binding) {
    references.append(
      QueryReference(query: binding.query, range: binding.range, isBinding: true))
  }
}
