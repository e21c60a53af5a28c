internal import JSONText
internal import Workflows

extension RunState {
  /// Puts a step where it waits for its turn.
  mutating func enqueue(_ place: StepPlace, _ activation: Activation) {
    activation.isQueued = true
    let ready = ReadyStep(place, turn: activation.turn)
    if place.plan.request != nil {
      readyRequests.insert(ready)
    } else if passCount >= Self.manyPasses {
      readyInner.insert(InnerStep(ready: ready))
    } else {
      readyOthers.insert(ready)
    }
  }

  /// Starts what is ready, the most urgent first, as far as slots are free.
  mutating func startReady() {
    while !isPaused {
      let isOther = !readyOthers.isEmpty || !readyInner.isEmpty
      guard isOther || slotsTaken < concurrency && !readyRequests.isEmpty else { return }
      guard takeTurn() else { return }
      if isOther {
        startNextOther()
      } else if let ready = readyRequests.removeFirst(), let next = startNext(ready) {
        readyRequests.insert(next)
      }
      if !isSettled { return }
    }
  }

  /// Starts a ready step that takes no slot.
  private mutating func startNextOther() {
    let isCrowded = passCount >= Self.manyPasses
    if !readyInner.isEmpty, isCrowded || readyOthers.isEmpty, let inner = readyInner.removeFirst() {
      if let next = startNext(inner.ready) { readyInner.insert(InnerStep(ready: next)) }
    } else if let ready = readyOthers.removeFirst(), let next = startNext(ready) {
      readyOthers.insert(next)
    }
  }

  /// Starts the next item of a ready step. Returns what waits in the queue instead, if the step stays.
  private mutating func startNext(_ ready: ReadyStep) -> ReadyStep? {
    let place = ready.place
    guard let activation = place.activation else { return nil }
    guard activation.hasMore else {
      activation.isQueued = false
      return nil
    }
    turnCount += 1
    activation.turn = turnCount
    let position = activation.begunCount
    var scope = Scope(shared: activation.shared)
    if let names = place.plan.loopNames, let node = activation.items?.next() {
      if activation.hidesItems { redactor.hide(node) }
      scope.item = Scope.Item(
        name: names.item, indexName: names.index, index: position, node: node,
        gaps: activation.itemGaps?.gaps(of: node, at: position) ?? .none)
    }
    activation.begunCount += 1
    activation.running += 1
    let leaves = !activation.hasMore || activation.running >= activation.concurrency
    if leaves { activation.isQueued = false }
    let label = activation.label
    shielding(place.frame) { state in state.start(place, position, label, scope) }
    if leaves { return nil }
    var next = ready
    next.turn = turnCount
    return next
  }

  private mutating func start(
    _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope
  ) {
    let plan = place.plan
    do throws(Failure) {
      if plan.judgesEachItem, let when = plan.step.when, try !Evaluation.holds(when, in: scope) {
        finishItem(place, position, .skipped("its 'when' does not hold"), scope.item)
        return
      }
      if let item = scope.item, !item.gaps.isNone,
        let reason = item.gaps.reasonMissing(item.name, for: plan.step, in: scope)
      {
        finishItem(place, position, .skipped(reason), scope.item)
        return
      }
      switch plan.step.action {
      case .values:
        guard let values = plan.values else { throw Failure(.value, "the values have no plan") }
        finishItem(
          place, position,
          .values(
            try Evaluation.values(
              values, of: plan.step, in: scope, files: place.context.files, redactor)),
          scope.item)
      case .block:
        guard let block = plan.inner else { throw Failure(.value, "the block has no plan") }
        try checkRoom(for: block)
        enterBlock(block, place, position, label, scope)
      case .call(let call):
        guard let callee = plan.callee else {
          throw Failure(
            .file, "'\(call.path.value)' was not loaded with the workflow", at: call.path.range)
        }
        try checkRoom(for: callee.root)
        // A call is an item of its step; of a step that is no collection nobody has counted it.
        if scope.item == nil { try countItems(1, of: place.context) }
        let inputs = try InputValues.forCall(
          callee.workflow, call, in: scope, files: place.context.files, identity)
        enterFile(callee, inputs, place, position, label, scope)
      case .request: start(place, position, label, scope, takesSlot: true)
      case .wait: start(place, position, label, scope, takesSlot: false)
      }
    } catch {
      let item = scope.item == nil ? nil : position
      finishItem(
        place, position, .failed([stepFailure(error, place, item: item, in: scope)]), scope.item)
    }
  }

  /// Starts a unit of work.
  private mutating func start(
    _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope, takesSlot: Bool
  ) {
    if freeUnits.isEmpty {
      freeUnits.append(units.count)
      units.append(nil)
    }
    unitCount += 1
    let unit = Unit(
      id: freeUnits.removeLast(), serial: unitCount, frame: place.context, step: place.step,
      label: label,
      item: scope.item == nil ? nil : position, scope: scope, isSelective: isSelective(place),
      isCleanUp: place.frame.isCleanUp)
    if takesSlot { slotsTaken += 1 }
    units[unit.id] = RunningUnit(place: place, item: position, takesSlot: takesSlot, unit: unit)
    actions.append(.start(unit))
  }

