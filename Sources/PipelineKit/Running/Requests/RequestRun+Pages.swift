internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineTemplates
internal import PipelineURIs
internal import PipelineWorkflows

// Fetches page after page (`paginate`) and joins what the extractors find.
extension RequestRun {
  @inline(never)
  func pages(
    _ pagination: Pagination, from first: Parts
  ) async throws(FailureReason) -> [UInt8] {
    let start = PageStart(pagination: pagination, step: step, parts: first.value)
    var pages = PageMerge(extractors: plan.request.extract)
    var held = 0
    defer { context.release(held) }
    var seen: Set<PageKey> = []
    var next: RequestBuilder.Parts? = try start.firstPage()
    var number = 0
    var known = recordedPages()
    while let parts = next {
      try check(parts, against: &seen)
      let page: Page
      if let record = known.removeValue(forKey: number) {
        page = Page(values: record.values, next: record.next, count: record.count)
      } else {
        page = try await fetch(parts, number: number, of: start)
      }
      try pages.add(page.values, number: number)
      context.hold(page.values.count)
      held += page.values.count
      number += 1
      if let count = page.count {
        try check(count, of: pagination)
        try await fetchRest(of: count, start, known, into: &pages)
        break
      }
      next = try start.parts(of: page.next, number: number)
      if next != nil { try check(number + 1, of: pagination) }
    }
    return pages.finish()
  }

  private struct Page: Sendable {
    let values: [UInt8]
    let next: PageRecord.Next
    /// The number of pages, if the first one says so.
    let count: Int?
  }

  /// The pages that an earlier process of the run has read, by number.
  private func recordedPages() -> [Int: PageRecord] {
    guard let journal = context.journal, let sendings = sendings else { return [:] }
    let pages = journal.pages(of: sendings.key)
    if !pages.isEmpty { sendings.replay?.passOverPages() }
    return pages
  }

  private func fetch(
    _ parts: RequestBuilder.Parts, number: Int, of start: PageStart
  ) async throws(FailureReason) -> Page {
    var parts = parts
    parts.page = number
    let exchange = try await exchange(Parts(parts))
    let page = try read(exchange, number: number, of: start)
    if plan.request.save != nil { _ = try await save(exchange) }
    if let journal = context.journal, let sendings = sendings {
      journal.record(
        PageRecord(
          unit: sendings.key, number: number, values: page.values, next: page.next,
          count: page.count),
        of: unit, parking == nil ? nil : sendings)
      if parking != nil { grace?.release() }
    }
    return page
  }

  private func read(
    _ exchange: Exchange, number: Int, of start: PageStart
  ) throws(FailureReason) -> Page {
    var values = Array("{}".utf8)
    if isWithoutRecords(exchange, number: number) {
      try checkStatus(of: exchange)
    } else {
      values = try self.values(of: exchange)
    }
    let count = number == 0 ? try start.count(exchange) : nil
    return Page(
      values: values, next: try start.next(after: exchange), count: count)
  }

  /// Whether nothing is extracted from a page, because it has no records. From the first page all is
  /// extracted that is not a list, or it would be missing.
  private func isWithoutRecords(_ exchange: Exchange, number: Int) -> Bool {
    PageStart.hasNoRecords(exchange)
      && (number > 0 || plan.request.extract.allSatisfy(\.selectsMany))
  }

  /// The pages after the first, several at once, if it is known how many there are.
  private func fetchRest(
    of count: Int, _ start: PageStart, _ known: [Int: PageRecord], into pages: inout PageMerge
  ) async throws(FailureReason) {
    guard count > 1 else { return }
    let width = max(1, context.concurrency)
    // Pages that wait for their turn to be joined.
    var held = 0
    defer { context.release(held) }
    let result: Result<[[UInt8]], FailureReason> = await withTaskGroup(
      of: (Int, Result<[UInt8], FailureReason>).self
    ) { group in
      var rest = [[UInt8]](repeating: [], count: count - 1)
      var begun = 0
      func begin(_ group: inout TaskGroup<(Int, Result<[UInt8], FailureReason>)>) {
        let index = begun
        begun += 1
        group.addTask {
          if let record = known[index + 1] { return (index, .success(record.values)) }
          return (index, await self.page(index + 1, of: start))
        }
      }
      while begun < min(width, count - 1) { begin(&group) }
      while let (index, page) = await group.next() {
        switch page {
        case .success(let values):
          rest[index] = values
          context.hold(values.count)
          held += values.count
        case .failure(let failure):
          group.cancelAll()
          return .failure(failure)
        }
        if begun < count - 1 { begin(&group) }
      }
      return .success(rest)
    }
    for (index, values) in try result.get().enumerated() {
      try pages.add(values, number: index + 1)
    }
  }

