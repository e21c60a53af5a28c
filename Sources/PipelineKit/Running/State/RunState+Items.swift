internal import JSONText
internal import Workflows

extension RunState {
  /// Puts a step where it waits for its turn.
  mutating func enqueue(_ key: Frame.Key) {
    guard let context = frames[key.frame]?.context else { return }
    activations[key]?.isQueued = true
    let plan = context.block.steps[key.step]
    let entry = ReadyQueue.Entry(
      priority: plan.step.priority, remainingPath: plan.remainingPath,
      turn: activations[key]?.turn ?? 0, frame: key.frame, step: key.step)
    if case .request = plan.step.action {
      readyRequests.insert(entry)
    } else {
      readyOthers.insert(entry)
    }
  }

  /// Starts what is ready, the most urgent first, as far as slots are free.
  mutating func startReady() {
    while !isPaused {
      if let entry = readyOthers.removeFirst() {
        if let next = startNext(entry) { readyOthers.insert(next) }
      } else if slotsTaken < concurrency, let entry = readyRequests.removeFirst() {
        if let next = startNext(entry) { readyRequests.insert(next) }
      } else {
        return
      }
      if !work.isEmpty { return }
    }
  }

  /// Starts the next item of a ready step. Returns what waits in the queue instead, if the step stays.
  private mutating func startNext(_ entry: ReadyQueue.Entry) -> ReadyQueue.Entry? {
    let key = Frame.Key(frame: entry.frame, step: entry.step)
    guard activations[key]?.hasMore == true, let context = frames[key.frame]?.context else {
      activations[key]?.isQueued = false
      return nil
    }
    turnCount += 1
    activations[key]?.turn = turnCount
    let position = activations[key]?.begunCount ?? 0
    let node = activations[key]?.items?.next()
    activations[key]?.begunCount += 1
    activations[key]?.running += 1
    let leaves =
      activations[key].map { !$0.hasMore || $0.running >= $0.concurrency } ?? true
    if leaves { activations[key]?.isQueued = false }
    if let shared = activations[key]?.shared {
      let plan = context.block.steps[key.step]
      var scope = Scope(shared: shared)
      if let iteration = plan.step.forEach, let node {
        scope.item = Scope.Item(
          name: iteration.itemName, indexName: iteration.indexName?.value, index: position,
          node: node)
      }
      start(key, position, context, plan, scope)
    }
    if leaves { return nil }
    var next = entry
    next.turn = turnCount
    return next
  }

  private mutating func start(
    _ key: Frame.Key, _ position: Int, _ context: Frame.Context, _ plan: StepPlan, _ scope: Scope
  ) {
    let item = scope.item == nil ? nil : position
    do throws(Failure) {
      if plan.judgesEachItem, let when = plan.step.when, try !Evaluation.holds(when, in: scope) {
        finishItem(key, position, .skipped("its 'when' does not hold"))
        return
      }
      switch plan.step.action {
      case .values(let fields):
        finishItem(
          key, position,
          .values(
            try Evaluation.values(
              fields, expect: plan.step.expect, in: scope, files: context.files)))
      case .block:
        guard let block = plan.inner else { throw Failure(.value, "the block has no plan") }
        enterBlock(block, key, position, context, plan, scope)
      case .call(let call):
        guard let callee = plan.callee else {
          throw Failure(
            .file, "'\(call.path.value)' was not loaded with the workflow", at: call.path.range)
        }
        let inputs = try InputValues.forCall(
          callee.workflow, call, in: scope, files: context.files, identity)
        enterFile(callee, inputs, key, position, context, plan, scope)
      case .request, .wait:
        let usesSlot = if case .request = plan.step.action { true } else { false }
        start(
          RunningUnit(
            key: key, item: position, usesSlot: usesSlot,
            unit: Unit(
              id: 0, frame: context, step: key.step, label: context.label(of: key.step),
              item: item, scope: scope, isSelective: isSelective(context, plan))))
      }
    } catch {
      finishItem(key, position, .failed([stepFailure(error, key, item: item)]))
    }
  }

