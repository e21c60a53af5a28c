internal import PipelineJSONText

/// The nodes that were selected in one document, as indexes of its tape.
struct Selection {
  private(set) var indexes: [Int] = []
  /// Selecting ends when this number is found.
  let limit: Int

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { indexes.count >= limit }

  mutating func append(_ index: Int) { indexes.append(index) }
}

extension Evaluation {
  /// Selects what the segments from `depth` on select from a node.
  ///
  /// Depth first: what one node leads to is selected before the next node is looked at, which gives
  /// RFC 9535's order without lists in between. It recurses once for each segment that is not
  /// singular. The parser bounds their number.
  mutating func select(
    _ segments: [Segment], from depth: Int, in document: JSONDocument, at index: Int,
    _ selection: inout Selection
  ) {
    var depth = depth
    var index = index
    while depth < segments.count {
      guard segments[depth].isSingular else {
        return select(branching: segments, at: depth, in: document, at: index, &selection)
      }
      let found: Int?
      switch segments[depth].selectors.first.kind {
      case .name(let name): found = document.value(named: name, in: index)
      case .index(let position): found = document.element(atPosition: position, in: index)
      case .key(let binding): found = child(of: index, in: document, by: binding)
      case .wildcard, .slice, .filter: found = nil
      }
      guard let found else { return }
      index = found
      depth += 1
    }
    selection.append(index)
  }

  private mutating func select(
    branching segments: [Segment], at depth: Int, in document: JSONDocument, at index: Int,
    _ selection: inout Selection
  ) {
    let segment = segments[depth]
    guard segment.reach == .descendant else {
      for selector in segment.selectors {
        select(selector.kind, segments, after: depth, in: document, at: index, &selection)
      }
      return
    }
    // The tape has the order in which RFC 9535 §2.5.2.2 visits descendants: each node before its
    // own. So no stack is needed, and depth costs nothing.
    let end = document.endIndex(of: index)
    var container = index
    while container <= end, !selection.isFull, goesOn() {
      if document.element(at: container).isContainer {
        for selector in segment.selectors {
          select(selector.kind, segments, after: depth, in: document, at: container, &selection)
        }
      }
      container += 1
    }
  }

  /// Goes on with the segments after `depth` from a child that was selected.
  @inline(__always)
  mutating func follow(
    _ child: Int, _ segments: [Segment], after depth: Int, in document: JSONDocument,
    _ selection: inout Selection
  ) {
    if depth + 1 == segments.count {
      selection.append(child)
    } else {
      select(segments, from: depth + 1, in: document, at: child, &selection)
    }
  }
}
