internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineRecordings
internal import PipelineURIs
internal import Synchronization

/// The state that all the tasks of one run share. Everything that changes is protected by a lock or
/// atomic.
final class RunContext: Sendable {
  let transport: any Transport
  private let meteredTransport: (any MeteredTransport)?
  /// Whether the transport ends requests at their limits, so that the run need not.
  private let keepsTimeLimits: Bool
  /// Answers some steps in Swift, or all.
  private let mock: (any StepMock)?
  /// The handlers that steps in Swift call.
  let handlers: Handlers
  /// Whether the transport wants to know the asking step.
  let tellsAskers: Bool
  let options: RunOptions
  let limits: Limits
  let redactor: Redactor
  let gates: OriginGates
  let trust: Trust
  let origins = RecentOrigin()
  private let events: EventSink?
  private let controls: RunControls
  /// The limits of called files, by the file's plan.
  private let calledFiles = Mutex<[ObjectIdentifier: CalledFile]>([:])
  private let requests = Atomic<Int>(0)
  private let bytes = Atomic<Int>(0)
  /// Bytes of rows, and of bodies that are being read.
  private let memory = MemoryLedger()
  let tokens: TokenStore
  /// On which tokens expire.
  let tokenClock: any RunClock
  /// The state that other runs share with this one; `nil`: none does.
  private let sharedGates: OriginGates?
  /// Where the run writes down what happens; `nil`: nowhere.
  let journal: UnitJournal?
  /// The cache of responses; `nil`: nothing is kept.
  let cache: (any ResponseCache)?
  private let cached = Atomic<Int>(0)
  private let validated = Atomic<Int>(0)
  /// The notes for people, and their places.
  let notes: RunNotes
  /// The rows of the run's file that are handed on.
  let rows: HandedRows

  init(
    transport: any Transport, handlers: Handlers = Handlers(), options: RunOptions,
    limits: Limits, redactor: Redactor, trust: Trust, sink: EventSink?, controls: RunControls,
    journal: UnitJournal? = nil, rows: HandedRows = HandedRows()
  ) {
    self.journal = journal
    self.rows = rows
    tokens = options.tokens?.store ?? TokenStore()
    tokenClock = options.tokens?.clock ?? options.clock
    sharedGates = options.limit?.gates
    cache = options.cache
    self.transport = transport
    meteredTransport = transport as? any MeteredTransport
    keepsTimeLimits = transport.keepsTimeLimits
    mock = transport as? any StepMock
    self.handlers = handlers
    tellsAskers = transport.readsAsker || options.transferObserver != nil
    self.options = options
    self.limits = limits
    self.redactor = redactor
    self.trust = trust
    notes = RunNotes(sink, redactor)
    events = sink
    self.controls = controls
    let concurrency = options.concurrency ?? limits.concurrency
    gates = OriginGates(
      limits: OriginGates.Limits(
        run: concurrency, origin: limits.perOrigin ?? concurrency, runRate: limits.rate,
        originRate: limits.ratePerOrigin), clock: options.clock, sharing: options.sharing)
  }

  /// Where events go; `nil` while nobody wants them.
  var sink: EventSink? { notes.sink }

  /// Tells how the run ended, which also late listeners want to know.
  func emitEnd(_ report: RunReport) { events?.emit(.runFinished(report)) }

  /// The most requests in flight.
  var concurrency: Int { options.concurrency ?? limits.concurrency }

  var requestCount: Int { requests.load(ordering: .relaxed) }
  var bytesReceived: Int { bytes.load(ordering: .relaxed) }

  /// Where a task runs that begins with this unit.
  func executor(for unit: Unit) -> (any TaskExecutor)? {
    options.clock.executor ?? transport.preferredExecutor(for: unit.id)
  }

