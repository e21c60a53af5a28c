internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineYAMLText

/// Reads a file of an OpenCollection: a request, the settings of a collection or folder, or an
/// environment.
struct OpenCollectionReader {
  private let root: JSONNode
  /// The line of a value in the file.
  private let line: (JSONNode) -> Int
  private var report: ImportReport

  static func content(
    of root: JSONNode, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> CollectionParts.Content {
    var reader = OpenCollectionReader(root: root, line: line, report: report)
    let content = reader.content()
    report = reader.report
    return content
  }

  private mutating func text(_ node: JSONNode) -> ForeignText {
    ForeignText(node.string ?? (node.isNull ? "" : node.text), line: line(node), &report)
  }

  private static func isOn(_ node: JSONNode) -> Bool {
    node["enabled"]?.boolean != false && node["disabled"]?.boolean != true
  }

  private mutating func fields(_ list: JSONNode?) -> [(name: String, value: ForeignText)] {
    var fields: [(name: String, value: ForeignText)] = []
    for node in list.items where Self.isOn(node) {
      guard let name = node["name"]?.string, !name.isEmpty else { continue }
      fields.append((name, node["value"].map { text($0) } ?? ForeignText()))
    }
    return fields
  }

  private mutating func variables(_ list: JSONNode?) -> [ImportedCollection.Variable] {
    var variables: [ImportedCollection.Variable] = []
    for node in list.items where Self.isOn(node) {
      guard let name = node["name"]?.string else { continue }
      let value = node["value"].map { text($0["data"] ?? $0) }
      variables.append(
        .init(
          name: name, value: value?.isEmpty == true ? nil : value,
          isSecret: node["secret"]?.boolean == true))
    }
    return variables
  }

  private mutating func content() -> CollectionParts.Content {
    if let http = root["http"] { return request(http) }
    for kind in ["grpc", "websocket", "graphql"] {
      guard let node = root[kind] else { continue }
      if kind == "graphql" { return request(node) }
      report.refuse(line(node), "\(kind) is not HTTP")
      return .nothing
    }
    if root["opencollection"] == nil, root["info"] == nil {
      return .environment(name: nil, variables(root["variables"]))
    }
    for items in root["items"].items {
      report.refuse(line(items), "requests inside of the file of a collection are not translated")
    }
    var settings = CollectionParts.Settings()
    settings.order = root["info"]?["seq"].flatMap { Int($0.text) }
    let request = root["request"]
    settings.headers = fields(request?["headers"])
    settings.variables = variables(request?["variables"])
    settings.auth = request?["auth"].flatMap { auth($0) }
    refuseScripts(request?["scripts"], "the collection")
    return .settings(settings)
  }

  private mutating func refuseScripts(_ list: JSONNode?, _ owner: String) {
    for script in list.items {
      report.refuse(line(script), "the scripts of \(owner) are not translated")
    }
  }

  private mutating func request(_ http: JSONNode) -> CollectionParts.Content {
    var request = ImportedRequest(line: line(http))
    request.title = root["info"]?["name"]?.string
    request.sequence = root["info"]?["seq"].flatMap { Int($0.text) }
    request.method = http["method"]?.string?.uppercased() ?? "GET"
    guard request.hasKnownMethod(&report) else { return .nothing }
    guard let url = http["url"], url.string?.isEmpty == false else {
      report.refuse(request.line, "'\(request.title ?? "the request")' has no URL")
      return .nothing
    }
    readURL(url, http["params"], &request)
    request.headers = fields(http["headers"])
    if let node = http["auth"] ?? root["auth"] {
      if node.string?.equals(bytes: "inherit") == true {
        request.inheritedAuth = .said
      } else {
        auth(node)?.apply(to: &request)
      }
    }
    if let body = http["body"] { readBody(body, &request) }
    if root["settings"]?["followRedirects"]?.boolean == false { request.followsRedirects = false }
    let runtime = root["runtime"]
    readResponse(runtime, &request)
    return .request(request, variables(runtime?["variables"]))
  }

  private mutating func readURL(
    _ url: JSONNode, _ list: JSONNode?, _ request: inout ImportedRequest
  ) {
    var address = url.string ?? ""
    var query: [JSONNode] = []
    for node in list.items where Self.isOn(node) {
      guard let name = node["name"]?.string else { continue }
      if node["type"]?.string?.equals(bytes: "path") == true {
        address = address.split(ascii: "/", omittingEmptySubsequences: false).map {
          $0.prefix(before: "?").equals(bytes: ":" + name)
            ? node["value"]?.string ?? "" : String($0)
        }.joined(separator: "/")
      } else {
        query.append(node)
      }
    }
    if !query.isEmpty {
      address = String(address.prefix(before: "?"))
      for node in query {
        request.query.append(
          (node["name"]?.string ?? "", node["value"].map { text($0) } ?? ForeignText()))
      }
    }
    request.url = ForeignText(address, line: line(url), &report)
  }

  private mutating func readBody(_ body: JSONNode, _ request: inout ImportedRequest) {
    let mode = body["type"]?.string ?? body["mode"]?.string ?? "none"
    let data = body["data"] ?? body[mode]
    switch mode {
    case "json": if let data { request.body = .json(text(data)) }
    case "text", "xml", "sparql": if let data { request.body = .text(text(data)) }
    case "form-urlencoded", "formUrlEncoded": request.body = .form(fields(data))
    case "multipart-form", "multipartForm":
      request.body = .multipart(data.items.filter(Self.isOn).compactMap { part($0) })
    case "none", "": break
    default: report.refuse(line(body), "the body '\(String(mode.prefix(40)))' is not translated")
    }
  }

  private mutating func part(_ node: JSONNode) -> ImportedRequest.Part? {
    guard let name = node["name"]?.string, let value = node["value"] else { return nil }
    let isFile = node["type"]?.string?.equals(bytes: "file") == true
    return .init(
      name: name, value: text(value[0] ?? value), isFile: isFile,
      contentType: node["contentType"]?.string)
  }

  private mutating func auth(_ node: JSONNode) -> ForeignAuth? {
    let mode = node["type"]?.string ?? node["mode"]?.string ?? node.string ?? ""
    guard !["inherit", ""].contains(mode) else { return nil }
    let settings = node[mode] ?? node
    return ForeignAuth(
      mode, values(settings), furtherParameters(settings["additionalParameters"]),
      line: line(node), &report)
  }

  /// The single values of an object, also of those in it: `credentials.clientId`.
  private mutating func values(_ node: JSONNode, _ path: String = "") -> [String: ForeignText] {
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
  private mutating func furtherParameters(_ node: JSONNode?) -> [ForeignOAuth2.Parameter] {
    var parameters: [ForeignOAuth2.Parameter] = []
    for name in ["authorizationRequest", "accessTokenRequest", "refreshTokenRequest"] {
      for entry in node?[name].items ?? [] where Self.isOn(entry) {
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

  private mutating func readResponse(_ runtime: JSONNode?, _ request: inout ImportedRequest) {
    for node in runtime?["assertions"].items ?? [] where Self.isOn(node) {
      let value = node["value"].map { $0.string ?? $0.text } ?? ""
      let text = (node["operator"]?.string ?? "eq") + " " + value
      if !BrunoExpression.expect(node["expression"]?.string ?? "", text, &request) {
        report.refuse(line(node), "the assertion is not translated; write 'expect'")
      }
    }
    var reader = ScriptReader()
    for node in runtime?["scripts"].items ?? [] {
      let code = node["code"]?.string ?? ""
      let start = line(node)
      if node["type"]?.string?.equals(bytes: "before-request") == true {
        report.refuse(start, "the script that runs before the request is not translated")
      } else {
        reader.read(code, into: &request, line: { start + 1 + $0 }, &report)
      }
    }
    for node in runtime?["actions"].items ?? [] {
      report.refuse(line(node), "an action after the response is not translated; write 'extract'")
    }
  }
}
