import PipelineJSONPaths
import PipelineLanguage
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
    /// What its filters read of the values that they judge.
    var filters: [FilterReading] = []
    /// The first deprecated part on its way.
    var deprecated: (name: String, node: DescribedNode)?
  }

  /// A query in a filter, such as `@.price` in `$.books[?@.price < 10]`.
  struct FilterReading {
    let query: Query
    let missing: Gap
    /// Whether the filter asks no more than whether there is such a part.
    let isTest: Bool
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
    var filters: [FilterReading] = []
    var deprecated: (name: String, node: DescribedNode)?
    for segment in segments {
      guard segment.reach == .child else {
        return QueryReading(
          shape: .unknown(in: description), isMany: true, missing: nil, filters: filters,
          deprecated: deprecated)
      }
      isMany = isMany || !segment.isSingular
      let selections = segment.selectors.map { shape.selection($0.kind) }
      let next = SchemaShape.union(selections.map(\.shape), in: description)
      if next.isEmpty {
        return QueryReading(
          shape: next, isMany: isMany,
          missing: Gap(
            segment: segment, owner: shape, isRuledOut: selections.allSatisfy(\.isRuledOut)),
          filters: filters, deprecated: deprecated)
      }
      for selector in segment.selectors {
        if case .filter(let expression) = selector.kind {
          filters += next.readings(of: expression)
        }
      }
      if let name = segment.name, deprecated == nil, next.isDeprecated, let node = next.node {
        deprecated = (name, node)
      }
      shape = next
    }
    return QueryReading(
      shape: shape, isMany: isMany, missing: nil, filters: filters, deprecated: deprecated)
  }

  /// What an expression reads of values of this shape and does not find.
  private func readings(of expression: LogicalExpression) -> [FilterReading] {
    let walk = ConditionWalk(expression)
    return walk.queries.filter { $0.anchor == .current }.flatMap { query -> [FilterReading] in
      let reading = reading(query.segments)
      let own = reading.missing.map {
        FilterReading(query: query, missing: $0, isTest: walk.tests.contains(query))
      }
      return [own].compactMap(\.self) + reading.filters
    }
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