  /// Sends a request, which `meter` counts.
  func send(
    _ request: TransportRequest, _ meter: RequestMeter
  ) async throws(TransportError) -> TransportResponse {
    if let name = request.origin?.handler, !isMocked(request) {
      return try await call(name, request, meter)
    }
    guard let observer = options.transferObserver, let asker = request.asker else {
      return try await carry(request, meter)
    }
    var request = request
    request.transfer = TransferProgress(asker.key, of: request.body, observer)
    let response = try await carry(request, meter)
    request.transfer?.end(received: response.bodySize)
    return response
  }

  private func carry(
    _ request: TransportRequest, _ meter: RequestMeter
  ) async throws(TransportError) -> TransportResponse {
    if keepsTimeLimits { return try await hand(request, meter) }
    return try await limited(request, meter)
  }

  /// Hands a request to the transport.
  func hand(
    _ request: TransportRequest, _ meter: RequestMeter
  ) async throws(TransportError) -> TransportResponse {
    if let meteredTransport { return try await meteredTransport.send(request, meter) }
    guard meter.begin() == .leaves else { throw TransportError(.cancelled, "a limit is reached") }
    return try await transport.send(request)
  }

  /// Whether the transport stands for the handler that a request calls.
  private func isMocked(_ request: TransportRequest) -> Bool {
    guard let mock, let step = request.asker?.key.step else { return false }
    return mock.answers(step)
  }

  /// - Throws: A failure if this process must not send anything more. The run is cancelled then.
  func checkRight() throws(FailureReason) {
    guard options.maySend?() == false else { return }
    controls.send(.cancel)
    throw FailureReason(.cancelled, "another process may carry this out now, so nothing was sent")
  }

  /// Whether a request may still be sent, which saves waiting and connecting if not.
  ///
  /// - Throws: A failure if the run, or a called file, has sent as many as it may.
  func checkRequests(_ callers: [Plan]) throws(FailureReason) {
    for caller in callers where caller.workflow.limitNames.contains("requests") {
      try calledFile(caller).checkRequests()
    }
    if requestCount >= limits.requests { throw tooManyRequests }
  }

  /// Counts a request whose first byte is about to leave.
  ///
  /// - Parameter callers: The called files around.
  /// - Throws: A failure if the run, or a called file, has sent as many as it may.
  func countRequest(_ callers: [Plan]) throws(FailureReason) {
    for caller in callers where caller.workflow.limitNames.contains("requests") {
      try calledFile(caller).countRequest()
    }
    let count = requests.add(1, ordering: .relaxed).newValue
    guard count <= limits.requests else {
      requests.subtract(1, ordering: .relaxed)
      throw tooManyRequests
    }
  }

  private var tooManyRequests: FailureReason {
    FailureReason(
      .limit,
      "the run has sent \(limits.requests) requests; 'limits.requests' sets how many it may send")
  }

  func countReceived(_ count: Int) {
    bytes.add(count, ordering: .relaxed)
  }

  /// Counts an answer of the cache.
  func count(_ use: CacheUse) {
    switch use {
    case .fresh: cached.add(1, ordering: .relaxed)
    case .validated: validated.add(1, ordering: .relaxed)
    }
  }

  func useCount(_ use: CacheUse) -> Int {
    switch use {
    case .fresh: cached.load(ordering: .relaxed)
    case .validated: validated.load(ordering: .relaxed)
    }
  }

  func hold(_ count: Int) {
    if count != 0 { memory.hold(count) }
  }

  func release(_ count: Int) { memory.release(count) }

  /// The memory that the body of one response may take.
  @inline(never)
  func responseBudget(_ limits: Limits) -> ResponseBudget {
    ResponseBudget(memory, limit: limits.memory)
  }

  /// - Throws: A failure where rows, bodies and failures hold more than they may.
  func checkMemory(_ limits: Limits) throws(FailureReason) {
    guard memory.held <= limits.memory else {
      throw .tooMuchHeld(limits)
    }
  }

  // MARK: Gates