  /// Starts a unit under a new number.
  mutating func start(_ running: RunningUnit) {
    let old = running.unit
    let unit = Unit(
      id: unitCount, frame: old.frame, step: old.step, label: old.label, item: old.item,
      scope: old.scope, isSelective: old.isSelective)
    unitCount += 1
    if running.usesSlot { slotsTaken += 1 }
    units[unit.id] = RunningUnit(
      key: running.key, item: running.item, usesSlot: running.usesSlot, unit: unit)
    actions.append(.start(unit))
  }

  private func isSelective(_ context: Frame.Context, _ plan: StepPlan) -> Bool {
    context.isSelective || plan.step.onError != .fail
  }

  private mutating func enterBlock(
    _ block: BlockPlan, _ key: Frame.Key, _ position: Int, _ context: Frame.Context,
    _ plan: StepPlan, _ scope: Scope
  ) {
    enter(
      Frame.Context(
        plan: context.plan, secrecy: context.secrecy, callers: context.callers, block: block,
        files: context.files, parent: key, item: position, inputs: context.inputs, loop: scope.item,
        label: label(of: key, position, context, scope),
        isSelective: isSelective(context, plan)
          || plan.step.forEach?.onItemError == .collect))
  }

  /// Begins a pass through a called file.
  private mutating func enterFile(
    _ callee: Plan, _ inputs: ScopeValue, _ key: Frame.Key, _ position: Int,
    _ context: Frame.Context, _ plan: StepPlan, _ scope: Scope
  ) {
    let secrets = callee.workflow.inputs.filter(\.isSecret).compactMap { inputs.node[$0.name] }
    if !secrets.isEmpty { actions.append(.hide(secrets)) }
    let hasDeadline = callee.workflow.limitNames.contains("deadline")
    if hasDeadline {
      actions.append(.startTimer(frame: frameCount, callee.workflow.limits.deadline))
    }
    enter(
      Frame.Context(
        plan: callee,
        secrecy: context.secrecy.callee(of: context.block, step: key.step) ?? callee.secrecy,
        callers: context.callers + [callee], block: callee.root,
        files: files.relative(to: callee.workflow.source.name), parent: key, item: position,
        inputs: inputs, loop: scope.item, label: label(of: key, position, context, scope),
        isSelective: isSelective(context, plan) || hasDeadline
          || plan.step.forEach?.onItemError == .collect))
  }

  /// How events name the step that a block or a called file runs for.
  private func label(
    of key: Frame.Key, _ position: Int, _ context: Frame.Context, _ scope: Scope
  ) -> StepLabel {
    let label = context.label(of: key.step)
    return StepLabel(
      id: label.id, path: scope.item == nil ? label.path : label.path + [position])
  }

  /// One item of a step, or the one thing that it does, is done.
  mutating func finishItem(_ key: Frame.Key, _ position: Int, _ outcome: ItemOutcome) {
    guard activations[key] != nil, let context = frames[key.frame]?.context else { return }
    let plan = context.block.steps[key.step]
    activations[key]?.running -= 1
    var row: [UInt8]?
    var event = RunEvent.Outcome.succeeded
    switch outcome {
    case .values(let values):
      row = values
      activations[key]?.done += 1
    case .skipped(let reason):
      event = .skipped(reason)
      activations[key]?.done += 1
      activations[key]?.skipReason = reason
      row = fallback(key, context, position, nil)
    case .failed(let failures):
      if let first = failures.first { event = .failed(first) }
      activations[key]?.done += 1
      activations[key]?.itemFailures.append((position, failures))
      if plan.step.forEach?.onItemError == .collect {
        if plan.step.onError == .recover { row = fallback(key, context, position, failures.first) }
      } else {
        stopActivation(key)
        guard activations[key] != nil else { return }
      }
    case .cancelled:
      event = .cancelled
      stopActivation(key)
      guard activations[key] != nil else { return }
    }
    if activations[key]?.isCollection == true {
      counts.items += 1
      activations[key]?.rows.set(row, at: position)
      emitItem(key, position, event)
    } else {
      activations[key]?.values = row
    }
    continueStep(key)
  }

