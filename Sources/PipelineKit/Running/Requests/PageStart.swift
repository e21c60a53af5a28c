internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineURIs

/// Makes the request of each page out of the first one's, and reads from an answer what comes next.
struct PageStart: Sendable {
  let pagination: Pagination
  let step: RequestStep
  /// The first page's request, as the step's author wrote it.
  let parts: RequestBuilder.Parts

  func firstPage() throws(FailureReason) -> RequestBuilder.Parts {
    switch pagination.form {
    case .link, .next, .cursor: parts
    case .page, .offset: try numberedPage(0)
    }
  }

  /// A page of a numbered or offset form, counted from 0.
  func numberedPage(_ number: Int) throws(FailureReason) -> RequestBuilder.Parts {
    switch pagination.form {
    case .page(let name, let from, _, _):
      return try with(name, Self.number(from.addingReportingOverflow(number)))
    case .offset(let name, let by, _):
      return try with(name, Self.number(by.multipliedReportingOverflow(by: number)))
    case .link, .next, .cursor: return parts
    }
  }

  private static func number(
    _ result: (partialValue: Int, overflow: Bool)
  ) throws(FailureReason) -> JSONNode {
    guard !result.overflow else {
      throw FailureReason(.limit, "the next page's number is too large")
    }
    return JSONDocument(integer: result.partialValue).root
  }

  /// The number of pages, if the form and the response say so.
  func count(_ exchange: RequestRun.Exchange) throws(FailureReason) -> Int? {
    if Self.hasNoRecords(exchange) { return nil }
    switch pagination.form {
    case .page(_, _, _, let pages?): return try number(pages, exchange)
    case .offset(_, let by, let total?):
      return try number(total, exchange).map { $0 / by + ($0 % by == 0 ? 0 : 1) }
    case .link, .next, .cursor, .page, .offset: return nil
    }
  }

  /// The statement of a response on the next page.
  func next(after exchange: RequestRun.Exchange) throws(FailureReason) -> PageRecord.Next {
    if try !goesOn(after: exchange) { return .none }
    switch pagination.form {
    case .page(_, _, _, .some(_)), .offset(_, _, .some(_)):
      // Only after a page without records the number of pages is not known.
      return .none
    case .link(let relation):
      let fields = exchange.answer.response.headers
        .filter { $0.name.equalsIgnoringASCIICase("link") }.map(\.value)
      guard
        let link = LinkHeader.target(
          of: relation, in: fields, whereAnchor: { Self.names($0, exchange.answer.url.text) }),
        !(try isLast(exchange, by: nil))
      else { return .none }
      return .link(try following(link, exchange.answer))
    case .next(let query):
      guard let value = try end(query, exchange), !(try isLast(exchange, by: nil)) else {
        return .none
      }
      guard let link = value.string else {
        throw FailureReason(
          .extract, "'\(query.value.text)' must be a URL or absent, but is \(value.kind.article)",
          at: query.range)
      }
      return .link(try following(link, exchange.answer))
    case .cursor(let query, _):
      guard let value = try end(query, exchange), !(try isLast(exchange, by: nil)) else {
        return .none
      }
      return .cursor(value.text)
    case .page(_, _, let by, _):
      return try isLast(exchange, by: by) ? .none : .number
    case .offset(_, let by, _):
      return try isLast(exchange, by: by) ? .none : .number
    }
  }

  /// Whether `while` lets another page follow.
  private func goesOn(after exchange: RequestRun.Exchange) throws(FailureReason) -> Bool {
    guard let condition = pagination.while else { return true }
    if Self.hasNoRecords(exchange) { return false }
    return try step.holds(condition, of: exchange.body)
  }

  /// The request of the page that follows; `nil` after the last.
  ///
  /// - Parameter number: Of that page, counted from 0.
  func parts(
    of next: PageRecord.Next, number: Int
  ) throws(FailureReason) -> RequestBuilder.Parts? {
    switch next {
    case .none: return nil
    case .number: return try numberedPage(number)
    case .link(let url):
      return RequestURL(url).map { step.moved(parts, to: $0) }
    case .cursor(let text):
      guard case .cursor(_, let name) = pagination.form,
        let value = try? JSONDocument.parse(Array(text.utf8)).root
      else { return nil }
      return try with(name, value)
    }
  }

  /// Whether an anchor of a link, relative to `url`, is `url` itself.
  private static func names(_ anchor: String, _ url: String) -> Bool {
    guard let own = URI.parse(url), let other = own.resolving(anchor) else { return false }
    return other == own
  }

  // MARK: Reading an answer

  /// Whether a page has no records by its form alone. It has no body, or it is not JSON and its
  /// status says that the request was not carried out.
  static func hasNoRecords(_ exchange: RequestRun.Exchange) -> Bool {
    let response = exchange.answer.response
    return response.body.isEmpty
      || !(200...299).contains(response.status) && exchange.body.json == nil
  }

