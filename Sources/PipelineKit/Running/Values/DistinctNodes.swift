internal import JSONText

/// Values each once, the first of equal ones kept.
enum DistinctNodes {
  /// - Complexity: O(bytes of the nodes) on average.
  static func filter(_ nodes: [JSONNode]) -> [JSONNode] {
    var seen: [Int: [JSONNode]] = [:]
    return nodes.filter { node in
      let hash = node.contentHash
      if seen[hash]?.contains(where: { $0.isEqual(to: node) }) == true { return false }
      seen[hash, default: []].append(node)
      return true
    }
  }
}
