extension JSONNode {
  /// Whether two values are equal by RFC 9535 §2.3.5.2.2. Numbers are compared by exact value,
  /// strings decoded, arrays element by element, objects as sets of members.
  ///
  /// If a name is duplicated, its first member counts.
  ///
  /// - Parameter other: A value of this or of another document.
  /// - Complexity: O(n) on average.
  public func isEqual(to other: JSONNode) -> Bool {
    document.isEqual(at: index, in: other.document, at: other.index)
  }
}

extension JSONDocument {
  /// The same by index. Recursion is bounded by the depth that parsers allow.
  package func isEqual(at index: Int, in other: JSONDocument, at otherIndex: Int) -> Bool {
    let left = element(at: index)
    let right = other.element(at: otherIndex)
    switch (kind(at: index), other.kind(at: otherIndex)) {
    case (.null, .null): return true
    case (.boolean, .boolean): return left.kind == right.kind
    case (.number, .number):
      return compareNumbers(at: index, in: other, at: otherIndex) == 0
    case (.string, .string): return stringEquals(at: index, in: other, at: otherIndex)
    case (.array, .array):
      var child = index + 1
      var otherChild = otherIndex + 1
      while child < left.span, otherChild < right.span {
        guard isEqual(at: child, in: other, at: otherChild) else { return false }
        child = next(after: child)
        otherChild = other.next(after: otherChild)
      }
      return child == left.span && otherChild == right.span
    case (.object, .object):
      return membersEqual(at: index, in: other, at: otherIndex)
    default: return false
    }
  }

  private func membersEqual(at index: Int, in other: JSONDocument, at otherIndex: Int) -> Bool {
    let end = endIndex(of: index)
    let otherEnd = other.endIndex(of: otherIndex)
    var child = index + 1
    var otherChild = otherIndex + 1
    // As long as names come in the same order nothing is looked up.
    while child < end, otherChild < otherEnd,
      stringEquals(at: child, in: other, at: otherChild)
    {
      if !isEqual(at: child + 1, in: other, at: otherChild + 1) {
        // If a name is duplicated, only its first member counts.
        if value(named: utf8(at: child), in: index) == child + 1 { return false }
        break
      }
      child = next(after: child + 1)
      otherChild = other.next(after: otherChild + 1)
    }
    if child == end && otherChild == otherEnd { return true }
    let left = firstMembers(in: index)
    let right = other.firstMembers(in: otherIndex)
    guard left.count == right.count else { return false }
    // Values compared above are not compared again, because doing so twice at each level would
    // never end.
    return left.allSatisfy { name, value in
      guard value > child else { return true }
      return right[name].map { isEqual(at: value, in: other, at: $0) } ?? false
    }
  }

  /// The indexes of the values of an object by their decoded names, the first of each name.
  func firstMembers(in index: Int) -> [[UInt8]: Int] {
    var members: [[UInt8]: Int] = [:]
    let end = endIndex(of: index)
    var child = index + 1
    while child < end {
      let name = utf8(at: child)
      if members[name] == nil { members[name] = child + 1 }
      child = next(after: child + 1)
    }
    return members
  }

  /// The duplicate names of an object, each with the place of its first member.
  func duplicateNames(limit: Int) -> [JSONSyntaxError] {
    var problems: [JSONSyntaxError] = []
    for index in tape.indices where element(at: index).isObject {
      let end = endIndex(of: index)
      if hasFewDifferentNames(index, end) { continue }
      var places: [[UInt8]: Int] = [:]
      var child = index + 1
      while child < end {
        let name = utf8(at: child)
        if let first = places[name] {
          problems.append(
            JSONSyntaxError(
              "name '\(string(at: child))' appears twice in this object; keep one of the two",
              range: range(at: child), code: .duplicateName,
              related: [.init("it appears first here", range: range(at: first))]))
          if problems.count >= limit { return problems }
        } else {
          places[name] = child
        }
        child = next(after: child + 1)
      }
    }
    return problems
  }

  /// Whether an object has few members whose names surely differ, in length or first and last byte.
  /// This holds for most objects that a person wrote.
  private func hasFewDifferentNames(_ index: Int, _ end: Int) -> Bool {
    var count = 0
    // A bit for each hash of a mark. The earlier marks are read again only if the bit is set.
    var taken: UInt64 = 0
    var child = index + 1
    while child < end {
      // An escape can write the same name in other bytes.
      guard count < 8, let mark = mark(ofPlainName: child) else { return false }
      let bit: UInt64 = 1 << UInt64((mark &* 0x9E37_79B9) >> 26)
      if taken & bit != 0 {
        var earlier = index + 1
        while earlier < child {
          if self.mark(ofPlainName: earlier) == mark { return false }
          earlier = next(after: earlier + 1)
        }
      }
      taken |= bit
      count += 1
      child = next(after: child + 1)
    }
    return true
  }

  /// Length, first and last byte of a name; `nil` of one that is empty or holds escapes.
  private func mark(ofPlainName index: Int) -> UInt32? {
    let name = element(at: index)
    guard name.isPlainString, name.span > 0 else { return nil }
    let first = UInt32(bytes[name.offset])
    let last = UInt32(bytes[name.offset + name.span - 1])
    return UInt32(truncatingIfNeeded: name.span) << 16 | first << 8 | last
  }
}
