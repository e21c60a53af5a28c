internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

// Steps at work start their items.

extension RunState {
  /// Puts a step into the queue for its turn.
  ///
  /// - Parameter item: The item whose end lets another one begin.
  mutating func enqueue(_ place: StepPlace, _ number: Int, after item: Int? = nil) {
    activations[number].enterQueue(with: news.number, after: item)
    slots.enqueue(
      ReadyStep(place, lastStart: activations[number].lastStart), isCrowded: frames.isCrowded)
  }

  /// Starts ready steps, most urgent first, while slots are free.
  mutating func startReady() {
    while slots.hasReady {
      guard takeTurn() else { return }
      if let (ready, queue) = slots.next(isCrowded: frames.isCrowded), let next = startNext(ready) {
        slots.putBack(next, in: queue)
      }
      if !frames.isSettled { return }
    }
  }

  /// Starts the next item of a ready step. Returns what goes back into the queue, if the step does.
  private mutating func startNext(_ ready: ReadyStep) -> ReadyStep? {
    let place = ready.place
    guard let number = activation(at: place) else { return nil }
    guard activations[number].hasMore else {
      activations[number].leaveQueue()
      return nil
    }
    let start = slots.countStart()
    let position = activations[number].beginNext(start)
    let scope = Scope(
      shared: activations[number].shared, item: nextItem(of: place, number, position))
    let staysQueued = activations[number].staysQueued
    if !staysQueued { activations[number].leaveQueue() }
    let label = activations[number].label
    if let rounds = place.plan.step.forEach?.rounds {
      shielding(place.frame) { state in state.startRound(rounds, place, number, position, label) }
      return nil
    }
    shielding(place.frame) { state in state.startItem(place, position, label, scope) }
    if !staysQueued { return nil }
    var next = ready
    next.lastStart = start
    return next
  }

  /// The next item of a collection.
  private mutating func nextItem(
    of place: StepPlace, _ number: Int, _ position: Int
  ) -> Scope.Item? {
    guard let names = place.plan.loopNames else { return nil }
    let redactor = settings.redactor
    var others: [Scope.Item]? = place.plan.inner?.block.itemState.isEmpty == false ? [] : nil
    let item = activations[number].nextItem(names, at: position, after: &others) {
      redactor.hide($0)
    }
    if let others, !others.isEmpty { takeKeys(of: others, place, number) }
    return item
  }

  private mutating func startItem(
    _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope
  ) {
    let plan = place.plan
    do throws(FailureReason) {
      if scope.item == nil, plan.loopNames != nil,
        let problem = activation(at: place).flatMap({ activations[$0].itemProblem })
      {
        throw FailureReason(.file, problem.message, at: plan.step.forEach?.source.range)
      }
      if plan.judgesEachItem, let when = plan.step.when, try !Evaluation.holds(when, in: scope) {
        noteMixedComparison(of: when.value, in: scope, place)
        finishItem(place, position, .skipped("its 'when' does not hold"), scope.item)
        return
      }
      if let item = scope.item, !item.gaps.isNone,
        let reason = item.name.flatMap({
          item.gaps.reasonMissing($0, for: plan.step, in: scope)
        })
      {
        finishItem(place, position, .skipped(reason), scope.item)
        return
      }
      try startAction(place, position, label, scope)
    } catch {
      let item = scope.item == nil ? nil : position
      finishItem(
        place, position, .failed([stepFailure(error, place, item: item, in: scope)]), scope.item)
    }
  }

