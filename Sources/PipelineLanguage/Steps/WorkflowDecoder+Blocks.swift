import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// A block of these steps.
  mutating func block(_ order: Block.Order, _ steps: [JSONNode], finally: [JSONNode]) -> Block {
    var block = Block()
    block.order = order
    scopes.append(names(of: [steps, finally]))
    block.steps = decode(steps)
    block.finally = decode(finally)
    scopes.removeLast()
    return block
  }

  /// The maximum depth of blocks: walks over them recurse.
  static let blockDepthLimit = 24

  /// The steps inside a step.
  mutating func innerBlock(_ fields: ObjectFields) -> Block {
    guard checkDepth(fields, "steps") else { return Block() }
    blockDepth += 1
    defer { blockDepth -= 1 }
    return reading(fields) { $0.innerBlock() }
  }

  /// Whether another block may begin here. Reports if not.
  mutating func checkDepth(_ fields: ObjectFields, _ key: String) -> Bool {
    if blockDepth < Self.blockDepthLimit { return true }
    report(
      .invalidValue,
      "blocks nest more than \(Self.blockDepthLimit) deep; move steps to a file of their own, and "
        + "run it with 'workflow'", at: fields.member(key)?.nameRange ?? fields.node.range)
    incomplete.insert(fields.node.index)
    return false
  }

  /// Many steps are read on all processors. They share only their surroundings.
  private mutating func decode(_ nodes: [JSONNode]) -> [Step] {
    let places = nodes.map(\.index)
    let parts = inStretches(upTo: nodes.count) { [self] numbers in
      var decoder = WorkflowDecoder(
        source: source, document: document.sharingContent(), loader: loader)
      decoder.defaults = defaults
      decoder.namesBaseURL = namesBaseURL
      decoder.scopes = scopes
      decoder.blockDepth = blockDepth
      decoder.statePlace = statePlace
      decoder.namedByKey = namedByKey
      let steps = numbers.compactMap { number in
        let node = JSONNode(document: decoder.document, index: places[number])
        return decoder.step(node, number: number + 1)
      }
      return (steps: steps, decoder: decoder)
    }
    for part in parts { take(part.decoder) }
    return joined(parts.map(\.steps))
  }

  /// Takes over what another decoder found out in a later part of the file.
  private mutating func take(_ other: WorkflowDecoder) {
    takeFindings(of: other)
    misplaced.formUnion(other.misplaced)
    if homeless.isEmpty { homeless = other.homeless }
  }

  /// The ids of a block's steps. Reports duplicates.
  private mutating func names(of lists: [[JSONNode]]) -> [String: Range<Int>] {
    var names: [String: Range<Int>] = [:]
    names.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for step in lists.joined() {
      guard let node = idNode(of: step), let id = node.string else { continue }
      guard let first = names.updateValue(node.range, forKey: id) else { continue }
      names[id] = first
      report(
        .duplicateName, "two steps are called '\(id)'; an id names one step of its block",
        at: node.range, related: [.init(range: first, message: "the first one is here")])
    }
    return names
  }

  /// The name of a step: its id, or the text that its author took for it.
  func idNode(of step: JSONNode) -> JSONNode? {
    if let id = step["id"] { return id }
    return namedByKey.contains(step.index)
      ? JSONNode(document: step.document, index: step.index - 1) : step["name"]
  }
}
