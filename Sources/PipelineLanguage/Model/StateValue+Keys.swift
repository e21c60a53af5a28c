import PipelineByteText
import PipelineJSONText
import PipelineTemplates

/// The keys of a value that a run leaves to the next run.
private struct StateKeys: DeclaredObject {
  let type: Input.ValueType?
  let description: String?
  let defaultValue: JSONNode?
  let next: Written<DataTemplate>?
  let nextRange: Range<Int>?

  init(_ keys: inout Keys) {
    type = keys.inputType(example: #""datetime""#)
    description = keys.optional(
      "description", .text, "The purpose of the value, for people.",
      example: #""The newest record that was exported.""#)
    defaultValue = keys.optional(
      "default", .json,
      "The value until a run has left one. A `date` or `datetime` may be `now` or `now-30d`.",
      example: #""2026-01-01T00:00:00Z""#, foreign: ["initial start initialValue"])
    next = keys.optional(
      "next", .written(.value),
      "The value after a successful run; without `next`, no run changes the value.",
      example: #""{{run.startedAt}}""#, foreign: ["value set update"])
    nextRange = keys.range(of: "next")
    keys.advise([
      .says("secret", "state is written to a file, so it cannot contain secrets"),
      .says("optional", "without 'default' the value is absent until a run leaves one"),
    ])
  }
}

extension LanguageObject {
  /// A member of `state`.
  static let state = LanguageObject(
    .state, "state value", place: "in a state value", of: StateKeys.self)
}

/// The value of `state`.
struct StateType: ValueType {
  var description: LanguageType { .map(.object(.state)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [StateValue]? {
    guard decoder.isMap(node, name, "an object of names and state values") else { return nil }
    return node.members.map { member in
      decoder.checkName(member.name, .input, at: member.nameRange)
      return Self.value(member, &decoder)
    }
  }

  private static func value(
    _ member: JSONMember, _ decoder: inout WorkflowDecoder
  ) -> StateValue {
    let node = member.value
    var value = StateValue(name: member.name, nameRange: member.nameRange, node: node)
    let key = node.string?.contains(bytes: "{{") == true ? "next" : "default"
    let isScalar = node.kind != .object && node.kind != .array
    guard
      let fields = decoder.fields(
        of: node, .state, .named("state", member.name),
        wanted: isScalar
          ? nil : "an object such as {\"type\": \"datetime\", \"next\": \"{{list.newest}}\"}",
        meant: isScalar ? "{\"\(key)\": \(node.text)}" : nil),
      let keys = decoder.object(StateKeys.self, fields)
    else { return value }
    value.type = keys.type
    value.description = keys.description
    value.defaultValue = keys.defaultValue
    if let type = value.type, let node = value.defaultValue, let problem = type.problem(with: node)
    {
      decoder.report(
        .wrongType,
        "the default of '\(value.name)' must be \(type.words), not \(problem)",
        type.proposal(for: node), at: node.range)
    }
    if let next = keys.next {
      value.next = Field(
        name: member.name, nameRange: keys.nextRange ?? next.range, value: next.value,
        node: next.node)
    }
    return value
  }
}
