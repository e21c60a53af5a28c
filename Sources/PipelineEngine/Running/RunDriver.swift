internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

/// Does what `RunState` decides. Child tasks carry out the units of work. Their parent, which this
/// runs in, alone owns the state.
///
/// One turn performs the actions of the state, waits for news, and gives the news to the state.
///
/// A task that was cancelled stays cancelled, and so does whatever is added to its group. Work that
/// must still run after a stop gets a separate group.
struct RunDriver {
  private let plan: Plan
  private let context: RunContext
  private let controls: RunControls
  private let clock: any RunClock
  /// When the run began.
  private let start: Duration
  private var state: RunState
  /// Units that this process must not carry out. One ends as a failure only if nothing else ends
  /// the step before.
  private var refused: [(unit: Int, failure: FailureReason)] = []
  private var refusedCount = 0
  /// Why the run ends once the requests under way have ended: nothing more may be sent.
  private var ending: FailureReason?
  /// Units that could not send anything more.
  private var barred: [Int] = []
  /// Units that wait until everything else has ended, by id.
  private var held: [Int: Unit] = [:]
  /// Units that wait for a person, by id.
  private var unanswered: [Int: RunQuestion] = [:]
  /// Units that would have been refused, but were cancelled before.
  private var cancelled: [Int] = []
  /// Units at work that were cancelled.
  private var stopping: Set<Int> = []
  /// Units that tasks carry out.
  private var workingCount = 0
  /// The last decision of the state.
  private var actions: [Action] = []
  /// Units that were started after their group was cancelled. They belong to the next group.
  private var pending: [Unit] = []
  private var timers = Timers()
  /// Whether the file's `finally` steps have begun.
  private var isInFinally = false
  private var report: RunReport?
  /// The tasks of the group.
  private var tasks: TaskPool
  /// Whether the group is cancelled.
  private var isCancelled = false
  /// Calls of the state since the group began that were not for news.
  private var calls = 0

  private static let callsPerYield = 4

  /// - Parameter scheduler: The state of a run that has not begun.
  init(_ runner: Runner, scheduler: RunState) {
    plan = runner.plan
    context = runner.context
    controls = runner.controls
    clock = runner.context.options.clock
    start = clock.elapsed
    state = scheduler
    tasks = TaskPool(runner.context)
  }

  private var now: Duration { clock.elapsed - start }

  /// Runs to the end, `finally` steps included.
  mutating func run() async -> RunReport {
    begin()
    while true {
      await withDiscardingTaskGroup { group in await run(in: &group) }
      if let report { return await finished(report) }
    }
  }

  /// Runs until there is a report, or nothing more can be done in this group.
  private mutating func run(in group: inout DiscardingTaskGroup) async {
    begin(&group)
    while true {
      let reasons = controls.signal.take()
      takeActions(reasons)
      for action in actions { perform(action, in: &group) }
      if report != nil { break }
      if !reasons.isEmpty {
        apply(reasons, at: now)
        if !state.actions.isEmpty { continue }
      }
      if finishCancelled() || endAtLimit() || releaseHeld() || failRefused() || endWaiting() {
        continue
      }
      if let news = state.isBusy ? tasks.poll() : await tasks.next() {
        receive(news, in: &group)
      } else if state.isBusy {
        await goOn()
      } else {
        break
      }
    }
    tasks.close()
  }

  // MARK: Begin

  /// Begins the run. Earlier requests count from its beginning.
  private mutating func begin() {
    let isCancelled = controls.signal.take().contains(.cancel)
    applyCommands(at: .zero)
    if isCancelled { state.cancelBeforeStart() } else { state.start() }
  }

  /// Begins a group with the watching tasks and the units that the last group left.
  private mutating func begin(_ group: inout DiscardingTaskGroup) {
    tasks = TaskPool(context)
    isCancelled = false
    calls = 0
    listen(in: &group)
    if isInFinally { watchFinally(in: &group) } else { watchDeadline(in: &group) }
    for unit in pending { tasks.start(unit, in: &group) }
    pending = []
    timers.sleeper = nil
    waitForTimers(in: &group)
  }

  // MARK: Actions

  private mutating func takeActions(_ reasons: StopSignal.Reasons) {
    state.isObserved = context.sink != nil
    // Long work ended now, and not when it began.
    state.takeActions(into: &actions, at: reasons.isEmpty ? nil : now)
    context.usage.hold(state.memory.takeChange())
  }

