internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineURIs

// A first page that is the last (decision 82). An API that has no more says so by leaving a member
// out. So does a query with a misspelt name, which must not lose the other pages in silence.
extension PageStart {
  /// Fails if `items` cannot find the records of the first page. Notes each query that is likely
  /// wrong and ends the pages.
  ///
  /// - Parameter values: What the extractors found on the page.
  func judgeOnlyPage(
    _ exchange: RequestRun.Exchange, _ values: [UInt8]
  ) throws(FailureReason) {
    guard !Self.hasNoRecords(exchange) else { return }
    if let items = pagination.items, let json = exchange.body.json {
      try judge(items, in: json, values)
    }
    guard step.notes.sink != nil else { return }
    if let condition = pagination.while { try note(condition, exchange.body) }
    if pagination.form.numbering == nil {
      for source in pagination.form.sources { note(source, exchange) }
    }
  }

  /// An empty list ends the pages. A value without elements is none, and neither is a list that is
  /// not there while extractors find values.
  private func judge(
    _ items: Written<Query>, in json: JSONNode, _ values: [UInt8]
  ) throws(FailureReason) {
    let context = step.scope.queryContext(body: json)
    if let node = items.value.first(in: context) {
      guard items.value.isSingular, node.kind != .array, node.kind != .object, !node.isEmptyValue
      else { return }
      throw FailureReason(
        .extract, "'items' must find a list, but '\(items.value.text)' is \(node.kind.article)",
        at: items.range)
    }
    let missing = MissingNode(query: items.value, root: json)
    guard let place = missing.segmentRange else { return }
    guard let extractor = nameOfFound(values) else {
      if missing.isLikelyWrong { note("items", at: items.value.text, missing.proposal) }
      return
    }
    throw FailureReason(
      .extract,
      "'items' found nothing at '\(items.value.text)', but '\(extractor)' has values of the page"
        + missing.proposal, at: items.range(of: place),
      hints: missing.hints.map(step.redactor.redact))
  }

  /// The first extractor of lists that found something.
  private func nameOfFound(_ values: [UInt8]) -> String? {
    let page = ScopeValue(text: values).node
    return step.request.extract.first { extractor in
      guard extractor.joinsPages, case .body = extractor.source else { return false }
      return page[extractor.name].map { $0.count > 0 } ?? false
    }?.name
  }

  private func note(_ source: PageSource, _ exchange: RequestRun.Exchange) {
    let name = source.extractor.name
    switch source.extractor.source {
    case .body(let query):
      guard let json = exchange.body.json,
        query.value.first(in: step.scope.queryContext(body: json)) == nil
      else { return }
      let missing = MissingNode(query: query.value, root: json)
      if missing.isLikelyWrong { note(name, at: query.value.text, missing.proposal) }
    case .header(let header):
      let names = exchange.answer.response.joinedHeaders.map(\.name)
      guard !names.contains(where: { $0.equalsIgnoringASCIICase(header.value) }) else { return }
      let proposal = Spelling.didYouMean(header.value.lowercased(), among: names)
      if !proposal.isEmpty { note(name, at: header.value, proposal) }
    default: return
    }
  }

  /// Notes the queries of a `while` that does not hold.
  private func note(_ condition: Written<Condition>, _ body: ResponseBody) throws(FailureReason) {
    guard try !step.holds(condition, of: body) else { return }
    let view = try ResponseView(body: body, url: body.url.text, values: nil).node(for: [condition])
    for query in ConditionWalk(condition.value.expression).queries where query.anchor == .current {
      let missing = MissingNode(query: query, root: view)
      if missing.isLikelyWrong { note("while", at: query.text, missing.proposal) }
    }
    let context = step.scope.queryContext(current: view)
    if let mixed = condition.value.mixedComparison(in: context) { step.noteOnce(mixed.message) }
  }

  private func note(_ key: String, at place: String, _ proposal: String) {
    step.noteOnce(
      "the first page is the last, because '\(key)' found nothing at '\(place)'\(proposal)")
  }
}
