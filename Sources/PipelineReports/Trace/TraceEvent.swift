internal import PipelineByteText
internal import PipelineEngine

/// An event of a run as reports need it, out of a file of events.
struct TraceEvent: Sendable {
  /// Microseconds since the run's start.
  let time: Int
  let kind: Kind

  enum Kind: Sendable {
    case runStarted(RunStarted)
    case stepStarted(StepStarted)
    case itemStarted(step: String, path: [Int], item: Int?, Release)
    case requestFinished(Request)
    case itemFinished(step: String, path: [Int], item: Int, Ending)
    case stepFinished(StepFinished)
    case note(step: String?, message: String)
    case runFinished(RunFinished)
  }

  struct RunStarted: Sendable {
    var run: String
    var workflow: String
    var file: String
    var startedAt: Double
    /// When a later process took the run up.
    var resumedAt: Double?
    var limits: RunTrace.Limits
    var steps: [Step]
    /// The step each of whose items is a run of its own.
    var rowStep: String?
  }

  struct Step: Sendable {
    var id: String
    var action: String
    var isCollection: Bool
    var hasRounds: Bool
    var isFinally: Bool
    var after: [String]
    var file: String?
    var line: Int?
    var steps: [Step]
  }

  struct StepStarted: Sendable {
    var step: String
    var path: [Int]
    var items: Int?
    var concurrency: Int?
    var isSequential: Bool
    var release: Release
  }

  /// How a step or an item ended.
  struct Ending: Sendable {
    var outcome: RunTrace.Outcome
    var reason: String?
    var failure: RunTrace.Failed?
    var recoveredBy: String?
  }

  struct StepFinished: Sendable {
    var step: String
    var path: [Int]
    var ending: Ending
    var duration: Int
    var items: Int?
    var failedItems: Int
    var release: Release?
  }

  struct Request: Sendable {
    var step: String
    var path: [Int]
    var item: Int?
    var attempt: Int
    var method: String
    var url: String
    var status: Int?
    var error: String?
    var bytes: Int
    var sent: Int?
    var waits = Waits()
    /// Since it was sent: connected, the first byte, and the last.
    var connected = 0
    var firstByte = 0
    var total = 0
    var isReused = false
    var isRetried = false
    var cache: String?
    var cause = RequestCause.first
    var page: Int?
    var poll: Int?
    var isForToken = false
  }

  struct Waits: Sendable {
    var place = 0
    var rate = 0
    var pause = 0
    var announced = 0
    var retry = 0
    var poll = 0

    var total: Int { place + rate + pause + announced + retry + poll }
    /// The waits that a limit caused, or a server that asked for a pause or announced one.
    var held: Int { place + rate + pause + announced }
  }

  struct RunFinished: Sendable {
    var status: String
    var duration: Int
    var stopReason: String?
    var counts: RunTrace.Counts
    var failures: [RunTrace.Failed]
    var failureCount: Int
  }
}

// MARK: From a run

extension TraceEvent.RunStarted {
  init(_ run: RunEvent.RunStarted) {
    func rate(_ rate: RunEvent.RunLimits.Rate?) -> RunTrace.Limits.Rate? {
      rate.map { RunTrace.Limits.Rate(count: $0.count, per: $0.per.wholeMicroseconds) }
    }
    // As exact as a file of events has it.
    func moment(_ seconds: Double) -> Double {
      Double(Duration.seconds(seconds).wholeMicroseconds) / 1_000_000
    }
    self.init(
      run: run.runID, workflow: run.workflow, file: run.file, startedAt: moment(run.startedAt),
      resumedAt: run.resumedAt.map(moment),
      limits: RunTrace.Limits(
        concurrency: run.limits.concurrency, perOrigin: run.limits.perOrigin,
        rate: rate(run.limits.rate), ratePerOrigin: rate(run.limits.ratePerOrigin)),
      steps: run.steps.map(TraceEvent.Step.init), rowStep: run.rowStep)
  }
}

extension TraceEvent.Step {
  fileprivate init(_ step: RunEvent.StepSummary) {
    self.init(
      id: step.id, action: step.action, isCollection: step.isCollection,
      hasRounds: step.hasRounds, isFinally: step.isFinally, after: step.after, file: step.file,
      line: step.line,
      steps: step.steps.map(Self.init))
  }
}

