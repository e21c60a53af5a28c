import PipelineByteText
import PipelineHTTPTerms
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates
import PipelineURIs

extension WorkflowDecoder {
  /// The request of a step with `endpoint`, the defaults merged in.
  mutating func request(_ fields: ObjectFields) -> Request? {
    let count = diagnostics.count
    let endpoint = endpoint(fields["endpoint"])
    if let endpoint, diagnostics.count == count { noteBase(of: endpoint) }
    if let endpoint, let handler = endpoint.value.url.handler {
      return call(of: handler, endpoint, fields)
    }
    let query = parameters(fields, "query", inherited: defaults.query)
    let headers = parameters(fields, "headers", inherited: defaults.headers)
    let cookies = parameters(fields, "cookies", inherited: defaults.cookies)
    let auth = inherit(fields, "auth", defaults.auth) { $0.auth($1) }
    let tls = inherit(fields, "tls", defaults.tls) { $0.tls($1) }
    let proxy = inherit(fields, "proxy", defaults.proxy) {
      $0.template($1, "proxy", allowsEmpty: false)
    }
    let redirects = inherit(fields, "redirects", defaults.redirects) {
      $0.integer($1, "redirects", minimum: 0)
    }
    let origins = inherit(fields, "sendCredentials", defaults.sendCredentials) { $0.origins($1) }
    let body = inherit(fields, "body", defaults.body) { $0.body($1) }
    let extract = extractors(fields["extract"])
    let retry = inherit(fields, "retry", defaults.retry) { $0.retry($1) }
    let timeout = inherit(fields, "timeout", defaults.timeout) { $0.timeout($1) }
    let cache = caching(fields, defaultedTo: defaults.cache)
    let read = inherit(fields, "read", defaults.read) { $0.reading($1) }
    let poll = fields["poll"].flatMap { self.poll($0) }
    var paginate = fields["paginate"].flatMap { pagination($0) }
    paginate?.settlePlace(in: body, &self)
    let save = savePath(fields["save"])
    if let poll = fields.member("poll"), let paginate = fields.member("paginate") {
      report(
        .conflictingKeys, "'paginate' and 'poll' cannot be in one step; poll in an earlier step",
        at: paginate.nameRange,
        related: [.init(range: poll.nameRange, message: "'poll' is here")])
    }
    if let save = fields.member("save"), let paginate = fields.member("paginate") {
      report(
        .conflictingKeys,
        "'save' names one file, but 'paginate' fetches many pages; fetch each page with 'forEach'",
        at: save.nameRange,
        related: [.init(range: paginate.nameRange, message: "'paginate' is here")])
    }
    guard let endpoint else { return nil }
    let request = Request(
      endpoint: endpoint, baseURL: defaults.baseURL, query: query, headers: headers,
      cookies: cookies, auth: auth, tls: tls, proxy: proxy, redirects: redirects ?? 10,
      sendCredentials: origins ?? [], body: body, extract: extract, retry: retry ?? .none,
      timeout: timeout, poll: poll, paginate: paginate, save: save, cache: cache, read: read)
    return settled(request, fields)
  }

  /// The request of a step in Swift. It is sent nowhere, so it inherits nothing that is for servers.
  private mutating func call(
    of handler: String, _ endpoint: Written<Endpoint>, _ fields: ObjectFields
  ) -> Request {
    for name in Self.keysForServers {
      guard let member = fields.member(name) else { continue }
      report(
        .conflictingKeys,
        "'\(name)' is for servers, but 'swift:\(handler)' calls Swift; remove it"
          + (name == "query" || name == "headers" ? ", or put the values into 'body'" : ""),
        at: member.nameRange)
    }
    if let method = endpoint.value.method, method != "GET", method != "POST" {
      report(
        .invalidValue,
        "'swift:\(handler)' has no method '\(method)'; write POST if it must not be called twice, or"
          + " no method", at: endpoint.range)
    }
    let body = fields["body"].flatMap { $0.isNull ? nil : self.body($0) }
    if let body, !body.isJSON {
      report(
        .conflictingKeys, "'swift:\(handler)' takes JSON; write \"body\": {\"json\": …}",
        at: body.node.range)
    }
    let timeout = inherit(fields, "timeout", defaults.timeout) { $0.timeout($1) }
    if fields.has("timeout"), let parts = fields["timeout"] {
      for member in parts.members where member.name == "connect" || member.name == "silence" {
        report(
          .conflictingKeys,
          "'\(member.name)' is for connections, but 'swift:\(handler)' calls Swift; write 'total'",
          at: member.nameRange)
      }
    }
    let retry = inherit(fields, "retry", defaults.retry) { $0.retry($1) }
    return Request(
      endpoint: endpoint, baseURL: nil, query: [], headers: [], cookies: [], auth: nil, tls: nil,
      proxy: nil, redirects: 0, sendCredentials: [], body: body,
      extract: extractors(fields["extract"]), retry: retry ?? .none,
      timeout: timeout.flatMap { $0.total.map { TimeLimits(total: $0) } },
      poll: fields["poll"].flatMap { self.poll($0) }, paginate: nil,
      save: savePath(fields["save"]), cache: nil, read: nil)
  }

