internal import PipelineByteText

/// Reads a `.bru` file of Bruno: a request, the settings of a collection or folder, or an
/// environment.
struct BrunoReader {
  private let blocks: [BruBlock]
  private var report: ImportReport

  static func content(of text: String, _ report: inout ImportReport) -> CollectionParts.Content {
    var reader = BrunoReader(blocks: BruBlock.blocks(of: text), report: report)
    let content = reader.content()
    report = reader.report
    return content
  }

  private static let methods: Set<String> = [
    "get", "post", "put", "patch", "delete", "options", "head", "trace", "connect",
  ]

  private func block(_ name: String) -> BruBlock? {
    blocks.last { $0.name.equals(bytes: name) }
  }

  private func entries(_ name: String) -> [BruBlock.Entry] {
    block(name)?.entries.filter { !$0.isOff } ?? []
  }

  private mutating func text(_ entry: BruBlock.Entry) -> ForeignText {
    ForeignText(entry.value, line: entry.line, &report)
  }

  private mutating func fields(_ name: String) -> [(name: String, value: ForeignText)] {
    var fields: [(name: String, value: ForeignText)] = []
    for entry in entries(name) { fields.append((entry.name, text(entry))) }
    return fields
  }

  private mutating func content() -> CollectionParts.Content {
    let head = blocks.first { Self.methods.contains($0.name) || $0.name.equals(bytes: "http") }
    if let head { return request(head) }
    if let block = blocks.first(where: { ["grpc", "ws", "websocket"].contains($0.name) }) {
      report.refuse(block.line, "\(block.name) is not HTTP")
      return .nothing
    }
    let variables = variables("vars", isSecret: false) + variables("vars:secret", isSecret: true)
    let names = Set(blocks.map(\.name)).subtracting(["vars", "vars:secret", "color", "meta"])
    if names.isEmpty, !variables.isEmpty { return .environment(name: nil, variables) }
    refuseScripts()
    reportUnread(Self.settingBlocks)
    var settings = CollectionParts.Settings()
    settings.order = entries("meta").first { $0.name.equals(bytes: "seq") }.flatMap {
      Int($0.value)
    }
    settings.headers = fields("headers")
    settings.variables = self.variables("vars:pre-request", isSecret: false)
    let mode = entries("auth").first { $0.name.equals(bytes: "mode") }?.value ?? ""
    settings.auth = auth(mode, line: block("auth")?.line ?? 1)
    return .settings(settings)
  }

  private mutating func variables(
    _ block: String, isSecret: Bool
  ) -> [ImportedCollection.Variable] {
    var variables: [ImportedCollection.Variable] = []
    for entry in entries(block) {
      let value = text(entry)
      // `@` keeps a variable to the request.
      let name =
        entry.name.hasPrefix(bytes: "@") ? String(entry.name.dropFirst(bytes: 1)) : entry.name
      variables.append(
        .init(name: name, value: value.isEmpty ? nil : value, isSecret: isSecret))
    }
    return variables
  }

  /// Scripts of a collection run for each request in it.
  private mutating func refuseScripts() {
    for block in blocks where block.name.hasPrefix(bytes: "script:") || block.name == "tests" {
      if ScriptStatements.onlyLog(block.text) { continue }
      report.refuse(block.line, "the scripts of the collection are not translated")
    }
  }

  // MARK: What is not read

  private static let settingBlocks: Set<String> = [
    "meta", "headers", "vars:pre-request", "docs", "tests", "script", "auth",
  ]
  private static let requestBlocks: Set<String> = [
    "meta", "headers", "params:query", "params:path", "query", "vars:pre-request",
    "vars:post-response", "assert", "tests", "docs", "settings", "example", "auth", "body",
    "script",
  ]
  private static let headKeys: Set<String> = ["method", "url", "body", "auth"]

  /// Names the blocks of a file that nothing is made of.
  ///
  /// - Parameter known: Their names, or the words before a colon in them.
  private mutating func reportUnread(_ known: Set<String>) {
    for block in blocks
    where !known.contains(block.name) && !known.contains(String(block.name.prefix(before: ":")))
      && !block.entries.allSatisfy(\.isOff)
    {
      report.approximate(key: block.name, line: block.line)
    }
    for entry in entries("meta") where !["name", "type", "seq", "tags"].contains(entry.name) {
      report.approximate(key: entry.name, line: entry.line)
    }
  }

