/// One step of a query: `.name`, `[0, 2]`, `..[?@.id]` (RFC 9535 §2.5).
package struct Segment: Sendable, Hashable {
  package enum Reach: Sendable, Hashable {
    /// Selects among the children of a node.
    case child
    /// Selects among the children of a node and of all its descendants.
    case descendant
  }

  package let reach: Reach
  /// One or more. Results are concatenated in this order.
  package let selectors: Selectors
  /// UTF-8 offsets in the parsed text, with the dots or brackets.
  package let range: Range<Int>

  init(reach: Reach, selectors: Selectors, range: Range<Int>) {
    self.reach = reach
    self.selectors = selectors
    self.range = range
  }

  /// The literal name that the segment selects, if that is all.
  package var name: String? {
    guard reach == .child, selectors.count == 1, case .name(let name) = selectors.first.kind else {
      return nil
    }
    return name.text
  }

  /// The literal names that the segment selects; empty if it selects anything else as well.
  package var names: [String] {
    guard reach == .child else { return [] }
    var names: [String] = []
    for selector in selectors {
      guard case .name(let name) = selector.kind else { return [] }
      names.append(name.text)
    }
    return names
  }

  /// Whether a selector reads something else: a filter, a computed key or bound.
  var hasInner: Bool {
    // The first selector, usually the only one, without the machinery of collections.
    selectors.first.kind.hasInner || selectors.others.contains { $0.kind.hasInner }
  }

  /// The keys that are computed, `[{{key}}]`.
  package var keys: [Binding] {
    selectors.compactMap { selector in
      if case .key(let binding) = selector.kind { binding } else { nil }
    }
  }

  /// Whether the segment can select at most one node of one node.
  package var isSingular: Bool {
    guard reach == .child, selectors.count == 1 else { return false }
    switch selectors.first.kind {
    case .name, .index, .key: return true
    case .wildcard, .slice, .filter: return false
    }
  }
}

extension Selector.Kind {
  fileprivate var hasInner: Bool {
    switch self {
    case .filter, .key: true
    case .slice(let slice): !slice.bindings.isEmpty
    case .name, .wildcard, .index: false
    }
  }
}