  /// Does one thing that the state decided.
  private mutating func perform(_ action: Action, in group: inout DiscardingTaskGroup) {
    switch action {
    case .start(let unit):
      held[unit.id] = nil
      workingCount += 1
      if isCancelled { pending.append(unit) } else { tasks.start(unit, in: &group) }
    case .hold(let unit): held[unit.id] = unit
    case .refuse(let unit, let failure):
      held[unit.id] = nil
      refused.append((unit.id, failure))
    case .taken: break
    case .cancel(let units):
      for unit in units { unit.token?.cancel() }
      let ids = Set(units.map(\.id))
      cancelRefused { ids.contains($0) }
      stopping.formUnion(ids.subtracting(cancelled))
    case .cancelAll: cancelAll(&group)
    case .emit(let event): context.sink?.emit(event.redacted(by: context.redactor))
    case .values(let values): context.options.valueReader?(values.redacted(by: context.redactor))
    case .row(let row, let step):
      for tap in context.rows.taps(of: step) { tap.handOn(row, context.redactor) }
    case .rows(let values, let step): _ = context.handOnRows(of: values, step: step)
    case .rowsEnd(let step, let areWhole):
      for tap in context.rows.taps(of: step) { tap.end(areWhole: areWhole) }
    case .startTimer(let frame, let duration):
      timers.start(frame, end: clock.elapsed + duration)
      waitForTimers(in: &group)
    case .stopTimer(let frame): timers.stop(frame)
    case .again(let step, let place):
      context.journal?.journal.append(.passAgain(step: step, place: place))
    case .beginFinally:
      isInFinally = true
      ending = nil
      cancelAll(&group)
    case .finish(let finished):
      report = finished
      group.cancelAll()
    }
  }

  private mutating func cancelAll(_ group: inout DiscardingTaskGroup) {
    isCancelled = true
    group.cancelAll()
    cancelRefused { _ in true }
  }

  private mutating func cancelRefused(_ isCancelled: (Int) -> Bool) {
    cancelled += refused.map(\.unit).filter(isCancelled)
    refused.removeAll { isCancelled($0.unit) }
    cancelled += barred.filter(isCancelled)
    barred.removeAll(where: isCancelled)
    cancelled += held.keys.filter(isCancelled).sorted()
    held = held.filter { !isCancelled($0.key) }
    cancelled += unanswered.keys.filter(isCancelled).sorted()
    unanswered = unanswered.filter { !isCancelled($0.key) }
  }

  // MARK: News

  /// Tells the state that refused units are cancelled. `false`: none are.
  private mutating func finishCancelled() -> Bool {
    guard !cancelled.isEmpty else { return false }
    defer { cancelled = [] }
    for unit in cancelled { state.finish(unit, .cancelled, at: now) }
    return true
  }

  /// Ends a run that may not send anything more, once the requests under way have ended: they were
  /// counted, so what they bring is kept. `false`: it is not time, or the run may go on.
  private mutating func endAtLimit() -> Bool {
    guard let reason = ending, state.slots.taken <= barred.count, !state.isBusy else {
      return false
    }
    ending = nil
    state.stop(reason, at: now)
    return true
  }

  /// Makes the state continue with units that wait until all others have ended. Returns `false` if
  /// it is too early, or if there are none.
  private mutating func releaseHeld() -> Bool {
    guard !held.isEmpty, workingCount == 0, !state.isBusy else { return false }
    return state.releaseHeld(at: now)
  }

  /// Gives the state the failures of units that must not be carried out, once all others have
  /// ended. `false`: it is not time, or there are none.
  private mutating func failRefused() -> Bool {
    guard !refused.isEmpty, workingCount == 0, !state.isBusy else { return false }
    refusedCount += refused.count
    defer { refused = [] }
    for (unit, failure) in refused { state.finish(unit, .failed(failure), at: now) }
    return true
  }

  /// Ends a run that waits for answers, once nothing else can go on. Returns `false` if something
  /// can, or if there is no open question.
  private mutating func endWaiting() -> Bool {
    guard !unanswered.isEmpty, workingCount == 0, held.isEmpty, refused.isEmpty, report == nil,
      state.canOnlyWait
    else { return false }
    let questions = unanswered.sorted { $0.key < $1.key }.map(\.value)
    unanswered = [:]
    state.wait(for: questions, at: now)
    return true
  }

  /// Gives the state what a task brought.
  private mutating func receive(_ news: TaskPool.News, in group: inout DiscardingTaskGroup) {
    let now = now
    // A signal may already have stopped the run.
    apply(controls.signal.take(), at: now)
    switch news {
    case .done(let unit, let outcome, _):
      workingCount -= 1
      // A unit may have begun to wait for a person before it heard that it is to stop.
      let isStopping = !stopping.isEmpty && stopping.remove(unit) != nil || isCancelled
      if case .waiting(let question) = outcome {
        if isStopping {
          state.finish(unit, .cancelled, at: now)
        } else {
          unanswered[unit] = question
        }
      } else if case .failed(let failure) = outcome, failure.message == ending?.message {
        barred.append(unit)
      } else {
        state.finish(unit, outcome, at: now)
      }
    case .control:
      applyCommands(at: now)
      if !isCancelled { listen(in: &group) }
    case .timer:
      for frame in timers.takeDue(at: clock.elapsed) { state.expire(frame: frame, at: now) }
      waitForTimers(in: &group)
    case .finallyLimit: state.stop(state.finallyTookTooLong(.root), at: now)
    case .nothing: break
    }
  }

