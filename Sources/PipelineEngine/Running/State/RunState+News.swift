internal import PipelineLanguage
internal import PipelinePlanning

// The reports of the runner, and the actions that it takes.

extension RunState {
  /// The run begins, at time zero.
  mutating func start() {
    stage = .underWay
    frames.enter(.root)
    advance()
  }

  /// The run ends before it has begun: no step runs, and there is nothing to clean up.
  mutating func cancelBeforeStart() {
    stage = .stopping(FailureReason(.cancelled, "the run was cancelled before it began"))
    frames[.root].cancel()
    stopFrame(.root)
    frames[.root].beginFinally()
    stopFrame(.root)
    advance()
  }

  /// Continues the work of the last call.
  mutating func goOn(at time: Duration) {
    now = time
    advance()
  }

  /// A unit's work is done.
  mutating func finish(_ id: Int, _ outcome: UnitOutcome, at time: Duration) {
    now = time
    guard let running = units.take(id) else { return }
    news.next(from: running.unit)
    slots.giveBack(running.slot)
    noteEnd(of: running, outcome)
    shielding(running.place.frame) { state in state.finishItem(of: running, outcome) }
    advance()
  }

  /// The item of a unit ends with its outcome.
  private mutating func finishItem(of running: UnitTable.Running, _ outcome: UnitOutcome) {
    let item: ItemOutcome
    switch outcome {
    case .values(let values): item = .values(values)
    case .skipped(let reason): item = .skipped(reason)
    case .waiting: item = .cancelled
    case .cancelled where isStopping(running.place): item = .cancelled
    case .cancelled: item = failed(Self.gaveUp, running)
    case .failed(let failure): item = failed(failure, running)
    }
    finishItem(running.place, running.item, item, running.unit.scope.item)
  }

  /// The engine did not cancel it, so the transport did.
  private static let gaveUp = FailureReason(
    .network, "the transport cancelled the request, although the run did not ask for it")

  private func isStopping(_ place: StepPlace) -> Bool {
    activation(at: place).map { activations[$0].isStopping } ?? false
  }

  private mutating func failed(_ failure: FailureReason, _ running: UnitTable.Running)
    -> ItemOutcome
  {
    .failed([
      stepFailure(failure, running.place, item: running.unit.item, in: running.unit.scope)
    ])
  }

  // MARK: Recorded units

  /// Ends a unit with what an earlier process recorded of it. `false`: nothing was recorded, or it
  /// no longer holds.
  mutating func takeRecorded(_ unit: Unit, of frame: FrameID) -> Bool {
    guard mayTake(frame), var outcome = recorded?.take(unit) else { return false }
    if case .values(let values) = outcome, settings.handedRows.spools?.hasAll(of: values) == false {
      // Their request is sent again, if it may be.
      guard unit.isUnsafe else { return false }
      outcome = .failed(Self.rowsAreGone)
    }
    end(unit, with: outcome)
    return true
  }

  /// Ends a unit with the outcome that is on record.
  mutating func end(_ unit: Unit, with recorded: UnitOutcome) {
    guard let running = units.take(unit.id) else { return }
    var outcome = recorded
    if case .values(let values) = outcome, settings.handedRows.areOfOneResponse(unit) {
      if !settings.isRehearsal { actions.append(.rows(of: values, step: unit.step)) }
      outcome = .values(settings.handedRows.withoutRows(values, of: unit.step))
    }
    noteEnd(of: running, outcome)
    counts.taken += 1
    if settings.isRehearsal { actions.append(.taken(unit.label)) }
    finishItem(of: running, outcome)
  }

  private static let rowsAreGone = FailureReason(
    .file,
    "the rows of its response were put aside on the disk, and are gone; begin a new run, which sends"
      + " the request again")

  /// Whether what was recorded of a unit of a frame still holds. Clean-up belongs to the work of
  /// the main steps. If one of these is carried out now, earlier clean-up is repeated.
  func mayTake(_ frame: FrameID) -> Bool {
    if frames[frame].context.isLaterAttempt { return false }
    guard frames[frame].isCleanUp else { return true }
    var frame = frame
    while true {
      if frames[frame].phase == .finally, frames[frame].hasActed { return false }
      guard let parent = frames[frame].parent else { return true }
      frame = parent.frame
    }
  }

  /// A unit of a frame is carried out by this process, and not taken from the record of earlier
  /// ones.
  mutating func noteAction(_ frame: FrameID) {
    var next: FrameID? = frame
    while let frame = next, !frames[frame].hasActed, frames[frame].phase == .main {
      frames[frame].hasActed = true
      next = frames[frame].parent?.frame
    }
  }

  // MARK: Waiting requests

