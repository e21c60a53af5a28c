import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

// Objects of names and values, which other tools write as lists or texts.

extension WorkflowDecoder {
  /// Whether a value is an object. Reports any other value, and how it is written as an object.
  ///
  /// - Parameter mayBePairs: Whether other tools write it as a text of pairs, joined by '&'.
  mutating func isMap(
    _ node: JSONNode, _ name: String, _ wanted: String, mayBePairs: Bool = false
  ) -> Bool {
    if node.kind == .object { return true }
    mistyped(node, name, wanted, hint: Self.mapHint(node, isQuery: mayBePairs))
    return false
  }

  /// `; write {"Accept": …}` for `[{"key": "Accept", "value": …}]`, `["Accept: …"]` and `Accept=…`.
  ///
  /// - Parameter isQuery: Whether a text may hold several, joined by '&'.
  private static func mapHint(_ node: JSONNode, isQuery: Bool) -> Proposal {
    var entries: [(name: String, value: String?)] = []
    if isQuery, let text = node.string {
      let pairs = text.drop { $0 == "?" }.split(ascii: "&").map(String.init)
      entries = pairs.compactMap { entry(in: $0) }
      if entries.count < pairs.count { return .none }
    } else {
      let nodes = node.kind == .array ? Array(node.elements) : [node]
      entries = nodes.compactMap { entry(of: $0) }
      if entries.count < nodes.count { entries = Array(entries.prefix(1)).map { ($0.name, nil) } }
    }
    guard let first = entries.first else { return .none }
    let members = entries.compactMap { entry in
      entry.value.map { "\(JSONValue.string(entry.name)): \($0)" }
    }
    let isWhole = members.count == entries.count && Set(entries.map(\.name)).count == members.count
    return Proposal(
      "; write {\(JSONValue.string(first.name)): …}",
      fix: isWhole
        ? .replacing(node.range, with: "{\(members.joined(separator: ", "))}", isSafe: false) : nil)
  }

  /// The name and the value, as JSON, of an element of a list.
  private static func entry(of node: JSONNode) -> (name: String, value: String?)? {
    guard node.kind == .object else { return node.string.flatMap { entry(in: $0) } }
    guard let name = (node["key"] ?? node["name"] ?? node["id"])?.string else { return nil }
    return (name, node.count == 2 ? node["value"]?.text : nil)
  }

  /// The name and the value of `Accept: text/csv`, `page=1`, `{{list.ids}}` or `$.data.id`.
  private static func entry(in text: String) -> (name: String, value: String?)? {
    guard let name = name(in: text) else { return nil }
    if text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "$") {
      return (name, "\(JSONValue.string(text))")
    }
    let value = text.dropFirst(bytes: name.utf8.count).drop { $0 == ":" || $0 == "=" || $0 == " " }
    return (name, "\(JSONValue.string(String(value)))")
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
