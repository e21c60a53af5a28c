import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// The steps, order and outputs of the file, or of a step with `steps`.
  mutating func block(_ fields: ObjectFields) -> Block {
    var block = Block()
    if let order: Block.Order = choice(fields["order"], "order") { block.order = order }
    let steps = stepNodes(
      fields["steps"], "steps",
      mayBeEmpty: fields["outputs"].map { $0.kind != .object || $0.count > 0 } ?? false)
    let finally = stepNodes(fields["finally"], "finally")
    scopes.append(names(of: [steps, finally]))
    block.steps = decode(steps)
    block.finally = decode(finally)
    scopes.removeLast()
    block.outputs = outputs(fields["outputs"])
    return block
  }

  /// So deep may blocks lie in one another: whoever walks over them recurses.
  private static let blockDepthLimit = 24

  /// The steps inside a step.
  mutating func innerBlock(_ fields: ObjectFields) -> Block {
    guard checkDepth(fields, "steps") else { return Block() }
    blockDepth += 1
    defer { blockDepth -= 1 }
    return block(fields)
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
    defaults.namesBaseURL = defaults.namesBaseURL || other.defaults.namesBaseURL
    homeless = homeless ?? other.homeless
  }

  private mutating func stepNodes(
    _ node: JSONNode?, _ name: String, mayBeEmpty: Bool = true
  ) -> [JSONNode] {
    guard let node else { return [] }
    if node.kind == .object { return stepNodes(ofObject: node, name) }
    guard node.kind == .array else {
      mistyped(node, name, "a list of steps")
      return []
    }
    let nodes = Array(node.elements)
    if nodes.isEmpty, !mayBeEmpty {
      report(
        .invalidValue,
        "'steps' is empty and there are no 'outputs'; write at least one step, such as "
          + "{\"id\": \"list\", \"endpoint\": \"GET https://api.example.com/users\"}",
        at: node.range)
    }
    return nodes
  }

  /// The steps of an author who wrote one step, or steps by their names. They are read as meant, so
  /// that reads of them are not further mistakes.
  private mutating func stepNodes(ofObject node: JSONNode, _ name: String) -> [JSONNode] {
    guard let first = node.members.first(where: { _ in true }) else {
      mistyped(node, name, "a list of steps")
      return []
    }
    guard !node.members.contains(where: { LanguageObject.Kind.step.object.index(of: $0) != nil })
    else {
      let fix = DiagnosticFix(
        message: "write the step between [ and ]",
        edits: [DiagnosticFix.Edit(range: node.range, replacement: "[\(node.text)]")],
        isSafe: false)
      mistyped(
        node, name, "a list of steps",
        hint: Proposal("; write the step between [ and ]", fix: fix))
      return [node]
    }
    mistyped(
      node, name, "a list of steps",
      hint: Proposal(
        "; write [{\"id\": \"\(first.name)\", …}] for {\"\(first.name)\": …}",
        fix: Self.listOfSteps(node)))
    let steps = node.members.map(\.value).filter { $0.kind == .object }
    namedByKey.formUnion(steps.map(\.index))
    return steps
  }

  /// The edits that make a list of steps out of an object of them by name.
  private static func listOfSteps(_ node: JSONNode) -> DiagnosticFix? {
    let (start, end) = (node.range.lowerBound, node.range.upperBound)
    var edits = [DiagnosticFix.Edit(range: start..<start + 1, replacement: "[")]
    for member in node.members {
      let step = member.value
      guard step.kind == .object, step.count > 0, step["id"] == nil else { return nil }
      edits.append(
        DiagnosticFix.Edit(
          range: member.nameRange.lowerBound..<step.range.lowerBound + 1,
          replacement: "{ \"id\": \(JSONValue.string(member.name)),"))
    }
    edits.append(DiagnosticFix.Edit(range: end - 1..<end, replacement: "]"))
    return DiagnosticFix(message: "write a list of steps", edits: edits, isSafe: false)
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
