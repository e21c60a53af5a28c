extension Sequence<JSONNode> {
  /// The values each once: of equal ones the first.
  ///
  /// - Complexity: O(bytes of the values) on average.
  package var distinct: [JSONNode] {
    var seen: [Int: [JSONNode]] = [:]
    return filter { node in
      let hash = node.contentHash
      if seen[hash]?.contains(where: { $0.isEqual(to: node) }) == true { return false }
      seen[hash, default: []].append(node)
      return true
    }
  }
}
