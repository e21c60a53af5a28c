internal import PipelineByteText
internal import PipelineKit
internal import PipelineReports

/// Makes spans of the events of a run: of the run, its steps, items and requests.
///
/// Only some items of a collection are kept: the first, the failed ones, and the slowest. So
/// neither memory nor the number of spans sent grows with the number of items.
struct SpanCollector {
  /// How much of a collection is kept.
  enum Most {
    /// The first items. Their requests are marked as recorded when they are sent.
    static let first = 20
    static let failed = 50
    static let slow = 10
    /// Requests of one item, or of one step without items.
    static let requests = 200
  }

  private struct StepKey: Hashable {
    let step: String
    let path: [Int]
  }

  private struct ItemKey: Hashable {
    let step: StepKey
    let item: Int
  }

  /// An ended piece of work, which is a span if it is kept.
  private struct Draft {
    let id: UInt64
    let parent: UInt64
    let start: Duration
    let end: Duration
    let event: RunEvent.Kind
  }

  private struct OpenStep {
    let id: UInt64
    let parent: UInt64
    /// The item around whose end decides whether the step is kept.
    let around: ItemKey?
    let start: Duration
    let isCollection: Bool
    var requests = 0
    var failed = 0
    /// The slowest items so far, each with all that belongs to it.
    var slow: [(duration: Duration, drafts: [Draft])] = []
  }

  private struct OpenItem {
    let id: UInt64
    var start: Duration
    var requests = 0
    var drafts: [Draft] = []
  }

  private let runSpan = TraceContext.randomSpanID()
  /// The span that the caller of the program waits in.
  private let caller: UInt64?
  /// When the run's time began, in nanoseconds since 1970.
  private var origin: UInt64 = 0
  private let clock: any RunClock
  private var run: RunEvent.RunStarted?
  private var steps: [StepKey: OpenStep] = [:]
  private var items: [ItemKey: OpenItem] = [:]
  private var ready: [Span] = []

  init(caller: UInt64?, clock: any RunClock) {
    self.caller = caller
    self.clock = clock
  }

  /// The spans that are certain to be kept since the last time.
  mutating func takeReady() -> [Span] {
    defer { ready.removeAll(keepingCapacity: true) }
    return ready
  }

  var readyCount: Int { ready.count }

  mutating func receive(_ event: RunEvent) {
    let time = event.time
    switch event.kind {
    case .runStarted(let started):
      run = started
      origin = Self.nanoseconds(clock.wallTime) &- Self.nanoseconds(time)
    case .stepStarted(let step):
      begin(StepKey(step: step.step, path: step.path), isCollection: step.items != nil, at: time)
    case .itemStarted(let item):
      guard let number = item.item else { break }
      begin(ItemKey(step: StepKey(step: item.step, path: item.path), item: number), at: time)
    case .requestFinished(let request): end(request, event.kind, at: time)
    case .itemFinished(let item): end(item, event.kind, at: time)
    case .stepFinished(let step): end(step, event.kind, at: time)
    case .eventReceived, .note, .said, .asked: break
    case .runFinished(let report): end(report, at: time)
    }
  }

  // MARK: Steps

  private mutating func begin(_ key: StepKey, isCollection: Bool, at time: Duration) {
    let (parent, around) = place(of: key, at: time)
    steps[key] = OpenStep(
      id: TraceContext.randomSpanID(), parent: parent, around: around, start: time,
      isCollection: isCollection)
  }

  /// The span that contains a step, and the item whose pass it belongs to.
  private mutating func place(
    of key: StepKey, at time: Duration
  ) -> (parent: UInt64, around: ItemKey?) {
    guard let dot = key.step.lastIndex(ascii: ".") else { return (runSpan, nil) }
    let outer = String(key.step[..<dot])
    if let block = steps[StepKey(step: outer, path: key.path)], !block.isCollection {
      return (block.id, block.around)
    }
    guard let item = key.path.last else { return (runSpan, nil) }
    let around = ItemKey(step: StepKey(step: outer, path: key.path.dropLast()), item: item)
    return (begin(around, at: time), around)
  }

  private mutating func end(
    _ step: RunEvent.StepFinished, _ event: RunEvent.Kind, at time: Duration
  ) {
    let key = StepKey(step: step.step, path: step.path)
    if steps[key] == nil { begin(key, isCollection: step.items != nil, at: time) }
    guard let open = steps.removeValue(forKey: key) else { return }
    for slow in open.slow { add(slow.drafts, to: open.around) }
    add(
      [Draft(id: open.id, parent: open.parent, start: open.start, end: time, event: event)],
      to: open.around)
  }

  // MARK: Items

  /// Returns the id of the item's span, which begins now if it has not.
  @discardableResult
  private mutating func begin(_ key: ItemKey, at time: Duration) -> UInt64 {
    if let open = items[key] { return open.id }
    let id = TraceContext.randomSpanID()
    items[key] = OpenItem(id: id, start: time)
    return id
  }

  private mutating func end(
    _ item: RunEvent.ItemFinished, _ event: RunEvent.Kind, at time: Duration
  ) {
    let step = StepKey(step: item.step, path: item.path)
    guard let open = steps[step] else { return }
    let key = ItemKey(step: step, item: item.item)
    begin(key, at: time)
    guard let ended = items.removeValue(forKey: key) else { return }
    var drafts = ended.drafts
    drafts.append(
      Draft(id: ended.id, parent: open.id, start: ended.start, end: time, event: event))
    let hasFailed: Bool
    switch item.outcome {
    case .failed, .recovered: hasFailed = true
    case .succeeded, .skipped, .cancelled: hasFailed = false
    }
    if item.item < Most.first { return add(drafts, to: open.around) }
    if hasFailed, open.failed < Most.failed {
      steps[step]?.failed += 1
      return add(drafts, to: open.around)
    }
    keepIfSlow(drafts, time - ended.start, in: step)
  }