  private func body(_ exchange: RequestRun.Exchange) -> QueryContext? {
    exchange.body.json.map { step.scope.queryContext(body: $0) }
  }

  /// A cursor or a next page's URL; `nil` if it says that there is none.
  private func end(
    _ query: Written<Query>, _ exchange: RequestRun.Exchange
  ) throws(FailureReason) -> JSONNode? {
    guard let context = body(exchange), let value = query.value.nodes(in: context).first else {
      return nil
    }
    if value.isNull || value.string?.isEmpty == true || value.boolean == false { return nil }
    guard value.kind != .object, value.kind != .array else {
      throw FailureReason(
        .extract, "'\(query.value.text)' must be one value, but is \(value.kind.article)",
        at: query.range)
    }
    return value
  }

  private func number(
    _ query: Written<Query>, _ exchange: RequestRun.Exchange
  ) throws(FailureReason) -> Int? {
    guard let context = body(exchange), let value = query.value.nodes(in: context).first,
      !value.isNull
    else {
      throw FailureReason(
        .extract, "'\(query.value.text)' found no number of pages or records", at: query.range)
    }
    guard let number = value.number?.int ?? value.string.flatMap({ Int($0) }), number >= 0 else {
      throw FailureReason(
        .extract, "'\(query.value.text)' must be a whole number, but is \(value.kind.article)",
        at: query.range)
    }
    return number
  }

  /// Whether `items` says that the page is the last: it is empty, shorter than `by`, or not JSON.
  private func isLast(
    _ exchange: RequestRun.Exchange, by: Int?
  ) throws(FailureReason) -> Bool {
    guard let items = pagination.items else { return false }
    guard let context = body(exchange) else { return true }
    var count = items.value.nodes(in: context).count
    if items.value.isSingular { count = items.value.first(in: context)?.count ?? 0 }
    return count == 0 || by.map { count < $0 } ?? false
  }

  // MARK: Making a request

  /// The URL that a response named, relative to the page's own (RFC 3986 §5).
  private func following(
    _ link: String, _ page: RequestRun.Answer
  ) throws(FailureReason) -> String {
    guard let url = page.url.resolving(link) else {
      throw FailureReason(
        .value,
        "the next page's URL '\(step.redactor.shown(link, to: 200))' is not an http or"
          + " https URL",
        at: step.request.endpoint.range)
    }
    if page.origin.isSecure, !url.origin.isSecure {
      throw FailureReason(
        .network,
        "the next page would be fetched without TLS, from '\(step.shown(url: url.text))'",
        at: step.request.endpoint.range)
    }
    return url.text
  }

  private var isGraphQL: Bool {
    if case .graphQL? = step.request.body?.content { true } else { false }
  }

  /// The first request with a parameter set.
  private func with(_ name: String, _ value: JSONNode) throws(FailureReason) -> RequestBuilder.Parts
  {
    var next = parts
    switch pagination.place {
    case .query:
      next.url = parts.url.mapQuery {
        URI.setting(name, to: value.string ?? value.text, in: $0)
      }
    case .body:
      guard case .bytes(let bytes) = parts.body,
        let body = try? JSONDocument.parse(bytes).root, body.kind == .object
      else {
        throw FailureReason(
          .value, "'\"in\": \"body\"' needs a JSON body that is an object, to put '\(name)' into")
      }
      // A GraphQL cursor is one of the query's variables.
      if isGraphQL || body["variables"] != nil && body["query"] != nil {
        var writer = JSONWriter(style: .compact)
        let written = body["variables"].flatMap { $0.kind == .object ? $0 : nil }
        let variables = written ?? JSONValue.object([]).node
        Self.write(variables, setting: name, to: value, to: &writer)
        next.body = .bytes(Self.text(body, setting: "variables", to: writer.document().root))
      } else {
        next.body = .bytes(Self.text(body, setting: name, to: value))
      }
    }
    return next
  }

  private static func text(
    _ object: JSONNode, setting name: String, to value: JSONNode
  ) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    write(object, setting: name, to: value, to: &writer)
    return writer.bytes
  }

  private static func write(
    _ object: JSONNode, setting name: String, to value: JSONNode, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    for member in object.members where !member.name.equals(bytes: name) {
      writer.name(member.name)
      writer.value(member.value)
    }
    writer.name(name)
    writer.value(value)
    writer.endObject()
  }
}

extension URI {
  /// `url` with its parameter `name` set to `value`, in place of one it has.
  static func setting(_ name: String, to value: String, in url: String) -> String {
    let encoded = percentEncode(name)
    guard let mark = url.firstIndex(ascii: "?") else { return adding([(name, value)], to: url) }
    let kept = url[url.utf8.index(after: mark)...].split(ascii: "&").filter { pair in
      let key = pair.prefix(before: "=")
      return !key.equals(bytes: name) && !key.equals(bytes: encoded)
    }
    let base = url[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    return adding([(name, value)], to: String(base))
  }
}