  private func isSelective(_ place: StepPlace) -> Bool {
    isSelective || place.context.isSelective || place.plan.step.onError != .fail
  }

  private mutating func enterBlock(
    _ block: BlockPlan, _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope
  ) {
    let context = place.context
    enter(
      Frame.Context(
        plan: context.plan, secrecy: context.secrecy, provenance: context.provenance,
        callers: context.callers, block: block, files: context.files, inputs: context.inputs,
        state: context.state, loop: scope.item,
        label: label.item(scope.item.map { _ in position }),
        isSelective: isSelective(place) || place.plan.step.forEach?.onItemError == .collect,
        lineage: context.lineage(of: scope.item)),
      place, position)
  }

  /// Begins a pass through a called file.
  private mutating func enterFile(
    _ callee: Plan, _ inputs: ScopeValue, _ place: StepPlace, _ position: Int, _ label: StepLabel,
    _ scope: Scope
  ) {
    let context = place.context
    for input in callee.workflow.inputs where input.isSecret {
      if let value = inputs.node[input.name] { redactor.hide(value) }
    }
    let hasDeadline = callee.workflow.limitNames.contains("deadline")
    let frame = enter(
      Frame.Context(
        plan: callee,
        secrecy: context.secrecy.callee(of: context.block, step: place.step) ?? callee.secrecy,
        provenance: context.provenance.callee(of: context.block, step: place.step)
          ?? callee.provenance,
        callers: context.callers + [callee], block: callee.root,
        files: files.relative(to: callee.workflow.source.name), inputs: inputs, state: nil,
        loop: scope.item,
        label: label.item(scope.item.map { _ in position }),
        isSelective: isSelective(place) || hasDeadline
          || place.plan.step.forEach?.onItemError == .collect,
        lineage: context.lineage(of: scope.item)),
      place, position)
    if hasDeadline { startTimer(frame, callee.workflow.limits.deadline) }
  }

  /// Passes under way take memory, too.
  private func checkRoom(for block: BlockPlan) throws(Failure) {
    guard !mayHold(Frame.size(of: block)) else { return }
    throw Failure(
      .limit,
      "\(passCount) running blocks and called files take more than"
        + " \(plan.workflow.limits.memoryText); 'limits.memory' sets how much they may take"
    )
  }

  @discardableResult
  private mutating func enter(
    _ context: Frame.Context, _ place: StepPlace, _ position: Int
  ) -> Frame {
    let frame = Frame(context, number: frameCount, parent: place, item: position)
    frameCount += 1
    passCount += 1
    hold(Frame.size(of: context.block), in: frame)
    place.activation?.frames[position] = frame
    enter(frame)
    return frame
  }

  /// One item of a step, or the one thing that it does, is done.
  ///
  /// - Parameter loop: The item, where it is one, for what `otherwise` reads.
  mutating func finishItem(
    _ place: StepPlace, _ position: Int, _ outcome: ItemOutcome, _ loop: Scope.Item?
  ) {
    guard let activation = place.activation else { return }
    activation.running -= 1
    var outcome = isInterrupted(place.frame) ? .cancelled : outcome
    if case .values(let values) = outcome, !activation.isStreamed, !mayHold(values.count) {
      let item = activation.isCollection ? position : nil
      outcome = .failed([stepFailure(.tooMuchHeld(plan.workflow.limits), place, item: item)])
    }
    var row: [UInt8]?
    var event = RunEvent.Outcome.succeeded
    switch outcome {
    case .values(let values):
      row = values
      activation.done += 1
    case .skipped(let reason):
      event = .skipped(reason)
      activation.done += 1
      activation.skipReason = reason
      activation.skippedItems.insert(position)
      row = fallback(place, activation, position, nil, loop)
    case .failed(let failures):
      if let first = failures.first {
        event = place.plan.step.onError == .recover ? .recovered(first) : .failed(first)
      }
      activation.done += 1
      activation.failedItems.insert(position)
      let collects = place.plan.step.forEach?.onItemError == .collect
      let size = activation.failed.append(failures)
      if collects, mayHold(size) {
        hold(size, in: activation)
        if place.plan.step.onError == .recover {
          row = fallback(place, activation, position, failures.first, loop)
        }
      } else {
        let tooMuch = Failure.tooMuchHeld(plan.workflow.limits)
        if collects, !activation.isStopping, failures.first?.failure.message != tooMuch.message {
          activation.failed.append([stepFailure(tooMuch, place, item: position)])
        }
        stopActivation(place)
        guard place.activation != nil else { return }
      }
    case .cancelled:
      event = .cancelled
      stopActivation(place)
      guard place.activation != nil else { return }
    }
    if activation.isCollection {
      counts.items += 1
      // What a step gives that fails is nothing; the place of a row that is missing is none.
      if !activation.isStopping { keep(row, at: position, activation) }
      if isObserved { emitItem(place, activation, position, event) }
    } else {
      activation.values = row
      if let row { hold(row.count, in: activation) }
    }
    continueStep(place, activation)
  }

