import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A member of `query` or of a form that says how a list or an object is written.
struct StyledValue: DeclaredObject {
  let value: Written<DataTemplate>
  let style: RequestParameter.Style

  init?(_ keys: inout Keys) {
    let value = keys.required(
      "value", .written(.data), "The parameter's value.", example: #""{{list.ids}}""#,
      foreign: ["data values default"])
    let name = keys.value(
      "style", StyleType(hasExplode: keys.has("explode")), default: .form,
      "How a list or an object is written, as in OpenAPI.", example: #""pipeDelimited""#,
      foreign: ["format collectionFormat"])
    let explode = keys.optional(
      "explode", .boolean, "Whether each element is a separate parameter.", standard: "true",
      example: "false")
    keys.advise([
      .says(
        "key name in required type", "the parameter's name is its key: 'query': {\"page\": …}")
    ])
    guard let value else { return nil }
    self.value = value
    // As in OpenAPI: lists are exploded only in the style of forms.
    style = RequestParameter.Style(name: name, explode: explode ?? (name == .form))
  }
}

/// The name of a style, or what another tool calls it.
private struct StyleType: ValueType {
  typealias Name = RequestParameter.Style.Name
  /// Whether the author says whether lists are exploded.
  let hasExplode: Bool

  var description: LanguageType { ChoiceType<Name>().description }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Name? {
    guard let text = node.string, let meant = LanguageAliases.style(for: text)
    else { return decoder.choice(node, name) }
    let words = meant.explode.map { "\"\(name)\": \"\(meant.name)\" with \"explode\": \($0)" }
    var edit = DiagnosticFix.Edit(range: node.range, replacement: "\"\(meant.name)\"")
    if let explode = meant.explode { edit.replacement += ", \"explode\": \(explode)" }
    decoder.report(
      .invalidValue,
      "'\(name)' has no \"\(text)\"; write \(words ?? "\"\(meant.name)\"")", at: node.range,
      fix: hasExplode
        ? nil : DiagnosticFix(message: "write \(edit.replacement)", edits: [edit]))
    return nil
  }

  func text(of value: Name) -> String? { ChoiceType<Name>().text(of: value) }
}

extension WorkflowDecoder {
  /// One parameter, which may be an object that says how a list or object is written.
  mutating func styledParameter(_ member: JSONMember) -> RequestParameter {
    let (node, name) = (member.value, member.name)
    guard node.kind == .object, node["value"] != nil,
      let fields = fields(of: node, .parameter, .named("parameter", name)),
      let styled = object(StyledValue.self, fields)
    else {
      return RequestParameter(
        name: name, nameRange: member.nameRange, value: data(node), node: node)
    }
    var parameter = RequestParameter(
      name: name, nameRange: member.nameRange, value: styled.value.value, node: styled.value.node)
    parameter.style = styled.style
    return parameter
  }
}
