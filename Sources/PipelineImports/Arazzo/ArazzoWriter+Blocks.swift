internal import PipelineByteText
internal import PipelineJSONText

extension ArazzoWriter {
  static let knownOfBlocks: Set<String> = [
    "id", "description", "steps", "outputs", "order", "$comment", "$lint",
  ]

  /// A block: a workflow of its own, which a step calls.
  mutating func block(_ node: JSONNode, _ id: String) throws(Loss) -> [JSONValue.Member] {
    if let other = node.members.first(where: { !Self.knownOfBlocks.contains($0.name) }) {
      throw Loss(node: other.value, message: "'\(other.name)' of a block has no counterpart")
    }
    guard let outputs = node["outputs"] else {
      throw Loss(node: node, message: "a block without 'outputs' has no counterpart")
    }
    let (outer, outerGiven) = (stepIDs, given)
    given = []
    stepIDs = []
    defer {
      stepIDs = outer
      given = outerGiven
    }
    var steps: [JSONValue] = []
    for inner in node["steps"].items {
      let innerID = inner["id"]?.string ?? ""
      steps.append(.object(try step(inner, innerID)))
      stepIDs.insert(innerID)
      if inner["steps"] == nil { report.translated += 1 }
    }
    if steps.count > 1, node["order"]?.string?.equals(bytes: "listed") != true {
      report.approximate(line(node), "steps run one after another, and not as their data allows")
    }
    var members: [JSONValue.Member] = []
    for output in outputs.members {
      guard let text = output.value.string, let path = Self.wholeTemplate(text) else {
        throw Loss(node: output.value, message: "it is not a single template")
      }
      members.append(.init(output.name, .string(try expression(path, output.value))))
    }
    let inputs = given ?? []
    stepIDs = outer
    given = outerGiven
    // What a block reads around it is given to it, through all blocks around it.
    var parameters: [JSONValue] = []
    for (name, path) in inputs {
      guard case .string(let text) = path else { continue }
      parameters.append([
        "name": .string(name), "value": .string(try expression(text, node)),
      ])
    }
    let workflowID = blockID(id)
    var workflow: [JSONValue.Member] = [.init("workflowId", .string(workflowID))]
    if !inputs.isEmpty {
      workflow.append(
        .init(
          "inputs",
          [
            "type": "object",
            "properties": .object(inputs.map { .init($0.name, .object([])) }),
          ]))
    }
    workflow.append(.init("steps", .array(steps)))
    if !members.isEmpty { workflow.append(.init("outputs", .object(members))) }
    blocks.append(.object(workflow))
    var step: [JSONValue.Member] = [.init("stepId", .string(id))]
    if let text = node["description"]?.string { step.append(.init("description", .string(text))) }
    step.append(.init("workflowId", .string(workflowID)))
    if !parameters.isEmpty { step.append(.init("parameters", .array(parameters))) }
    if !members.isEmpty {
      step.append(
        .init(
          "outputs",
          .object(members.map { .init($0.name, .string("$outputs.\($0.name)")) })))
    }
    return step
  }

  /// A name for the workflow of a block that no other workflow has.
  private func blockID(_ id: String) -> String {
    let own = Self.identifier(root["name"]?.string ?? "workflow")
    let used = [own] + blocks.compactMap { $0.node["workflowId"]?.string }
    var name = id
    var number = 2
    while used.contains(bytes: name) {
      name = "\(id)-\(number)"
      number += 1
    }
    return name
  }

  /// The input of the block that stands for a value around it: `login_token` for `login.token`.
  mutating func input(for path: String) -> String? {
    guard var inputs = given else { return nil }
    if let known = inputs.first(where: { $0.value == .string(path) }) { return known.name }
    let names = path.split(ascii: ".").map { String($0.prefix(before: "[")) }
    var name = names.prefix(2).joined(separator: "_")
    while inputs.contains(where: { $0.name.equals(bytes: name) }) { name += "_" }
    inputs.append((name, .string(path)))
    given = inputs
    return name
  }
}
