internal import JSONPaths
internal import JSONText
internal import Workflows

/// Does what `RunState` decides: units of work are carried out by child tasks, whose parent alone owns
/// the state.
struct Runner {
  let plan: Plan
  let inputs: ScopeValue
  let state: ScopeValue
  let identity: RunIdentity
  let context: RunContext
  let controls: RunControls
  /// What earlier processes of the run have done.
  var recorded: RecordedUnits?

  /// Runs to the end, `finally` steps included.
  func run() async -> RunReport {
    await Interruption.$source.withValue(controls.signal) { await perform() }
  }

  /// Finds out what the run would do, as far as that does not depend on answers, and sends nothing.
  func rehearse() throws(JournalError) -> Rehearsal {
    var state = RunState(
      plan: plan, inputs: inputs, state: state, given: context.options.state, identity: identity,
      concurrency: context.options.concurrency ?? plan.workflow.limits.concurrency,
      isObserved: false, files: context.options.files, redactor: context.redactor,
      keepsLineage: true)
    var recorded = recorded
    var rehearsal = Rehearsal()
    var actions: [Action] = []
    state.start()
    while !state.isFinished {
      state.takeActions(into: &actions)
      if actions.isEmpty {
        guard state.isBusy else { break }
        state.goOn(at: .zero)
      }
      for case .start(let unit) in actions {
        if state.mayTake(unit.id), let outcome = recorded?.take(unit) {
          rehearsal.take(unit.label.id)
          state.finish(unit.id, outcome, at: .zero)
        } else {
          state.noteAction(of: unit.id)
          rehearsal.carryOut(
            unit.label.id, try recorded?.reason(for: unit) ?? .unfinished)
          state.finish(unit.id, .skipped("it would be carried out"), at: .zero)
        }
      }
    }
    return rehearsal
  }

  private func perform() async -> RunReport {
    var state = RunState(
      plan: plan, inputs: inputs, state: state, given: context.options.state, identity: identity,
      concurrency: context.options.concurrency ?? plan.workflow.limits.concurrency,
      isObserved: context.sink != nil, files: context.options.files,
      finallyLimit: context.options.finallyLimit,
      streamsRows: context.options.rowReader != nil, signal: controls.signal,
      turnsPerCall: Self.turnsPerCall, redactor: context.redactor,
      keepsLineage: context.journal != nil)
    var recorded = recorded
    var taken: [(unit: Int, outcome: UnitOutcome)] = []
    var takenCount = 0
    let clock = context.options.clock
    let start = clock.elapsed
    var pending: [Unit] = []
    var actions: [Action] = []
    var timers = Timers()
    var report: RunReport?
    var isInFinally = false
    begin(&state)
    // A task that was cancelled stays so, as does whatever is added to its group: what must still run
    // after a stop gets a group of its own.
    while report == nil {
      await withDiscardingTaskGroup { group in
        var tasks = TaskPool(context)
        var isCancelled = false
        var calls = 0
        listen(&tasks, &group)
        if isInFinally {
          let limit = context.options.finallyLimit
          tasks.add(to: &group, on: globalConcurrentExecutor) { [controls] in
            guard await sleep(limit) else { return .nothing }
            controls.signal.raise(.attention)
            return .finallyLimit
          }
        } else {
          watchDeadline(
            left: plan.workflow.limits.deadline - (clock.elapsed - start), &tasks, &group)
        }
        for unit in pending { tasks.start(unit, in: &group) }
        pending = []
        timers.sleeper = nil
        wait(for: &timers, &tasks, &group)
        while true {
          let reasons = controls.signal.take()
          state.isObserved = context.sink != nil
          // What took long ended now, and not when it began.
          state.takeActions(
            into: &actions, at: reasons.isEmpty ? nil : clock.elapsed - start)
          context.hold(state.memory.takeChange())
          for action in actions {
            switch action {
            case .start(let unit):
              if recorded != nil, state.mayTake(unit.id), let outcome = recorded?.take(unit) {
                taken.append((unit.id, outcome))
                continue
              }
              if recorded != nil { state.noteAction(of: unit.id) }
              if isCancelled { pending.append(unit) } else { tasks.start(unit, in: &group) }
            case .cancel(let units):
              for unit in units { unit.token?.cancel() }
            case .cancelAll:
              isCancelled = true
              group.cancelAll()
            case .emit(let event): context.sink?.emit(event.redacted(by: context.redactor))
            case .row(let row): handOn(row)
            case .startTimer(let frame, let duration):
              timers.start(frame, end: clock.elapsed + duration)
              if !isCancelled { wait(for: &timers, &tasks, &group) }
            case .stopTimer(let frame): timers.stop(frame)
            case .beginFinally:
              isInFinally = true
              isCancelled = true
              group.cancelAll()
            case .finish(let finished):
              report = finished
              group.cancelAll()
            }
          }
          guard report == nil else { break }
          if !taken.isEmpty {
            takenCount += taken.count
            for (unit, outcome) in taken { state.finish(unit, outcome, at: clock.elapsed - start) }
            taken.removeAll(keepingCapacity: true)
            continue
          }
          if !reasons.isEmpty {
            apply(reasons, isInFinally: isInFinally, to: &state, at: clock.elapsed - start)
            if !state.actions.isEmpty { continue }
          }
          guard let news = state.isBusy ? tasks.poll() : await tasks.next() else {
            guard state.isBusy else { break }
            calls += 1
            // Whoever else runs on this thread, as what receives responses, has its turn.
            if calls % Self.callsPerYield == 0 { await Task.yield() }
            state.goOn(at: clock.elapsed - start)
            continue
          }
          let now = clock.elapsed - start
          // What the news says may have been said by a signal, too.
          apply(controls.signal.take(), isInFinally: isInFinally, to: &state, at: now)
          switch news {
          case .done(let unit, let outcome, _): state.finish(unit, outcome, at: now)
          case .control(let command):
            apply(command, to: &state, at: now)
            if !isCancelled { listen(&tasks, &group) }
          case .timer:
            for frame in timers.takeDue(at: clock.elapsed) { state.expire(frame: frame, at: now) }
            if !isCancelled { wait(for: &timers, &tasks, &group) }
          case .finallyLimit: state.stop(state.finallyTookTooLong, at: now)
          case .nothing: break
          }
        }
        tasks.close()
      }
    }
    return await finished(report, taken: takenCount)
  }

