internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineURIs

/// Makes the request of each page out of the first one's, and reads from an answer what comes next.
struct PageStart: Sendable {
  let pagination: Pagination
  let builder: RequestBuilder
  /// The first page's request, as the step's author wrote it.
  let parts: RequestBuilder.Parts

  var step: RequestStep { builder.step }

  /// The request of a page, and the reading of its answer.
  struct Request: Sendable {
    let start: PageStart
    let parts: RequestBuilder.Parts
    /// The values that the page before has handed on, as JSON text.
    var carried = ""
  }

  func firstPage() throws(FailureReason) -> RequestBuilder.Parts { try numberedPage(0) }

  /// A page whose number is its parameter, counted from 0; otherwise the first one.
  func numberedPage(_ number: Int) throws(FailureReason) -> RequestBuilder.Parts {
    guard let numbering = pagination.form.numbering, let name = pagination.form.parameter else {
      return parts
    }
    guard let value = numbering.value(onPage: number) else {
      throw FailureReason(.limit, "the next page's number is too large")
    }
    return try with(name, JSONDocument(integer: value).root)
  }

  /// The number of pages, if the form and the response say so.
  func count(_ exchange: RequestRun.Exchange) throws(FailureReason) -> Int? {
    guard let numbering = pagination.form.numbering, !Self.hasNoRecords(exchange) else {
      return nil
    }
    let found = try found(exchange)
    do throws(PageProblem) {
      return try numbering.pages(answer(exchange, found))
    } catch {
      throw FailureReason(error, in: exchange.body, step.redactor)
    }
  }

  /// The statement of a response on the next page.
  func next(after exchange: RequestRun.Exchange) throws(FailureReason) -> PageRecord.Next {
    if try !goesOn(after: exchange) { return .none }
    // A source that counts the pages has been read on the first one.
    let found = pagination.form.numbering == nil ? try found(exchange) : []
    let move: PageMove
    do throws(PageProblem) {
      move = try pagination.form.move(after: answer(exchange, found))
    } catch {
      throw FailureReason(error, in: exchange.body, step.redactor)
    }
    if isLast(exchange) { return .none }
    switch move {
    case .last: return .none
    case .number: return .number
    case .url(let url): return .link(try following(url, exchange.answer))
    case .setting(let text): return .cursor(text)
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
  func request(
    of next: PageRecord.Next, number: Int
  ) throws(FailureReason) -> Request? {
    switch next {
    case .none: return nil
    case .number: return Request(start: self, parts: try numberedPage(number))
    case .link(let url):
      guard let url = RequestURL(url) else { throw unreadable("URL") }
      return Request(start: self, parts: step.moved(parts, to: url))
    case .cursor(let text):
      guard let value = try? JSONDocument.parse(Array(text.utf8)).root else {
        throw unreadable("cursor")
      }
      if !pagination.form.carried.isEmpty {
        let builder = builder.reading(step.carrying(value))
        let page = PageStart(pagination: pagination, builder: builder, parts: parts)
        return Request(start: page, parts: try builder.build(), carried: text)
      }
      guard let name = pagination.form.parameter else { throw unreadable("cursor") }
      return Request(start: self, parts: try with(name, value))
    }
  }

  /// Only a journal has what no response led to. To end there would lose the pages that follow.
  private func unreadable(_ what: String) -> FailureReason {
    FailureReason(
      .value, "the journal has no readable \(what) of the next page; start a new run",
      at: step.request.endpoint.range)
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

  /// What each source of the form finds in a response; `nil` if there is nothing.
  private func found(_ exchange: RequestRun.Exchange) throws(FailureReason) -> [JSONNode?] {
    let reader = ResponseReader(step: step, body: exchange.body, attempts: exchange.attempts)
    return try pagination.form.sources.map { source throws(FailureReason) in
      try Extraction(extractor: source.extractor, reader: reader).first()
    }
  }

  /// What a form reads of a response.
  private func answer(_ exchange: RequestRun.Exchange, _ found: [JSONNode?]) -> PageAnswer {
    let response = exchange.answer.response
    return PageAnswer(url: exchange.answer.url.text, found: found) { name in
      response.headers.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }
  }

  /// Whether `items` says that the page is the last: it is empty, shorter than the form says, or not JSON.
  private func isLast(_ exchange: RequestRun.Exchange) -> Bool {
    guard let items = pagination.items else { return false }
    guard let context = body(exchange) else { return true }
    var count = items.value.nodes(in: context).count
    if items.value.isSingular { count = items.value.first(in: context)?.count ?? 0 }
    return count == 0 || pagination.form.numbering?.size.map { count < $0 } ?? false
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

extension RequestStep {
  /// The step with the values that a page has handed on, an object.
  func carrying(_ values: JSONNode) -> RequestStep {
    let scope = Scope(shared: unit.scope.shared.carrying(values), item: unit.scope.item)
    return RequestStep(unit.reading(scope), plan, redactor, notes, checks: checks)
  }

  /// The step with the values that its first page has; itself if its pages hand on none.
  func onFirstPage() throws(FailureReason) -> RequestStep {
    guard let carried = request.paginate?.form.carried, !carried.isEmpty else { return self }
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for value in carried {
      guard let first = value.first else { continue }
      var text = JSONWriter(style: .compact)
      guard try Evaluation.write(first, to: &text, in: scope, files: files) else { continue }
      writer.name(value.name)
      writer.raw(text.bytes)
    }
    writer.endObject()
    return carrying(writer.document().root)
  }
}

extension FailureReason {
  /// - Parameter body: What the source read.
  fileprivate init(_ problem: PageProblem, in body: ResponseBody, _ redactor: Redactor) {
    let source = problem.source
    let text = source.query == nil ? source.text : "'\(source.text)'"
    if let found = problem.found {
      self.init(
        .extract, "\(text) must be \(problem.wanted), but is \(found.article)",
        at: source.extractor.node.range)
      return
    }
    var missing: MissingNode?
    if let query = source.query, let json = body.json {
      missing = MissingNode(query: query.value, root: json)
    }
    self.init(
      .extract,
      "\(text) \(source.query == nil ? "gave" : "found") no number of pages or records"
        + (missing?.proposal ?? ""),
      at: source.extractor.node.range, hints: (missing?.hints ?? []).map(redactor.redact))
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
