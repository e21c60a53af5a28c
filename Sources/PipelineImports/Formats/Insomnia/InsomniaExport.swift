internal import PipelineByteText
internal import PipelineJSONText

/// The requests, folders and environments of an Insomnia file, nested as its two versions both mean
/// it: version 4 has a flat list of resources that name their parents, version 5 a tree.
struct InsomniaExport {
  /// A request, a folder or an environment.
  struct Item {
    let node: ReadNode
    let id: String
    /// The word of version 4: `request`, `request_group`, `websocket_request`.
    let kind: String
    var children: [Item] = []

    var name: String { node["name"]?.string ?? "" }
    /// What other tools call the variables: of a folder or of an environment.
    var values: ReadNode? { node["data"] ?? node["environment"] }

    /// A setting: `settingFollowRedirects` in version 4, `followRedirects` of `settings` in 5.
    func setting(_ name: String) -> ReadNode? {
      let capital = name.prefix(1).uppercased() + name.dropFirst(bytes: 1)
      return node["settings"]?[name] ?? node["setting" + capital]
    }

    /// A script: `preRequestScript` in version 4, `preRequest` of `scripts` in 5.
    func script(_ name: String) -> ReadNode? { node["scripts"]?[name] ?? node[name + "Script"] }
  }

  let root: ReadNode
  private(set) var name: String?
  private(set) var description: String?
  /// Requests and folders.
  private(set) var items: [Item] = []
  /// Base environments, each with those that build on it.
  private(set) var environments: [Item] = []
  /// The responses of a mock server.
  private(set) var mocks: [MockedRoute] = []
  /// The other parts of a collection: cookies and unit tests.
  private(set) var others: [Item] = []

  /// Whether it has more than environments.
  var hasRequests: Bool { !items.isEmpty || others.contains { $0.kind == "unit_test" } }

  /// - Returns: `nil` if the file is of an older version.
  init?(_ root: JSONNode) {
    let root = ReadNode(root)
    self.root = root
    // How the file was made, and what it describes apart from requests.
    root.ignore(
      "_type", "__export_format", "__export_date", "__export_source", "schema_version", "meta",
      "spec")
    if root["type"]?.string?.contains(bytes: ".insomnia.rest/5") == true {
      readTree(root)
    } else if root["resources"] != nil, root["__export_format"]?.text.equals(bytes: "4") == true {
      readList(root["resources"].items)
    } else {
      return nil
    }
  }

  // MARK: Version 5

  private mutating func readTree(_ root: ReadNode) {
    name = root["name"]?.string
    description = root["meta"]?["description"]?.string
    items = Self.sorted(root["collection"].items.map(Self.item))
    let base = root["environments"]
    for node in base?.kind == .array ? base.items : [base].compactMap(\.self) {
      environments.append(
        Item(
          node: node, id: node["meta"]?["id"]?.string ?? "", kind: "environment",
          children: node["subEnvironments"].items.map {
            Item(node: $0, id: $0["meta"]?["id"]?.string ?? "", kind: "environment")
          }))
    }
    mocks = root["routes"].items.map(Self.mock)
    root.ignore("server")
    if let jar = root["cookieJar"] { others.append(Item(node: jar, id: "", kind: "cookie_jar")) }
    for suite in root["testSuites"].items {
      others += suite["tests"].items.map { Item(node: $0, id: "", kind: "unit_test") }
      suite.ignore()
    }
  }

  private static func item(_ node: ReadNode) -> Item {
    let id = node["meta"]?["id"]?.string ?? ""
    if node["children"] != nil {
      return Item(
        node: node, id: id, kind: "request_group",
        children: sorted(node["children"].items.map(item)))
    }
    let kinds = [
      ("greq", "grpc_request"), ("ws-req", "websocket_request"),
      ("socketio-req", "socketio_request"), ("mcp-req", "mcp_request"),
    ]
    let kind = kinds.first { id.hasPrefix(bytes: $0.0) }?.1
    return Item(node: node, id: id, kind: kind ?? "request")
  }

  private static func mock(_ node: ReadNode) -> MockedRoute {
    defer { node.ignore() }
    var headers = SavedResponse.headers(node["headers"])
    if let type = node["mimeType"]?.string, !type.isEmpty,
      !headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") })
    {
      headers.append(("Content-Type", type))
    }
    return MockedRoute(
      method: node["method"]?.string ?? "GET", path: node["name"]?.string ?? "/",
      response: SavedResponse(
        status: node["statusCode"]?.number?.int ?? 200, headers: headers,
        body: node["body"]?.string))
  }

  // MARK: Version 4

  private mutating func readList(_ resources: [ReadNode]) {
    var children: [String: [ReadNode]] = [:]
    var ids: Set<String> = []
    for node in resources {
      children[node["parentId"]?.string ?? "", default: []].append(node)
      if let id = node["_id"]?.string { ids.insert(id) }
    }
    let workspaces = resources.filter { $0["_type"]?.string == "workspace" }
    for workspace in workspaces { workspace.ignore() }
    name = workspaces.first?["name"]?.string
    description = workspaces.first?["description"]?.string
    // What has no parent in the file is a root, too.
    var roots = workspaces.flatMap { children[$0["_id"]?.string ?? ""] ?? [] }
    roots += resources.filter {
      $0["_type"]?.string != "workspace" && !ids.contains($0["parentId"]?.string ?? "")
    }
    var visited: Set<String> = []
    for item in roots.map({ Self.item($0, children, &visited) }) {
      switch item.kind {
      case "environment": environments.append(item)
      case "cookie_jar": others.append(item)
      case "unit_test_suite":
        item.node.ignore()
        others += item.children
      case "unit_test": others.append(item)
      case "mock":
        item.node.ignore()
        mocks += item.children.map { Self.mock($0.node) }
      case "mock_route": mocks.append(Self.mock(item.node))
      case "api_spec", "proto_file", "proto_directory", "workspace_meta": item.node.ignore()
      default: items.append(item)
      }
    }
    items = Self.sorted(items)
  }

  /// - Parameter visited: The ids that are above the node, so that no circle is followed.
  private static func item(
    _ node: ReadNode, _ children: [String: [ReadNode]], _ visited: inout Set<String>
  ) -> Item {
    let id = node["_id"]?.string ?? ""
    var item = Item(node: node, id: id, kind: node["_type"]?.string ?? "")
    if !id.isEmpty, visited.insert(id).inserted {
      item.children = sorted((children[id] ?? []).map { self.item($0, children, &visited) })
    }
    return item
  }

  /// Items as the list in the application shows them.
  private static func sorted(_ items: [Item]) -> [Item] {
    func key(_ item: Item) -> Double {
      (item.node["metaSortKey"] ?? item.node["meta"]?["sortKey"]).flatMap { Double($0.text) } ?? 0
    }
    return items.enumerated().sorted {
      (key($0.element), $0.offset) < (key($1.element), $1.offset)
    }.map(\.element)
  }
}
