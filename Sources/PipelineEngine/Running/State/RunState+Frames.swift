internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

// Passes through blocks: how their steps end, how they stop, and the consequences.

extension RunState {
  /// Records how a step ended, and frees its followers.
  mutating func end(
    _ place: StepPlace, _ ending: StepEnding.Kind, _ value: ScopeValue? = nil, _ gaps: Gaps = .none
  ) {
    guard frames[place.frame].steps[place.step].ending == nil else { return }
    frames[place.frame].end(place.step, ending, value, gaps)
    follow(place, ending)
  }

  /// The consequences of the end of a step.
  mutating func follow(_ place: StepPlace, _ ending: StepEnding.Kind) {
    if place.frame == .root { count(ending) }
    frames.follow(place)
  }

  private mutating func count(_ ending: StepEnding.Kind) {
    switch ending {
    case .succeeded: counts.succeeded += 1
    case .recovered: counts.recovered += 1
    case .skipped: counts.skipped += 1
    case .failed, .collected: counts.failed += 1
    case .cancelled: counts.cancelled += 1
    }
  }

  /// No further step of the frame's phase starts, and steps at work are cancelled.
  mutating func stopFrame(_ id: FrameID) {
    guard !frames[id].isStopping else { return }
    frames[id].stop()
    if id == .root { endPause() }
    var active: [StepPlace] = []
    for step in frames[id].phaseSteps {
      let place = frames[id].place(of: step)
      switch frames[id].steps[step] {
      case .open: skip(place, "the run stopped before it could start")
      case .atWork: active.append(place)
      case .ended: break
      }
    }
    if id == .root, !settings.isSelective, !active.isEmpty { actions.append(.cancelAll) }
    for place in active { stopActivation(place) }
    // A pass that waits was not looked at yet.
    if frames[id].isWaiting, frames[id].left == 0 { frames.returnEnded(id) }
  }

  /// A phase of a frame has no step left: `finally` follows, or what the block returns.
  mutating func conclude(_ id: FrameID) {
    guard frames[id].hasEndedPhase else { return }
    let block = frames[id].context.block
    if frames[id].phase == .main, block.steps.count > block.mainCount, !frames[id].isWaiting {
      beginFinally(id)
    } else if let parent = frames[id].parent {
      concludePass(id, for: parent)
    } else {
      let report = report()
      // Its outputs may come from an evaluation that was cut short. There will be another report.
      if settings.signal.stops, !frames[id].isCleanUp { return frames.returnEnded(id) }
      frames[id].conclude()
      stage = .finished
      actions.append(.finish(report))
    }
  }

  /// An item's pass ends, and its step gets the outcome.
  private mutating func concludePass(_ id: FrameID, for parent: StepPlace) {
    var outcome = judged(outcome(of: id, parent), id, parent)
    let left = leaveState(of: id, &outcome, for: parent)
    if tryAgain(id, &outcome, for: parent) { return }
    if let number = activation(at: parent) {
      leaveCarry(of: id, in: number)
      if !activations[number].isCollection { activations[number].gaps = gaps(of: id) }
      activations[number].frames[frames[id].item] = nil
    }
    if frames.removeTime(of: id) { actions.append(.stopTimer(frame: id.number)) }
    let frame = frames.remove(id)
    memory.release(frame.held)
    finishItem(parent, frame.item, outcome, frame.context.loop, leaving: left)
  }

  private mutating func beginFinally(_ id: FrameID) {
    frames[id].beginFinally()
    let verdict = frames[id].verdict
    var failures = verdict.failures.map(\.failure)
    if id == .root {
      endPause()
      failures += [stopReason].compactMap { $0 }
      actions.append(.beginFinally)
    } else {
      startTimer(id, finallyLimit(of: id))
    }
    frames[id].runValue = settings.identity.value(
      ok: failures.isEmpty && verdict.isGood, errors: failures)
    frames.enter(id)
  }

  /// Starts the time limit of a frame.
  mutating func startTimer(_ id: FrameID, _ duration: Duration) {
    frames.setTimed(id)
    actions.append(.startTimer(frame: id.number, duration))
  }

  /// The values that an ended block gives to its step.
  private mutating func outcome(of id: FrameID, _ parent: StepPlace) -> ItemOutcome {
    switch frames[id].verdict {
    case .failed(let failures): return .failed(failures)
    case .cancelled: return .cancelled
    case .good: break
    }
    if let chosen = frames[id].chosen, frames[id].steps[chosen].ending?.kind == .skipped {
      return .skipped("branch \(chosen + 1) needs a value that is missing")
    }
    do throws(FailureReason) {
      return .values(try values(of: id))
    } catch {
      return .failed([stepFailure(error, parent, item: frames[id].context.loop?.index)])
    }
  }

  /// Judges the values of a step's block, or called file, by the step's `expect`.
  private mutating func judged(
    _ outcome: ItemOutcome, _ id: FrameID, _ parent: StepPlace
  ) -> ItemOutcome {
    guard case .values(let values) = outcome, let number = activation(at: parent) else {
      return outcome
    }
    let loop = frames[id].context.loop
    let scope = Scope(shared: activations[number].shared, item: loop)
    do throws(FailureReason) {
      try Evaluation.check(parent.plan.step.expect, values: values, in: scope, secrets(of: parent))
      return outcome
    } catch {
      return .failed([stepFailure(error, parent, item: loop?.index, in: scope)])
    }
  }

  /// The text of the object that a block returns.
  private mutating func values(of id: FrameID) throws(FailureReason) -> [UInt8] {
    let context = frames[id].context
    // A called file returns its outputs and nothing else.
    let isFile = context.block === context.plan.root
    if let fields = context.block.block.outputs ?? (isFile ? [] : nil) {
      return try Evaluation.text(of: fields, in: outputScope(of: id), files: context.files)
    }
    var writer = JSONWriter(style: .compact)
    if let chosen = frames[id].chosen {
      guard let value = frames[id].values.value(of: chosen) else { return Array("{}".utf8) }
      value.write(to: &writer)
      return writer.bytes
    }
    writer.beginObject()
    for (step, plan) in context.block.steps.enumerated() {
      guard let value = frames[id].values.value(of: step) else { continue }
      writer.name(plan.step.id.value)
      value.write(to: &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  /// The missing parts of a block's outputs.
  mutating func gaps(of id: FrameID) -> Gaps {
    let context = frames[id].context
    if let chosen = frames[id].chosen { return frames[id].gaps(of: chosen) }
    var members: [String: Gaps] = [:]
    if let fields = context.block.block.outputs {
      members = frames.gaps(of: fields, reading: context.block.outputReads, in: id)
    } else if context.block !== context.plan.root {
      for (step, plan) in context.block.steps.enumerated() {
        let gaps = frames[id].gaps(of: step)
        if !gaps.isNone { members[plan.step.id.value] = gaps }
      }
    }
    return members.isEmpty ? .none : .members(members, others: .none)
  }

  mutating func outputScope(of id: FrameID) -> Scope {
    frames.scope(of: frames[id].context.block.outputReads, in: id)
  }
}