  /// Carries out the step's action for one item, or has a task do so.
  private mutating func startAction(
    _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope
  ) throws(FailureReason) {
    let plan = place.plan
    switch plan.step.action {
    case .values:
      guard let values = plan.values else {
        throw FailureReason(.value, "the values have no plan")
      }
      let source = DataScope(scope: scope, files: place.context.files)
      let result = try Evaluation.values(
        values, of: plan.step, in: scope, from: source, secrets(of: place))
      noteMixedComparison(of: source.emptyQueries, in: scope, place)
      finishItem(place, position, .values(result), scope.item)
    case .block:
      guard let block = plan.inner else { throw FailureReason(.value, "the block has no plan") }
      try checkRoom(for: block)
      let state = try itemState(of: block, place, label, position, scope)
      emitItemStarted(place, scope)
      if block.block.isChoice {
        try enterBranch(of: block, place, position, label, scope)
      } else {
        enter(context(of: block, place, position, label, scope, state: state), place, position)
      }
    case .call(let call):
      guard let callee = plan.callee else {
        throw FailureReason(
          .file, "'\(call.path.value)' was not loaded with the workflow", at: call.path.range)
      }
      try checkRoom(for: callee.root)
      // A call is an item of its step. If the step is not a collection, it was not counted yet.
      if scope.item == nil { try count(1, of: place.context) }
      let inputs = try InputValues.forCall(
        callee.workflow, call, in: scope, files: place.context.files, settings.identity)
      emitItemStarted(place, scope)
      enterFile(callee, inputs, place, position, label, scope)
    case .request:
      startUnit(place, position, label, scope, slot: .taken)
    case .wait:
      startUnit(place, position, label, scope, slot: .none)
    case .ask:
      startUnit(place, position, label, scope, slot: .none)
    case .say(let text):
      let said = try secrets(of: place).message(text, in: scope)
      emit(.said(RunEvent.Said(step: label.id, path: label.path, text: said)))
      finishItem(place, position, .values(Array("{}".utf8)), scope.item)
    case .fail(let failure):
      throw try Evaluation.failure(
        failure, in: scope, files: place.context.files, secrets(of: place))
    }
  }

  /// Starts a unit of work, unless an earlier process has carried it out.
  private mutating func startUnit(
    _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope,
    slot: UnitTable.Running.Slot
  ) {
    let isCleanUp = frames[place.frame].isCleanUp
    let isSelective = isSelective(place)
    let unit = units.add(at: place, item: position, slot: slot) { id, serial in
      Unit(
        id: id, serial: serial, frame: place.context, step: place.step, label: label,
        item: scope.item == nil ? nil : position, scope: scope, isSelective: isSelective,
        isCleanUp: isCleanUp)
    }
    if takeRecorded(unit, of: place.frame) || hold(unit, of: place.frame) { return }
    emitItemStarted(place, scope)
    carryOut(unit, of: place.frame, slot)
  }

  /// Has a unit carried out, unless this process must not do that.
  mutating func carryOut(
    _ unit: Unit, of frame: FrameID, _ slot: UnitTable.Running.Slot
  ) {
    if let failure = recorded?.refusal(of: unit) {
      // It sends nothing, and waits until everything else has ended. Others may need its slot.
      units.setSlot(.none, of: unit.id)
      actions.append(.refuse(unit, failure))
    } else {
      slots.take(slot)
      noteAction(frame)
      actions.append(.start(unit))
    }
  }

  func isSelective(_ place: StepPlace) -> Bool {
    settings.isSelective || place.context.isSelective || place.plan.step.onError != .fail
  }

  /// The part that does not change in a pass through a block.
  ///
  /// - Parameters:
  ///   - state: The state as the item sees it; `nil` if it sees that of the steps around.
  ///   - lineage: That of a round; `nil` for that of the item.
  func context(
    of block: BlockPlan, _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope,
    state: ScopeValue? = nil, lineage: Fingerprint? = nil
  ) -> FrameContext {
    let context = place.context
    let step = place.plan.step
    return FrameContext(
      plan: context.plan, secrecy: context.secrecy, provenance: context.provenance,
      callers: context.callers, block: block, files: context.files, inputs: context.inputs,
      state: state ?? context.state, loop: scope.item,
      label: label.item(scope.item.map { _ in position }, isRound: step.forEach?.rounds != nil),
      isSelective: isSelective(place) || step.forEach?.onItemError == .collect
        || step.retry != nil,
      outerPath: place.remainingPath, lineage: lineage ?? context.lineage(of: scope.item),
      isLaterAttempt: context.isLaterAttempt)
  }

