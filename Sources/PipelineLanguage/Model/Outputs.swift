import PipelineJSONText
import PipelineTemplates

/// A member of `outputs` that says more than its value.
private struct OutputKeys: DeclaredObject {
  let value: Written<DataTemplate>?
  let isRevealed: Bool

  init(_ keys: inout Keys) {
    value = keys.required(
      "value", .written(.value), "The value that the run returns under this name.",
      example: #""{{login.token}}""#, foreign: ["from data"])
    isRevealed =
      keys.required(
        "reveal", .boolean, "Whether a secret value is shown.", standard: "false",
        example: "true",
        foreign: [
          .says(
            "show visible sensitive secret", "write 'reveal': true to show a secret", as: "true")
        ]) ?? false
  }
}

extension LanguageObject {
  static let output = LanguageObject(
    .output, "output", place: "in an output", of: OutputKeys.self)
}

/// The value of `outputs`, whose names are the reader's and may be any.
struct OutputsType: ValueType {
  var description: LanguageType { .map(.either([.data, .scopeQuery, .object(.output)])) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Field]? {
    guard decoder.isMap(node, name, "an object of names and values") else { return nil }
    return node.members.map { Self.output($0, &decoder) }
  }

  private static func output(_ member: JSONMember, _ decoder: inout WorkflowDecoder) -> Field {
    let node = member.value
    // Only an object that says `reveal` says more than its value.
    guard node.kind == .object, node["value"] != nil, node["reveal"] != nil,
      let fields = decoder.fields(of: node, .output, .named("output", member.name)),
      let keys = decoder.object(OutputKeys.self, fields), let value = keys.value
    else {
      return Field(
        name: member.name, nameRange: member.nameRange,
        value: decoder.data(node, queries: .allowed), node: node)
    }
    var field = Field(
      name: member.name, nameRange: member.nameRange, value: value.value, node: value.node)
    field.isRevealed = keys.isRevealed
    return field
  }
}