  /// The keys that a step in Swift cannot have.
  private static let keysForServers = [
    "query", "headers", "cookies", "auth", "tls", "proxy", "redirects", "sendCredentials",
    "paginate", "cache", "read", "settle",
  ]

  /// Notes an endpoint that would have to be appended to a `baseURL`.
  mutating func noteBase(of endpoint: Written<Endpoint>) {
    let url = endpoint.value.url
    guard homeless == nil, url.isRelative, !url.text.isEmpty, !defaults.namesBaseURL else { return }
    let whole = Self.wholeURL(meantBy: url.text)
    let range = endpoint.range(of: endpoint.value.urlRange)
    homeless = Diagnostic(
      code: DecodingCode.missingKey.rawValue, severity: .error,
      message:
        "'\(url.text)' is not a complete URL, and no 'baseURL' is set to append it to; write "
        + (whole.map { "'\($0)'" } ?? "\"defaults\": {\"baseURL\": \"https://api.example.com\"}"),
      range: range,
      fix: whole.map { .replacing(range, with: $0, isSafe: false) }
        ?? .suggesting(
          "write 'defaults'",
          [document.root.adding("defaults", "\"baseURL\": \"https://api.example.com\"")]))
  }

  /// `https://api.example.com/users` for `api.example.com/users` and `https//api.example.com/users`.
  private static func wholeURL(meantBy text: String) -> String? {
    let host = text.prefix(before: "/")
    if host == "http" || host == "https" {
      return host + "://" + text.dropFirst(bytes: host.utf8.count).drop { $0 == "/" }
    }
    let isHost =
      host.contains(bytes: ".") && host.first?.isLetter == true && host.last?.isLetter == true
    return isHost && !host.contains(bytes: "{") ? "https://" + text : nil
  }

  /// The step's own setting, or else the inherited one, which `null` drops.
  mutating func inherit<Value>(
    _ fields: ObjectFields, _ name: String, _ inherited: Value?,
    _ read: (inout WorkflowDecoder, JSONNode) -> Value?
  ) -> Value? {
    guard let node = fields[name] else { return inherited }
    return node.isNull ? nil : read(&self, node)
  }

  mutating func timeout(_ node: JSONNode) -> TimeLimits? {
    if node.kind == .string || node.kind == .number {
      return duration(node, "timeout").map { TimeLimits(total: Written($0, at: node)) }
    }
    guard node.kind == .object else {
      mistyped(node, "timeout", "a duration such as \"10s\", or an object")
      return nil
    }
    return fields(of: node, .timeout, .key("timeout")).flatMap { object(TimeLimits.self, $0) }
  }

  /// What `cache` says, else what is inherited; `false` and `null` drop that.
  mutating func caching(_ fields: ObjectFields, defaultedTo inherited: Caching?) -> Caching? {
    guard let node = fields["cache"] else { return inherited }
    if let isCached = node.boolean { return isCached ? .asAnswered : nil }
    if node.isNull { return nil }
    let wanted = "true, false or a duration such as \"1h\""
    guard let text = node.string else {
      let time = node.members.first { Quantities.duration($0.value.string ?? "") != nil }
      mistyped(
        node, "cache", wanted,
        hint: (time?.value.text ?? node.number?.int.map { "\"\($0)s\"" })
          .map { .write($0, for: node.range) } ?? .none)
      return nil
    }
    if text == "true" || text == "false" {
      return boolean(node, "cache").map { _ in .asAnswered }
    }
    let times = ["hourly": "\"1h\"", "daily": "\"1d\"", "weekly": "\"7d\""]
    let isMeant = LanguageAliases.boolean(meantBy: text)
    if let meant = times[text.lowercased()] ?? isMeant.map({ "\($0)" }) {
      mistyped(node, "cache", wanted, hint: .write(meant, for: node.range))
      return nil
    }
    return duration(node, "cache", wanted: wanted).map { .fresh(for: $0) }
  }

