internal import PipelineByteText
internal import PipelineJSONText

/// Reads the requests and environments of an Insomnia file, of version 4 or 5.
struct InsomniaReader {
  /// What a folder gives to the requests in it.
  private struct Surroundings {
    var auth: ForeignAuth?
    var headers: [(name: String, value: ForeignText)] = []
    var scope = VariableScope()
  }

  private let lineOf: (JSONNode) -> Int
  private var collection = ImportedCollection()
  private var report: ImportReport

  private init(line: @escaping (JSONNode) -> Int, _ report: ImportReport) {
    lineOf = line
    self.report = report
  }

  static func collection(
    of export: InsomniaExport, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> ImportedCollection {
    var reader = InsomniaReader(line: line, report)
    reader.collection.name = export.name
    reader.collection.description = export.description
    for base in export.environments {
      reader.ignoreDisplay(of: base.node)
      for variable in reader.variables(of: base) { reader.collection.declare(variable) }
    }
    reader.read(export.items, Surroundings())
    reader.collection.environments = export.environments.flatMap { base in
      base.children.map { ($0.name, reader.environment($0)) }
    }
    reader.refuse(export.others)
    reader.sortByAnswers()
    reader.collection.addExamples(of: export.mocks)
    report = reader.report
    report.approximateUnread(export.root, line: line)
    return reader.collection
  }

  /// What a file has that has no requests: environments, each with the values of its base, and
  /// mocked responses.
  static func surroundings(
    of export: InsomniaExport, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> ImportedSurroundings {
    var reader = InsomniaReader(line: line, report)
    var found = ImportedSurroundings()
    found.mocks = export.mocks
    for base in export.environments {
      let values = reader.environment(base)
      if base.children.isEmpty { found.add(values, to: base.name) }
      for item in base.children { found.add(values + reader.environment(item), to: item.name) }
    }
    report = reader.report
    report.approximateUnread(export.root, line: line)
    return found
  }

  private func line(_ node: ReadNode) -> Int { lineOf(node.node) }

  /// Counts keys as read that say how a thing is shown and when it was made.
  private func ignoreDisplay(of node: ReadNode) {
    node.ignore(
      "_id", "_type", "parentId", "meta", "name", "created", "modified", "isPrivate", "description",
      "metaSortKey", "color", "dataPropertyOrder", "environmentPropertyOrder", "environmentType",
      "kvPairData")
  }

  private mutating func text(_ node: ReadNode) -> ForeignText {
    text(node.string ?? (node.isNull ? "" : node.text), at: node)
  }

  private mutating func text(_ source: String, at node: ReadNode) -> ForeignText {
    InsomniaText.read(source, line: line(node), &report)
  }

  // MARK: Variables

  /// The single values of an object, by their way to them: `user.name`, `hosts[0]`.
  private mutating func variables(
    _ node: ReadNode?, _ path: String = ""
  ) -> [ImportedCollection.Variable] {
    guard let node else { return [] }
    switch node.kind {
    case .object:
      return node.members.flatMap { member in
        variables(member.value, path.isEmpty ? member.name : path + "." + member.name)
      }
    case .array:
      return node.elements.enumerated().flatMap { variables($1, path + "[\($0)]") }
    default:
      let value = text(node)
      return [.init(name: path, value: value.isEmpty ? nil : value)]
    }
  }

  /// The variables of an environment. Its table of pairs says which of them are secret.
  private mutating func variables(
    of item: InsomniaExport.Item
  ) -> [ImportedCollection.Variable] {
    let secrets = item.node["kvPairData"].items.compactMap { pair in
      pair["type"]?.string?.equals(bytes: "secret") == true ? pair["name"]?.string : nil
    }
    return variables(item.values).map { variable in
      guard secrets.contains(where: { $0.equals(bytes: variable.name) }) else { return variable }
      return .init(name: variable.name, value: nil, isSecret: true)
    }
  }

  private mutating func environment(
    _ item: InsomniaExport.Item
  ) -> [ImportedCollection.Variable] {
    ignoreDisplay(of: item.node)
    let variables = variables(of: item)
    for variable in variables where variable.value != nil && variable.value?.plain == nil {
      report.approximate(
        line(item.node),
        "'\(variable.name)' of the environment '\(item.name)' is made of other values; it is an"
          + " input, which you give")
    }
    return variables
  }

  // MARK: Requests

  private mutating func read(_ items: [InsomniaExport.Item], _ surroundings: Surroundings) {
    for item in items {
      ignoreDisplay(of: item.node)
      switch item.kind {
      case "request_group":
        var inner = surroundings
        for variable in variables(item.values) {
          inner.scope.define(variable, owner: item.name, .overAll)
        }
        if let auth = auth(item.node["authentication"]) { inner.auth = auth }
        inner.headers += fields(item.node["headers"])
        refuseScripts(of: item)
        read(item.children, inner)
      case "request": readRequest(item, surroundings)
      default:
        let kind = item.kind.replacing(bytes: "_", with: " ")
        item.node.ignore()
        report.refuse(line(item.node), "'\(item.name)' is a \(kind), which is not HTTP")
      }
    }
  }

  /// Scripts of a folder run for each request in it.
  private mutating func refuseScripts(of folder: InsomniaExport.Item) {
    for name in ["preRequest", "afterResponse"] {
      guard let script = folder.script(name),
        !ScriptStatements.onlyLog(script.string ?? "")
      else { continue }
      report.refuse(line(script), "the scripts of the folder '\(folder.name)' are not translated")
    }
  }

  private mutating func readRequest(
    _ item: InsomniaExport.Item, _ surroundings: Surroundings
  ) {
    let node = item.node
    var request = ImportedRequest(line: line(node))
    request.name = item.id.isEmpty ? nil : item.id
    request.title = item.name
    request.word = "request"
    request.method = node["method"]?.string?.uppercased() ?? "GET"
    guard request.hasKnownMethod(&report) else { return node.ignore() }
    guard let url = node["url"], url.string?.trimmed.isEmpty == false else {
      node.ignore()
      return report.refuse(request.line, "'\(item.name)' has no URL")
    }
    readURL(url, of: node, &request)
    request.headers = fields(node["headers"])
    for (name, value) in surroundings.headers
    where !request.headers.contains(where: { $0.name.equalsIgnoringASCIICase(name) }) {
      request.headers.append((name, value))
    }
    (auth(node["authentication"]) ?? surroundings.auth)?.apply(to: &request, yieldsToHeader: true)
    if let body = node["body"] { readBody(body, &request) }
    readSettings(of: item, &request)
    readScripts(of: item, &request)
    request.scope = surroundings.scope
    collection.requests.append(request)
  }

  private func readSettings(of item: InsomniaExport.Item, _ request: inout ImportedRequest) {
    if item.setting("followRedirects")?.string?.equals(bytes: "off") == true {
      request.followsRedirects = false
    }
    // What is written if the user has changed nothing.
    let node = item.node
    let holders = [node, node["settings"], node["settings"]?["cookies"]].compactMap(\.self)
    for holder in holders {
      for member in holder.node.members
      where member.value.boolean == (member.name != "settingDisableRenderRequestBody") {
        if Self.usualSettings.contains(member.name) { holder.ignore(member.name) }
      }
    }
  }

  private static let usualSettings: Set<String> = [
    "encodeUrl", "rebuildPath", "renderRequestBody", "send", "store", "settingEncodeUrl",
    "settingRebuildPath", "settingDisableRenderRequestBody", "settingSendCookies",
    "settingStoreCookies",
  ]

  /// The elements of a list that are on.
  private func entries(_ list: ReadNode?) -> [ReadNode] {
    list.items.filter { node in
      node.ignore("id", "description", "type", "multiline", "fileName")
      let isOn = node["disabled"]?.boolean != true
      if !isOn { node.ignore() }
      return isOn
    }
  }

  private mutating func fields(_ list: ReadNode?) -> [(name: String, value: ForeignText)] {
    var fields: [(name: String, value: ForeignText)] = []
    for node in entries(list) {
      guard let name = node["name"]?.string, !name.isEmpty else { continue }
      fields.append((name, node["value"].map { text($0) } ?? ForeignText()))
    }
    return fields
  }

  private mutating func readURL(
    _ url: ReadNode, of node: ReadNode, _ request: inout ImportedRequest
  ) {
    var address = (url.string ?? "").trimmed
    for entry in node["pathParameters"].items {
      guard let name = entry["name"]?.string, let value = entry["value"]?.string else { continue }
      let path = String(address.prefix(before: "?", "#"))
      address =
        PostmanReader.setting(":" + name, to: value, in: path)
        + address.dropFirst(bytes: path.utf8.count)
    }
    if !address.hasPrefix(bytes: "{"), !address.contains(bytes: "://") {
      address = "http://" + address
    }
    request.url = text(address, at: url)
    let fields = fields(node["parameters"])
    // By default, a query is decoded and encoded again.
    let encodes =
      node["settingEncodeUrl"]?.boolean ?? node["settings"]?["encodeUrl"]?.boolean ?? true
    guard encodes else {
      return request.url.append(query: fields.map { (ForeignText(plain: $0.name), $0.value) })
    }
    request.query = fields.map { ($0.name, $0.value.decodedQuery) }
    if let (path, query) = request.url.cut(at: "?") {
      request.url = path
      request.url.append(.text("?"))
      request.url.append(query.mapTexts { $0.replacing(bytes: "+", with: "%2B") } ?? query)
    }
  }

  private mutating func readBody(_ node: ReadNode, _ request: inout ImportedRequest) {
    defer { node.ignore() }
    let type = node["mimeType"]?.string ?? ""
    let content = node["text"].flatMap { $0.string?.isEmpty == false ? $0 : nil }
    switch type {
    case "application/x-www-form-urlencoded": request.body = .form(fields(node["params"]))
    case "multipart/form-data": request.body = .multipart(parts(node["params"]))
    case "application/graphql":
      guard let content else { return }
      request.body = graphQL(content) ?? .json(text(content))
    case _ where node["fileName"]?.string?.isEmpty == false:
      if let file = node["fileName"] { request.body = .file(text(file)) }
    default:
      guard let content else { return }
      let isJSON = type.contains(bytes: "json")
      request.body = isJSON ? .json(text(content)) : .text(text(content))
      let isNamed = request.headers.contains { $0.name.equalsIgnoringASCIICase("content-type") }
      if !isNamed, !type.isEmpty, !type.equals(bytes: "application/json") {
        request.headers.append(("Content-Type", ForeignText(plain: type)))
      }
    }
  }

  /// The query and variables of a body, which is JSON; `nil` if its placeholders make it invalid.
  private mutating func graphQL(_ node: ReadNode) -> ImportedRequest.Body? {
    guard let source = node.string, let document = try? JSONDocument.parse(Array(source.utf8)),
      let query = document.root["query"]?.string,
      document.root.members.allSatisfy({
        ["query", "variables", "operationName"].contains($0.name) || $0.value.isNull
      })
    else { return nil }
    let variables = document.root["variables"].flatMap {
      $0.isNull ? nil : text($0.string ?? $0.text, at: node)
    }
    return .graphql(
      query: text(query, at: node), variables: variables?.isEmpty == true ? nil : variables,
      operation: document.root["operationName"]?.string.map { text($0, at: node) })
  }

  private mutating func parts(_ list: ReadNode?) -> [ImportedRequest.Part] {
    var parts: [ImportedRequest.Part] = []
    for node in entries(list) {
      guard let name = node["name"]?.string, !name.isEmpty else { continue }
      let isFile = node["type"]?.string?.equals(bytes: "file") == true
      let value = (isFile ? node["fileName"] : node["value"]).map { text($0) } ?? ForeignText()
      if isFile, value.isEmpty {
        report.refuse(line(node), "the part '\(name)' is a file without a name")
      }
      parts.append(
        .init(
          name: name, value: value, isFile: isFile,
          contentType: node["contentType"]?.string ?? node["multiline"]?.string))
    }
    return parts
  }

  private mutating func auth(_ node: ReadNode?) -> ForeignAuth? {
    defer { node?.ignore() }
    guard let node, node["disabled"]?.boolean != true, let type = node["type"]?.string,
      !type.isEmpty
    else { return nil }
    var values: [String: ForeignText] = [:]
    for member in node.members where member.value.count == 0 {
      values[member.name] = text(member.value)
    }
    return ForeignAuth(type, values, line: line(node), &report)
  }

  private mutating func readScripts(
    of item: InsomniaExport.Item, _ request: inout ImportedRequest
  ) {
    if let script = item.script("preRequest"),
      let statement = ScriptStatements(script.string ?? "").statements.first(where: { !$0.isLog })
    {
      report.refuse(
        line(script) + 1 + statement.line,
        "the script that runs before '\(item.name)' is not translated")
    }
    guard let script = item.script("afterResponse"), let code = script.string else { return }
    let start = line(script) + (code.contains(bytes: "\n") ? 1 : 0)
    var reader = ScriptReader()
    reader.read(code, into: &request, line: { start + $0 }, &report)
  }

  // MARK: The rest

  private mutating func refuse(_ others: [InsomniaExport.Item]) {
    for item in others {
      item.node.ignore()
      switch item.kind {
      case "unit_test":
        report.refuse(line(item.node), "the test '\(item.name)' is a script; write 'expect'")
      case "cookie_jar" where item.node["cookies"].items.contains { _ in true }:
        report.approximate(
          line(item.node),
          "cookies that were kept are not sent; write 'cookies' where you need them")
      default: break
      }
    }
  }

  /// Requests whose answers others read come before these, wherever they are in the list.
  private mutating func sortByAnswers() {
    var sorted: [ImportedRequest] = []
    var state: [Int: Bool] = [:]
    let requests = collection.requests
    func visit(_ index: Int) {
      guard state[index] == nil else { return }
      state[index] = false
      let names = requests[index].answeringRequests
      for (other, request) in requests.enumerated() {
        if let name = request.name, names.contains(name) { visit(other) }
      }
      state[index] = true
      sorted.append(requests[index])
    }
    for index in requests.indices { visit(index) }
    collection.requests = sorted
  }
}
