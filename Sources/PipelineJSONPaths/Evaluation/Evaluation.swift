internal import PipelineJSONText

/// One evaluation of a query or condition: what its parts share while it lasts.
struct Evaluation {
  let context: QueryContext
  /// How many nodes filters have judged. Tests check that it is linear.
  private(set) var judgedCount = 0
  /// How many nodes it takes until the evaluation asks again whether it is still wanted.
  private var untilCheck = Evaluation.checkInterval
  /// Nothing further is selected, because the result is no longer wanted.
  private(set) var isInterrupted = false
  private static let checkInterval = 1_024
  /// The nodes of nested absolute queries, by slot: they are the same for every node a filter
  /// judges.
  private var absoluteNodes: [Int: [JSONNode]] = [:]
  private var boundValues: [Int: JSONNode?] = [:]
  /// The matchers of literal patterns, by slot.
  private var matchers: [Int: RegexpMatcher] = [:]
  /// The matchers of other patterns, by the kind of match and the pattern's text; `nil` if it is
  /// not an I-Regexp.
  private var boundMatchers: [BoundPattern: RegexpMatcher?] = [:]

  /// What has one value for all nodes that a filter judges, by slot.
  private var values: [Int: OperandValue] = [:]
  private var answers: [Int: Bool] = [:]
  /// How many of these have been computed. Tests check that each is once.
  private(set) var computedCount = 0

  private struct BoundPattern: Hashable {
    let extent: RegexpMatcher.Extent
    let text: [UInt8]
  }

  init(_ context: QueryContext) { self.context = context }

  /// The nodes of an absolute query, computed once.
  mutating func nodes(ofAbsolute query: Query) -> [JSONNode] {
    if let slot = query.slot, let nodes = absoluteNodes[slot] { return nodes }
    let nodes = nodes(of: query, limit: .max)
    if let slot = query.slot { absoluteNodes[slot] = nodes }
    return nodes
  }

  /// A value that does not depend on the node that is judged, computed once. Outside of filters it is
  /// needed once, and not kept.
  mutating func value(
    at slot: Int, _ compute: (inout Evaluation) -> OperandValue
  ) -> OperandValue {
    guard judgedCount > 0 else { return compute(&self) }
    if let value = values[slot] { return value }
    computedCount += 1
    let value = compute(&self)
    values[slot] = value
    return value
  }

  /// The same of a truth value.
  mutating func answer(at slot: Int, _ compute: (inout Evaluation) -> Bool) -> Bool {
    guard judgedCount > 0 else { return compute(&self) }
    if let answer = answers[slot] { return answer }
    computedCount += 1
    let answer = compute(&self)
    answers[slot] = answer
    return answer
  }

  /// Whether a filter takes the node.
  mutating func takes(_ node: JSONNode, _ filter: LogicalExpression) -> Bool {
    judgedCount += 1
    return goesOn() && holds(filter, at: node)
  }

  /// Counts a node that is looked at; `false`: the evaluation is no longer wanted.
  @inline(__always)
  mutating func goesOn() -> Bool {
    untilCheck -= 1
    if untilCheck <= 0 { askAgain() }
    return !isInterrupted
  }

  @inline(never)
  private mutating func askAgain() {
    untilCheck = Self.checkInterval
    if Interruption.endsLongWork { isInterrupted = true }
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

  /// Whether a call's literal pattern matches, compiled when the query was parsed.
  mutating func matches(_ text: ArraySlice<UInt8>, literalOf call: FunctionCall) -> Bool {
    guard let pattern = call.pattern else { return false }
    return matchers[call.slot, default: RegexpMatcher(pattern.program, call.extent)].matches(text)
  }

  /// Whether a call matches whose pattern is not a literal. Each text of a pattern is compiled
  /// once.
  mutating func matches(
    _ text: ArraySlice<UInt8>, pattern: [UInt8], of call: FunctionCall
  ) -> Bool {
    let key = BoundPattern(extent: call.extent, text: pattern)
    if boundMatchers[key] == nil {
      let compiled = try? IRegexp.parse(String(decoding: pattern, as: UTF8.self)).get()
      boundMatchers[key] = .some(compiled.map { RegexpMatcher($0.program, call.extent) })
    }
    return boundMatchers[key]??.matches(text) ?? false
  }
}

extension FunctionCall {
  /// The part of the text that the pattern has to match.
  fileprivate var extent: RegexpMatcher.Extent { function == .match ? .whole : .part }
}