  private mutating func keep(_ row: [UInt8]?, at position: Int, _ activation: Activation) {
    activation.rows.set(row, at: position)
    if activation.isStreamed {
      for row in activation.rows.takeReady() { actions.append(.row(row)) }
    } else if let row {
      hold(row.count, in: activation)
    }
  }

  private mutating func emitItem(
    _ place: StepPlace, _ activation: Activation, _ item: Int, _ outcome: RunEvent.Outcome
  ) {
    let recoverer = recoverer(from: outcome, of: place)
    emit(
      .itemFinished(
        RunEvent.ItemFinished(
          step: activation.label.id, path: activation.label.path, item: item, outcome: outcome,
          done: activation.done, total: activation.total,
          recoveredBy: recoverer)))
  }

  /// The row that `otherwise` gives an item which was skipped or failed.
  private mutating func fallback(
    _ place: StepPlace, _ activation: Activation, _ position: Int, _ failure: StepFailure?,
    _ loop: Scope.Item?
  ) -> [UInt8]? {
    guard let otherwise = place.plan.step.otherwise else { return nil }
    do throws(Failure) {
      return try Evaluation.text(
        of: otherwise, error: failure?.failure, in: fallbackScope(place, loop),
        files: place.context.files)
    } catch {
      let failure = stepFailure(error, place, item: position, in: fallbackScope(place, loop))
      hold(activation.failed.append([failure]), in: activation)
      activation.hasFailedOtherwise = true
      return nil
    }
  }

  /// After an item: the next one's turn, or the step's end.
  private mutating func continueStep(_ place: StepPlace, _ activation: Activation) {
    if activation.running == 0, !activation.hasMore {
      concludeStep(place)
    } else if activation.hasMore, !activation.isQueued, activation.running < activation.concurrency
    {
      enqueue(place, activation)
    }
  }

  /// Nothing further of a step begins, and what is at work is cancelled.
  mutating func stopActivation(_ place: StepPlace) {
    guard let activation = place.activation, !activation.isStopping else { return }
    activation.isStopping = true
    var started: [Unit] = []
    for case let running? in units where running.place == place { started.append(running.unit) }
    if !started.isEmpty { actions.append(.cancel(started)) }
    for frame in activation.frames.values.sorted(by: { $0.number < $1.number }) {
      frame.isCancelled = true
      // Clean-up that has begun goes on: it has a limit of its own.
      if frame.phase == .main { stopFrame(frame) }
    }
    // Its failure stops the whole run, and its units cannot be cancelled without the others.
    if !started.isEmpty, !isSelective(place) { stopFrame(root) }
    if activation.running == 0 { concludeStep(place) }
  }

  /// All of a step's work is done.
  mutating func concludeStep(_ place: StepPlace) {
    guard let activation = place.activation else { return }
    if isInterrupted(place.frame) { return abandon(place) }
    let plan = place.plan
    let failures = activation.failed.failures
    let collects = plan.step.forEach?.onItemError == .collect && !activation.isStopping
    if !failures.isEmpty, !collects {
      fail(place, failures, activation: activation)
      return
    }
    place.activation = nil
    hand(activation, to: activation.isStopping ? nil : place.frame)
    if activation.isStopping {
      emitFinished(place, .cancelled, activation)
      end(place, .cancelled)
      return
    }
    guard activation.isCollection else {
      let value = activation.values.map(ScopeValue.init(text:))
      if let reason = activation.skipReason {
        emitFinished(place, .skipped(reason), activation)
        end(place, .skipped, value, gapsAfterSkip(place))
      } else {
        emitFinished(place, .succeeded, activation)
        end(place, .succeeded, value, activation.gaps)
      }
      return
    }
    // What was handed on is no value of the scope.
    let error = failures.isEmpty ? nil : CollectedError(activation.failed)
    let value =
      activation.isStreamed
      ? nil : ScopeValue(rows: activation.takeRows(), count: activation.total, error: error)
    let gaps: Gaps =
      activation.failedItems.isEmpty && activation.skippedItems.isEmpty
      ? .none
      : .rows(
        RowGaps(
          step: plan.step, failed: activation.failedItems, skipped: activation.skippedItems,
          count: activation.total))
    guard let first = failures.first else {
      emitFinished(place, .succeeded, activation)
      end(place, .succeeded, value, gaps)
      return
    }
    if plan.step.onError == .recover, !activation.hasFailedOtherwise {
      emitFinished(place, .recovered(first), activation)
      end(place, .recovered, value, gaps)
    } else {
      emitFinished(place, .failed(first), activation)
      place.frame.fail(with: failures)
      end(place, .collected, value, gaps)
    }
  }
}
