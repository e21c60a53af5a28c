internal import PipelineByteText
internal import PipelineJSONText

/// An operation: a method of a path.
package struct Operation: Sendable {
  /// In capitals.
  package let method: String
  /// The path template, below the server's URL.
  package let path: String
  /// The Operation Object.
  package let node: DescribedNode
  /// The Path Item Object.
  package let item: DescribedNode

  /// The method and the path, as in `GET /pets`.
  package var signature: String { method + " " + path }
  package var id: String? { node.node["operationId"]?.string }
  package var summary: String? {
    (node.node["summary"] ?? node.node["description"])?.string
  }
  package var isDeprecated: Bool { node.node["deprecated"]?.boolean == true }
}

extension APIDescription {
  private static let methods = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
  ]

  /// All operations in the order of the file. Only paths and methods are looked at.
  package func operations() -> [Operation] {
    guard let paths = file.root["paths"] else { return [] }
    var found: [Operation] = []
    for member in paths.members where member.name.hasPrefix(bytes: "/") {
      guard let item = resolved(DescribedNode(node: member.value, file: file)) else { continue }
      for entry in item.node.members where Self.methods.contains(entry.name) {
        guard entry.name != "query" || version == .openAPI32 else { continue }
        add(entry, member.name, item, to: &found)
      }
      guard version == .openAPI32, let others = item["additionalOperations"] else { continue }
      for entry in others.node.members { add(entry, member.name, item, to: &found) }
    }
    return found
  }

  private func add(
    _ entry: JSONMember, _ path: String, _ item: DescribedNode, to found: inout [Operation]
  ) {
    guard entry.value.kind == .object else { return }
    found.append(
      Operation(
        method: entry.name.uppercased(), path: path,
        node: DescribedNode(node: entry.value, file: item.file), item: item))
  }

  // MARK: Servers

  /// The URLs of the servers of an operation, without a slash at their ends. Variables have their
  /// defaults, and then each of their listed values. A URL may be relative.
  package func servers(of operation: Operation) -> [String] {
    if version == .swagger2 { return swaggerServers }
    let servers = operation.node["servers"] ?? operation.item["servers"] ?? root["servers"]
    return servers?.node.elements.flatMap { server in
      server["url"]?.string.map { Self.urls($0, server["variables"]) } ?? []
    } ?? []
  }

  /// Further URLs of one server are not distinguished.
  private static let serverLimit = 32

  /// The URLs of a server: that with the defaults of its variables first, then those with their other
  /// listed values.
  private static func urls(_ url: String, _ variables: JSONNode?) -> [String] {
    var urls = [url]
    for variable in variables?.members.map(\.self) ?? [] {
      let first = variable.value["default"].map { $0.string ?? $0.text }
      let listed = variable.value["enum"]?.elements.map { $0.string ?? $0.text } ?? []
      let values = [first].compactMap(\.self) + listed.filter { $0 != first }
      guard !values.isEmpty else { continue }
      let few = values.prefix(max(1, serverLimit / urls.count))
      urls = few.flatMap { value in
        urls.map { $0.replacing(bytes: "{\(variable.name)}", with: value) }
      }
    }
    return urls.map(withoutSlash)
  }

  /// A URL for each scheme, `https` first.
  private var swaggerServers: [String] {
    guard let host = file.root["host"]?.string else { return [] }
    let base = file.root["basePath"]?.string ?? ""
    let schemes = file.root["schemes"]?.elements.compactMap(\.string) ?? []
    let sorted =
      schemes.isEmpty
      ? ["https"] : schemes.filter { $0 == "https" } + schemes.filter { $0 != "https" }
    return sorted.map { Self.withoutSlash("\($0)://\(host)\(base)") }
  }

  private static func withoutSlash(_ url: String) -> String {
    url.hasSuffix(bytes: "/") ? String(url.dropLast(bytes: 1)) : url
  }
}