  // MARK: Request

  private mutating func request(_ head: BruBlock) -> CollectionParts.Content {
    func member(_ name: String) -> BruBlock.Entry? {
      head.entries.last { $0.name.equals(bytes: name) && !$0.isOff }
    }
    var request = ImportedRequest(line: head.line)
    request.title = entries("meta").first { $0.name.equals(bytes: "name") }?.value
    request.sequence = entries("meta").first { $0.name.equals(bytes: "seq") }.flatMap {
      Int($0.value)
    }
    request.method = (member("method")?.value ?? head.name).uppercased()
    guard request.hasKnownMethod(&report) else { return .nothing }
    guard let url = member("url"), !url.value.isEmpty else {
      report.refuse(head.line, "'\(request.title ?? "the request")' has no URL")
      return .nothing
    }
    readURL(url, &request)
    request.headers = fields("headers")
    request.auth = nil
    let mode = member("auth")?.value ?? "none"
    if mode.equals(bytes: "inherit") {
      request.inheritedAuth = .said
    } else {
      auth(mode, line: head.line)?.apply(to: &request)
    }
    readBody(member("body")?.value ?? "none", &request)
    readResponse(&request)
    readSettings(&request)
    request.examples = blocks.filter { $0.name.equals(bytes: "example") }
      .compactMap(BruExample.response)
    reportUnread(Self.requestBlocks.union([head.name]))
    for entry in head.entries where !entry.isOff && !Self.headKeys.contains(entry.name) {
      report.approximate(key: entry.name, line: entry.line)
    }
    return .request(request, variables("vars:pre-request", isSecret: false))
  }

  private mutating func readURL(_ url: BruBlock.Entry, _ request: inout ImportedRequest) {
    var address = url.value
    for entry in entries("params:path") {
      address = address.split(ascii: "/", omittingEmptySubsequences: false).map { segment in
        let name = segment.prefix(before: "?")
        guard name.equals(bytes: ":" + entry.name) else { return String(segment) }
        return entry.value + segment.dropFirst(bytes: name.utf8.count)
      }.joined(separator: "/")
    }
    let query = fields("params:query") + fields("query")
    // The URL repeats the parameters that are on.
    if block("params:query") != nil || block("query") != nil {
      address = String(address.prefix(before: "?"))
    }
    request.url = ForeignText(address, line: url.line, &report)
    let encodes = entries("settings").contains {
      $0.name.equals(bytes: "encodeUrl") && $0.value.equals(bytes: "true")
    }
    request.add(query: query, isEncoded: !encodes)
  }

  private static let types = [
    "text": "text/plain", "xml": "application/xml", "sparql": "application/sparql-query",
  ]

  /// Names the media type of a text, unless a header does.
  static func addType(of mode: String, to request: inout ImportedRequest) {
    let hasType = request.headers.contains { $0.name.equalsIgnoringASCIICase("content-type") }
    if !hasType, let type = types[mode] {
      request.headers.append(("Content-Type", ForeignText(plain: type)))
    }
  }

  private mutating func readBody(_ mode: String, _ request: inout ImportedRequest) {
    switch mode {
    case "json":
      if let block = block("body:json") ?? block("body") {
        request.body = .json(
          ForeignText(lines: block.text, line: block.line + 1, &report).withoutComments)
      }
    case "text", "xml", "sparql":
      guard let block = block("body:" + mode) else { return }
      request.body = .text(ForeignText(lines: block.text, line: block.line + 1, &report))
      Self.addType(of: mode, to: &request)
    case "formUrlEncoded", "form-urlencoded":
      request.body = .form(fields("body:form-urlencoded"))
    case "multipartForm", "multipart-form":
      request.body = .multipart(entries("body:multipart-form").flatMap { parts($0) })
    case "graphql":
      guard let query = block("body:graphql") else { return }
      let variables = block("body:graphql:vars")
      request.body = .graphql(
        query: ForeignText(lines: query.text, line: query.line + 1, &report),
        variables: variables.map { ForeignText(lines: $0.text, line: $0.line + 1, &report) })
    case "file":
      let files = entries("body:file")
      if let entry = files.first, let part = parts(entry).first, part.isFile {
        request.body = .file(part.value)
        if let type = part.contentType {
          request.headers.append(("Content-Type", ForeignText(plain: type)))
        }
      }
    case "none", "": break
    default: report.refuse(request.line, "the body '\(mode)' is not translated")
    }
  }

