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
    self.init(of: &keys)
    keys.advise([
      .says("by key", "'by' belongs to the state of a block with 'forEach'")
    ])
  }

  /// What the state of the file and that of items have in common.
  init(of keys: inout Keys) {
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

/// The keys of a value that a run leaves for each item of a loop.
private struct ItemStateKeys: DeclaredObject {
  let by: Written<Template>?
  let value: StateKeys

  init(_ keys: inout Keys) {
    by = keys.required(
      "by", .template, "The item's key, a text or a number, under which the value is kept.",
      example: #""{{account}}""#, foreign: ["key keyBy id per groupBy for"])
    value = StateKeys(of: &keys)
  }
}

extension LanguageObject {
  /// A member of the file's `state`.
  static let state = LanguageObject(
    .state, "state value", place: "in a state value", of: StateKeys.self)

  /// A member of the `state` of a step with `forEach`.
  static let itemState = LanguageObject(
    .itemState, "item's state value", place: "in a state value of items", of: ItemStateKeys.self)
}

/// The value of `state`.
struct StateType: ValueType {
  /// Whether each item of a loop has its own values.
  var isOfItems = false

  var description: LanguageType { .map(.object(isOfItems ? .itemState : .state)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [StateValue]? {
    guard decoder.isMap(node, name, "an object of names and state values") else { return nil }
    return node.members.map { member in
      decoder.checkName(member.name, .input, at: member.nameRange)
      return value(member, &decoder)
    }
  }

  private func value(
    _ member: JSONMember, _ decoder: inout WorkflowDecoder
  ) -> StateValue {
    let node = member.value
    var value = StateValue(
      name: member.name, nameRange: member.nameRange, isOfItems: isOfItems, node: node)
    let key = node.string?.contains(bytes: "{{") == true ? "next" : "default"
    let isScalar = node.kind != .object && node.kind != .array
    let by = isOfItems ? "\"by\": \"{{item}}\", " : ""
    guard
      let fields = decoder.fields(
        of: node, isOfItems ? .itemState : .state, .named("state", member.name),
        wanted: isScalar && !isOfItems
          ? nil
          : "an object such as {\(by)\"type\": \"datetime\", \"next\": \"{{list.newest}}\"}",
        meant: isScalar && !isOfItems ? "{\"\(key)\": \(node.text)}" : nil)
    else { return value }
    let keys: StateKeys?
    if isOfItems {
      let itemKeys = decoder.object(ItemStateKeys.self, fields)
      value.by = itemKeys?.by
      keys = itemKeys?.value
    } else {
      keys = decoder.object(StateKeys.self, fields)
    }
    guard let keys else { return value }
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
