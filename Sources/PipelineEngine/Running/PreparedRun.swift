package import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

/// One run: what it is made of, what is said to it while it is carried out, and its events.
package struct PreparedRun: Sendable {
  private let engine: Engine
  private let inputs: [String: JSONValue]
  private let controls = RunControls()
  private let log: EventLog
  /// Hides the run's secrets in texts that are shown to people.
  package let redactor: Redactor

  package init(_ engine: Engine, inputs: [String: JSONValue]) {
    self.engine = engine
    self.inputs = inputs
    redactor = Redactor(names: engine.transport.readsAsker ? SecretNames() : nil)
    log = EventLog(limit: engine.options.keptEvents)
  }

  /// Where the tasks of the run prefer to be carried out: a clock that advances when all tasks are
  /// idle must know of all work.
  package var executor: (any TaskExecutor)? {
    engine.options.clock.executor ?? engine.transport.preferredExecutor(for: nil)
  }

  /// The events for one more listener, from the first that was kept.
  package func events() -> AsyncStream<RunEvent> { log.listen() }

  /// Stops the run.
  package func cancel() { controls.send(.cancel) }

  /// Starts nothing further until `resume()`.
  package func pause() { controls.send(.pause) }

  /// Goes on after `pause()`.
  package func resume() { controls.send(.resume) }

  /// Carries the run out, which is done once.
  package func carryOut() async throws -> RunReport {
    defer { log.finish() }
    let runner = try runner(isRehearsal: false)
    if let record = runner.record {
      // A run is known from its first request on. If it cannot be written down, its end says so.
      try? await engine.options.journal?.commit(.started(record), surviving: .process)
    }
    return await runner.run()
  }

  /// What carrying it out would do. Nothing is sent, and nothing is written.
  package func rehearse() throws -> Rehearsal { try runner(isRehearsal: true).rehearse() }

  private func runner(isRehearsal: Bool) throws -> Runner {
    let plan = engine.plan
    if !isRehearsal { try engine.handlers.check(plan, engine.transport) }
    var options = engine.options
    let history = try options.journal?.history()
    let earlier = history?.run
    if !isRehearsal, let doubts = history?.openDoubts(in: plan), !doubts.isEmpty {
      throw RunInDoubt(requests: doubts)
    }
    let startedAt = earlier?.startedAt ?? options.clock.wallTime
    options.environment = earlier.map(\.environment) ?? options.environment
    let values = try InputValues(workflow: plan.workflow, options: options, startedAt: startedAt)
      .resolve(earlier.map { $0.inputs(of: plan.workflow, givenAnew: inputs) } ?? inputs)
    if !(engine.transport is any StandInTransport) {
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
      id: earlier?.id ?? options.runID ?? RunIdentity.randomID(), startedAt: startedAt)
    options.runID = identity.id
    let open = history.map { OpenJournal($0, options, plan, redactor) }
    let sink = sink(options)
    options.recordedInputs = earlier?.inputs
    if !isRehearsal {
      var engine = engine
      engine.options = options
      try engine.checkLogins(values.node)
    }
    let context = RunContext(
      transport: engine.transport, handlers: engine.handlers, options: options,
      limits: plan.workflow.limits,
      redactor: redactor,
      trust: Trust(plan: plan, inputs: values, sandboxOrigin: options.sandboxOrigin), sink: sink,
      controls: controls, journal: open?.units,
      rows: HandedRows(
        of: plan, options, mayBeOnDisk: options.mayPutRowsAside && !engine.transport.readsAsker),
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
    guard let open, open.history.hasCarriedOut || !open.history.underWay(in: engine.plan).isEmpty
    else {
      return
    }
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
}
