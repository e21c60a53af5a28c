internal import PipelineByteText
internal import PipelineJSONText

extension Evaluation {
  /// What `length`, `count` and `value` give.
  mutating func value(of call: FunctionCall, at current: JSONNode?) -> OperandValue {
    guard call.isSameForAllNodes else { return computed(call, at: current) }
    return value(at: call.slot) { $0.computed(call, at: current) }
  }

  private mutating func computed(_ call: FunctionCall, at current: JSONNode?) -> OperandValue {
    switch call.function {
    case .length:
      guard case .node(let node) = value(of: call.arguments[0], at: current) else {
        return .nothing
      }
      return length(of: node)
    case .count:
      guard case .query(let query) = call.arguments[0] else { return .nothing }
      return .number(count(of: query, at: current))
    case .value:
      guard case .query(let query) = call.arguments[0] else { return .nothing }
      return onlyValue(of: query, at: current)
    case .datetime:
      guard case .node(let node) = value(of: call.arguments[0], at: current),
        let text = node.string, let moment = RFC3339.DateTime(text)?.orderedText
      else { return .nothing }
      return .node(JSONValue.string(moment).node)
    case .match, .search: return .nothing
    }
  }

  /// Whether a call of `match` or `search` holds. It never does if an argument is not a string or
  /// the pattern is not an I-Regexp (RFC 9535 §2.4.6).
  mutating func holds(_ call: FunctionCall, at current: JSONNode?) -> Bool {
    guard call.isSameForAllNodes else { return matches(call, at: current) }
    return answer(at: call.slot) { $0.matches(call, at: current) }
  }

  private mutating func matches(_ call: FunctionCall, at current: JSONNode?) -> Bool {
    guard case .node(let text) = value(of: call.arguments[0], at: current),
      text.document.element(at: text.index).isString
    else { return false }
    if case .literal = call.arguments[1] {
      return text.document.withUTF8(at: text.index) { matches($0, literalOf: call) }
    }
    guard case .node(let node) = value(of: call.arguments[1], at: current),
      node.document.element(at: node.index).isString
    else { return false }
    let pattern = node.document.utf8(at: node.index)
    return text.document.withUTF8(at: text.index) { matches($0, pattern: pattern, of: call) }
  }

  /// Scalars of a string, elements of an array, members of an object. Other values have no length.
  private func length(of node: JSONNode) -> OperandValue {
    let element = node.document.element(at: node.index)
    if element.isContainer { return .number(node.document.childCount(of: node.index)) }
    guard element.isString else { return .nothing }
    let scalars = node.document.withUTF8(at: node.index) { text in
      text.reduce(0) { count, byte in byte & 0xC0 == 0x80 ? count : count + 1 }
    }
    return .number(scalars)
  }

  private mutating func count(of query: Query, at current: JSONNode?) -> Int {
    guard query.anchor == .current else { return nodes(ofAbsolute: query).count }
    guard let current else { return 0 }
    return indexes(of: query, at: current, limit: .max).count
  }

  /// The value of the only node; nothing if there are several or none.
  private mutating func onlyValue(of query: Query, at current: JSONNode?) -> OperandValue {
    guard query.anchor == .current else {
      let nodes = nodes(ofAbsolute: query)
      return nodes.count == 1 ? .node(nodes[0]) : .nothing
    }
    guard let current else { return .nothing }
    let indexes = indexes(of: query, at: current, limit: 2)
    guard indexes.count == 1 else { return .nothing }
    return .node(JSONNode(document: current.document, index: indexes[0]))
  }
}
