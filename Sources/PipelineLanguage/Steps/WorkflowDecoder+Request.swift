import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// The request of a step with `endpoint`, the defaults merged in.
  mutating func request(_ fields: ObjectFields) -> Request? {
    let count = diagnostics.count
    let endpoint = reading(fields) { $0.endpoint() }
    if let endpoint, diagnostics.count == count { noteBase(of: endpoint) }
    guard let keys = object(RequestKeys.self, fields) else { return nil }
    let retry = reading(fields) { $0.retryPolicy() } ?? .none
    if let endpoint, let handler = endpoint.value.url.handler {
      return call(of: handler, endpoint, keys, retry, fields)
    }
    let settings = keys.settings
    var paginate = keys.paginate
    paginate?.settlePlace(in: settings.body, &self)
    guard let endpoint else { return nil }
    checkSignedBody(settings)
    let request = Request(
      endpoint: endpoint, baseURL: defaults.baseURL, query: settings.query,
      headers: settings.headers, cookies: settings.cookies, auth: settings.auth,
      tls: settings.tls, proxy: settings.proxy, redirects: settings.redirects,
      sendCredentials: settings.sendCredentials, body: settings.body, extract: keys.extract,
      retry: retry, timeout: keys.timeout, poll: keys.poll, paginate: paginate,
      save: keys.save, cache: settings.cache, read: settings.read)
    return settled(request, keys.lookUp, fields)
  }

  /// Reports a body that has no text, although `auth` is made of its text.
  private mutating func checkSignedBody(_ settings: RequestSettings) {
    guard let auth = settings.auth, let body = settings.body,
      auth.signature?.requestParts.contains(.body) == true
    else { return }
    let kind: String
    switch body.content {
    case .multipart: kind = "multipart"
    case .file: kind = "file"
    case .json, .form, .text, .madeText, .graphQL: return
    }
    report(
      .conflictingKeys,
      "'auth' reads 'request.body', but a \(kind) body has no text to sign; write \"text\" or"
        + " \"json\"", at: (body.isInherited ? auth.node : body.node).range)
  }

  /// The request of a step in Swift. It is sent nowhere, so it inherits nothing that is for servers.
  private mutating func call(
    of handler: String, _ endpoint: Written<Endpoint>, _ keys: RequestKeys,
    _ retry: RetryPolicy, _ fields: ObjectFields
  ) -> Request {
    for name in RequestKeys.forServers {
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
    let body = keys.settings.body.flatMap { $0.isInherited ? nil : $0 }
    if let body, !body.isJSON {
      report(
        .conflictingKeys, "'swift:\(handler)' takes JSON; write \"body\": {\"json\": …}",
        at: body.node.range)
    }
    for member in fields["timeout"]?.members.map(\.self) ?? []
    where member.name == "connect" || member.name == "silence" {
      report(
        .conflictingKeys,
        "'\(member.name)' is for connections, but 'swift:\(handler)' calls Swift; write 'total'",
        at: member.nameRange)
    }
    return Request(
      endpoint: endpoint, baseURL: nil, query: [], headers: [], cookies: [], auth: nil, tls: nil,
      proxy: nil, redirects: 0, sendCredentials: [], body: body, extract: keys.extract,
      retry: retry, timeout: keys.timeout.flatMap { $0.total.map { TimeLimits(total: $0) } },
      poll: keys.poll, paginate: nil, save: keys.save, cache: nil, read: nil)
  }

  /// Notes an endpoint that would have to be appended to a `baseURL`.
  mutating func noteBase(of endpoint: Written<Endpoint>) {
    let url = endpoint.value.url
    guard homeless.isEmpty, url.isRelative, !url.text.isEmpty, !namesBaseURL else { return }
    let whole = Self.wholeURL(meantBy: url.text)
    let range = endpoint.range(of: endpoint.value.urlRange)
    let finding = Diagnostic(
      code: DecodingCode.missingKey.rawValue, severity: .error,
      message:
        "'\(url.text)' is not a complete URL, and no 'baseURL' is set to append it to; write "
        + (whole.map { "'\($0)'" } ?? "\"defaults\": {\"baseURL\": \"https://api.example.com\"}"),
      range: range,
      fix: whole.map { .replacing(range, with: $0, isSafe: false) }
        ?? .suggesting(
          "write 'defaults'",
          [document.root.adding("defaults", "\"baseURL\": \"https://api.example.com\"")]))
    homeless = [finding]
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

  /// Reports what the texts of a header or cookie must not hold.
  mutating func checkCharacters(of node: JSONNode, _ position: Position) {
    if let text = node.string { report(Template(literal: text).problems(at: position), in: node) }
    for element in node.elements { checkCharacters(of: element, position) }
  }
}
