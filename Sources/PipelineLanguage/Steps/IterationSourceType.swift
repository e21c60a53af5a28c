import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// The value of `forEach`. Whatever is wrong with it, its names can be read.
struct IterationSourceType: ValueType {
  var description: LanguageType { .either([.scopeQuery, .list(.data), .object(.range), .form]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Iteration.Source>? {
    let isReported = decoder.incomplete.contains(node.index)
    let source = isReported ? nil : Self.source(node, name, &decoder)
    return Written(
      source ?? .list(DataTemplate.parse(node, allowsQueries: true).0), at: node)
  }

  func isMeant(by member: JSONMember) -> Bool { true }

  private static func source(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Iteration.Source? {
    switch node.kind {
    case .string:
      let text = node.string ?? ""
      if let reference = Template.parse(text).template.whole {
        let query = "$.\(reference.text)"
        decoder.report(
          .forEachTemplate, "'\(name)' takes a query, not a template; write \"\(query)\"",
          at: node.range, fix: WorkflowDecoder.fix(query, for: 0..<text.utf8.count, in: node))
        return .list(decoder.data(node))
      }
      guard text.hasPrefix(bytes: "$") else {
        decoder.mistyped(
          node, name, "a query such as \"$.list.ids\", a list or a range",
          hint: (Self.range(meantBy: text) ?? Self.query(meantBy: text)).map {
            .write($0, for: node.range)
          } ?? .none)
        decoder.incomplete.insert(node.index)
        return nil
      }
      return decoder.scopeQuery(node, name).map { .query($0) }
    case .array:
      return .list(decoder.data(node))
    case .object where DataTemplate.isForm(node):
      return .list(decoder.data(node))
    case .object:
      let numbers = ObjectType<Iteration.Numbers>(kind: .range).read(node, name, &decoder)
      // An unknown key may decide whether the items are numbers or windows.
      guard !node.members.contains(where: { decoder.incomplete.contains($0.value.index) }) else {
        decoder.incomplete.insert(node.index)
        return nil
      }
      guard DataTemplate.isAmount(node["by"]?.string ?? "") else {
        return numbers.map { .range(from: $0.from, to: $0.to, by: $0.by) }
      }
      // An option that is not a text has been reported.
      let hasTexts = ["zone", "format"].allSatisfy { name in
        node[name].map { $0.string?.isEmpty == false } ?? true
      }
      return numbers == nil || !hasTexts ? nil : .windows(decoder.windows(node))
    case .number, .boolean, .null:
      decoder.mistyped(
        node, name, "a query such as \"$.list.ids\", a list or a range",
        hint: node.number?.int.map {
          .write("{\"from\": 1, \"to\": \($0)}", for: node.range)
        } ?? .none)
      return nil
    }
  }

  /// How `1..10`, `1-10` and `range(1, 10)` are written.
  private static func range(meantBy text: String) -> String? {
    let isCall = text.hasPrefix(bytes: "range(") && text.hasSuffix(bytes: ")")
    let inner = isCall ? text.dropFirst(bytes: 6).dropLast(bytes: 1) : text[...]
    let bounds = inner.split(ascii: isCall ? "," : inner.contains(bytes: "..") ? "." : "-").map {
      Int($0.drop { $0 == " " })
    }
    guard bounds.count == 2, let from = bounds[0], let to = bounds[1] else { return nil }
    return "{\"from\": \(from), \"to\": \(to)}"
  }

  /// The query for `list.ids`, which is how a template names the value.
  private static func query(meantBy text: String) -> String? {
    let (template, problems) = Template.parse("{{\(text)}}")
    guard problems.isEmpty, let whole = template.whole, whole.text.utf8.elementsEqual(text.utf8)
    else { return nil }
    return "\"$.\(text)\""
  }
}
