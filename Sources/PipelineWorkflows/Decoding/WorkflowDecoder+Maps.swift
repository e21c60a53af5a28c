import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

// Objects of names and values, which other tools write as lists or texts.

extension WorkflowDecoder {
  /// Whether a value is an object. Reports any other value, and how it is written as an object.
  mutating func isMap(_ node: JSONNode, _ name: String, _ wanted: String) -> Bool {
    if node.kind == .object { return true }
    mistyped(node, name, wanted, hint: Self.mapHint(node))
    return false
  }

  /// `; write {"Accept": …}` for `[{"key": "Accept", "value": …}]`, `["Accept: …"]` and `Accept=…`.
  private static func mapHint(_ node: JSONNode) -> String {
    let first = node.kind == .array ? node.elements.first { _ in true } : node
    guard let first else { return "" }
    if first.kind == .object {
      guard let name = (first["key"] ?? first["name"] ?? first["id"])?.string else { return "" }
      return "; write {\(JSONValue.string(name)): …}"
    }
    guard let text = first.string, let name = name(in: text) else { return "" }
    return "; write {\(JSONValue.string(name)): …}"
  }

  /// The name of the first value in a text: of a header, of a form, or that a query selects.
  private static func name(in text: String) -> String? {
    if let whole = Template.parse(text).template.whole { return whole.query.lastName }
    if text.utf8.first == UInt8(ascii: "$"), case .success(let query) = Query.parse(text) {
      return query.lastName
    }
    let start = text.utf8.first == UInt8(ascii: "?") ? text.dropFirst(bytes: 1) : text[...]
    let name = start.prefix(before: ":", "=")
    guard name.utf8.count < start.utf8.count, !name.isEmpty, name.utf8.count < 40,
      name.utf8.allSatisfy(Self.nameBytes.contains)
    else { return nil }
    return String(name)
  }

  private static let nameBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_-."))
}

extension Query {
  /// The last name that it selects by.
  fileprivate var lastName: String? { segments.last { $0.name != nil }?.name }
}