  mutating func origins(_ node: JSONNode?) -> [Written<BaseURL>] {
    guard let node else { return [] }
    guard node.kind == .array else {
      mistyped(node, "sendCredentials", "a list of origins such as [\"https://files.example.com\"]")
      return []
    }
    return node.elements.compactMap { element in
      guard let origin = writtenText(element, "sendCredentials") else { return nil }
      if origin.value.contains(bytes: "{{") { return originOfInputs(origin) }
      guard let uri = URI.parse(origin.value), let parsed = uri.origin else {
        let whole = URI.parse("https://" + origin.value)?.origin.map { "\"\($0)\"" }
        report(
          .invalidValue,
          "'\(origin.value)' is not an origin; write a scheme and a host: "
            + (whole ?? "\"https://files.example.com\""),
          at: origin.range,
          fix: whole.map { .replacing(origin.range, with: $0, isSafe: false) })
        return nil
      }
      guard uri.path.isEmpty || uri.path == "/", uri.query == nil, uri.fragment == nil,
        uri.userinfo == nil
      else {
        reportPath(
          in: origin, write: "\"\(parsed)\"",
          fix: DiagnosticFix(
            message: "write \"\(parsed)\"",
            edits: [DiagnosticFix.Edit(range: origin.range, replacement: "\"\(parsed)\"")],
            isSafe: false))
        return nil
      }
      return Written(BaseURL.parse(origin.value).base, at: element)
    }
  }

  /// An origin that reads inputs, which the person who starts the run chooses.
  private mutating func originOfInputs(_ text: Written<String>) -> Written<BaseURL>? {
    let (base, problems) = BaseURL.parse(text.value)
    report(problems, in: text.node)
    guard problems.isEmpty else { return nil }
    for (reference, position) in base.url.references {
      guard reference.query.firstNames.allSatisfy({ $0 == "inputs" }) else {
        report(
          .invalidValue,
          "an origin that gets credentials is fixed or an input, because a response must not choose"
            + " it; write it out, or make it an input", at: text.range(of: reference.range))
        return nil
      }
      guard position == .start || position == .authority else {
        reportPath(in: text, write: Self.anInput)
        return nil
      }
    }
    // What is left without the references is the scheme, and perhaps a part of the host.
    var fixed = Array(base.url.text.utf8)
    for (reference, _) in base.url.references.reversed() { fixed.removeSubrange(reference.range) }
    let rest = String(decoding: fixed, as: UTF8.self)
    let mark = rest.firstRange(bytes: "://")?.upperBound ?? rest.startIndex
    if rest[mark...].utf8.contains(where: { "/?#".utf8.contains($0) }) {
      reportPath(in: text, write: Self.anInput)
      return nil
    }
    return Written(base, at: text.node)
  }

  private static let anInput = "only an input such as \"{{inputs.files}}\""

  /// Reports an origin that has more than a scheme, a host and a port.
  private mutating func reportPath(
    in origin: Written<String>, write words: String, fix: DiagnosticFix? = nil
  ) {
    report(
      .invalidValue,
      "an origin is a scheme, a host and a port, and credentials cannot be kept to a part of one;"
        + " write \(words)", at: origin.range, fix: fix)
  }

  mutating func tls(_ node: JSONNode) -> TLS? {
    guard let fields = fields(of: node, .tls, .key("tls")) else { return nil }
    var tls = TLS()
    tls.ca = path(fields["ca"], "ca")
    tls.cert = path(fields["cert"], "cert")
    tls.key = path(fields["key"], "key")
    return tls
  }

  // MARK: - Parameters

