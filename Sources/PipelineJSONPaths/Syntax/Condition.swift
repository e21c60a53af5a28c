/// A condition: RFC 9535's filter expression, standing alone (`$.list.total > 0 && @.status == 200`).
package struct Condition: Sendable {
  /// The condition as its author wrote it.
  package let text: String
  package let expression: LogicalExpression

  /// Every `$…` and every `{{…}}` in the condition, in the order of the text.
  package var references: [QueryReference] {
    var walk = ReferenceWalk()
    walk.visit(expression)
    return walk.references
  }

  /// Whether the condition may read this member of `@`. In the filter of a query `@` is an element.
  package func mayRead(_ member: String) -> Bool { Self.mayRead(member, expression) }

  private static func mayRead(_ member: String, _ expression: LogicalExpression) -> Bool {
    switch expression {
    case .or(let parts), .and(let parts): parts.contains { mayRead(member, $0) }
    case .not(let inner, _): mayRead(member, inner)
    case .comparison(let comparison):
      mayRead(member, comparison.left) || mayRead(member, comparison.right)
    case .test(.exists(let query)): query.mayReadCurrent(member)
    case .test(.function(let call)): call.arguments.contains { mayRead(member, $0) }
    }
  }

  private static func mayRead(_ member: String, _ operand: Operand) -> Bool {
    switch operand {
    case .literal, .binding: false
    case .query(let query): query.mayReadCurrent(member)
    case .function(let call): call.arguments.contains { mayRead(member, $0) }
    }
  }
}

extension Query {
  fileprivate func mayReadCurrent(_ member: String) -> Bool {
    guard anchor == .current else { return false }
    return firstNames.isEmpty || firstNames.contains(member)
  }
}

extension Condition: Hashable {
  package static func == (left: Condition, right: Condition) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