  private mutating func emitItem(_ key: Frame.Key, _ item: Int, _ outcome: RunEvent.Outcome) {
    guard isObserved, let activation = activations[key] else { return }
    emit(
      .itemFinished(
        RunEvent.ItemFinished(
          step: activation.label.id, path: activation.label.path, item: item, outcome: outcome,
          done: activation.done, total: activation.total)))
  }

  /// The row that `otherwise` gives an item which was skipped or failed.
  private mutating func fallback(
    _ key: Frame.Key, _ context: Frame.Context, _ position: Int, _ failure: StepFailure?
  ) -> [UInt8]? {
    guard let otherwise = context.block.steps[key.step].step.otherwise else { return nil }
    do throws(Failure) {
      let scope = fallbackScope(key, context)
      return try Evaluation.text(
        of: otherwise, error: failure?.failure, in: scope, files: context.files)
    } catch {
      let failure = stepFailure(error, key, item: position)
      activations[key]?.itemFailures.append((position, [failure]))
      return nil
    }
  }

  /// After an item: the next one's turn, or the step's end.
  private mutating func continueStep(_ key: Frame.Key) {
    guard let activation = activations[key] else { return }
    if activation.running == 0, !activation.hasMore {
      concludeStep(key)
    } else if activation.hasMore, !activation.isQueued,
      activation.running < activation.concurrency
    {
      enqueue(key)
    }
  }

  /// Nothing further of a step begins, and what is at work is cancelled.
  mutating func stopActivation(_ key: Frame.Key) {
    guard activations[key]?.isStopping == false else { return }
    activations[key]?.isStopping = true
    let started = units.filter { $0.value.key == key }.map(\.key)
    if !started.isEmpty { actions.append(.cancel(started.sorted())) }
    for number in frames.filter({ $0.value.context.parent == key }).map(\.key).sorted() {
      frames[number]?.isCancelled = true
      stopFrame(number)
    }
    if activations[key]?.running == 0 { concludeStep(key) }
  }

  /// All of a step's work is done.
  mutating func concludeStep(_ key: Frame.Key) {
    guard let activation = activations[key], let context = frames[key.frame]?.context else {
      return
    }
    let plan = context.block.steps[key.step]
    let failures = activation.itemFailures.sorted { $0.item < $1.item }.flatMap(\.failures)
    let collects = plan.step.forEach?.onItemError == .collect && !activation.isStopping
    if let first = failures.first, !collects {
      fail(
        key, plan.step.forEach == nil ? failures : [first] + failures.dropFirst(),
        activation: activation
      )
      return
    }
    activations[key] = nil
    if activation.isStopping {
      emitFinished(key, context, .cancelled, activation)
      end(key, StepResult(ending: .cancelled, value: nil))
      return
    }
    guard activation.isCollection else {
      if let reason = activation.skipReason {
        emitFinished(key, context, .skipped(reason), activation)
        end(
          key, StepResult(ending: .skipped, value: activation.values.map(ScopeValue.init(text:))))
      } else {
        emitFinished(key, context, .succeeded, activation)
        end(
          key,
          StepResult(ending: .succeeded, value: activation.values.map(ScopeValue.init(text:))))
      }
      return
    }
    let rows = activation.rows.finish(count: activation.total)
    guard let first = failures.first else {
      emitFinished(key, context, .succeeded, activation)
      end(key, StepResult(ending: .succeeded, value: ScopeValue(text: rows)))
      return
    }
    let value = ScopeValue(text: rows, error: Self.error(activation.failedItems))
    if plan.step.onError == .recover {
      emitFinished(key, context, .recovered(first), activation)
      end(key, StepResult(ending: .recovered, value: value))
    } else {
      emitFinished(key, context, .failed(first), activation)
      frames[key.frame]?.failures += failures
      end(key, StepResult(ending: .collected, value: value))
    }
  }
}
