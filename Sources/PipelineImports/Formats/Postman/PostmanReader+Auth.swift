internal import PipelineByteText
internal import PipelineJSONText

/// Credentials, which all versions of a collection keep under the same names.
extension PostmanReader {
  /// How the requests of a collection, of a folder or a single one authenticate; `nil` if they do
  /// not say so, or in a way that is not translated.
  mutating func auth(_ node: ReadNode?) -> ForeignAuth? {
    guard let node, let type = node["type"]?.string else { return nil }
    defer { node.ignore() }
    return auth(type, node[type], line: line(node))
  }

  /// - Parameter parameters: A list of keys and values in version 2.1, an object in the others.
  mutating func auth(_ type: String, _ parameters: ReadNode?, line: Int) -> ForeignAuth? {
    var values: [String: ForeignText] = [:]
    var further: [ForeignOAuth2.Parameter] = []
    var entries = parameters.memberList.map { (name: $0.name, value: $0.value) }
    for entry in fields(parameters) {
      if let name = entry["key"]?.string, let value = entry["value"] {
        entries.append((name, value))
      }
    }
    for (name, value) in entries {
      switch value.kind {
      case .array: further += self.further(value, of: name)
      case .object: break
      default: values[name] = text(value)
      }
    }
    return ForeignAuth(type, values, further, line: line, &report)
  }

  /// The parameters that the user has added to the requests for a token: `tokenRequestParams`.
  private mutating func further(_ list: ReadNode, of name: String) -> [ForeignOAuth2.Parameter] {
    guard name.hasSuffix(bytes: "RequestParams") else { return [] }
    return list.elements.compactMap { entry in
      guard let key = entry["key"]?.string, !key.isEmpty, entry["enabled"]?.boolean != false else {
        return nil
      }
      let place: ForeignOAuth2.Parameter.Place =
        switch entry["send_as"]?.string {
        case "request_header": .header
        case "request_url": .query
        default: .body
        }
      return .init(
        name: key, value: value(of: entry), place: place,
        isOfLogin: name.hasPrefix(bytes: "auth"))
    }
  }
}
