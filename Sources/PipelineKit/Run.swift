internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import Synchronization

/// One run of a pipeline: observe its events, await its result, pause, resume or cancel it.
///
/// The run begins with `start()`, or when its events or its result are first asked for. A pause or
/// cancellation before the beginning applies from then on: a cancelled run sends nothing.
public final class Run: Sendable {
  private let pipeline: Pipeline
  private let inputs: [String: JSONValue]
  private let controls = RunControls()
  private let hasBegun = Atomic(false)
  private let waiters = RunWaiters<Result<RunReport, any Error>>()
  private let log: EventLog
  /// Hides the run's secrets in texts that are shown to people.
  package let redactor: Redactor

  init(pipeline: Pipeline, inputs: [String: JSONValue]) {
    self.pipeline = pipeline
    self.inputs = inputs
    redactor = Redactor(names: pipeline.transport.readsAsker ? SecretNames() : nil)
    log = EventLog(limit: pipeline.options.keptEvents)
  }

  /// The events of the run, from its start to its end: a sequence for one listener. There may be
  /// several. Each has its own sequence, which it may ask for at any time.
  ///
  /// A listener that asks before the run begins gets every event. A late listener first gets the
  /// earlier events that were kept: the first `RunOptions.keptEvents`, and the one that ends the
  /// run. Where events are left out a note says so. After the end the sequence ends with these.
  ///
  /// Events wait, without limit, for a slow listener. A sequence that is not iterated over takes
  /// memory until it is released.
  public func events() -> RunEvents {
    RunEvents(stream: log.listen(), run: self)
  }

  /// The result of the run, when it has ended. A run that failed has a result too.
  ///
  /// Any number of tasks may await it. Cancelling one of them ends its own wait, with a
  /// `CancellationError`. If no other task waits, the run is cancelled too, and the wait ends when
  /// its `finally` steps have run. A run that was begun with `start()` always goes on: only
  /// `cancel()` stops it.
  ///
  /// - Throws: `InputError` if the inputs or the state do not fit the workflow, or if a login that
  ///   a person makes is missing. `JournalError` if the journal cannot be read. `RunInDoubt` if it
  ///   holds requests whose outcome is unknown. In each case nothing was sent. `MissingHandler` if
  ///   a step in Swift is not there. `CancellationError` if the task that awaits was cancelled.
  public var result: RunResult {
    get async throws {
      let outcome = await waiters.outcome(begin: begin, cancelRun: cancel)
      guard let report = try outcome?.get() else { throw CancellationError() }
      if Task.isCancelled, report.status == .cancelled { throw CancellationError() }
      return RunResult(report: report)
    }
  }

  /// How many tasks await the result.
  package var waiterCount: Int { waiters.count }

  /// Stops the run: requests in flight are aborted, no further step begins, `finally` steps run. A
  /// run that has not begun ends without any step.
  ///
  /// If the run has a journal, a request that must not be sent twice may end first, for up to 10
  /// seconds.
  public func cancel() { controls.send(.cancel) }

  /// Starts nothing further until `resume()`. Requests in flight continue. `finally` steps are not
  /// held back, and a run that stops is no longer paused.
  ///
  /// Calls of `pause()`, `resume()` and `cancel()` apply in their order.
  public func pause() { controls.send(.pause) }

  /// Goes on after `pause()`.
  public func resume() { controls.send(.resume) }

  /// Begins the run, if it has not begun: requests are sent even if no task awaits their results.
  ///
  /// A run that was started continues to its end, even if it is no longer referenced, or if every
  /// task that awaits it is cancelled. `cancel()` stops it.
  ///
  /// - Returns: The run itself.
  @discardableResult
  public func start() -> Run {
    waiters.makeIndependent()
    begin()
    return self
  }

  /// The outputs of the run, decoded together, once it has succeeded.
  ///
  /// - Parameters:
  ///   - type: The type of all outputs together.
  ///   - keys: How names of members become keys of the type.
  /// - Returns: The decoded outputs.
  /// - Throws: `RunFailure` if the run did not succeed; also the errors of `result` and
  ///   `RunResult.decode(_:keys:)`.
  public func value<Value: Decodable>(
    of type: Value.Type, keys: DecodingKeys = .asWritten
  ) async throws -> Value {
    try await result.get().decode(type, keys: keys)
  }

  /// Begins the run, if it has not begun.
  ///
  /// Its task is unstructured, as only `Grace` has another. A run outlives the expression that began
  /// it, so that one task may show its events while another awaits its result. It is never cancelled
  /// itself; `cancel()` speaks to the scheduler, which ends it in order.
  func begin() {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // A clock that advances when all tasks are idle must know of all work.
    let executor = pipeline.options.clock.executor ?? pipeline.transport.preferredExecutor(for: nil)
    Task(executorPreference: executor) { self.waiters.end(with: await self.perform()) }
  }

  private func perform() async -> Result<RunReport, any Error> {
    defer { log.finish() }
    do {
      return .success(try await carryOut())
    } catch {
      return .failure(error)
    }
  }

  private func carryOut() async throws -> RunReport {
    let runner = try runner(isRehearsal: false)
    if let record = runner.record {
      // A run is known from its first request on. If it cannot be written down, its end says so.
      try? await pipeline.options.journal?.commit(.started(record), surviving: .process)
    }
    return await runner.run()
  }