  /// `query`, `headers` or `cookies`, merged with the inherited ones by name.
  mutating func parameters(
    _ fields: ObjectFields, _ name: String, inherited: [Request.Parameter]
  ) -> [Request.Parameter] {
    guard let node = fields[name] else { return inherited }
    if node.isNull { return [] }
    guard isMap(node, name, "an object of names and values") else { return inherited }
    let isHeader = name == "headers"
    // A repeated entry goes to the end.
    var merged: [Request.Parameter?] = []
    merged.reserveCapacity(inherited.count + node.count)
    var places: [ExactText: Int] = [:]
    for parameter in inherited {
      places[ExactText(isHeader ? parameter.name.lowercasedASCII : parameter.name)] = merged.count
      merged.append(parameter)
    }
    for member in node.members {
      let key = member.name
      let exact = ExactText(isHeader ? key.lowercasedASCII : key)
      if isHeader, let place = places[exact], let other = merged[place], other.name != key,
        node.range.contains(other.nameRange.lowerBound)
      {
        add(
          Diagnostic(
            code: DecodingCode.duplicateName.rawValue, severity: .warning,
            message:
              "'\(key)' and '\(other.name)' are one header, since case does not matter; keep one, or"
              + " write a list of values",
            range: member.nameRange,
            related: [.init(range: other.nameRange, message: "the other one is here")]))
      }
      if let place = places.removeValue(forKey: exact) { merged[place] = nil }
      if isHeader { checkHeader(key, member, of: node) }
      if name == "cookies" { checkCookie(member) }
      if name != "query" { checkCharacters(of: member.value, isHeader ? .header : .cookie) }
      if !member.value.isNull {
        places[exact] = merged.count
        merged.append(parameter(key, member, styled: name == "query"))
      }
    }
    return merged.compactMap { $0 }
  }

  /// One parameter; `styled`: it may be an object that says how a list or object is written.
  mutating func parameter(
    _ name: String, _ member: JSONMember, styled: Bool
  ) -> Request.Parameter {
    let node = member.value
    guard styled, node.kind == .object, node["value"] != nil,
      let fields = fields(of: node, .parameter, .named("parameter", name)),
      let value = fields["value"]
    else {
      return Request.Parameter(
        name: name, nameRange: member.nameRange, value: data(node), node: node)
    }
    var parameter = Request.Parameter(
      name: name, nameRange: member.nameRange, value: data(value), node: value)
    let style = style(fields) ?? .form
    // As in OpenAPI: lists are exploded only in the style of forms.
    let explode = boolean(fields["explode"], "explode") ?? (style == .form)
    parameter.style = Request.Parameter.Style(name: style, explode: explode)
    return parameter
  }

  private mutating func style(_ fields: ObjectFields) -> Request.Parameter.Style.Name? {
    guard let node = fields["style"], let text = node.string,
      let meant = LanguageAliases.style(for: text)
    else { return choice(fields["style"], "style") }
    let words = meant.explode.map { "\"style\": \"\(meant.name)\" with \"explode\": \($0)" }
    var edit = DiagnosticFix.Edit(range: node.range, replacement: "\"\(meant.name)\"")
    if let explode = meant.explode { edit.replacement += ", \"explode\": \(explode)" }
    report(
      .invalidValue,
      "'style' has no \"\(text)\"; write \(words ?? "\"\(meant.name)\"")", at: node.range,
      fix: fields.has("explode")
        ? nil : DiagnosticFix(message: "write \(edit.replacement)", edits: [edit]))
    return nil
  }

  private mutating func checkHeader(
    _ name: String, _ member: JSONMember, of object: JSONNode
  ) {
    if ["host", "content-length", "transfer-encoding"].contains(bytes: name.lowercasedASCII) {
      report(
        .header, "the header '\(name)' is set by the program itself; leave it out",
        at: member.nameRange,
        fix: object.removing(member).map {
          DiagnosticFix(message: "remove it", edits: [$0], isSafe: false)
        })
    } else if !name.isToken {
      report(
        .header, "'\(name)' is not a header name: write only letters, digits and !#$%&'*+-.^_`|~",
        at: member.nameRange,
        fix: name.hasSuffix(bytes: ":") && name.dropLast(bytes: 1).isToken
          ? .replacing(
            member.nameRange, with: "\"\(name.dropLast(bytes: 1))\"", isSafe: false) : nil)
    } else if member.value.kind == .object {
      report(
        .wrongType, "the header '\(name)' must be a text or a list of them, not an object",
        at: member.value.range)
    }
  }

  private mutating func checkCookie(_ member: JSONMember) {
    if !member.name.isToken {
      report(
        .header,
        "'\(member.name)' is not a cookie name: write only letters, digits and !#$%&'*+-.^_`|~",
        at: member.nameRange)
    }
  }

  /// Reports what the texts of a header or cookie must not hold.
  mutating func checkCharacters(of node: JSONNode, _ position: Position) {
    if let text = node.string { report(Template(literal: text).problems(at: position), in: node) }
    for element in node.elements { checkCharacters(of: element, position) }
  }
}
