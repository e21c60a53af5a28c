import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// The value of `body`.
struct BodyType: ValueType {
  var description: LanguageType { .object(.body) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Body? {
    if Self.isBareData(node) {
      decoder.report(
        .missingKey,
        "'\(name)' needs one of \(WorkflowDecoder.list(LanguageObject.body.keys.map(\.name)));"
          + " to send this as JSON write {\"json\": {…}} around it",
        at: node.range.lowerBound..<(node.range.lowerBound + 1),
        fix: DiagnosticFix(
          message: "send it as JSON",
          edits: [DiagnosticFix.Edit(range: node.range, replacement: "{\"json\": \(node.text)}")],
          isSafe: false))
      return nil
    }
    guard
      let fields = decoder.fields(
        of: node, .body, .key(name), wanted: Self.wanted(for: node), meant: Self.meant(by: node)),
      let content = decoder.object(Body.Content.self, fields)
    else { return nil }
    return Body(content: content, node: node)
  }

  /// Whether an object has none of the keys of a body, nor similar ones. Then it is the content
  /// itself.
  private static func isBareData(_ node: JSONNode) -> Bool {
    guard node.kind == .object, node.count > 0 else { return false }
    let table = LanguageObject.body
    let names = table.keys.lazy.map(\.name)
    return node.members.allSatisfy { member in
      table.index(of: member) == nil && !LanguageObject.isIgnored(member.name)
        && member.name != "$lint" && Spelling.nearest(to: member.name, among: names) == nil
        && !LanguageAliases.isBodyOfOtherTool(member.name)
    }
  }

  private static func wanted(for node: JSONNode) -> String {
    node.kind == .string && !isJSON(node.string ?? "")
      ? "an object such as {\"text\": \"…\"}" : "an object such as {\"json\": {…}}"
  }

  /// `{"json": …}` for a list, or for a text of JSON, and `{"text": …}` for any other text.
  private static func meant(by node: JSONNode) -> String? {
    switch node.kind {
    case .array: return "{\"json\": \(node.text)}"
    case .string:
      let text = node.string ?? ""
      guard isJSON(text), !text.contains(bytes: "{{") else { return "{\"text\": \(node.text)}" }
      return (try? JSONDocument.parse(Array(text.utf8))).map { "{\"json\": \($0.root.text)}" }
    default: return nil
    }
  }

  private static func isJSON(_ text: String) -> Bool {
    text.utf8.first.map { "{[".utf8.contains($0) } == true
  }
}
