internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

// Fetches page after page (`paginate`) and joins what the extractors find.
extension RequestRun {
  @inline(never)
  func pages(
    _ pagination: Pagination, from first: Parts
  ) async throws(FailureReason) -> [UInt8] {
    let start = PageStart(pagination: pagination, builder: builder, parts: first.value)
    let taps = unit.isOnlyOne ? context.rows.taps(of: unit.step) : []
    var pages = PageMerge(extractors: plan.request.extract, taps: taps, redactor: context.redactor)
    defer { context.usage.release(pages.held) }
    var seen: Set<PageKey> = []
    var next: PageStart.Request? = PageStart.Request(start: start, parts: try start.firstPage())
    var number = 0
    var known = recordedPages()
    while let request = next {
      // With `while` the responses show when there is nothing left: a queue answers equal requests.
      if pagination.while == nil { try check(request, of: pagination, against: &seen) }
      let page: Page
      if let record = known.removeValue(forKey: number) {
        page = Page(values: record.values, next: record.next, count: record.count)
      } else {
        let run = pagination.form.carried.isEmpty ? self : with(request.start.step)
        page = try await run.fetch(request.parts, number: number, of: request.start)
      }
      try add(page.values, number: number, to: &pages)
      number += 1
      if let count = page.count {
        try check(count, of: pagination)
        try await fetchRest(of: count, start, known, into: &pages)
        break
      }
      next = try start.request(of: page.next, number: number)
      if next != nil { try check(number + 1, of: pagination) }
    }
    // No record of the unit settles what was answered.
    if !taps.isEmpty { sendings?.settleAnswered() }
    return try pages.finish()
  }

  private func add(
    _ values: [UInt8], number: Int, to pages: inout PageMerge
  ) throws(FailureReason) {
    let held = pages.held
    try pages.add(values, number: number)
    context.usage.hold(pages.held - held)
  }

  private struct Page: Sendable {
    let values: [UInt8]
    let next: PageRecord.Next
    /// The number of pages, if the first one says so.
    let count: Int?
  }

  /// The pages that an earlier process of the run has read, by number.
  private func recordedPages() -> [Int: PageRecord] {
    guard let journal = context.journal, let sendings = sendings, !unit.frame.isLaterAttempt
    else { return [:] }
    let pages = journal.pages(of: sendings.key)
    if !pages.isEmpty { sendings.replay?.passOverPages() }
    return pages
  }

  private func fetch(
    _ parts: RequestBuilder.Parts, number: Int, of start: PageStart
  ) async throws(FailureReason) -> Page {
    var parts = parts
    parts.page = number
    let exchange = try await ask(Parts(parts))
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
      values = try self.values(of: exchange, page: number)
    }
    let count = number == 0 ? try start.count(exchange) : nil
    let next = try start.next(after: exchange)
    if number == 0, count == nil, case .none = next { try start.judgeOnlyPage(exchange, values) }
    return Page(values: values, next: next, count: count)
  }

  /// Whether nothing is extracted from a page, because it has no records. From the first page all is
  /// extracted that is not a list, or it would be missing.
  private func isWithoutRecords(_ exchange: Exchange, number: Int) -> Bool {
    PageStart.hasNoRecords(exchange)
      && (number > 0 || plan.request.extract.allSatisfy(\.joinsPages))
  }

  /// The pages after the first, several at once, if it is known how many there are.
  private func fetchRest(
    of count: Int, _ start: PageStart, _ known: [Int: PageRecord], into pages: inout PageMerge
  ) async throws(FailureReason) {
    guard count > 1 else { return }
    let width = max(1, context.concurrency)
    // Pages that wait for their turn to be joined. Few do: the first of them holds the others back.
    var waiting: [Int: [UInt8]] = [:]
    let most = 4 * width
    var begun = 1
    var next = 1
    defer { context.usage.release(waiting.values.reduce(0) { $0 + $1.count }) }
    let result: Result<Void, FailureReason> = await withTaskGroup(
      of: (Int, Result<[UInt8], FailureReason>).self
    ) { group in
      func begin(_ group: inout TaskGroup<(Int, Result<[UInt8], FailureReason>)>) {
        while begun < count, begun - next < most, begun - next - waiting.count < width {
          let number = begun
          begun += 1
          group.addTask {
            if let record = known[number] { return (number, .success(record.values)) }
            return (number, await self.page(number, of: start))
          }
        }
      }
      begin(&group)
      while let (number, page) = await group.next() {
        do throws(FailureReason) {
          let values = try page.get()
          context.usage.hold(values.count)
          waiting[number] = values
          while let values = waiting.removeValue(forKey: next) {
            context.usage.release(values.count)
            try add(values, number: next, to: &pages)
            next += 1
          }
        } catch {
          group.cancelAll()
          return .failure(error)
        }
        begin(&group)
      }
      return .success(())
    }
    try result.get()
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
    return await grace.guarding(on: context.carrier.executor(for: unit)) { await fetch() }
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
    /// The values that the page before has handed on, which may go into a header.
    let carried: ExactText
  }

  private func check(
    _ request: PageStart.Request, of pagination: Pagination, against seen: inout Set<PageKey>
  ) throws(FailureReason) {
    let parts = request.parts
    var body: [UInt8] = []
    if case .bytes(let bytes) = parts.body { body = bytes }
    let key = PageKey(
      url: ExactText(parts.url.text), body: body, carried: ExactText(request.carried))
    guard seen.insert(key).inserted else {
      let mayEqual = type(of: pagination.form).setsParameter
      throw FailureReason(
        .limit,
        "the pages repeat: '\(step.shown(url: parts.url.text))' was fetched before"
          + (mayEqual ? "; if an equal request gets the next page, write \"while\"" : ""),
        at: plan.request.endpoint.range)
    }
  }
}

