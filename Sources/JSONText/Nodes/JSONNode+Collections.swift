extension JSONNode {
  /// The elements of an array in order. Each step is O(1), whatever an element holds.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int
    private let end: Int

    init(document: JSONDocument, container: Int?) {
      self.document = document
      upcoming = container.map { document.firstChild(of: $0) } ?? 0
      end = container.map { document.endIndex(of: $0) } ?? 0
    }

    public mutating func next() -> JSONNode? {
      guard upcoming < end else { return nil }
      defer { upcoming = document.next(after: upcoming) }
      return JSONNode(document: document, index: upcoming)
    }
  }

  /// The members of an object in the order of the text, duplicates included.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int
    private let end: Int

    init(document: JSONDocument, container: Int?) {
      self.document = document
      upcoming = container.map { document.firstChild(of: $0) } ?? 0
      end = container.map { document.endIndex(of: $0) } ?? 0
    }

    public mutating func next() -> JSONMember? {
      guard upcoming < end else { return nil }
      defer { upcoming = document.next(after: upcoming + 1) }
      return JSONMember(value: JSONNode(document: document, index: upcoming + 1))
    }
  }
}
