internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineYAMLText

/// Reads a file of an OpenCollection: a request, the settings of a collection or folder, or an
/// environment.
struct OpenCollectionReader {
  let root: ReadNode
  /// The line of a value in the file.
  private let lineOf: (JSONNode) -> Int
  var report: ImportReport

  /// The parts of a collection in a file: usually one, or all of them.
  static func parts(
    of root: JSONNode, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> [(path: String, content: CollectionParts.Content)] {
    var reader = OpenCollectionReader(root: ReadNode(root), lineOf: line, report: report)
    let parts = reader.parts(in: "")
    report = reader.report
    report.approximateUnread(reader.root, line: line)
    return parts
  }

  /// - Parameter path: The folders around, each with a slash behind it.
  private mutating func parts(
    in path: String
  ) -> [(path: String, content: CollectionParts.Content)] {
    var parts = [(path: path, content: content())]
    for environment in root["config"]?["environments"].items ?? [] {
      environment.ignore("color")
      parts.append(
        (
          path,
          .environment(
            name: environment["name"]?.string, variables(environment["variables"]))
        ))
    }
    for item in root["items"].items {
      var reader = OpenCollectionReader(root: item, lineOf: lineOf, report: report)
      let name = item["info"]?["name"]?.string?.replacing(bytes: "/", with: " ") ?? ""
      let isFolder = item["items"] != nil || item["info"]?["type"]?.string == "folder"
      // Folders come in their order, which is that of the list unless they have numbers.
      parts += reader.parts(in: isFolder ? path + name + "/" : path)
      report = reader.report
    }
    return parts
  }

  func line(_ node: ReadNode) -> Int { lineOf(node.node) }

  mutating func text(_ node: ReadNode) -> ForeignText {
    ForeignText(node.string ?? (node.isNull ? "" : node.text), line: line(node), &report)
  }

  /// The elements of a list that are on.
  static func entries(_ list: ReadNode?) -> [ReadNode] {
    list.items.filter { node in
      node.ignore("description")
      let isOn = node["enabled"]?.boolean != false && node["disabled"]?.boolean != true
      if !isOn { node.ignore() }
      return isOn
    }
  }

  mutating func fields(_ list: ReadNode?) -> [(name: String, value: ForeignText)] {
    var fields: [(name: String, value: ForeignText)] = []
    for node in Self.entries(list) {
      guard let name = node["name"]?.string, !name.isEmpty else { continue }
      fields.append((name, node["value"].map { text($0) } ?? ForeignText()))
    }
    return fields
  }

  private mutating func variables(_ list: ReadNode?) -> [ImportedCollection.Variable] {
    var variables: [ImportedCollection.Variable] = []
    for node in Self.entries(list) {
      guard let name = node["name"]?.string else { continue }
      node.ignore("type")
      // A value may have a type, or be one of several.
      var written = node["value"]
      if written?.kind == .array { written = Self.selected(written)?["value"] }
      written?.ignore("type")
      let value = written.map { text($0["data"] ?? $0) }
      variables.append(
        .init(
          name: name, value: value?.isEmpty == true ? nil : value,
          isSecret: node["secret"]?.boolean == true || node["transient"]?.boolean == true))
    }
    return variables
  }

  /// The variant of a list that is chosen.
  private static func selected(_ list: ReadNode?) -> ReadNode? {
    defer { list?.ignore() }
    return list.items.first { $0["selected"]?.boolean == true } ?? list?[0]
  }

  // MARK: Files

  private mutating func content() -> CollectionParts.Content {
    root["info"]?.ignore("type", "tags", "description", "summary", "version", "authors")
    root.ignore("docs", "opencollection", "extensions", "bundled")
    if root["mock"] != nil { return .mocks(mocks()) }
    if let http = root["http"] { return request(http, .rest) }
    if let graphql = root["graphql"] { return request(graphql, .graphql) }
    for kind in ["grpc", "websocket"] {
      guard let node = root[kind] else { continue }
      root.ignore()
      report.refuse(line(node), "\(kind) is not HTTP")
      return .nothing
    }
    if root.node["opencollection"] == nil, root["info"] == nil {
      root.ignore("color")
      return .environment(name: nil, variables(root["variables"]))
    }
    var settings = CollectionParts.Settings()
    settings.name = root["info"]?["name"]?.string
    settings.overridesEnvironments = root.node["opencollection"] == nil
    settings.order = root["info"]?["seq"].flatMap { Int($0.text) }
    let request = root["request"]
    settings.headers = fields(request?["headers"])
    settings.variables = variables(request?["variables"])
    settings.auth = request?["auth"].flatMap { auth($0) }
    for script in request?["scripts"].items ?? [] {
      script.ignore()
      report.refuse(line(script), "the scripts of the collection are not translated")
    }
    return .settings(settings)
  }

  /// What a request is made of.
  private enum Kind {
    case rest, graphql
  }

  private mutating func request(_ http: ReadNode, _ kind: Kind) -> CollectionParts.Content {
    var request = ImportedRequest(line: line(http))
    request.title = root["info"]?["name"]?.string
    request.sequence = root["info"]?["seq"].flatMap { Int($0.text) }
    request.method = http["method"]?.string?.uppercased() ?? (kind == .rest ? "GET" : "POST")
    guard request.hasKnownMethod(&report) else {
      root.ignore()
      return .nothing
    }
    guard let url = http["url"], url.string?.isEmpty == false else {
      root.ignore()
      report.refuse(request.line, "'\(request.title ?? "the request")' has no URL")
      return .nothing
    }
    readURL(url, http["params"], &request)
    request.headers = fields(http["headers"])
    let runtime = root["runtime"]
    if let node = http["auth"] ?? runtime?["auth"] ?? root["auth"] {
      if node.string?.equals(bytes: "inherit") == true {
        request.inheritedAuth = .said
      } else {
        auth(node)?.apply(to: &request)
      }
    }
    if let body = http["body"] {
      let chosen = body.kind == .array ? Self.selected(body)?["body"] : body
      if let chosen { kind == .rest ? readBody(chosen, &request) : readGraphQL(chosen, &request) }
    }
    readSettings(&request)
    request.examples = Self.examples(root["examples"])
    readResponse(runtime, &request)
    return .request(request, variables(runtime?["variables"]))
  }

  private mutating func readSettings(_ request: inout ImportedRequest) {
    guard let settings = root["settings"] else { return }
    if settings["followRedirects"]?.boolean == false { request.followsRedirects = false }
    if let limit = settings["maxRedirects"]?.number?.int, limit != 5 {
      request.redirectLimit = limit
    }
    request.timeout = settings["timeout"]?.number.map { $0.double / 1000 }
    // What is written if the user has changed nothing.
    let usual = ["encodeUrl": "true"]
    for (name, value) in usual where settings.node[name]?.text == value { settings.ignore(name) }
    if settings.node["forwardAuthorizationHeader"]?.boolean == true {
      settings.ignore("forwardAuthorizationHeader")
    }
  }

  private mutating func readURL(
    _ url: ReadNode, _ list: ReadNode?, _ request: inout ImportedRequest
  ) {
    var address = url.string ?? ""
    var query: [(name: String, value: ForeignText)] = []
    for node in Self.entries(list) {
      guard let name = node["name"]?.string else { continue }
      let value = node["value"]
      if node["type"]?.string?.equals(bytes: "path") == true {
        address = address.split(ascii: "/", omittingEmptySubsequences: false).map {
          $0.prefix(before: "?").equals(bytes: ":" + name) ? value?.string ?? "" : String($0)
        }.joined(separator: "/")
      } else {
        query.append((name, value.map { text($0) } ?? ForeignText()))
      }
    }
    // The URL repeats the parameters.
    if !query.isEmpty { address = String(address.prefix(before: "?")) }
    request.url = ForeignText(address, line: line(url), &report)
    let encodes = root["settings"]?["encodeUrl"]?.boolean == true
    request.add(query: query, isEncoded: !encodes)
  }

  // MARK: Bodies

  private mutating func readBody(_ body: ReadNode, _ request: inout ImportedRequest) {
    let mode = body["type"]?.string ?? body["mode"]?.string ?? "none"
    let data = body["data"] ?? body[mode]
    switch mode {
    case "json": if let data { request.body = .json(text(data)) }
    case "text", "xml", "sparql":
      guard let data else { return }
      request.body = .text(text(data))
      BrunoReader.addType(of: mode, to: &request)
    case "form-urlencoded", "formUrlEncoded": request.body = .form(fields(data))
    case "multipart-form", "multipartForm":
      request.body = .multipart(Self.entries(data).compactMap { part($0) })
    case "graphql": if let data { readGraphQL(data, &request) }
    case "file": readFile(data, &request)
    case "none", "": break
    default:
      body.ignore()
      report.refuse(line(body), "the body '\(String(mode.prefix(40)))' is not translated")
    }
  }

  private mutating func readGraphQL(_ body: ReadNode, _ request: inout ImportedRequest) {
    let query = body["query"].map { text($0) }
    let variables = body["variables"].map { text($0) }
    guard let query, !query.isEmpty else { return }
    request.body = .graphql(
      query: query, variables: variables?.isEmpty == true ? nil : variables)
  }

  /// The file that is chosen of several.
  private mutating func readFile(_ list: ReadNode?, _ request: inout ImportedRequest) {
    guard let file = Self.selected(list), let path = file["filePath"], path.string?.isEmpty == false
    else { return report.refuse(request.line, "the body is a file without a name") }
    request.body = .file(text(path))
    let hasType = request.headers.contains { $0.name.equalsIgnoringASCIICase("content-type") }
    if !hasType, let type = file["contentType"]?.string, !type.isEmpty {
      request.headers.append(("Content-Type", ForeignText(plain: type)))
    }
  }

  private mutating func part(_ node: ReadNode) -> ImportedRequest.Part? {
    guard let name = node["name"]?.string, let value = node["value"] else { return nil }
    let isFile = node["type"]?.string?.equals(bytes: "file") == true
    return .init(
      name: name, value: text(value[0] ?? value), isFile: isFile,
      contentType: node["contentType"]?.string)
  }

  // MARK: Credentials

  private mutating func auth(_ node: ReadNode) -> ForeignAuth? {
    let mode = node["type"]?.string ?? node["mode"]?.string ?? node.string ?? ""
    defer { node.ignore() }
    guard !["inherit", ""].contains(mode) else { return nil }
    let settings = node[mode] ?? node
    return ForeignAuth(
      mode, values(settings), furtherParameters(settings["additionalParameters"]),
      line: line(node), &report)
  }

  /// The single values of an object, also of those in it: `credentials.clientId`.
  private mutating func values(_ node: ReadNode, _ path: String = "") -> [String: ForeignText] {
    var values: [String: ForeignText] = [:]
    for member in node.members {
      let name = path + member.name
      if member.value.kind == .object {
        values.merge(self.values(member.value, name + ".")) { first, _ in first }
      } else if member.value.kind != .array {
        values[name] = text(member.value)
      }
    }
    return values
  }

  /// The parameters that the user has added to the requests for a token.
  private mutating func furtherParameters(_ node: ReadNode?) -> [ForeignOAuth2.Parameter] {
    var parameters: [ForeignOAuth2.Parameter] = []
    for name in ["authorizationRequest", "accessTokenRequest", "refreshTokenRequest"] {
      for entry in Self.entries(node?[name]) {
        guard let key = entry["name"]?.string, !key.isEmpty else { continue }
        let place: ForeignOAuth2.Parameter.Place =
          switch entry["placement"]?.string {
          case "header": .header
          case "query": .query
          default: .body
          }
        parameters.append(
          .init(
            name: key, value: entry["value"].map { text($0) } ?? ForeignText(), place: place,
            isOfLogin: name == "authorizationRequest"))
      }
    }
    return parameters
  }
}