  /// A request waits for its origin, for a limit of a called file, or for its next attempt. Others
  /// may use its slot.
  mutating func park(_ parking: Parking, at time: Duration) {
    guard units.slot(of: parking) == .taken, slots.mayPark else { return }
    now = time
    if let unit = units[parking.unit]?.unit { news.next(from: unit) }
    move(parking, to: .parked)
    advance()
  }

  /// A parked request continues. The gates limit the requests in flight. Here it only counts.
  mutating func unpark(_ parking: Parking) {
    guard units.slot(of: parking) == .parked else { return }
    move(parking, to: .taken)
  }

  private mutating func move(_ parking: Parking, to slot: UnitTable.Running.Slot) {
    if let slot = units.slot(of: parking) { slots.giveBack(slot) }
    slots.take(slot)
    units.setSlot(slot, of: parking.unit)
  }

  // MARK: Questions

  /// Whether nothing is left but to wait for answers: a pause ends by itself, and a run that stops
  /// waits for nothing.
  var canOnlyWait: Bool {
    guard case .underWay = stage else { return false }
    return !isBusy && !slots.isPaused && !frames.hasPausedPass && actions.isEmpty
  }

  /// The run ends, and waits for answers: no outputs, no `finally` steps, and the state as it was.
  mutating func wait(for questions: [RunQuestion], at time: Duration) {
    now = time
    stage = .finished
    var report = RunReport(
      runID: settings.identity.id, status: .waiting, failures: frames[.root].verdict.failures,
      counts: counts, duration: now, state: settings.given)
    report.questions = questions
    actions.append(.finish(report))
  }

  // MARK: Stops

  /// Stops the run: what is at work is cancelled, what has not begun is skipped; `finally` follows.
  mutating func stop(_ reason: FailureReason, at time: Duration) {
    now = time
    guard !isFinished else { return }
    news.next()
    if stopReason == nil { stage = .stopping(reason) }
    frames[.root].cancel()
    // Clean-up that has begun continues, because it has a separate limit.
    if frames[.root].phase == .main || reason.kind != .cancelled { stopFrame(.root) }
    advance()
  }

  /// The time that a called file gives itself, or that the `finally` steps of a block have, is
  /// over.
  mutating func expire(frame number: Int, at time: Duration) {
    now = time
    guard let id = frames.timedFrame(number), let parent = frames[id].parent,
      !frames[id].isStopping
    else { return }
    news.next()
    if frames[id].isWaiting {
      endPause(of: id)
      return advance()
    }
    let context = frames[id].context
    let workflow = context.plan.workflow
    let failure =
      frames[id].phase == .finally
      ? finallyTookTooLong(id)
      : FailureReason(
        .limit,
        "'\(workflow.name)' took longer than \(workflow.limits.deadline.text); its"
          + " 'limits.deadline' sets how long it may")
    frames[id].fail(with: [stepFailure(failure, parent, item: context.loop?.index)])
    stopFrame(id)
    advance()
  }

  func finallyTookTooLong(_ id: FrameID) -> FailureReason {
    FailureReason(
      .limit,
      "the 'finally' steps took longer than \(finallyLimit(of: id).text); 'limits.finally' sets how"
        + " long they may")
  }

  /// How long the `finally` steps of a pass may take together. A called file without its own limit
  /// has the limit of its caller.
  func finallyLimit(of id: FrameID) -> Duration {
    let context = frames[id].context
    let files = [context.plan] + context.callers.reversed()
    let written = files.lazy.compactMap(\.workflow.limits.finally).first
    guard let given = settings.finallyLimit else { return written ?? Limits.defaultFinally }
    return written.map { min($0, given) } ?? given
  }

  /// Nothing further starts until `resume`, or until the run stops.
  mutating func pause() {
    guard frames[.root].phase == .main, !frames[.root].isStopping else { return }
    slots.isPaused = true
  }

  /// Clean-up is not held back: it has a time limit, which a pause would use up.
  mutating func endPause() {
    slots.isPaused = false
  }

  mutating func resume(at time: Duration) {
    now = time
    news.nextIsResume()
    slots.isPaused = false
    advance()
  }

  // MARK: Actions

  /// The actions to take now, in order.
  ///
  /// - Parameters:
  ///   - list: Becomes the actions. Its room is used for later ones.
  ///   - time: When the last turn ended, if it took long; `nil` if when it began.
  mutating func takeActions(into list: inout [Action], at time: Duration? = nil) {
    list.removeAll(keepingCapacity: true)
    swap(&list, &actions)
    let first = turns.takeFirstAction()
    guard let time, time > now else { return }
    for index in min(first, list.count)..<list.count { list[index].end(later: time - now) }
    now = time
  }
}
