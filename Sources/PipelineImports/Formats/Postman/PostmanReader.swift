internal import PipelineByteText
internal import PipelineJSONText

/// Reads a Postman collection, versions 2.0 and 2.1 of its schema.
struct PostmanReader {
  private var collection = ImportedCollection()
  var report: ImportReport
  /// The line of a value in the file.
  private let lineOf: (JSONNode) -> Int

  /// What a folder gives to the requests in it.
  private struct Surroundings {
    var auth: ForeignAuth?
    var titles: [String] = []
    var scope = VariableScope()
  }

  init(line: @escaping (JSONNode) -> Int, _ report: ImportReport) {
    lineOf = line
    self.report = report
  }

  func line(_ node: ReadNode) -> Int { lineOf(node.node) }

  static func collection(
    of root: JSONNode, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> ImportedCollection {
    var reader = PostmanReader(line: line, report)
    let root = ReadNode(root)
    // They identify the collection and say how it was made.
    let info = root["info"]
    info?.ignore("_postman_id", "schema", "version", "_exporter_id", "_collection_link")
    root.ignore("id", "uid")
    reader.collection.name = info?["name"]?.string
    reader.collection.description =
      info?["description"]?.string ?? info?["description"]?["content"]?.string
    for variable in reader.variables(root["variable"]) { reader.collection.declare(variable) }
    reader.refuseScripts(of: root, "the collection")
    reader.readItems(root["item"], Surroundings(auth: reader.auth(root["auth"])))
    report = reader.report
    report.approximateUnread(root, line: line)
    return reader.collection
  }

  mutating func text(_ node: ReadNode) -> ForeignText {
    let text =
      node.string ?? (node.isNull ? "" : node.text)
    return ForeignText(text, line: line(node), &report)
  }

  // MARK: Variables

  mutating func variables(_ list: ReadNode?) -> [ImportedCollection.Variable] {
    var variables: [ImportedCollection.Variable] = []
    for entry in list.items {
      if let variable = variable(entry) { variables.append(variable) }
      entry.ignore()
    }
    return variables
  }

  mutating func variable(_ entry: ReadNode) -> ImportedCollection.Variable? {
    guard let name = entry["key"]?.string ?? entry["id"]?.string,
      entry["enabled"]?.boolean != false,
      entry["disabled"]?.boolean != true
    else { return nil }
    let value = entry["value"].map { text($0) }
    return .init(
      name: name, value: value?.isEmpty == true ? nil : value,
      isSecret: entry["type"]?.string == "secret")
  }

  /// The variables of a file of an environment, or of those that hold in each of them.
  static func environment(
    of root: JSONNode, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> ImportedSurroundings {
    var reader = PostmanReader(line: line, report)
    let root = ReadNode(root)
    let values = reader.environment(root)
    report = reader.report
    report.approximateUnread(root, line: line)
    var found = ImportedSurroundings()
    if root["_postman_variable_scope"]?.string?.equals(bytes: "globals") == true {
      found.globals = values
    } else {
      found.add(values, to: root["name"]?.string ?? "environment")
    }
    return found
  }

  mutating func environment(_ root: ReadNode) -> [ImportedCollection.Variable] {
    root.ignore(
      "id", "name", "color", "_postman_variable_scope", "_postman_exported_at",
      "_postman_exported_using", "$kind", "$schema")
    return variables(root["values"])
  }

  // MARK: Requests

  private mutating func readItems(_ list: ReadNode?, _ surroundings: Surroundings) {
    for item in list.items {
      item.ignore("id", "uid", "description", "response", "_postman_id", "_postman_isSubFolder")
      if item["item"] != nil {
        var inner = surroundings
        if let node = item["auth"], !node.isNull { inner.auth = auth(node) }
        if let name = item["name"]?.string { inner.titles.append(name) }
        for variable in variables(item["variable"]) {
          inner.scope.define(variable, owner: inner.titles.last, .weak)
        }
        refuseScripts(of: item, "the folder '\(inner.titles.last ?? "")'")
        readItems(item["item"], inner)
      } else if let request = item["request"] {
        readRequest(request, of: item, surroundings)
      }
    }
  }

  /// Scripts of a folder run for each request in it.
  private mutating func refuseScripts(of node: ReadNode, _ owner: String) {
    for event in node["event"].items {
      let script = Self.script(of: event)
      event.ignore()
      guard let script, !ScriptStatements.onlyLog(script.text) else { continue }
      report.refuse(line(event), "the scripts of \(owner) are not translated")
    }
  }

  private static func script(of event: ReadNode) -> (text: String, first: ReadNode)? {
    guard let exec = event["script"]?["exec"] else { return nil }
    if let text = exec.string { return (text, exec) }
    return (exec.elements.map { $0.string ?? "" }.joined(separator: "\n"), exec[0] ?? exec)
  }

  private mutating func readRequest(
    _ node: ReadNode, of item: ReadNode, _ surroundings: Surroundings
  ) {
    var request = ImportedRequest(line: line(item))
    request.title = item["name"]?.string
    if node.string != nil {
      readURL(node, into: &request)
    } else {
      request.method = node["method"]?.string?.uppercased() ?? "GET"
      if let url = node["url"] { readURL(url, into: &request) }
      node.ignore("description")
      readHeaders(node["header"], into: &request)
      if let body = node["body"], !body.isNull { readBody(body, into: &request) }
    }
    guard !request.url.trimmed.isEmpty else {
      item.ignore()
      return report.refuse(request.line, "'\(request.title ?? "the request")' has no URL")
    }
    let own = node["auth"].flatMap { $0.isNull ? nil : $0 }
    (own == nil ? surroundings.auth : auth(own))?.apply(to: &request)
    let behavior = item["protocolProfileBehavior"]
    if behavior?["followRedirects"]?.boolean == false { request.followsRedirects = false }
    request.redirectLimit = behavior?["maxRedirects"]?.number?.int
    // A body is sent with any method.
    behavior?.ignore("disableBodyPruning")
    readScripts(of: item, into: &request)
    request.examples = item["response"].items.compactMap(Self.example)
    request.scope = surroundings.scope
    for variable in variables(item["variable"]) {
      request.scope.define(variable, owner: request.title, .weak)
    }
    collection.requests.append(request)
  }

  /// A saved response; `nil` if it has no status.
  private static func example(_ response: ReadNode) -> SavedResponse? {
    guard let status = response["code"]?.number?.int else { return nil }
    return SavedResponse(
      status: status, headers: SavedResponse.headers(response["header"]),
      body: response["body"]?.string)
  }

  private mutating func readScripts(of item: ReadNode, into request: inout ImportedRequest) {
    var reader = ScriptReader()
    for event in item["event"].items {
      defer { event.ignore() }
      guard let (text, first) = Self.script(of: event) else { continue }
      let start = line(first)
      if event["listen"]?.string == "test" {
        reader.read(text, into: &request, line: { start + $0 }, &report)
      } else if let statement = ScriptStatements(text).statements.first(where: { !$0.isLog }) {
        report.refuse(
          start + statement.line,
          "the script that runs before '\(request.title ?? "the request")' is not translated")
      }
    }
  }

  private mutating func readURL(_ node: ReadNode, into request: inout ImportedRequest) {
    if let address = node.string {
      request.url = ForeignText(filled(address, node), line: line(node), &report)
      return
    }
    // The parts say the same as the whole.
    let raw = node["raw"]?.string ?? Self.raw(of: node)
    node.ignore("protocol", "host", "port", "path", "hash", "auth")
    var address = String(raw.prefix(before: "?", "#"))
    for variable in node["variable"].items {
      defer { variable.ignore() }
      guard let name = variable["key"]?.string ?? variable["id"]?.string, !name.isEmpty else {
        continue
      }
      let value = variable["value"]?.string ?? ""
      address = Self.setting(":" + name, to: value.isEmpty ? "{{\(name)}}" : value, in: address)
    }
    request.url = ForeignText(filled(address, node), line: line(node), &report)
    if let query = node["query"] {
      var fields: [ForeignText.QueryField] = []
      for entry in query.elements {
        defer { entry.ignore() }
        guard entry["disabled"]?.boolean != true, let key = entry["key"],
          key.string?.isEmpty == false
        else { continue }
        fields.append((text(key), entry["value"].flatMap { $0.isNull ? nil : text($0) }))
      }
      request.url.append(query: fields)
    } else if let mark = raw.firstIndex(ascii: "?") {
      request.url.append(ForeignText(raw[mark...], line: line(node), &report))
    }
  }

  /// A URL in which a variable of the path that has no value is an input.
  mutating func filled(_ address: String, _ node: ReadNode) -> String {
    let path = String(address.prefix(before: "?", "#"))
    let segments = path.split(ascii: "/", omittingEmptySubsequences: false).map { segment in
      guard ForeignText.isPathVariable(segment) else { return String(segment) }
      let name = segment.dropFirst(bytes: 1)
      report.approximate(
        line(node), "':\(name)' in the path has no value; it is an input, which you give")
      return "{{\(name)}}"
    }
    return segments.joined(separator: "/") + address.dropFirst(bytes: path.utf8.count)
  }

  /// A list of entries, or lines of a text.
  private mutating func readHeaders(_ node: ReadNode?, into request: inout ImportedRequest) {
    if let node, let text = node.string {
      for written in text.split(ascii: "\n") {
        let line = String(written).trimmed
        // Postman comments a header out.
        if line.isEmpty || line.hasPrefix(bytes: "//") { continue }
        guard let colon = line.firstIndex(ascii: ":") else {
          report.refuse(self.line(node), "'\(String(line.prefix(60)))' is not a header")
          continue
        }
        let value = String(line[line.utf8.index(after: colon)...]).trimmed
        request.headers.append(
          (String(line[..<colon]).trimmed, ForeignText(value, line: self.line(node), &report)))
      }
    }
    for header in node.items {
      defer { header.ignore() }
      guard header["disabled"]?.boolean != true, let name = header["key"]?.string, !name.isEmpty
      else { continue }
      request.headers.append((name, header["value"].map { text($0) } ?? ForeignText()))
    }
  }

  /// A URL that is written in parts only.
  private static func raw(of node: ReadNode) -> String {
    func joined(_ name: String, _ separator: String) -> String {
      node[name]?.string ?? node[name].items.map { $0.string ?? "" }.joined(separator: separator)
    }
    let scheme = node["protocol"]?.string.map { $0 + "://" } ?? ""
    let port = node["port"]?.string.map { ":" + $0 } ?? ""
    let path = joined("path", "/")
    return scheme + joined("host", ".") + port + (path.isEmpty ? "" : "/" + path)
  }

  /// A path with one of its segments replaced.
  static func setting(_ segment: String, to value: String, in path: String) -> String {
    path.split(ascii: "/", omittingEmptySubsequences: false).map {
      $0.equals(bytes: segment) ? value : String($0)
    }.joined(separator: "/")
  }

  // MARK: Bodies

  private mutating func readBody(_ node: ReadNode, into request: inout ImportedRequest) {
    defer { node.ignore() }
    if node["disabled"]?.boolean == true { return }
    switch node["mode"]?.string {
    case "raw":
      guard let raw = node["raw"], raw.string?.isEmpty == false else { return }
      let language = node["options"]?["raw"]?["language"]?.string
      let type = request.headers.first { $0.name.equalsIgnoringASCIICase("content-type") }?.value
      let isJSON = language == "json" || type?.plain?.contains(bytes: "json") == true
      request.body = isJSON ? .json(text(raw).withoutComments) : .text(text(raw))
      if language == "json", type == nil { break }
      if let language, type == nil, let name = Self.mediaTypes[language] {
        request.headers.append(("Content-Type", ForeignText(plain: name)))
      }
    case "urlencoded":
      request.body = .form(
        fields(node["urlencoded"]).map { ($0["key"]?.string ?? "", value(of: $0)) })
    case "formdata":
      request.body = .multipart(fields(node["formdata"]).map { part($0) })
    case "file":
      if let source = node["file"]?["src"], source.string != nil {
        request.body = .file(text(source))
      } else {
        report.refuse(line(node), "the body is a file that the collection does not name")
      }
    case "graphql":
      let graphql = node["graphql"]
      let variables = graphql?["variables"].map { text($0) }
      request.body = .graphql(
        query: graphql?["query"].map { text($0) } ?? ForeignText(),
        variables: variables?.isEmpty == true ? nil : variables,
        operation: graphql?["operationName"].map { text($0) })
    default: return
    }
  }

  static let mediaTypes = [
    "xml": "application/xml", "html": "text/html", "javascript": "application/javascript",
    "text": "text/plain",
  ]

  /// The entries of a list that are on and have a name.
  func fields(_ list: ReadNode?) -> [ReadNode] {
    list.items.filter { entry in
      entry.ignore("description", "id", "enabled")
      let isOn = entry["disabled"]?.boolean != true && entry["key"]?.string?.isEmpty == false
      if !isOn { entry.ignore() }
      return isOn
    }
  }

  mutating func value(of field: ReadNode) -> ForeignText {
    field["value"].map { text($0) } ?? ForeignText()
  }

  mutating func part(_ field: ReadNode) -> ImportedRequest.Part {
    let isFile = field["type"]?.string == "file"
    let source = field["src"]?[0] ?? field["src"]
    if isFile, (field["src"]?.count ?? 0) > 1 {
      report.approximate(
        line(field), "only the first file of '\(field["key"]?.string ?? "")' is sent")
    }
    if isFile, source?.string == nil {
      report.refuse(
        line(field), "the part '\(field["key"]?.string ?? "")' is a file without a name")
    }
    return ImportedRequest.Part(
      name: field["key"]?.string ?? "",
      value: isFile ? source.map { text($0) } ?? ForeignText() : value(of: field), isFile: isFile,
      contentType: field["contentType"]?.string)
  }
}
