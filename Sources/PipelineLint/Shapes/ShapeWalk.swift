import PipelineJSONPaths
import PipelineTemplates

/// The way of a query through a shape, segment by segment.
struct ShapeWalk {
  /// What each selected node is like.
  private(set) var shape: ValueShape
  /// Whether several nodes may be selected.
  private(set) var isMany = false
  /// Whether the nodes may be anywhere, so that nothing is known of them.
  private(set) var isLost = false

  init(_ start: ValueShape) { shape = start }

  /// What the query selects.
  var result: ValueShape {
    if isLost { return ValueShape.list(.present).secret(shape.isSecret) }
    guard isMany else { return shape }
    // The nodes that a list query selects are all there, however few.
    return ValueShape.list(shape.absentNever).secret(shape.isSecret)
  }

  /// Goes on by a segment.
  ///
  /// - Returns: Whether it may select anything.
  mutating func follow(_ segment: Segment) -> Bool {
    guard segment.reach == .child else {
      isLost = true
      return true
    }
    isMany = isMany || !segment.isSingular
    if segment.selectors.count > 1 {
      let selected = segment.selectors.compactMap { Self.select($0.kind, of: shape) }
      if selected.isEmpty, shape.source != nil { return false }
      shape = ValueShape.union(of: selected).secret(shape.isSecret)
      return true
    }
    guard let selected = Self.select(segment.selectors.first.kind, of: shape) else { return false }
    shape = selected.absent(shape.maybeAbsent && !isMany).secret(shape.isSecret)
    return true
  }

  /// The value that a selector selects; `nil` if there is none, whatever happens.
  private static func select(_ selector: Selector.Kind, of shape: ValueShape) -> ValueShape? {
    guard shape.maybeList else { return selectAlone(selector, of: shape) }
    let alone = selectAlone(selector, of: shape.list(false))
    switch selector {
    case .name: return alone
    case .index, .wildcard, .slice, .filter, .key:
      let element = shape.list(false).absentNever
      return (alone.map { $0.union(element) } ?? element).absent()
    }
  }

  private static func selectAlone(_ selector: Selector.Kind, of shape: ValueShape) -> ValueShape? {
    switch (selector, shape.content) {
    case (_, .unknown): return .unknown
    case (_, .choice(let shapes)):
      let found = shapes.compactMap { select(selector, of: $0) }
      return found.isEmpty ? nil : .union(of: found).absent()
    case (.name(let name), .object(let members, let isOpen)):
      if let member = members[name.text] ?? shape.source?.other(name.text) {
        return member.absent(shape.maybeNull)
      }
      return isOpen && shape.source?.lacks(name.text) != true ? .unknown : nil
    case (.name, _): return nil
    case (.index, .list(let element)): return element.absent()
    case (.index, _): return nil
    // The key may be another one, so none of the shapes is certain.
    case (.key, .object(let members, let isOpen)):
      return (isOpen ? ValueShape.present : .union(of: members.shapes)).absent()
    case (.key, .list(let element)): return element.absent()
    case (.key, _): return nil
    case (.slice, .list(let element)), (.wildcard, .list(let element)),
      (.filter, .list(let element)):
      return element
    case (.wildcard, .object(let members, let isOpen)), (.filter, .object(let members, let isOpen)):
      return isOpen ? .present : .union(of: members.shapes)
    case (.slice, _), (.wildcard, _), (.filter, _): return nil
    }
  }

  static func words(for selector: Selector.Kind) -> String {
    switch selector {
    case .name(let name): name.text
    case .index(let index): "[\(index)]"
    case .wildcard: "[*]"
    case .slice: "[:]"
    case .filter: "[?]"
    case .key(let binding): "[{{\(binding.query.text)}}]"
    }
  }
}