  /// Begins a pass in which only the first branch whose `when` holds is carried out.
  private mutating func enterBranch(
    of block: BlockPlan, _ place: StepPlace, _ position: Int, _ label: StepLabel, _ scope: Scope
  ) throws(FailureReason) {
    let frame = frames.begin(
      context(of: block, place, position, label, scope), for: place, item: position)
    let chosen: Int?
    do throws(FailureReason) {
      chosen = try chosenBranch(in: frame)
    } catch {
      _ = frames.remove(frame)
      throw error
    }
    guard let chosen else {
      _ = frames.remove(frame)
      finishItem(place, position, .skipped("no branch's 'when' holds"), scope.item)
      return
    }
    for branch in block.steps.indices where branch != chosen {
      frames[frame].end(branch, .skipped, nil, .none)
    }
    frames[frame].chosen = chosen
    follow(frame, of: block, place, position)
  }

  /// The first branch whose condition holds.
  private mutating func chosenBranch(in frame: FrameID) throws(FailureReason) -> Int? {
    for (branch, plan) in frames[frame].context.block.steps.enumerated() {
      guard let when = plan.step.when else { return branch }
      let scope = frames.scope(of: plan.sharedReads, in: frame)
      if try Evaluation.holds(when, in: scope) { return branch }
    }
    return nil
  }

  /// Begins a pass through a called file.
  private mutating func enterFile(
    _ callee: Plan, _ inputs: ScopeValue, _ place: StepPlace, _ position: Int, _ label: StepLabel,
    _ scope: Scope
  ) {
    let context = place.context
    for input in callee.workflow.inputs where input.isSecret {
      if let value = inputs.node[input.name] { settings.redactor.hide(value) }
    }
    let hasDeadline = callee.workflow.limitNames.contains("deadline")
    let frame = enter(
      FrameContext(
        plan: callee,
        secrecy: context.secrecy.callee(of: context.block, step: place.step) ?? callee.secrecy,
        provenance: context.provenance.callee(of: context.block, step: place.step)
          ?? callee.provenance,
        callers: context.callers + [callee], block: callee.root,
        files: settings.files.relative(to: callee.workflow.source.name), inputs: inputs, state: nil,
        loop: scope.item,
        label: label.item(scope.item.map { _ in position }),
        isSelective: isSelective(place) || hasDeadline
          || place.plan.step.forEach?.onItemError == .collect || place.plan.step.retry != nil,
        outerPath: place.remainingPath, lineage: context.lineage(of: scope.item),
        isLaterAttempt: context.isLaterAttempt),
      place, position)
    if hasDeadline { startTimer(frame, callee.workflow.limits.deadline) }
  }

  /// Passes under way take memory, too.
  func checkRoom(for block: BlockPlan) throws(FailureReason) {
    guard !memory.hasRoom(for: Frame.size(of: block)) else { return }
    throw FailureReason(
      .limit,
      "\(frames.passCount) running blocks and called files take more than"
        + " \(settings.plan.workflow.limits.memoryText); 'limits.memory' sets how much they may take"
    )
  }

  /// Begins a pass.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt, from 1.
  ///   - pause: How long its steps wait before they may start.
  @discardableResult
  mutating func enter(
    _ context: FrameContext, _ place: StepPlace, _ position: Int, attempt: Int = 1,
    after pause: Duration = .zero
  ) -> FrameID {
    let frame = frames.begin(context, for: place, item: position, attempt: attempt)
    guard pause > .zero else {
      follow(frame, of: context.block, place, position)
      return frame
    }
    frames[frame].isWaiting = true
    keep(frame, of: context.block, place, position)
    startTimer(frame, pause)
    return frame
  }

  /// The steps of a pass that has begun may start.
  private mutating func follow(
    _ frame: FrameID, of block: BlockPlan, _ place: StepPlace, _ position: Int
  ) {
    keep(frame, of: block, place, position)
    frames.enter(frame)
  }

  private mutating func keep(
    _ frame: FrameID, of block: BlockPlan, _ place: StepPlace, _ position: Int
  ) {
    hold(Frame.size(of: block), in: frame)
    if let number = activation(at: place) { activations[number].frames[position] = frame }
  }

  /// The pause before a pass is over.
  mutating func endPause(of frame: FrameID) {
    frames[frame].isWaiting = false
    _ = frames.removeTime(of: frame)
    if let deadline = frames[frame].deadline { startTimer(frame, deadline) }
    frames.enter(frame)
  }
}
