import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  mutating func body(_ node: JSONNode) -> Body? {
    if isBareData(node) {
      report(
        .missingKey,
        "'body' needs one of \(Self.list(LanguageObject.Kind.body.object.keys.map(\.name)));"
          + " to send this as JSON write {\"json\": {…}} around it",
        at: node.range.lowerBound..<(node.range.lowerBound + 1),
        fix: DiagnosticFix(
          message: "send it as JSON",
          edits: [DiagnosticFix.Edit(range: node.range, replacement: "{\"json\": \(node.text)}")],
          isSafe: false))
      return nil
    }
    guard
      let fields = fields(
        of: node, .body, .key("body"), wanted: Self.bodyHint(node), meant: Self.body(meantBy: node)),
      let content = content(fields)
    else { return nil }
    return Body(content: content, node: node)
  }

  /// Whether an object has none of the keys of a body, nor similar ones. Then it is the content
  /// itself.
  private func isBareData(_ node: JSONNode) -> Bool {
    guard node.kind == .object, node.count > 0 else { return false }
    let table = LanguageObject.Kind.body.object
    let names = table.keys.lazy.map(\.name)
    return node.members.allSatisfy { member in
      table.index(of: member) == nil && !LanguageObject.isIgnored(member.name)
        && member.name != "$lint" && Spelling.nearest(to: member.name, among: names) == nil
        && !LanguageAliases.isBodyOfOtherTool(member.name)
    }
  }

  private static func bodyHint(_ node: JSONNode) -> String {
    switch node.kind {
    case .string where node.string?.utf8.first.map { "{[".utf8.contains($0) } == true:
      "an object such as {\"json\": {…}}"
    case .string: "an object such as {\"text\": \"…\"}"
    default: "an object such as {\"json\": {…}}"
    }
  }

  /// `{"json": …}` for a list, or for a text of JSON, and `{"text": …}` for any other text.
  private static func body(meantBy node: JSONNode) -> String? {
    switch node.kind {
    case .array: return "{\"json\": \(node.text)}"
    case .string:
      let text = node.string ?? ""
      guard text.utf8.first.map({ "{[".utf8.contains($0) }) == true, !text.contains(bytes: "{{")
      else { return "{\"text\": \(node.text)}" }
      return (try? JSONDocument.parse(Array(text.utf8))).map { "{\"json\": \($0.root.text)}" }
    default: return nil
    }
  }

  private mutating func content(_ fields: ObjectFields) -> Body.Content? {
    if let json = fields["json"] { return .json(data(json)) }
    if let form = fields["form"] {
      guard isMap(form, "form", "an object of names and values") else { return nil }
      return .form(form.members.map { parameter($0.name, $0, styled: true) })
    }
    if let parts = fields["multipart"] {
      guard parts.kind == .array else {
        mistyped(
          parts, "multipart", "a list of parts such as {\"name\": \"image\", \"file\": …}",
          hint: Self.partHint(parts))
        return nil
      }
      return .multipart(parts.elements.enumerated().compactMap { part($1, number: $0 + 1) })
    }
    if let text = fields["text"] { return lines(text, "text").map { .text($0) } }
    if let file = fields["file"] {
      return path(file, "file").map { .file($0) }
    }
    guard let graphql = fields["graphql"],
      let inner = self.fields(of: graphql, .graphql, .key("graphql")),
      let query = inner["query"].flatMap({ lines($0, "query") })
    else { return nil }
    return .graphQL(
      query: query, variables: inner["variables"].map { data($0) },
      operationName: template(inner["operationName"], "operationName", allowsEmpty: false))
  }

  /// How `{"image": "@./cat.png"}` is written.
  private static func partHint(_ node: JSONNode) -> Proposal {
    let parts = node.members.map { member in
      let file = member.value.string.flatMap { text in
        text.hasPrefix(bytes: "@") ? String(text.dropFirst(bytes: 1)) : nil
      }
      let head =
        "{\"name\": \(JSONValue.string(member.name)), \"\(file == nil ? "value" : "file")\": "
      return (head, file.map { "\(JSONValue.string($0))" } ?? member.value.text)
    }
    guard let first = parts.first else { return .none }
    let list = parts.map { $0.0 + $0.1 + "}" }.joined(separator: ", ")
    return Proposal(
      "; write [\(first.0)…}]", fix: .replacing(node.range, with: "[\(list)]", isSafe: false))
  }

  private mutating func part(_ node: JSONNode, number: Int) -> Body.Part? {
    guard let fields = fields(of: node, .part, .numbered("part", number)),
      let name = template(fields["name"], "name", allowsEmpty: false)
    else { return nil }
    let filename = template(fields["filename"], "filename", allowsEmpty: false)
    let contentType = template(fields["contentType"], "contentType", allowsEmpty: false)
    let content: Body.Part.Content
    if let value = fields["value"] {
      content = .value(data(value))
    } else if let file = path(fields["file"], "file") {
      content = .file(file)
    } else {
      return nil
    }
    return Body.Part(name: name, content: content, filename: filename, contentType: contentType)
  }

  /// A text, or a list of its lines.
  private mutating func lines(_ node: JSONNode, _ name: String) -> Body.Text? {
    guard node.kind == .array else {
      guard node.kind == .string else {
        mistyped(node, name, "a text or a list of lines")
        return nil
      }
      return template(node, name).map { Body.Text(lines: [$0]) }
    }
    return Body.Text(lines: node.elements.compactMap { template($0, name) })
  }

  // MARK: - Auth

  mutating func auth(_ node: JSONNode) -> Auth? {
    if let text = node.string {
      mistyped(
        node, "auth", "an object such as {\"bearer\": \"{{login.token}}\"}",
        hint: Self.auth(meantBy: text).map { auth in
          auth == "null"
            ? Proposal(
              "; write null for a request without it",
              fix: .replacing(node.range, with: auth, isSafe: false))
            : .write(auth, for: node.range)
        } ?? .none)
      return nil
    }
    guard let fields = fields(of: node, .auth, .key("auth")), let scheme = scheme(fields) else {
      return nil
    }
    return Auth(scheme: scheme, node: node)
  }

  /// How `none` and `Bearer {{inputs.key}}` are written.
  private static func auth(meantBy text: String) -> String? {
    if ["none", "noauth", "false", "off", "no", "anonymous"].contains(text.lowercased()) {
      return "null"
    }
    let scheme = text.prefix(before: " ")
    let token = String(text.dropFirst(bytes: scheme.utf8.count).drop { $0 == " " })
    guard scheme.lowercased() == "bearer", Template.parse(token).template.whole != nil else {
      return nil
    }
    return "{\"bearer\": \"\(token)\"}"
  }

  private mutating func scheme(_ fields: ObjectFields) -> Auth.Scheme? {
    if let token = fields["bearer"] {
      if token.kind == .object {
        let text = (token["token"] ?? token["value"])?.string
        let isTemplate = text.map { Template.parse($0).template.whole != nil } ?? false
        mistyped(
          token, "bearer", "a text",
          hint: isTemplate
            ? Proposal(
              "; write \"bearer\": \"\(text ?? "")\"",
              fix: .replacing(token.range, with: "\"\(text ?? "")\"", isSafe: false))
            : "; write the token itself")
        return nil
      }
      checkCharacters(of: token, .header)
      return template(token, "bearer", allowsEmpty: false).map { .bearer($0) }
    }
    if let node = fields["basic"] {
      return credentials(node, "basic").map { .basic(user: $0.user, password: $0.password) }
    }
    if let node = fields["digest"] {
      return credentials(node, "digest").map { .digest(user: $0.user, password: $0.password) }
    }
    if let node = fields["oauth2"] { return oauth2(node).map { .oauth2($0) } }
    return fields["awsSigV4"].flatMap { awsSigV4($0) }.map { .awsSigV4($0) }
  }

  private mutating func credentials(
    _ node: JSONNode, _ name: String
  ) -> (user: Written<Template>, password: Written<Template>)? {
    guard let fields = fields(of: node, .credentials, .key(name)) else { return nil }
    let user = template(fields["user"], "user")
    let password = template(fields["password"], "password")
    guard let user, let password else { return nil }
    return (user, password)
  }

  private mutating func oauth2(_ node: JSONNode) -> Auth.OAuth2? {
    guard let fields = fields(of: node, .oauth2, .key("oauth2")) else { return nil }
    let tokenURL = url(fields["tokenURL"], "tokenURL")
    let clientID = template(fields["clientId"], "clientId", allowsEmpty: false)
    let secret = template(fields["clientSecret"], "clientSecret", allowsEmpty: false)
    let refresh = template(fields["refreshToken"], "refreshToken", allowsEmpty: false)
    var scopes: [Written<Template>] = []
    if let list = fields["scopes"] {
      if list.kind == .array {
        scopes = list.elements.compactMap { template($0, "scopes", allowsEmpty: false) }
      } else {
        let scopes = list.string?.split(ascii: " ", omittingEmptySubsequences: true) ?? []
        mistyped(
          list, "scopes", "a list of texts",
          hint: scopes.isEmpty
            ? .none
            : .write(
              "[\(scopes.map { "\"\($0)\"" }.joined(separator: ", "))]", for: list.range,
              isSafe: true))
      }
    }
    if secret == nil, refresh == nil, !fields.has("clientSecret"), !fields.has("refreshToken") {
      report(
        .missingKey, "'oauth2' needs 'clientSecret' or 'refreshToken'",
        at: node.range.lowerBound..<(node.range.lowerBound + 1))
    }
    guard let tokenURL, let clientID else { return nil }
    var oauth2 = Auth.OAuth2(
      tokenURL: tokenURL, clientID: clientID, clientSecret: secret, scopes: scopes,
      refreshToken: refresh)
    oauth2.clientAuth = choice(fields["clientAuth"], "clientAuth") ?? .basic
    return oauth2
  }

  private mutating func awsSigV4(_ node: JSONNode) -> Auth.AWSSigV4? {
    guard let fields = fields(of: node, .awsSigV4, .key("awsSigV4")) else { return nil }
    let service = template(fields["service"], "service", allowsEmpty: false)
    let region = template(fields["region"], "region", allowsEmpty: false)
    let accessKey = template(fields["accessKey"], "accessKey", allowsEmpty: false)
    let secretKey = template(fields["secretKey"], "secretKey", allowsEmpty: false)
    let sessionToken = template(fields["sessionToken"], "sessionToken", allowsEmpty: false)
    guard let service, let region, let accessKey, let secretKey else { return nil }
    return Auth.AWSSigV4(
      service: service, region: region, accessKey: accessKey, secretKey: secretKey,
      sessionToken: sessionToken)
  }
}