  func rehearse() throws -> Rehearsal { try runner(isRehearsal: true).rehearse() }

  private func runner(isRehearsal: Bool) throws -> Runner {
    let plan = pipeline.plan
    if !isRehearsal { try pipeline.handlers.check(plan, pipeline.transport) }
    var options = pipeline.options
    let history = try options.journal?.history()
    let earlier = history?.run
    if !isRehearsal, let doubts = history?.openDoubts(in: plan), !doubts.isEmpty {
      throw RunInDoubt(requests: doubts)
    }
    let startedAt = earlier?.startedAt ?? options.clock.wallTime
    options.environment = earlier.map(\.environment) ?? options.environment
    let values = try InputValues(workflow: plan.workflow, options: options, startedAt: startedAt)
      .resolve(earlier.map { $0.inputs(of: plan.workflow, givenAnew: inputs) } ?? inputs)
    if !(pipeline.transport is any StandInTransport) {
      try StandIns.refuse(in: values.node, plan.workflow)
    }
    options.state = earlier?.state ?? options.state
    let state = try StateValues(workflow: plan.workflow, startedAt: startedAt)
      .resolve(options.state)
    for input in plan.workflow.inputs where input.isSecret {
      if let value = values.node[input.name] {
        redactor.hide(value, as: "inputs.\(input.name)")
      }
    }
    let identity = RunIdentity(
      id: earlier?.id ?? options.runID ?? Self.randomID(), startedAt: startedAt)
    options.runID = identity.id
    let open = history.map { OpenJournal($0, options, plan, redactor) }
    let sink = sink(options)
    options.recordedInputs = earlier?.inputs
    if !isRehearsal {
      var pipeline = pipeline
      pipeline.options = options
      try pipeline.checkLogins(values.node)
    }
    let context = RunContext(
      transport: pipeline.transport, handlers: pipeline.handlers, options: options,
      limits: plan.workflow.limits,
      redactor: redactor,
      trust: Trust(plan: plan, inputs: values, sandboxOrigin: options.sandboxOrigin), sink: sink,
      controls: controls, journal: open?.units,
      rows: HandedRows(
        of: plan, options, mayBeOnDisk: options.mayPutRowsAside && !pipeline.transport.readsAsker),
      questions: RunQuestions(history?.questions ?? [], startedAt: startedAt))
    var runner = Runner(
      plan: plan, inputs: values, state: state, identity: identity, context: context,
      controls: controls)
    if isRehearsal {
      try open?.lend(to: &runner, forRehearsal: true)
      return runner
    }
    try checkDoubts(open, runner)
    if open != nil {
      runner.record = RunRecord(
        id: identity.id, workflow: plan.workflow.name, file: plan.workflow.source.name,
        startedAt: identity.startedAt, environment: options.environment,
        inputs: plan.workflow.withoutSecrets(values.node), state: options.state)
    }
    try open?.lend(to: &runner, forRehearsal: false)
    var started = RunEvent.RunStarted(
      plan, identity, resumedAt: earlier.map { _ in options.clock.wallTime },
      concurrency: context.concurrency)
    started.rowStep = options.rowStep
    sink.emit(.runStarted(started))
    return runner
  }

  /// Makes sure that nothing is sent while a person must say what becomes of a request.
  private func checkDoubts(_ open: OpenJournal?, _ runner: Runner) throws {
    guard let open, open.history.hasCarriedOut else { return }
    var runner = runner
    try open.lend(to: &runner, forRehearsal: true)
    let changed = try runner.rehearse().changed
    if !changed.isEmpty { throw RunInDoubt(requests: changed) }
  }

  /// What an earlier process left, and the journal that the run goes on with.
  private struct OpenJournal {
    let history: any JournalHistory
    let units: UnitJournal
    private let options: RunOptions
    private let plan: Plan

    init(
      _ history: any JournalHistory, _ options: RunOptions, _ plan: Plan, _ redactor: Redactor
    ) {
      self.history = history
      self.options = options
      self.plan = plan
      let journal = options.journal ?? MemoryJournal()
      units = UnitJournal(
        journal, history, clock: options.clock, redactor: redactor,
        sandboxOrigin: options.sandboxOrigin, plan: plan)
    }

    /// Gives the runner all that was recorded. A rehearsal decides for itself.
    func lend(to runner: inout Runner, forRehearsal isRehearsal: Bool) throws(JournalError) {
      let work = UnitWork(
        plan, history, units, runner.context.redactor, sandboxOrigin: options.sandboxOrigin,
        answers: isRehearsal ? UnitAnswers() : units.answers)
      let recorded = try RecordedUnits(
        history, units.fingerprints, work, own: options.part?.ownSteps(of: plan))
      runner.work = work
      runner.recorded =
        recorded.isEmpty && options.part == nil && !isRehearsal ? nil : recorded
      if isRehearsal { runner.doubts = history.openDoubts(in: plan) }
    }
  }

  /// Where events go.
  private func sink(_ options: RunOptions) -> EventSink {
    let log = log
    guard let observer = options.observer else {
      return EventSink(clock: options.clock, log: log) { event in log.append(event) }
    }
    return EventSink(clock: options.clock, log: nil) { event in
      observer(event)
      if log.isWanted || event.kind.endsRun { log.append(event) }
    }
  }

  /// 16 hexadecimal digits.
  package static func randomID() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