  /// How much the scheduler does before it looks for news: as much as takes some microseconds.
  private static let turnsPerCall = 64
  private static let callsPerYield = 4

  /// What was asked for before the run began counts from its beginning.
  private func begin(_ state: inout RunState) {
    let isCancelled = controls.signal.take().contains(.cancel)
    for command in controls.takeAll() { apply(command, to: &state, at: .zero) }
    if isCancelled { state.cancelBeforeStart() } else { state.start() }
  }

  /// Does what cannot wait until the scheduler reads its news.
  private func apply(
    _ reasons: StopSignal.Reasons, isInFinally: Bool, to state: inout RunState, at now: Duration
  ) {
    guard !reasons.isEmpty else { return }
    for command in controls.takeAll() { apply(command, to: &state, at: now) }
    if reasons.contains(.cancel) { apply(.cancel, to: &state, at: now) }
    // Clean-up that has begun has a limit of its own.
    guard reasons.contains(.deadline), !isInFinally else { return }
    let limit = plan.workflow.limits.deadline.text
    state.stop(
      Failure(
        .limit, "the run took longer than \(limit); 'limits.deadline' sets how long it may"),
      at: now)
  }

  /// Says when the run's time is over, also to a scheduler that computes: on another thread than its.
  private func watchDeadline(
    left: Duration, _ tasks: inout TaskPool, _ group: inout DiscardingTaskGroup
  ) {
    tasks.add(to: &group, on: globalConcurrentExecutor) { [controls] in
      if await sleep(left) { controls.signal.raise(.deadline) }
      return .nothing
    }
  }

  private func handOn(_ row: [UInt8]) {
    // Rows are handed on where they are the one output.
    let isRevealed = plan.workflow.block.outputs?.first?.isRevealed == true
    context.options.rowReader?(isRevealed ? row : context.redactor.redact(json: row))
  }

  private func finished(_ report: RunReport?, taken: Int) async -> RunReport {
    guard var report else {
      preconditionFailure("the loop above ends with a report")
    }
    report.counts.requests = context.requestCount
    report.counts.bytesReceived = context.bytesReceived
    report.counts.cached = context.useCount(.fresh)
    report.counts.validated = context.useCount(.validated)
    report.counts.taken = taken
    report.counts.inDoubt = context.journal?.doubtCount ?? 0
    report = report.redacted(
      by: context.redactor, revealing: plan.workflow.block.outputs ?? [])
    if let journal = context.journal?.journal {
      if !context.options.leavesJournalOpen { journal.append(.finished(FinishRecord(report))) }
      report.journalProblem = await journal.finish()
    }
    context.emitEnd(report)
    return report
  }

  private func apply(_ command: RunControls.Command, to state: inout RunState, at now: Duration) {
    switch command {
    case .pause: state.pause()
    case .resume: state.resume(at: now)
    case .park(let parking): state.park(parking, at: now)
    case .unpark(let parking): state.unpark(parking)
    case .cancel:
      if state.hasBegun { state.stop(Failure(.cancelled, "the run was cancelled"), at: now) }
    }
  }

  private func listen(_ tasks: inout TaskPool, _ group: inout DiscardingTaskGroup) {
    tasks.add(to: &group) { [controls] in
      await controls.next().map(TaskPool.News.control) ?? .nothing
    }
  }

  /// Sleeps until the first timer's time, unless a task does already.
  private func wait(
    for timers: inout Timers, _ tasks: inout TaskPool, _ group: inout DiscardingTaskGroup
  ) {
    guard let end = timers.nextToSleepFor() else { return }
    let clock = context.options.clock
    tasks.add(to: &group, on: globalConcurrentExecutor) { [controls] in
      guard await sleep(end - clock.elapsed) else { return .nothing }
      controls.signal.raise(.attention)
      return .timer
    }
  }

  private func sleep(_ duration: Duration) async -> Bool {
    do {
      try await context.options.clock.sleep(for: duration)
      return true
    } catch {
      return false
    }
  }
}
