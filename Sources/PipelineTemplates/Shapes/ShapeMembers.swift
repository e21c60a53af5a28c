/// The members of an object whose names are known, in the order in which they were first given.
///
/// Most objects have few, among which a name is found sooner than a hash is made of it.
package struct ShapeMembers: Sendable {
  package private(set) var list: [(name: String, shape: ValueShape)] = []
  /// The positions of the names, if they are many.
  private var positions: [String: Int] = [:]

  private static let few = 12

  package init(minimumCapacity: Int = 0) { list.reserveCapacity(minimumCapacity) }

  /// If a name is given twice, its first shape counts.
  package init(_ members: some Sequence<(String, ValueShape)>) {
    list.reserveCapacity(members.underestimatedCount)
    for (name, shape) in members where self[name] == nil { self[name] = shape }
  }

  package var isEmpty: Bool { list.isEmpty }
  package var names: [String] { list.map(\.name) }
  package var shapes: [ValueShape] { list.map(\.shape) }

  /// - Complexity: O(1).
  package subscript(_ name: String) -> ValueShape? {
    get { position(of: name).map { list[$0].shape } }
    set(shape) {
      guard let shape else { return }
      if let position = position(of: name) {
        list[position].shape = shape
        return
      }
      list.append((name, shape))
      if list.count == Self.few + 1 {
        for (position, member) in list.enumerated() { positions[member.name] = position }
      } else if list.count > Self.few {
        positions[name] = list.count - 1
      }
    }
  }

  private func position(of name: String) -> Int? {
    if list.count > Self.few { return positions[name] }
    // By number: a pair is large to copy.
    return list.indices.first { list[$0].name == name }
  }

  package func mapShapes(_ transform: (ValueShape) -> ValueShape) -> ShapeMembers {
    var members = self
    for position in list.indices { members.list[position].shape = transform(list[position].shape) }
    return members
  }

  /// The same and more. Of a name that both have, the shape given here counts.
  package func with(_ name: String, _ shape: ValueShape) -> ShapeMembers {
    var members = self
    members[name] = shape
    return members
  }
}

extension ShapeMembers: Equatable {
  package static func == (one: ShapeMembers, other: ShapeMembers) -> Bool {
    one.list.elementsEqual(other.list) { $0.name == $1.name && $0.shape == $1.shape }
  }
}

extension ShapeMembers: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, ValueShape)...) { self.init(elements) }
}
