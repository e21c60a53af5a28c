import PipelineJSONText

/// The values of `enum`: a value is looked up by its hash if they are many.
struct ValueSet: Sendable {
  let values: [JSONNode]
  private var positions: [Int: [Int]] = [:]

  private static let scanLimit = 8

  init(_ values: [JSONNode]) {
    self.values = values
    guard values.count > Self.scanLimit else { return }
    for (position, value) in values.enumerated() {
      positions[value.document.valueHash(at: value.index), default: []].append(position)
    }
  }

  func contains(valueAt index: Int, in document: JSONDocument) -> Bool {
    if values.count <= Self.scanLimit {
      return values.contains { document.isEqual(at: index, in: $0.document, at: $0.index) }
    }
    return positions[document.valueHash(at: index), default: []].contains {
      document.isEqual(at: index, in: values[$0].document, at: values[$0].index)
    }
  }
}

extension JSONDocument {
  /// The first two values among `indexes` that are equal, by their positions.
  ///
  /// - Complexity: O(bytes of the values).
  func firstEqualPair(among indexes: [Int]) -> (Int, Int)? {
    guard indexes.count > 1 else { return nil }
    var seen: [Int: [Int]] = [:]
    for (position, index) in indexes.enumerated() {
      let hash = valueHash(at: index)
      for earlier in seen[hash, default: []]
      where isEqual(at: indexes[earlier], in: self, at: index) {
        return (earlier, position)
      }
      seen[hash, default: []].append(position)
    }
    return nil
  }

  /// A hash of the value at `index` that is the same for all values that are equal to it.
  ///
  /// Swift's hash is seeded again in each process, so no text can be made to collide. Recursion is
  /// bounded by the depth that parsers allow.
  func valueHash(at index: Int) -> Int {
    var hasher = Hasher()
    switch kind(at: index) {
    case .null: hasher.combine(0)
    case .boolean: hasher.combine(element(at: index).kind == .true ? 1 : 2)
    case .number:
      hasher.combine(3)
      hasher.combine(JSONNode(document: self, index: index).number)
    case .string:
      hasher.combine(4)
      combineString(at: index, into: &hasher)
    case .array:
      hasher.combine(5)
      var child = firstChild(of: index)
      while child < endIndex(of: index) {
        hasher.combine(valueHash(at: child))
        child = next(after: child)
      }
    case .object:
      hasher.combine(6)
      hasher.combine(membersHash(of: index))
    }
    return hasher.finalize()
  }

  /// The same whatever the members' order. The first member of a duplicate name counts.
  private func membersHash(of index: Int) -> Int {
    var names: Set<Int> = []
    var total = 0
    var child = firstChild(of: index)
    while child < endIndex(of: index) {
      var hasher = Hasher()
      combineString(at: child, into: &hasher)
      let name = hasher.finalize()
      if names.insert(name).inserted {
        var member = Hasher()
        member.combine(name)
        member.combine(valueHash(at: child + 1))
        total ^= member.finalize()
      }
      child = next(after: child + 1)
    }
    return total
  }

  private func combineString(at index: Int, into hasher: inout Hasher) {
    withUTF8(at: index) { utf8 in
      hasher.combine(utf8.count)
      utf8.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}
