internal import JSONText
internal import Workflows

/// Carries out what `RunState` decides: each unit of work is a child task of one task group, whose
/// parent alone owns the state.
struct Runner {
  let plan: Plan
  let inputs: ScopeValue
  let identity: RunIdentity
  let context: RunContext
  let controls: RunControls

  /// What a child task brings.
  private enum News: Sendable {
    case done(unit: Int, UnitOutcome)
    case control(RunControls.Command)
    case deadline
    case timer
    case finallyLimit
    case nothing
  }

  /// Runs to the end, `finally` steps included.
  func run() async -> RunReport {
    var state = RunState(
      plan: plan, inputs: inputs, identity: identity,
      concurrency: context.options.concurrency ?? plan.workflow.limits.concurrency,
      isObserved: context.sink != nil, files: context.options.files,
      finallyLimit: context.options.finallyLimit,
      streamsRows: context.options.rowReader != nil)
    let clock = context.options.clock
    let start = clock.elapsed
    var pending: [Unit] = []
    var actions: [Action] = []
    var tokens: [Int: CancellationToken] = [:]
    var timers = Timers()
    var report: RunReport?
    var isInFinally = false
    state.start()
    // A task group that was cancelled cancels whatever is added to it, so what must still run after
    // a stop gets a group of its own.
    while report == nil {
      await withTaskGroup(of: News.self) { group in
        var isCancelled = false
        listen(&group)
        if isInFinally {
          let limit = context.options.finallyLimit
          group.addTask { await sleep(limit) ? .finallyLimit : .nothing }
        } else {
          let left = plan.workflow.limits.deadline - (clock.elapsed - start)
          group.addTask { await sleep(left) ? .deadline : .nothing }
        }
        for unit in pending { launch(unit, &tokens, &group) }
        pending = []
        timers.sleeper = nil
        wait(for: &timers, &group)
        while true {
          context.hold(state.takeHeldChange())
          state.takeActions(into: &actions)
          for action in actions {
            switch action {
            case .start(let unit):
              if isCancelled { pending.append(unit) } else { launch(unit, &tokens, &group) }
            case .cancel(let units):
              for unit in units { tokens[unit]?.cancel() }
            case .cancelAll:
              isCancelled = true
              group.cancelAll()
            case .emit(let event): context.sink?.emit(event.redacted(by: context.redactor))
            case .row(let row): handOn(row)
            case .hide(let values): for value in values { context.redactor.hide(value) }
            case .startTimer(let frame, let duration):
              timers.start(frame, end: clock.elapsed + duration)
              if !isCancelled { wait(for: &timers, &group) }
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
          guard report == nil, let news = await group.next() else { break }
          let now = clock.elapsed - start
          switch news {
          case .done(let unit, let outcome):
            if !tokens.isEmpty { tokens[unit] = nil }
            state.finish(unit, outcome, at: now)
          case .control(let command):
            apply(command, to: &state, at: now)
            if !isCancelled { listen(&group) }
          case .deadline:
            let limit = plan.workflow.limits.deadline.text
            state.stop(
              Failure(
                .limit,
                "the run took longer than \(limit); 'limits.deadline' sets how long it may"),
              at: now)
          case .timer:
            for frame in timers.takeDue(at: clock.elapsed) { state.expire(frame: frame, at: now) }
            if !isCancelled { wait(for: &timers, &group) }
          case .finallyLimit: state.stop(state.finallyTookTooLong, at: now)
          case .nothing: break
          }
        }
      }
    }
    return finished(report)
  }

  private func handOn(_ row: [UInt8]) {
    // Rows are handed on where they are the one output.
    let isRevealed = plan.workflow.block.outputs?.first?.isRevealed == true
    context.options.rowReader?(isRevealed ? row : context.redactor.redact(json: row))
  }

  private func finished(_ report: RunReport?) -> RunReport {
    guard var report else {
      preconditionFailure("the loop above ends with a report")
    }
    report.counts.requests = context.requestCount
    report.counts.bytesReceived = context.bytesReceived
    report = report.redacted(
      by: context.redactor, revealing: plan.workflow.block.outputs ?? [])
    context.sink?.emit(.runFinished(report))
    return report
  }

  private func apply(_ command: RunControls.Command, to state: inout RunState, at now: Duration) {
    switch command {
    case .pause: state.pause()
    case .resume: state.resume(at: now)
    case .park(let parking): state.park(parking, at: now)
    case .unpark(let parking): state.unpark(parking)
    case .cancel: state.stop(Failure(.cancelled, "the run was cancelled"), at: now)
    }
  }

  private func listen(_ group: inout TaskGroup<News>) {
    group.addTask { [controls] in
      await controls.next().map(News.control) ?? .nothing
    }
  }

  /// Sleeps until the first timer's time, unless a task does already.
  private func wait(for timers: inout Timers, _ group: inout TaskGroup<News>) {
    guard let end = timers.nextToSleepFor() else { return }
    let clock = context.options.clock
    group.addTask { await sleep(end - clock.elapsed) ? .timer : .nothing }
  }

  private func sleep(_ duration: Duration) async -> Bool {
    do {
      try await context.options.clock.sleep(for: duration)
      return true
    } catch {
      return false
    }
  }

  private func launch(
    _ unit: Unit, _ tokens: inout [Int: CancellationToken], _ group: inout TaskGroup<News>
  ) {
    let executor = context.transport.preferredExecutor(for: unit.id)
    guard unit.isSelective else {
      group.addTask(executorPreference: executor) { [context] in
        .done(unit: unit.id, await UnitRun(unit: unit, context: context).run())
      }
      return
    }
    let token = CancellationToken()
    tokens[unit.id] = token
    group.addTask(executorPreference: executor) { [context] in
      .done(
        unit: unit.id,
        await token.guarding { await UnitRun(unit: unit, context: context).run() })
    }
  }
}

/// One unit of work, carried out in a task.
private struct UnitRun {
  let unit: Unit
  let context: RunContext

  func run() async -> UnitOutcome {
    if let request = unit.stepPlan.request {
      return await RequestRun(unit, request, context).run()
    }
    return await runWithoutRequest()
  }

  /// Apart, for a request would wait with what this needs.
  @inline(never)
  private func runWithoutRequest() async -> UnitOutcome {
    switch unit.stepPlan.step.action {
    case .wait(let duration): return await wait(duration.value)
    case .request, .values, .block, .call:
      return .failed(Failure(.value, "this action needs no task"))
    }
  }

  private func wait(_ duration: Duration) async -> UnitOutcome {
    do {
      try await context.options.clock.sleep(for: duration)
      return .values(Array("{}".utf8))
    } catch {
      return .cancelled
    }
  }
}