extension TraceEvent.StepStarted {
  init(_ step: RunEvent.StepStarted) {
    self.init(
      step: step.step, path: step.path, items: step.items, concurrency: step.concurrency,
      isSequential: step.isSequential, release: step.releasedBy)
  }
}

extension TraceEvent.StepFinished {
  init(_ step: RunEvent.StepFinished) {
    self.init(
      step: step.step, path: step.path, ending: TraceEvent.Ending(step.outcome, step.recoveredBy),
      duration: step.duration.wholeMicroseconds, items: step.items,
      failedItems: step.failedItems, release: step.releasedBy)
  }
}

extension TraceEvent.Ending {
  init(_ outcome: RunEvent.Outcome, _ recoveredBy: String?) {
    switch outcome {
    case .succeeded: self.init(outcome: .succeeded)
    case .recovered(let failure):
      self.init(outcome: .recovered, failure: RunTrace.Failed(failure, isRecovered: true))
    case .skipped(let reason): self.init(outcome: .skipped, reason: reason)
    case .failed(let failure):
      self.init(
        outcome: .failed, failure: RunTrace.Failed(failure, isRecovered: recoveredBy != nil),
        recoveredBy: recoveredBy)
    case .cancelled: self.init(outcome: .cancelled)
    }
  }
}

extension TraceEvent.Request {
  init(_ request: RunEvent.RequestFinished) {
    let timings = request.timings
    self.init(
      step: request.step, path: request.path, item: request.item, attempt: request.attempt,
      method: request.method, url: request.url, status: request.status,
      error: request.error?.message, bytes: request.bytesReceived,
      sent: request.sent?.wholeMicroseconds,
      waits: TraceEvent.Waits(
        place: request.waits.place.wholeMicroseconds, rate: request.waits.rate.wholeMicroseconds,
        pause: request.waits.pause.wholeMicroseconds,
        announced: request.waits.announced.wholeMicroseconds,
        retry: request.waits.retry.wholeMicroseconds, poll: request.waits.poll.wholeMicroseconds),
      connected: max(timings.tls, timings.connect, timings.nameLookup).wholeMicroseconds,
      firstByte: timings.firstByte.wholeMicroseconds, total: timings.total.wholeMicroseconds,
      isReused: timings.reusedConnection, isRetried: request.retryAfter != nil,
      cache: request.cache?.rawValue, cause: request.cause, page: request.page,
      poll: request.poll, isForToken: request.isForToken)
  }
}

extension TraceEvent.RunFinished {
  init(_ report: RunReport) {
    let counts = report.counts
    self.init(
      status: report.status.rawValue, duration: report.duration.wholeMicroseconds,
      stopReason: report.stopReason?.message,
      counts: RunTrace.Counts(
        succeeded: counts.succeeded, recovered: counts.recovered, skipped: counts.skipped,
        failed: counts.failed, cancelled: counts.cancelled, requests: counts.requests,
        items: counts.items, bytes: counts.bytesReceived, cached: counts.cached,
        validated: counts.validated, taken: counts.taken),
      failures: report.failures.prefix(RunTrace.Most.failures).map {
        RunTrace.Failed($0, isRecovered: false)
      }, failureCount: report.failures.count)
  }
}

extension RunTrace.Failed {
  fileprivate init(_ failed: StepFailure, isRecovered: Bool) {
    let failure = failed.failure
    let position = failed.source.position(
      at: (failure.range ?? failed.stepRange).lowerBound)
    self.init(
      step: failed.step, path: failed.path, item: failed.item, kind: failure.kind.rawValue,
      message: failure.message, method: failure.request?.method, url: failure.request?.url,
      attempts: failure.request?.attempts, status: failure.status,
      body: failure.excerpt.map { $0.cut(to: RunTrace.Most.excerpt) }, details: failure.details,
      file: failed.source.name, line: position.line, column: position.column, time: nil,
      isRecovered: isRecovered)
  }
}

extension String {
  /// The first bytes, up to a whole scalar.
  func cut(to count: Int) -> String {
    guard utf8.count > count else { return self }
    var bytes = Array(utf8.prefix(count))
    while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
    if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self) + "…"
  }
}