  private mutating func keepIfSlow(_ drafts: [Draft], _ duration: Duration, in step: StepKey) {
    guard let slow = steps[step]?.slow else { return }
    if slow.count < Most.slow {
      steps[step]?.slow.append((duration, drafts))
    } else if let least = slow.indices.min(by: { slow[$0].duration < slow[$1].duration }),
      slow[least].duration < duration
    {
      steps[step]?.slow[least] = (duration, drafts)
    }
  }

  // MARK: Requests

  private mutating func end(
    _ request: RunEvent.RequestFinished, _ event: RunEvent.Kind, at time: Duration
  ) {
    let step = StepKey(step: request.step, path: request.path)
    let start = request.sent ?? max(.zero, time - request.timings.total)
    let parent: UInt64
    let around: ItemKey?
    if let item = request.item {
      let key = ItemKey(step: step, item: item)
      parent = begin(key, at: start)
      guard let count = items[key]?.requests, count < Most.requests else { return }
      items[key]?.requests += 1
      around = key
    } else {
      guard let open = steps[step], open.requests < Most.requests else { return }
      steps[step]?.requests += 1
      (parent, around) = (open.id, open.around)
    }
    add(
      [
        Draft(
          id: request.span ?? TraceContext.randomSpanID(), parent: parent, start: start, end: time,
          event: event)
      ],
      to: around)
  }

  // MARK: The run

  private mutating func end(_ report: RunReport, at time: Duration) {
    for open in steps.values where open.around == nil {
      for slow in open.slow { add(slow.drafts, to: nil) }
    }
    steps = [:]
    items = [:]
    var span = Span(
      name: "", id: runSpan, parent: caller, start: origin,
      end: origin &+ Self.nanoseconds(time))
    let failure = report.failures.first?.failure ?? report.stopReason
    span.describeRun(
      id: report.runID, workflow: run?.workflow ?? "", status: report.status.rawValue,
      requests: report.counts.requests, items: report.counts.items,
      failure: failure.map { ($0.kind.rawValue, $0.message) })
    ready.append(span)
  }

  // MARK: Spans

  private mutating func add(_ drafts: [Draft], to item: ItemKey?) {
    if let item, items[item] != nil {
      items[item]?.drafts += drafts
    } else if item == nil {
      ready += drafts.map(span)
    }
  }

  private func span(_ draft: Draft) -> Span {
    var span = Span(
      name: "", id: draft.id, parent: draft.parent,
      start: origin &+ Self.nanoseconds(draft.start), end: origin &+ Self.nanoseconds(draft.end))
    switch draft.event {
    case .requestFinished(let request): span.describe(request)
    case .itemFinished(let item): span.describe(item)
    case .stepFinished(let step): span.describe(step, run: run?.runID)
    case .runStarted, .stepStarted, .itemStarted, .eventReceived, .note, .said, .asked,
      .runFinished:
      break
    }
    return span
  }

  private static func nanoseconds(_ time: Duration) -> UInt64 {
    let (seconds, attoseconds) = time.components
    return UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000))
  }

  private static func nanoseconds(_ wallTime: Double) -> UInt64 {
    let seconds = UInt64(min(max(0, wallTime), 1e10))
    let rest = (wallTime - Double(seconds)) * 1e9
    return seconds &* 1_000_000_000 &+ UInt64(min(max(0, rest), 1e9))
  }
}

extension Span {
  fileprivate mutating func describe(_ request: RunEvent.RequestFinished) {
    describeRequest(
      method: request.method, url: request.url, status: request.status,
      bytes: request.bytesReceived, attempt: request.attempt,
      failure: request.error.map { ($0.kind.rawValue, $0.message) })
    if let cache = request.cache { add("pipeline.cache", cache.rawValue) }
    add("pipeline.step", request.step)
    describe(request.place, request.cause.rawValue)
  }

  fileprivate mutating func describe(_ item: RunEvent.ItemFinished) {
    name = "item of \(item.step)"
    add("pipeline.step", item.step)
    add("pipeline.item", item.item)
    describe(item.outcome)
  }

  fileprivate mutating func describe(_ step: RunEvent.StepFinished, run: String?) {
    let path = step.path.isEmpty ? "" : "[\(step.path.map { String($0) }.joined(separator: "."))]"
    describeStep(step.step, in: "\(run ?? "")/\(step.step)\(path)")
    describe(step.outcome)
    if let items = step.items {
      add("pipeline.items", items)
      add("pipeline.items.failed", step.failedItems)
    }
  }

  private mutating func describe(_ outcome: RunEvent.Outcome) {
    func words(_ failed: StepFailure) -> (kind: String, message: String) {
      (failed.failure.kind.rawValue, failed.failure.message)
    }
    switch outcome {
    case .succeeded: describeOutcome("succeeded")
    case .recovered(let failure): describeOutcome("recovered", failure: words(failure))
    case .skipped(let reason): describeOutcome("skipped", reason: reason)
    case .failed(let failure): describeOutcome("failed", failure: words(failure))
    case .cancelled: describeOutcome("cancelled")
    }
  }
}
