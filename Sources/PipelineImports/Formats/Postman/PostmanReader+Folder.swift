internal import PipelineByteText
internal import PipelineJSONText

/// Files of a Postman 3.0 collection: one for each request, and one for each folder.
extension PostmanReader {
  static func part(
    of root: JSONNode, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> CollectionParts.Content {
    var reader = PostmanReader(line: line, report)
    let root = ReadNode(root)
    let content = reader.part(of: root)
    report = reader.report
    report.approximateUnread(root, line: line)
    return content
  }

  private mutating func part(of root: ReadNode) -> CollectionParts.Content {
    let kind = root["$kind"]?.string ?? ""
    root.ignore("$schema", "id", "uid", "description", "tags")
    switch kind {
    case "http-request": return request(root)
    case "collection": return .settings(settings(root))
    case "environment": return .environment(name: root["name"]?.string, environment(root))
    case "globals": return .globals(environment(root))
    case "http-example":
      root.ignore()
      return example(root).map { .example($0) } ?? .nothing
    case _ where kind.hasSuffix(bytes: "-example"):
      root.ignore()
      return .nothing
    default:
      root.ignore()
      report.refuse(line(root), "'\(String(kind.prefix(40)))' is not HTTP")
      return .nothing
    }
  }

  /// A saved response; `nil` if it has no status.
  private func example(_ root: ReadNode) -> SavedResponse? {
    let response = root["response"] ?? root
    guard let status = (response["statusCode"] ?? response["code"])?.number?.int else { return nil }
    let body = response["body"]
    return SavedResponse(
      status: status, headers: SavedResponse.headers(response["headers"]),
      body: (body?["content"] ?? body)?.string)
  }

  private mutating func settings(_ root: ReadNode) -> CollectionParts.Settings {
    var settings = CollectionParts.Settings()
    settings.name = root["name"]?.string
    settings.description = root["description"]?.string
    settings.order = root["order"].flatMap { Double($0.text) }.map { Int($0 * 1000) }
    for member in root["variables"].memberList {
      settings.variables.append(.init(name: member.name, value: text(member.value)))
    }
    settings.variables += variables(root["variables"])
    settings.auth = firstAuth(root["auth"])
    for script in root["scripts"].items {
      if !ScriptStatements.onlyLog(script["code"]?.string ?? "") {
        report.refuse(line(script), "the scripts of a folder are not translated")
      }
      script.ignore()
    }
    return settings
  }

  private mutating func request(_ root: ReadNode) -> CollectionParts.Content {
    var request = ImportedRequest(line: line(root))
    request.title = root["name"]?.string
    request.sequence = root["order"].flatMap { Double($0.text) }.map { Int($0 * 1000) }
    request.method = root["method"]?.string?.uppercased() ?? "GET"
    guard request.hasKnownMethod(&report) else {
      root.ignore()
      return .nothing
    }
    guard let url = root["url"], url.string?.isEmpty == false else {
      root.ignore()
      report.refuse(request.line, "'\(request.title ?? "the request")' has no URL")
      return .nothing
    }
    // The examples are in files of their own.
    root.ignore("examples")
    readURL(url, of: root, into: &request)
    request.headers = pairs(root["headers"])
    if let body = root["body"] { read(body: body, into: &request) }
    if let auth = firstAuth(root["auth"]) {
      auth.apply(to: &request)
    } else {
      request.inheritedAuth = .implied
    }
    if root["settings"]?["followRedirects"]?.boolean == false { request.followsRedirects = false }
    request.redirectLimit = root["settings"]?["maxRedirects"]?.number?.int
    // A body is sent with any method.
    root["settings"]?.ignore("disableBodyPruning")
    readScripts(root["scripts"], into: &request)
    return .request(request, [])
  }

  /// Names and values, which may be a list of entries or an object.
  private mutating func pairs(_ node: ReadNode?) -> [(name: String, value: ForeignText)] {
    var pairs: [(name: String, value: ForeignText)] = []
    for member in node.memberList {
      if member.value.count == 0 { pairs.append((member.name, text(member.value))) }
      member.value.ignore()
    }
    for field in fields(node) { pairs.append((field["key"]?.string ?? "", value(of: field))) }
    return pairs
  }

  private mutating func readURL(
    _ url: ReadNode, of root: ReadNode, into request: inout ImportedRequest
  ) {
    var address = url.string ?? ""
    let variables =
      root["pathVariables"].memberList.map { ($0.name, $0.value.string ?? $0.value.text) }
      + fields(root["pathVariables"]).map {
        ($0["key"]?.string ?? "", $0["value"].map { $0.string ?? $0.text } ?? "")
      }
    let query = pairs(root["queryParams"]).map {
      (ForeignText(plain: $0.name), $0.value as ForeignText?)
    }
    // The list of parameters repeats those of the URL, unless it leaves one out.
    if root["queryParams"] != nil { address = String(address.prefix(before: "?", "#")) }
    let mark = address.firstIndex(ascii: "?") ?? address.endIndex
    var path = String(address[..<mark])
    for (name, value) in variables {
      path = Self.setting(":" + name, to: value.isEmpty ? "{{\(name)}}" : value, in: path)
    }
    request.url = ForeignText(
      filled(path, url) + address[mark...], line: line(url), &report)
    request.url.append(query: query)
  }

  private mutating func read(body node: ReadNode, into request: inout ImportedRequest) {
    let type = node["type"]?.string ?? "none"
    let content = node["content"]
    switch type {
    case "none": break
    case "json":
      if let content, content.string?.isEmpty != true {
        request.body = .json(text(content).withoutComments)
      }
    case "urlencoded": request.body = .form(pairs(content))
    case "formdata": request.body = .multipart(fields(content).map { part($0) })
    case "file", "binary":
      guard let source = content?["src"] ?? content ?? node["src"], source.string != nil else {
        return report.refuse(line(node), "the body is a file that the collection does not name")
      }
      request.body = .file(text(source))
    case "graphql":
      let query = content?["query"] ?? content
      let variables = (content?["variables"] ?? node["variables"]).map { text($0) }
      request.body = .graphql(
        query: query.map { text($0) } ?? ForeignText(),
        variables: variables?.isEmpty == true ? nil : variables,
        operation: (content?["operationName"] ?? node["operationName"]).map { text($0) })
    default:
      guard let name = Self.mediaTypes[type] else {
        node.ignore()
        return report.refuse(line(node), "the body '\(String(type.prefix(40)))' is not translated")
      }
      guard let content, content.string?.isEmpty == false else { return }
      request.body = .text(text(content))
      if !request.headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") }) {
        request.headers.append(("Content-Type", ForeignText(plain: name)))
      }
    }
  }

  /// The first of the credentials of a request or folder; `nil` if it has none of its own.
  private mutating func firstAuth(_ node: ReadNode?) -> ForeignAuth? {
    defer { node?.ignore() }
    guard let auth = node?[0] ?? node, let type = auth["type"]?.string else { return nil }
    return self.auth(type, auth["credentials"], line: line(auth))
  }

  private mutating func readScripts(_ list: ReadNode?, into request: inout ImportedRequest) {
    var reader = ScriptReader()
    for script in list.items {
      script.ignore("language", "id", "name")
      guard let code = script["code"], let text = code.string else { continue }
      // A text of several lines begins below its name.
      let start = line(code) + (text.contains(bytes: "\n") ? 1 : 0)
      let type = script["type"]?.string ?? ""
      if type.hasSuffix(bytes: "afterResponse") || type.equals(bytes: "test") {
        reader.read(text, into: &request, line: { start + $0 }, &report)
      } else if let statement = ScriptStatements(text).statements.first(where: { !$0.isLog }) {
        report.refuse(
          start + statement.line,
          "the script that runs before '\(request.title ?? "the request")' is not translated")
      }
    }
  }
}
