import PipelineByteText
import PipelineJSONText

extension WorkflowDecoder {
  /// The values that a run leaves to the next run.
  mutating func state(_ node: JSONNode?) -> [StateValue] {
    guard let node else { return [] }
    guard isMap(node, "state", "an object of names and state values") else { return [] }
    return node.members.map { member in
      checkName(member.name, .input, at: member.nameRange)
      return stateValue(member)
    }
  }

  private mutating func stateValue(_ member: JSONMember) -> StateValue {
    let node = member.value
    var value = StateValue(name: member.name, nameRange: member.nameRange, node: node)
    let key = node.string?.contains(bytes: "{{") == true ? "next" : "default"
    let isScalar = node.kind != .object && node.kind != .array
    guard
      let fields = fields(
        of: node, .state, .named("state", member.name),
        wanted: isScalar
          ? nil : "an object such as {\"type\": \"datetime\", \"next\": \"{{list.newest}}\"}",
        meant: isScalar ? "{\"\(key)\": \(node.text)}" : nil)
    else { return value }
    value.type = choice(fields["type"], "type")
    value.description = text(fields["description"], "description")
    value.defaultValue = fields["default"]
    if let type = value.type, let node = value.defaultValue, let problem = type.problem(with: node)
    {
      report(
        .wrongType,
        "the default of '\(value.name)' must be \(type.words), not \(problem)",
        type.proposal(for: node), at: node.range)
    }
    if let next = fields.member("next") {
      value.next = Field(
        name: member.name, nameRange: next.nameRange,
        value: data(next.value, queries: .allowed), node: next.value)
    }
    return value
  }
}