  /// Whether a request to `origin` may be sent without waiting. If so, `leave` must follow.
  func entersAtOnce(_ origin: Origin, _ callers: [Plan]) -> Bool {
    callers.isEmpty && sharedGates == nil && gates.entersAtOnce(origin)
  }

  /// Returns when a request to `origin` may be sent; `leave` must follow.
  ///
  /// - Parameters:
  ///   - callers: The called files around, whose limits it must keep, too.
  ///   - parking: Frees its slot while the request waits for something that other requests do not
  ///     need.
  /// - Returns: How long it has waited.
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  func enter(
    _ origin: Origin, _ callers: [Plan], _ parking: Parking?
  ) async throws -> RunEvent.Waits {
    var isParked = false
    func park() {
      guard !isParked, let parking else { return }
      isParked = true
      controls.send(.park(parking))
    }
    defer { if isParked, let parking { controls.send(.unpark(parking)) } }
    // From inside out: a request that waits for a place of the run holds those of the files, never
    // the reverse.
    var entered: [OriginGates] = []
    var waits = RunEvent.Waits()
    do {
      for caller in callers.reversed() {
        guard let gates = calledFile(caller).gates else { continue }
        waits = waits + (try await gates.enter(origin) { _ in park() })
        entered.append(gates)
      }
      waits = waits + (try await gates.enter(origin) { if $0 { park() } })
      guard let sharedGates else { return waits }
      entered.append(gates)
      return waits + (try await sharedGates.enter(origin) { if $0 { park() } })
    } catch {
      for gates in entered.reversed() { gates.leave(origin, wasSent: false) }
      throw error
    }
  }

  /// Whether a rate limits how fast requests follow each other.
  func hasRate(_ callers: [Plan]) -> Bool {
    gates.hasRate || sharedGates?.hasRate == true
      || callers.contains { calledFile($0).gates?.hasRate ?? false }
  }

  /// The first byte of a request is about to be sent.
  func sends(to origin: Origin, _ callers: [Plan]) {
    gates.sends(to: origin)
    sharedGates?.sends(to: origin)
    for caller in callers { calledFile(caller).gates?.sends(to: origin) }
  }

  /// Sends nothing to an origin for so long, as it has asked.
  func hold(_ origin: Origin, for pause: Duration) {
    gates.hold(origin, for: pause)
    sharedGates?.hold(origin, for: pause)
  }

  func leave(_ origin: Origin, _ callers: [Plan], wasSent: Bool) {
    sharedGates?.leave(origin, wasSent: wasSent)
    gates.leave(origin, wasSent: wasSent)
    for caller in callers { calledFile(caller).gates?.leave(origin, wasSent: wasSent) }
  }

  /// Waits, while `parking`'s slot is free.
  func sleep(for duration: Duration, _ parking: Parking?) async throws {
    if let parking { controls.send(.park(parking)) }
    defer { if let parking { controls.send(.unpark(parking)) } }
    try await options.clock.sleep(for: duration)
  }

  private func calledFile(_ plan: Plan) -> CalledFile {
    calledFiles.withLock { files in
      if let file = files[ObjectIdentifier(plan)] { return file }
      let file = CalledFile(
        plan.workflow, clock: options.clock, sharing: options.sharing)
      files[ObjectIdentifier(plan)] = file
      return file
    }
  }

  /// 32 hexadecimal digits, from the run's own chances.
  func randomID() -> String {
    (0..<8).map { _ in
      let digits = String(Int(options.random() * 65_536), radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}

extension FailureReason {
  static func tooMuchHeld(_ limits: Limits) -> FailureReason {
    FailureReason(
      .limit,
      "rows, bodies and failures hold more than \(limits.memoryText); 'limits.memory' sets how"
        + " much they may hold")
  }
}

extension Limits {
  /// `memory` in a message.
  var memoryText: String {
    switch memory {
    case (10 << 20)..., 1 << 20: "\(memory >> 20) MB"
    case (10 << 10)...: "\(memory >> 10) KB"
    default: "\(memory) bytes"
    }
  }
}
