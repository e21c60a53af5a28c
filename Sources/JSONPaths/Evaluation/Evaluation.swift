internal import JSONText

/// One evaluation of a query or condition: what its parts share while it lasts.
struct Evaluation {
  let context: QueryContext
  /// The nodes of nested absolute queries, by slot: they are the same for every node a filter
  /// judges.
  private var absoluteNodes: [Int: [JSONNode]] = [:]
  private var boundValues: [Int: JSONNode?] = [:]
  /// Patterns that are no literals, by their text; `nil` where it is no I-Regexp.
  private var patterns: [[UInt8]: IRegexp?] = [:]

  init(_ context: QueryContext) { self.context = context }

  /// The nodes of an absolute query, computed once.
  mutating func nodes(ofAbsolute query: Query) -> [JSONNode] {
    if let slot = query.slot, let nodes = absoluteNodes[slot] { return nodes }
    let nodes = nodes(of: query, limit: .max)
    if let slot = query.slot { absoluteNodes[slot] = nodes }
    return nodes
  }

  mutating func value(of binding: Binding) -> JSONNode? {
    if let value = boundValues[binding.slot] { return value }
    let value = resolve(binding)
    boundValues[binding.slot] = .some(value)
    return value
  }

  private func resolve(_ binding: Binding) -> JSONNode? {
    if let resolver = context.bindings { return resolver(binding) }
    guard case .scope = context.root else { return nil }
    return binding.query.first(in: QueryContext(root: context.root))
  }

  /// The pattern compiled, once for each text.
  mutating func pattern(_ text: [UInt8]) -> IRegexp? {
    if let pattern = patterns[text] { return pattern }
    let pattern = try? IRegexp.parse(String(decoding: text, as: UTF8.self)).get()
    patterns[text] = .some(pattern)
    return pattern
  }
}