  /// The values of a page that is fetched beside others.
  private func page(_ number: Int, of start: PageStart) async -> Result<[UInt8], FailureReason> {
    let run = parallel
    @Sendable func fetch() async -> Result<[UInt8], FailureReason> {
      do throws(FailureReason) {
        let parts = try start.numberedPage(number)
        return .success(try await run.fetch(parts, number: number, of: start).values)
      } catch {
        return .failure(error)
      }
    }
    guard let grace = run.grace else { return await fetch() }
    return await grace.guarding(on: context.executor(for: unit)) { await fetch() }
  }

  private func check(_ count: Int, of pagination: Pagination) throws(FailureReason) {
    guard count <= pagination.maxPages else {
      throw FailureReason(
        .limit,
        "there are more than \(pagination.maxPages) pages; 'maxPages' sets how many are fetched",
        at: plan.request.endpoint.range)
    }
  }

  /// A page as loops are detected by.
  private struct PageKey: Hashable {
    let url: ExactText
    let body: [UInt8]
  }

  private func check(
    _ parts: RequestBuilder.Parts, against seen: inout Set<PageKey>
  ) throws(FailureReason) {
    var body: [UInt8] = []
    if case .bytes(let bytes) = parts.body { body = bytes }
    guard seen.insert(PageKey(url: ExactText(parts.url.text), body: body)).inserted else {
      throw FailureReason(
        .limit,
        "the pages repeat: '\(step.shown(url: parts.url.text))' was fetched"
          + " before", at: plan.request.endpoint.range)
    }
  }
}

/// Joins the values of pages: lists one after the other, all else from the first page.
private struct PageMerge {
  let extractors: [Extractor]
  /// The values so far, one JSON text for each extractor; `nil`: absent.
  private var texts: [[UInt8]?]
  private var isEmpty: [Bool]

  init(extractors: [Extractor]) {
    self.extractors = extractors
    texts = Array(repeating: nil, count: extractors.count)
    isEmpty = Array(repeating: true, count: extractors.count)
  }

  mutating func add(_ values: [UInt8], number: Int) throws(FailureReason) {
    let page = ScopeValue(text: values).node
    for (index, extractor) in extractors.enumerated() {
      let value = page[extractor.name]
      if extractor.selectsMany {
        append(value, at: index)
      } else if number == 0 {
        texts[index] = value.map { Array($0.utf8) }
      } else {
        if value?.kind == .array, case .body(let query) = extractor.source {
          throw FailureReason(
            .extract,
            "extractor '\(extractor.name)' finds a list on each page; '\(query.value.text)[*]' joins"
              + " the elements of all pages", at: query.range)
        }
        if extractor.take?.value == .last, let value { texts[index] = Array(value.utf8) }
      }
    }
  }

  private mutating func append(_ list: JSONNode?, at index: Int) {
    if texts[index] == nil { texts[index] = [UInt8(ascii: "[")] }
    guard let list, list.count > 0 else { return }
    if !isEmpty[index] { texts[index]?.append(UInt8(ascii: ",")) }
    isEmpty[index] = false
    texts[index]?.append(contentsOf: list.utf8.dropFirst().dropLast())
  }

  func finish() -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (index, extractor) in extractors.enumerated() {
      guard var text = texts[index] else { continue }
      if extractor.selectsMany { text.append(UInt8(ascii: "]")) }
      writer.name(extractor.name)
      writer.raw(text)
    }
    writer.endObject()
    return writer.bytes
  }
}

extension Extractor {
  /// Whether the extractor gives a list, and each page a part of it.
  fileprivate var selectsMany: Bool {
    switch source {
    case .body(let query): !query.value.isSingular && take == nil
    case .header: all
    case .headers, .cookie, .status, .url, .text, .regex, .value: false
    }
  }
}