/// Joins the values of pages: lists one after the other, everything else from the first page, or
/// the one that `take` names.
private struct PageMerge {
  let extractors: [Extractor]
  private let taps: [RowTap]
  private let redactor: Redactor
  /// The extractors whose lists are handed on, and not joined.
  private let handedOn: Set<String>
  /// The values so far, one JSON text for each extractor; `nil` if absent.
  private var texts: [[UInt8]?]
  private var isEmpty: [Bool]
  /// The bytes of the values that are kept.
  private(set) var held = 0

  init(extractors: [Extractor], taps: [RowTap], redactor: Redactor) {
    self.extractors = extractors
    self.taps = taps
    self.redactor = redactor
    handedOn = Set(taps.compactMap(\.extractor))
    texts = Array(repeating: nil, count: extractors.count)
    isEmpty = Array(repeating: true, count: extractors.count)
  }

  mutating func add(_ values: [UInt8], number: Int) throws(FailureReason) {
    let page = ScopeValue(text: values).node
    for (index, extractor) in extractors.enumerated() {
      let value = page[extractor.name]
      if extractor.joinsPages {
        append(value, of: extractor, at: index)
      } else if number == 0 || extractor.take?.value == .first && texts[index] == nil {
        set(value, at: index)
      } else {
        if value?.kind == .array, case .body(let query) = extractor.source {
          throw FailureReason(
            .extract,
            "extractor '\(extractor.name)' finds a list on each page; '\(query.value.text)[*]' joins"
              + " the elements of all pages", at: query.range)
        }
        if extractor.take?.value == .last, value != nil { set(value, at: index) }
      }
    }
  }

  private mutating func set(_ value: JSONNode?, at index: Int) {
    held -= texts[index]?.count ?? 0
    texts[index] = value.map { Array($0.utf8) }
    held += texts[index]?.count ?? 0
  }

  private mutating func append(_ list: JSONNode?, of extractor: Extractor, at index: Int) {
    if texts[index] == nil { texts[index] = [UInt8(ascii: "[")] }
    guard let list, list.count > 0 else { return }
    if handedOn.contains(extractor.name) {
      for tap in taps where tap.extractor?.equals(bytes: extractor.name) == true {
        tap.handOn(Array(list.utf8), redactor)
      }
      return
    }
    if !isEmpty[index] { texts[index]?.append(UInt8(ascii: ",")) }
    isEmpty[index] = false
    let elements = list.utf8.dropFirst().dropLast()
    texts[index]?.append(contentsOf: elements)
    held += elements.count
  }

  func finish() throws(FailureReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (index, extractor) in extractors.enumerated() {
      guard var text = texts[index] else {
        guard extractor.searchesPages else { continue }
        if let value = extractor.defaultValue {
          writer.name(extractor.name)
          writer.value(value)
        } else if !extractor.isOptional {
          throw FailureReason(
            .extract, "extractor '\(extractor.name)' found nothing on any page",
            at: extractor.node.range)
        }
        continue
      }
      if extractor.joinsPages { text.append(UInt8(ascii: "]")) }
      writer.name(extractor.name)
      writer.raw(text)
    }
    writer.endObject()
    return writer.bytes
  }
}