  /// `@file(a|b) @contentType(type)` or a text.
  private mutating func parts(_ entry: BruBlock.Entry) -> [ImportedRequest.Part] {
    var value = entry.value
    var type: String?
    if let range = value.firstRange(bytes: "@contentType(") {
      type = String(value[range.upperBound...].prefix(before: ")"))
      value = String(value[..<range.lowerBound]).trimmed
    }
    guard value.hasPrefix(bytes: "@file(") else {
      let text = ForeignText(value, line: entry.line, &report)
      return [.init(name: entry.name, value: text, contentType: type)]
    }
    return value.dropFirst(bytes: 6).prefix(before: ")").split(ascii: "|").map { path in
      .init(
        name: entry.name, value: ForeignText(String(path), line: entry.line, &report),
        isFile: true, contentType: type)
    }
  }

  private mutating func readSettings(_ request: inout ImportedRequest) {
    for entry in entries("settings") {
      switch entry.name {
      case "followRedirects": request.followsRedirects = !entry.value.equals(bytes: "false")
      case "encodeUrl": break
      case "maxRedirects" where Int(entry.value) != nil: request.redirectLimit = Int(entry.value)
      case "timeout" where Double(entry.value) != nil:
        request.timeout = Double(entry.value).map { $0 / 1000 }
      default: report.approximate(key: entry.name, line: entry.line)
      }
    }
  }

  // MARK: Response

  private mutating func readResponse(_ request: inout ImportedRequest) {
    for entry in entries("vars:post-response") {
      let name =
        entry.name.hasPrefix(bytes: "@") ? String(entry.name.dropFirst(bytes: 1)) : entry.name
      if let source = BrunoExpression.source(entry.value) {
        request.sets.append((name, source))
      } else {
        report.refuse(entry.line, "'\(entry.value)' is not translated; write 'extract'")
      }
    }
    for entry in entries("assert") {
      if !BrunoExpression.expect(entry.name, entry.value, &request) {
        report.refuse(
          entry.line,
          "the assertion '\(entry.name): \(entry.value)' is not translated; write 'expect'")
      }
    }
    var reader = ScriptReader()
    for block in blocks where ["script:post-response", "tests"].contains(block.name) {
      reader.read(block.text, into: &request, line: { block.line + 1 + $0 }, &report)
    }
    if let block = block("script:pre-request"),
      let statement = ScriptStatements(block.text).statements.first(where: { !$0.isLog })
    {
      report.refuse(
        block.line + 1 + statement.line, "the script that runs before the request is not translated"
      )
    }
  }

  // MARK: Credentials

  private mutating func auth(_ mode: String, line: Int) -> ForeignAuth? {
    guard !["", "inherit"].contains(mode) else { return nil }
    var values: [String: ForeignText] = [:]
    for (name, value) in fields("auth:" + mode) { values[name] = value }
    return ForeignAuth(
      mode, values, furtherParameters(), line: block("auth:" + mode)?.line ?? line, &report)
  }

  /// The parameters that the user has added to the requests for a token.
  private mutating func furtherParameters() -> [ForeignOAuth2.Parameter] {
    var parameters: [ForeignOAuth2.Parameter] = []
    for request in ["auth_req", "access_token_req", "refresh_token_req"] {
      for (word, place) in Self.places {
        let name = "auth:oauth2:additional_params:\(request):\(word)"
        for field in fields(name) {
          parameters.append(
            .init(
              name: field.name, value: field.value, place: place,
              isOfLogin: request == "auth_req"))
        }
      }
    }
    return parameters
  }

  private static let places: [(word: String, place: ForeignOAuth2.Parameter.Place)] = [
    ("headers", .header), ("queryparams", .query), ("body", .body),
  ]
}
