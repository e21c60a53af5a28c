internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs
internal import Synchronization

/// Says when a request may leave: within the limits of the run, of the called files around it, and
/// those that the run shares with others.
final class RunGates: Sendable {
  /// The limits of the run's file.
  let limits: Limits
  /// The most requests in flight.
  let concurrency: Int
  private let own: OriginGates
  /// The state that other runs share with this one; `nil` if none does.
  private let shared: OriginGates?
  /// The limits of called files, by the file's plan.
  private let calledFiles = Mutex<[ObjectIdentifier: CalledFile]>([:])
  private let requests = Atomic<Int>(0)
  private let received = Atomic<Int>(0)
  private let quotas: QuotaGate
  private let options: RunOptions
  private let controls: RunControls

  init(_ limits: Limits, _ options: RunOptions, _ controls: RunControls) {
    self.limits = limits
    self.options = options
    self.controls = controls
    concurrency = options.concurrency ?? limits.concurrency
    shared = options.limit?.gates
    quotas = QuotaGate(options, controls)
    own = OriginGates(
      limits: OriginGates.Limits(
        run: concurrency, origin: limits.perOrigin ?? concurrency, runRate: limits.rate,
        originRate: limits.ratePerOrigin,
        announced: limits.announced
          ? OriginGates.Announced(
            patience: limits.retryAfter, keeper: options.announcedLimits,
            sandbox: options.sandboxOrigin) : nil), clock: options.clock,
      sharing: options.sharing)
  }

  /// How many requests the run has sent.
  var requestCount: Int { requests.load(ordering: .relaxed) }

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
    try quotas.check()
    for caller in callers where Self.hasBudget(caller) { try calledFile(caller).checkRequests() }
    if requestCount >= limits.requests { throw tooManyRequests }
    if let bytes = limits.bytes, received.load(ordering: .relaxed) >= bytes {
      throw FailureReason(
        .limit,
        "the run has received \(SizeText.text(bytes)); 'limits.bytes' sets how much it may receive")
    }
  }

  private static func hasBudget(_ caller: Plan) -> Bool {
    !caller.workflow.limitNames.isDisjoint(with: ["requests", "bytes"])
  }

  /// Counts a request whose first byte is about to leave.
  ///
  /// - Parameters:
  ///   - origin: Where it goes.
  ///   - callers: The called files around.
  /// - Throws: A failure if the run, or a called file, has sent as many as it may.
  func countRequest(to origin: Origin, _ callers: [Plan]) throws(FailureReason) {
    try countForQuotas(origin, callers)
    for caller in callers where caller.workflow.limitNames.contains("requests") {
      try calledFile(caller).countRequest()
    }
    let count = requests.add(1, ordering: .relaxed).newValue
    guard count <= limits.requests else {
      requests.subtract(1, ordering: .relaxed)
      throw tooManyRequests
    }
  }

  private func countForQuotas(_ origin: Origin, _ callers: [Plan]) throws(FailureReason) {
    if let quota = limits.quota { try quotas.count(origin, quota) }
    for caller in callers {
      // A file that extends the same base has its quota, which is counted once.
      guard let quota = caller.workflow.limits.quota, quota != limits.quota else { continue }
      try quotas.count(origin, quota)
    }
  }

  /// Counts what has been received of a body.
  func countReceived(_ count: Int, _ callers: [Plan]) {
    received.add(count, ordering: .relaxed)
    for caller in callers where caller.workflow.limits.bytes != nil {
      calledFile(caller).countReceived(count)
    }
  }

  /// The run sends nothing more.
  func close() {
    quotas.giveBack()
    own.close()
  }

  private var tooManyRequests: FailureReason {
    FailureReason(
      .limit,
      "the run has sent \(limits.requests) request\(limits.requests == 1 ? "" : "s");"
        + " 'limits.requests' sets how many it may send")
  }

  /// Whether a request to `origin` may be sent without waiting. If so, `leave` must follow.
  func entersAtOnce(_ origin: Origin, _ callers: [Plan]) -> Bool {
    callers.isEmpty && shared == nil && own.entersAtOnce(origin)
  }

  /// Returns when a request to `origin` may be sent; `leave` must follow.
  ///
  /// - Parameters:
  ///   - callers: The called files around, whose limits it must keep, too.
  ///   - parking: Frees its slot while the request waits for something that other requests do not
  ///     need.
  ///   - tells: Called once for each window, with the time for which an announced limit holds
  ///     requests back.
  /// - Returns: How long it has waited.
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  func enter(
    _ origin: Origin, _ callers: [Plan], _ parking: Parking?, tells: (Duration) -> Void
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
      waits = waits + (try await own.enter(origin, tells: tells) { if $0 { park() } })
      guard let shared else { return waits }
      entered.append(own)
      return waits + (try await shared.enter(origin, tells: tells) { if $0 { park() } })
    } catch {
      for gates in entered.reversed() { gates.leave(origin, wasSent: false) }
      throw error
    }
  }

  /// Whether a rate limits how fast requests follow each other.
  func hasRate(_ callers: [Plan]) -> Bool {
    own.hasRate || shared?.hasRate == true
      || callers.contains { calledFile($0).gates?.hasRate ?? false }
  }

  /// The first byte of a request is about to be sent.
  func sends(to origin: Origin, _ callers: [Plan]) {
    own.sends(to: origin)
    shared?.sends(to: origin)
    for caller in callers { calledFile(caller).gates?.sends(to: origin) }
  }

  /// Sends nothing to an origin for the time that it has asked for.
  func hold(_ origin: Origin, for pause: Duration) {
    own.hold(origin, for: pause)
    shared?.hold(origin, for: pause)
  }

  /// Takes what an answer announces of its origin's limits, before the request leaves.
  func note(_ response: TransportResponse, from origin: Origin) {
    guard limits.announced else { return }
    let fields = response.limitFields
    guard !fields.isEmpty || own.hasAnnounced(origin) else { return }
    let wall = options.clock.wallTime
    let announced = AnnouncedLimit.all(in: fields.map { ($0.name, $0.value) }, now: wall)
    let date = response.header("date").flatMap { HTTPDate($0, now: wall) }?.secondsSince1970
    own.note(announced, date: date, from: origin)
    shared?.note(announced, date: date, from: origin)
  }

  func leave(_ origin: Origin, _ callers: [Plan], wasSent: Bool) {
    shared?.leave(origin, wasSent: wasSent)
    own.leave(origin, wasSent: wasSent)
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
}
