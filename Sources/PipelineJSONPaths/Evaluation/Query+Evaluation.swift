package import PipelineJSONText

extension Query {
  /// The nodes that the query selects, in the order RFC 9535 gives (§2.1.2).
  ///
  /// - Complexity: O(n) in the nodes that segments visit. A filter judges each node once, and
  ///   absolute queries inside filters are evaluated once.
  package func nodes(in context: QueryContext) -> [JSONNode] {
    if isSingular { return first(in: context).map { [$0] } ?? [] }
    var evaluation = Evaluation(context)
    return evaluation.nodes(of: self, limit: .max)
  }

  /// The first node that the query selects. For a singular query nothing is allocated.
  package func first(in context: QueryContext) -> JSONNode? {
    guard isSingular, !hasKey else {
      var evaluation = Evaluation(context)
      return evaluation.nodes(of: self, limit: 1).first
    }
    var depth = 0
    let start: JSONNode
    switch (anchor, context.root) {
    case (.current, _):
      guard let current = context.current else { return nil }
      start = current
    case (.root, .node(let node)): start = node
    case (.root, .scope(let scope)):
      guard let name = firstName, let found = scope.start(of: self, named: name) else {
        return nil
      }
      (start, depth) = found
    }
    return singularIndex(in: start.document, at: start.index, from: depth)
      .map { JSONNode(document: start.document, index: $0) }
  }

  /// The nodes that the query selects, each with its normalized path (RFC 9535 §2.7).
  package func located(in context: QueryContext) -> [(path: String, node: JSONNode)] {
    var evaluation = Evaluation(context)
    var located: [(path: String, node: JSONNode)] = []
    for (start, path) in evaluation.locatedStarts(of: self) {
      var selection = Selection(limit: .max)
      evaluation.select(
        segments, from: start.depth, in: start.node.document, at: start.node.index, &selection)
      let paths = NormalizedPath.paths(
        of: selection.indexes, below: start.node.index, in: start.node.document,
        prefix: path)
      for (index, path) in zip(selection.indexes, paths) {
        located.append((path, JSONNode(document: start.node.document, index: index)))
      }
    }
    return located
  }

  /// Where a singular query without computed keys leads from a node, its first segments left out.
  func singularIndex(in document: JSONDocument, at index: Int, from depth: Int) -> Int? {
    var index = index
    for depth in depth..<max(depth, segments.count) {
      let found: Int?
      switch segments[depth].selectors.first.kind {
      case .name(let name): found = document.value(named: name, in: index)
      case .index(let position): found = document.element(atPosition: position, in: index)
      case .wildcard, .slice, .filter, .key: found = nil
      }
      guard let found else { return nil }
      index = found
    }
    return index
  }
}

extension Evaluation {
  /// A node from which the rest of a query's segments are evaluated.
  struct Start {
    let node: JSONNode
    /// How many segments led to it.
    let depth: Int
  }

  /// Where a query starts: the root or current node, or the values its first names have in a scope.
  func starts(of query: Query) -> [Start] {
    switch (query.anchor, context.root) {
    case (.current, _): return context.current.map { [Start(node: $0, depth: 0)] } ?? []
    case (.root, .node(let node)): return [Start(node: node, depth: 0)]
    case (.root, .scope(let scope)):
      return query.firstNames.compactMap { name in
        scope.start(of: query, named: name).map { Start(node: $0.node, depth: $0.depth) }
      }
    }
  }

  /// The starts of a query, each with its normalized path.
  func locatedStarts(of query: Query) -> [(start: Start, path: String)] {
    guard case (.root, .scope(let scope)) = (query.anchor, context.root) else {
      return starts(of: query).map { ($0, "$") }
    }
    return query.firstNames.compactMap { name in
      scope.namedStart(of: query, named: name).map { node, depth in
        let path = "$[" + NormalizedPath.quoted(name) + "]"
        return (Start(node: node, depth: depth), depth == 1 ? path : path + "['error']")
      }
    }
  }

  /// At most `limit` of the nodes of a query that is not below a filter's `@`.
  mutating func nodes(of query: Query, limit: Int) -> [JSONNode] {
    var nodes: [JSONNode] = []
    for start in starts(of: query) where nodes.count < limit {
      let document = start.node.document
      var selection = Selection(limit: limit - nodes.count)
      select(query.segments, from: start.depth, in: document, at: start.node.index, &selection)
      nodes.reserveCapacity(nodes.count + selection.indexes.count)
      for index in selection.indexes { nodes.append(JSONNode(document: document, index: index)) }
    }
    return nodes
  }
}
