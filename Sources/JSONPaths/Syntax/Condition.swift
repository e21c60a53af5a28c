/// A condition: RFC 9535's filter expression, standing alone (`$.list.total > 0 && @.status == 200`).
public struct Condition: Sendable {
  /// The condition as its author wrote it.
  public let text: String
  public let expression: LogicalExpression

  /// Every `$…` and every `{{…}}` in the condition, in the order of the text.
  public var references: [QueryReference] {
    var walk = ReferenceWalk()
    walk.visit(expression)
    return walk.references
  }
}

extension Condition: Hashable {
  public static func == (left: Condition, right: Condition) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
