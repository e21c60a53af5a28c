import PipelineJSONPaths
import PipelineOpenAPI
import PipelineTemplates

extension SchemaShape {
  /// What a query selects in values of a shape.
  struct QueryReading {
    let shape: SchemaShape
    /// Whether it may select several values.
    let isMany: Bool
    /// Where it selects nothing.
    let missing: Gap?
  }

  /// A part of a query that selects nothing in any value.
  struct Gap {
    /// The segment.
    let segment: Segment
    /// The values that it is asked of.
    let owner: SchemaShape
    /// Whether the schemas rule it out. Otherwise they only do not describe it.
    let isRuledOut: Bool
  }

  /// Follows the segments of a query.
  func reading(_ segments: some Sequence<Segment>) -> QueryReading {
    var shape = self
    var isMany = false
    for segment in segments {
      guard segment.reach == .child else {
        return QueryReading(shape: .unknown(in: description), isMany: true, missing: nil)
      }
      isMany = isMany || !segment.isSingular
      let selections = segment.selectors.map { shape.selection($0.kind) }
      let next = SchemaShape.union(selections.map(\.shape), in: description)
      if next.isEmpty {
        return QueryReading(
          shape: next, isMany: isMany,
          missing: Gap(
            segment: segment, owner: shape, isRuledOut: selections.allSatisfy(\.isRuledOut)))
      }
      shape = next
    }
    return QueryReading(shape: shape, isMany: isMany, missing: nil)
  }

  private func selection(_ selector: Selector.Kind) -> Selection {
    switch selector {
    case .name(let name): member(name.text)
    case .index, .slice: children(listsOnly: true)
    case .wildcard, .filter: children(listsOnly: false)
    case .key: .unknown(in: description)
    }
  }

  /// The types in words: `a text or a number`; `nil` if any is possible.
  var words: String? {
    guard let types, !types.isEmpty else { return nil }
    return Self.words(of: types)
  }

  static func words(of types: Set<String>) -> String {
    let all = [
      ("string", "a text"), ("integer", "a whole number"), ("number", "a number"),
      ("boolean", "true or false"), ("array", "a list"), ("object", "an object"),
    ]
    return all.filter { types.contains($0.0) }.map(\.1).joined(separator: " or ")
  }
}