  /// The state continues the work of its last call.
  private mutating func goOn() async {
    calls += 1
    // Others on this thread have their turn, such as the task that receives responses.
    if calls % Self.callsPerYield == 0 { await Task.yield() }
    state.goOn(at: now)
  }

  /// Does what cannot wait until the state reads its news.
  private mutating func apply(_ reasons: StopSignal.Reasons, at now: Duration) {
    guard !reasons.isEmpty else { return }
    applyCommands(at: now)
    if reasons.contains(.cancel) { apply(RunControls.Command.cancel, at: now) }
    // Clean-up that has begun has a separate limit.
    guard reasons.contains(.deadline), !isInFinally else { return }
    let limit = plan.workflow.limits.deadline.text
    state.stop(
      FailureReason(
        .limit, "the run took longer than \(limit); 'limits.deadline' sets how long it may"),
      at: now)
  }

  private mutating func applyCommands(at now: Duration) {
    for command in controls.takeAll() { apply(command, at: now) }
  }

  private mutating func apply(_ command: RunControls.Command, at now: Duration) {
    switch command {
    case .pause: state.pause()
    case .resume: state.resume(at: now)
    case .park(let parking): state.park(parking, at: now)
    case .unpark(let parking): state.unpark(parking)
    case .stop(let reason):
      guard state.hasBegun, !isInFinally, ending == nil else { break }
      ending = reason
      state.pause()
    case .cancel:
      if state.hasBegun { state.stop(FailureReason(.cancelled, "the run was cancelled"), at: now) }
    }
  }

  // MARK: Tasks that watch

  /// Waits for commands from outside.
  private mutating func listen(in group: inout DiscardingTaskGroup) {
    tasks.add(to: &group) { [controls] in
      await controls.waitForCommand()
      return .control
    }
  }

  /// Says when the run's time is over. It does so on a thread other than the state's, which may be
  /// computing.
  private mutating func watchDeadline(in group: inout DiscardingTaskGroup) {
    let limit = plan.workflow.limits.deadline
    let first = limit - now
    tasks.add(to: &group, on: globalConcurrentExecutor) {
      [clock, controls, start, questions = context.questions] in
      var left = first
      repeat {
        guard await clock.sleeps(for: left) else { return .nothing }
        // A run does not run out of time while a person thinks.
        let now = clock.elapsed
        left = limit + questions.waited(at: now) - (now - start)
      } while left > .zero
      controls.signal.raise(.deadline)
      return .nothing
    }
  }

  /// Says when the time of the file's `finally` steps is over.
  private mutating func watchFinally(in group: inout DiscardingTaskGroup) {
    let limit = state.finallyLimit(of: .root)
    tasks.add(to: &group, on: globalConcurrentExecutor) { [clock, controls] in
      guard await clock.sleeps(for: limit) else { return .nothing }
      controls.signal.raise(.attention)
      return .finallyLimit
    }
  }

  /// Sleeps until the first timer's time, unless a task does already or the group is cancelled.
  private mutating func waitForTimers(in group: inout DiscardingTaskGroup) {
    guard !isCancelled, let end = timers.nextToSleepFor() else { return }
    tasks.add(to: &group, on: globalConcurrentExecutor) { [clock, controls] in
      guard await clock.sleeps(for: end - clock.elapsed) else { return .nothing }
      controls.signal.raise(.attention)
      return .timer
    }
  }

  // MARK: End

  /// Adds to the report what the state does not know, and hides secrets in it.
  private func finished(_ report: RunReport) async -> RunReport {
    context.gates.close()
    // All rows have been handed on by now.
    var report = report.checked(
      by: context.rows.contracts, of: plan.workflow, given: context.options.state)
    report.counts.requests = context.gates.requestCount
    report.counts.bytesReceived = context.usage.bytesReceived
    report.counts.cached = context.usage.useCount(.fresh)
    report.counts.validated = context.usage.useCount(.validated)
    report.counts.refused = refusedCount
    report.changedRequests = state.recorded?.asked ?? []
    report.counts.inDoubt =
      (context.journal?.doubtCount ?? context.usage.doubtCount) + report.changedRequests.count
    report = report.redacted(
      by: context.redactor, revealing: plan.workflow.block.outputs ?? [])
    if let journal = context.journal?.journal {
      if !context.options.leavesJournalOpen { journal.append(.finished(FinishRecord(report))) }
      report.journalProblem = await journal.finish()
    }
    for contract in context.rows.contracts {
      for message in contract.notes {
        context.notes.note(message)
      }
    }
    for name in context.questions.unused(context.options.answers) {
      context.notes.note("nothing was asked that the answer '\(name)' belongs to")
    }
    context.notes.emitEnd(report)
    return report
  }
}

extension RunClock {
  /// Sleeps. `false`: the task was cancelled before the time was over.
  fileprivate func sleeps(for duration: Duration) async -> Bool {
    do {
      try await sleep(for: duration)
      return true
    } catch {
      return false
    }
  }
}
