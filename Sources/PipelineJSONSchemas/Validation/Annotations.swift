/// Which members or items of a value rules have seen: what `unevaluatedProperties` and
/// `unevaluatedItems` leave alone (core §11).
struct Annotations: Sendable {
  private(set) var hasAll = false
  /// Tape indexes of values.
  private var children: Set<Int> = []

  mutating func insert(_ child: Int) {
    if !hasAll { children.insert(child) }
  }

  mutating func insertAll() {
    hasAll = true
    children = []
  }

  mutating func merge(_ other: Annotations) {
    if other.hasAll { return insertAll() }
    if !hasAll { children.formUnion(other.children) }
  }

  func contains(_ child: Int) -> Bool { hasAll || children.contains(child) }
}
