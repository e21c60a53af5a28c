import PipelineJSONPaths
import PipelineLanguage
import PipelineOpenAPI
import PipelineTemplates

/// What a query selects in a value that a description knows.
struct DescribedReading {
  /// What each selected node is like. Nothing is known of it if something is missing.
  private(set) var shape: ValueShape
  /// Whether it may select several values.
  private(set) var isMany = false
  /// Where it selects nothing.
  private(set) var missing: Gap?
  /// What its filters read of the values that they judge, and do not find.
  private(set) var filters: [FilterReading] = []
  /// The first deprecated part on its way.
  private(set) var deprecated: (name: String, node: DescribedNode)?

  /// A query in a filter, such as `@.price` in `$.books[?@.price < 10]`.
  struct FilterReading {
    let query: Query
    let missing: Gap
    /// Whether the filter only tests that there is such a part.
    let isTest: Bool
  }

  /// A part of a query that selects nothing in any value.
  struct Gap {
    let segment: Segment
    /// The values that it is asked of.
    let owner: SchemaShape
    /// Whether the schemas rule it out. Otherwise they only do not describe it.
    let isRuledOut: Bool
  }

  init(_ segments: some Sequence<Segment>, from start: ValueShape) {
    var way = ShapeWalk(start)
    shape = start
    for segment in segments {
      let owner = way.shape.described?.schema
      guard way.follow(segment), !way.isLost else {
        if !way.isLost {
          missing = owner.map {
            Gap(segment: segment, owner: $0, isRuledOut: $0.isRuledOut(segment))
          }
        }
        (shape, isMany) = (.unknown, way.isMany || way.isLost)
        return
      }
      for selector in segment.selectors {
        if case .filter(let expression) = selector.kind {
          filters += Self.filters(in: expression, of: way.shape)
        }
      }
      if let name = segment.name, deprecated == nil, let schema = way.shape.described?.schema,
        schema.isDeprecated, let node = schema.node
      {
        deprecated = (name, node)
      }
    }
    (shape, isMany) = (way.shape, way.isMany)
  }

  private static func filters(
    in expression: LogicalExpression, of shape: ValueShape
  ) -> [FilterReading] {
    let walk = ConditionWalk(expression)
    return walk.queries.filter { $0.anchor == .current }.flatMap { query -> [FilterReading] in
      let reading = DescribedReading(query.segments, from: shape)
      let own = reading.missing.map {
        FilterReading(query: query, missing: $0, isTest: walk.tests.contains(query))
      }
      return [own].compactMap(\.self) + reading.filters
    }
  }
}

extension SchemaShape {
  /// Whether the schemas rule out each part that a segment selects.
  fileprivate func isRuledOut(_ segment: Segment) -> Bool {
    segment.selectors.allSatisfy { selector in
      switch selector.kind {
      case .name(let name): member(name.text).isRuledOut
      case .index, .slice: children(listsOnly: true).isRuledOut
      case .wildcard, .filter: children(listsOnly: false).isRuledOut
      case .key: false
      }
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
