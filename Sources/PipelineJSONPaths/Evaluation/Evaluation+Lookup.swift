internal import PipelineJSONText

extension Evaluation {
  /// A subset of a container's children, in the order of the text, that includes all that a filter
  /// selects; `nil` if every child must be judged.
  ///
  /// The result must still be judged, because an index knows hashes only.
  mutating func candidates(
    of filter: LogicalExpression, in document: JSONDocument, at container: Int
  ) -> ArraySlice<UInt32>? {
    switch filter {
    case .comparison(let comparison):
      return candidates(of: comparison, in: document, at: container)
    case .and(let parts):
      var fewest: ArraySlice<UInt32>?
      for part in parts {
        guard let candidates = candidates(of: part, in: document, at: container) else { continue }
        if candidates.count < fewest?.count ?? .max { fewest = candidates }
      }
      return fewest
    case .or(let parts):
      var all: ArraySlice<UInt32> = []
      for part in parts {
        guard let candidates = candidates(of: part, in: document, at: container) else {
          return nil
        }
        all = Self.union(all, candidates)
      }
      return all
    case .not, .test: return nil
    }
  }

  /// The same for `@.member == value` and `value == @.member`.
  private mutating func candidates(
    of comparison: Comparison, in document: JSONDocument, at container: Int
  ) -> ArraySlice<UInt32>? {
    guard comparison.comparator == .equal else { return nil }
    let query: Query
    let operand: Operand
    if let left = comparison.left.relativeQuery, comparison.right.isSameForAllNodes {
      (query, operand) = (left, comparison.right)
    } else if let right = comparison.right.relativeQuery, comparison.left.isSameForAllNodes {
      (query, operand) = (right, comparison.left)
    } else {
      return nil
    }
    let hash = Self.contentHash(of: value(of: operand, at: nil))
    return document.children(of: container, by: query.text, hash: hash) { child in
      query.singularIndex(in: document, at: child, from: 0).map(document.contentHash)
        ?? Self.hashOfNothing
    }
  }

  /// The numbers in one of two rising lists or in both, rising.
  private static func union(
    _ left: ArraySlice<UInt32>, _ right: ArraySlice<UInt32>
  ) -> ArraySlice<UInt32> {
    if left.isEmpty { return right }
    var union: [UInt32] = []
    union.reserveCapacity(left.count + right.count)
    var (left, right) = (left, right)
    while let first = left.first, let second = right.first {
      union.append(min(first, second))
      if first <= second { left.removeFirst() }
      if second <= first { right.removeFirst() }
    }
    return (union + left + right)[...]
  }

  private static func contentHash(of value: OperandValue) -> Int {
    switch value {
    case .node(let node): node.contentHash
    case .number(let number): JSONDocument.contentHash(of: number)
    case .nothing: hashOfNothing
    }
  }

  /// Two absent values are equal. Any number does: equal hashes only cost a look.
  private static var hashOfNothing: Int { 1 }
}

extension Operand {
  /// The query, if it starts at the node that a filter judges. In a comparison it is singular.
  fileprivate var relativeQuery: Query? {
    guard case .query(let query) = self, query.anchor == .current, !query.hasKey else {
      return nil
    }
    return query
  }
}
