extension JSONNode {
  /// The elements of an array in order. Each step is O(1), whatever an element holds.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private var children: ChildIndexes

    init(document: JSONDocument, container: Int?) {
      children = ChildIndexes(document: document, container: container, nameWidth: 0)
    }

    /// How many are still to come. O(that number), which is less than growing a list costs.
    public var underestimatedCount: Int { children.count }

    /// The next element; `nil` after the last one.
    public mutating func next() -> JSONNode? {
      children.next().map { JSONNode(document: children.document, index: $0) }
    }
  }

  /// The members of an object in the order of the text, duplicates included.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private var children: ChildIndexes

    init(document: JSONDocument, container: Int?) {
      children = ChildIndexes(document: document, container: container, nameWidth: 1)
    }

    /// How many are still to come. O(that number), which is less than growing a list costs.
    public var underestimatedCount: Int { children.count }

    /// The next member; `nil` after the last one.
    public mutating func next() -> JSONMember? {
      children.next().map {
        JSONMember(value: JSONNode(document: children.document, index: $0))
      }
    }
  }
}

/// The tape indexes of a container's values; none if it is `nil`.
private struct ChildIndexes: Sendable {
  let document: JSONDocument
  private let nameWidth: Int
  private var upcoming: Int
  private let end: Int

  init(document: JSONDocument, container: Int?, nameWidth: Int) {
    self.document = document
    self.nameWidth = nameWidth
    upcoming = container.map { document.firstChild(of: $0) } ?? 0
    end = container.map { document.endIndex(of: $0) } ?? 0
  }

  var count: Int {
    var copy = self
    var count = 0
    while copy.next() != nil { count += 1 }
    return count
  }

  mutating func next() -> Int? {
    guard upcoming < end else { return nil }
    let index = upcoming + nameWidth
    upcoming = document.next(after: index)
    return index
  }
}

extension JSONNode {
  /// Whether an object has more than one member of this name.
  ///
  /// - Complexity: O(members).
  package func repeats(_ name: String) -> Bool {
    guard let first = document.value(named: name, in: index) else { return false }
    let end = document.element(at: index).span
    var name = name
    return name.withUTF8 { utf8 in
      var child = document.next(after: first)
      while child < end {
        if document.stringEquals(at: child, utf8) { return true }
        child = document.next(after: child + 1)
      }
      return false
    }
  }
}
