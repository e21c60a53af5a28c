/// One step of a query: `.name`, `[0, 2]`, `..[?@.id]` (RFC 9535 §2.5).
public struct Segment: Sendable, Hashable {
  public enum Reach: Sendable, Hashable {
    /// Selects among the children of a node.
    case child
    /// Selects among the children of a node and of all its descendants.
    case descendant
  }

  public let reach: Reach
  /// One or more; results are concatenated in this order.
  public let selectors: [Selector]
  /// UTF-8 offsets in the parsed text, with the dots or brackets.
  public let range: Range<Int>

  /// Whether the segment can select at most one node of one node.
  public var isSingular: Bool {
    guard reach == .child, selectors.count == 1 else { return false }
    switch selectors[0].kind {
    case .name, .index: return true
    case .wildcard, .slice, .filter: return false
    }
  }
}
