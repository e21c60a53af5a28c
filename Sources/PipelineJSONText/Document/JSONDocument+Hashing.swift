extension JSONNode {
  /// The same for values that `isEqual(to:)` finds equal, however they are written.
  ///
  /// Seeded for each process, as `Hasher` is: no text can be made to collide.
  /// - Complexity: O(bytes of the value) on average.
  package var contentHash: Int { document.contentHash(at: index) }
}

extension JSONDocument {
  /// The content hash of the value, or of the name, at `index`.
  package func contentHash(at index: Int) -> Int {
    let element = element(at: index)
    if element.isObject { return membersHash(at: index) }
    var hasher = Hasher()
    if element.isArray {
      hasher.combine(JSONKind.array)
      var child = index + 1
      while child < element.span {
        hasher.combine(contentHash(at: child))
        child = next(after: child)
      }
    } else if element.isString {
      hasher.combine(JSONKind.string)
      withUTF8(at: index) { text in
        text.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
    } else if element.isNumber {
      return numberHash(at: index)
    } else {
      hasher.combine(element.kind.rawValue)
    }
    return hasher.finalize()
  }

  /// The content hash of a whole number.
  package static func contentHash(of number: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(JSONKind.number)
    hasher.combine(number)
    return hasher.finalize()
  }

  private func numberHash(at index: Int) -> Int {
    if let number = shortInteger(at: index) { return Self.contentHash(of: number) }
    let decimal = DecimalValue(bytes[range(at: index)])
    if let number = decimal.int { return Self.contentHash(of: number) }
    var hasher = Hasher()
    hasher.combine(JSONKind.number)
    decimal.hash(into: &hasher)
    return hasher.finalize()
  }

  /// A sum over the members, since their order does not count.
  private func membersHash(at index: Int) -> Int {
    let end = endIndex(of: index)
    var sum = 0
    var names: Set<Int> = []
    var child = index + 1
    while child < end {
      let name = contentHash(at: child)
      // If a name is duplicated, its first member counts.
      guard names.insert(name).inserted else { return firstMembersHash(at: index) }
      sum &+= memberHash(name: name, valueAt: child + 1)
      child = next(after: child + 1)
    }
    return sum
  }

  private func firstMembersHash(at index: Int) -> Int {
    firstMembers(in: index).values.reduce(0) { sum, value in
      sum &+ memberHash(name: contentHash(at: value - 1), valueAt: value)
    }
  }

  private func memberHash(name: Int, valueAt index: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(contentHash(at: index))
    return hasher.finalize()
  }
}
