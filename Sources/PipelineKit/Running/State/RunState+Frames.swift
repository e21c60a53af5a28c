internal import JSONPaths
internal import JSONText
internal import Workflows

extension RunState {
  /// Begins a pass through a block.
  mutating func enter(_ frame: Frame) {
    if frame.left == 0 { endedFrames.append(frame) }
    free(frame) { $0.begin(frame.steps) }
  }

  /// Records how a step ended, and frees those that follow it.
  mutating func end(
    _ place: StepPlace, _ ending: StepEnding.Kind, _ value: ScopeValue? = nil, _ gaps: Gaps = .none
  ) {
    guard place.frame.endings[place.step] == nil else { return }
    place.frame.end(place.step, ending, value, gaps)
    follow(place, ending)
  }

  /// What follows from the end of a step.
  mutating func follow(_ place: StepPlace, _ ending: StepEnding.Kind) {
    let (frame, step) = (place.frame, place.step)
    frame.left -= 1
    if frame === root { count(ending) }
    let block = frame.context.block
    let phase =
      step < block.mainCount ? 0..<block.mainCount : block.mainCount..<block.steps.count
    free(frame) { $0.release(block.graph.followers[step], of: phase) }
    if frame.left == 0 { endedFrames.append(frame) }
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

  /// No further step of the frame's phase starts; those at work are cancelled.
  mutating func stopFrame(_ frame: Frame) {
    guard !frame.isStopping else { return }
    frame.isStopping = true
    var active: [StepPlace] = []
    for step in frame.steps where frame.endings[step] == nil {
      let place = StepPlace(frame: frame, step: step)
      if place.activation == nil {
        skip(place, "the run stopped before it could start")
      } else {
        active.append(place)
      }
    }
    if frame === root, !isSelective, !active.isEmpty { actions.append(.cancelAll) }
    for place in active { stopActivation(place) }
  }

  /// A phase of a frame has no step left: `finally` follows, or what the block returns.
  mutating func conclude(_ frame: Frame) {
    guard frame.left == 0 else { return }
    let block = frame.context.block
    if frame.phase == .main, block.steps.count > block.mainCount {
      beginFinally(frame)
    } else if let parent = frame.parent {
      let outcome = judged(outcome(of: frame, parent), frame, parent)
      if parent.activation?.isCollection == false { parent.activation?.gaps = gaps(of: frame) }
      frame.left = -1
      passCount -= 1
      parent.activation?.frames[frame.item] = nil
      releaseAll(of: frame)
      if timedFrames.removeValue(forKey: frame.number) != nil {
        actions.append(.stopTimer(frame: frame.number))
      }
      finishItem(parent, frame.item, outcome, frame.context.loop)
    } else {
      let report = report(frame)
      // Its outputs may be those of an evaluation that was cut short: there will be another report.
      if signal.stops, !frame.isCleanUp { return endedFrames.append(frame) }
      frame.left = -1
      finishRun(report)
    }
  }

  private mutating func beginFinally(_ frame: Frame) {
    let block = frame.context.block
    frame.phase = .finally
    frame.isCleanUp = true
    frame.isStopping = false
    frame.left = block.steps.count - block.mainCount
    var failures = frame.failures.map(\.failure)
    if frame === root {
      failures += [stopReason].compactMap { $0 }
      actions.append(.beginFinally)
    } else {
      startTimer(frame, finallyLimit)
    }
    frame.runValue = identity.value(ok: failures.isEmpty && !frame.isCancelled, errors: failures)
    enter(frame)
  }

  /// From now on a pass has this long.
  mutating func startTimer(_ frame: Frame, _ duration: Duration) {
    timedFrames[frame.number] = frame
    actions.append(.startTimer(frame: frame.number, duration))
  }

  /// What a block that has ended gives the step that it stands in.
  private func outcome(of frame: Frame, _ parent: StepPlace) -> ItemOutcome {
    if !frame.failures.isEmpty { return .failed(frame.failures) }
    if frame.isCancelled { return .cancelled }
    do throws(Failure) {
      return .values(try values(of: frame))
    } catch {
      return .failed([stepFailure(error, parent, item: frame.context.loop?.index)])
    }
  }

  /// What a step expects of the values that its block, or the file that it runs, gives.
  private func judged(
    _ outcome: ItemOutcome, _ frame: Frame, _ parent: StepPlace
  ) -> ItemOutcome {
    guard case .values(let values) = outcome, let shared = parent.activation?.shared else {
      return outcome
    }
    let scope = Scope(shared: shared, item: frame.context.loop)
    do throws(Failure) {
      try Evaluation.check(parent.plan.step.expect, values: values, in: scope, redactor)
      return outcome
    } catch {
      return .failed([stepFailure(error, parent, item: frame.context.loop?.index, in: scope)])
    }
  }

  /// The text of the object that a block returns.
  private func values(of frame: Frame) throws(Failure) -> [UInt8] {
    let context = frame.context
    // A called file returns its outputs and nothing else.
    let isFile = context.block === context.plan.root
    if let fields = context.block.block.outputs ?? (isFile ? [] : nil) {
      return try Evaluation.text(of: fields, in: outputScope(of: frame), files: context.files)
    }
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (step, plan) in context.block.steps.enumerated() {
      guard let value = frame.value(of: step) else { continue }
      writer.name(plan.step.id.value)
      value.write(to: &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  /// What is missing of what a block returns.
  private func gaps(of frame: Frame) -> Gaps {
    let context = frame.context
    var members: [String: Gaps] = [:]
    if let fields = context.block.block.outputs {
      members = frame.gaps(of: fields, reading: context.block.outputReads)
    } else if context.block !== context.plan.root {
      for (step, plan) in context.block.steps.enumerated() {
        let gaps = frame.gaps(of: step)
        if !gaps.isNone { members[plan.step.id.value] = gaps }
      }
    }
    return members.isEmpty ? .none : .members(members, others: .none)
  }

  private func outputScope(of frame: Frame) -> Scope {
    frame.scope(of: frame.context.block.outputReads)
  }

  /// What the run returns. Of a run that was stopped, nothing that takes long to evaluate.
  private func outputs(of frame: Frame) throws(Failure) -> Outputs {
    let context = frame.context
    let evaluate = { () throws(Failure) -> Outputs in
      try Evaluation.outputs(
        context.block.block.outputs ?? [], context.secrecy[context.block].outputs,
        in: outputScope(of: frame), files: context.files)
    }
    guard stopReason != nil else { return try evaluate() }
    let limit = WorkLimit()
    let result = Interruption.$source.withValue(limit) { Result(catching: evaluate) }
    return limit.interruptsWork ? Outputs() : try result.get()
  }

  /// Whether an output cannot be given because the run stopped or failed before, which is reported.
  private func isConsequence(of frame: Frame) -> Bool {
    stopReason != nil || !frame.failures.isEmpty && !gaps(of: frame).isNone
  }

  private func report(_ frame: Frame) -> RunReport {
    let context = frame.context
    var failures = frame.failures
    var outputs = Outputs()
    do throws(Failure) {
      outputs = try self.outputs(of: frame)
    } catch {
      let failure = StepFailure(
        step: "outputs", path: [], item: nil, failure: error,
        stepRange: error.range ?? 0..<0, source: context.plan.workflow.source)
      if !isConsequence(of: frame) { failures.append(failure) }
    }
    var state = given
    if failures.isEmpty, stopReason == nil {
      do throws(Failure) {
        state = try next(of: frame)
      } catch {
        failures.append(
          StepFailure(
            step: "state", path: [], item: nil, failure: error,
            stepRange: error.range ?? 0..<0, source: context.plan.workflow.source))
      }
    }
    let isCancelled = stopReason?.kind == .cancelled
    let isWell = failures.isEmpty && stopReason == nil
    return RunReport(
      runID: identity.id, status: isCancelled ? .cancelled : isWell ? .succeeded : .failed,
      failures: failures, stopReason: stopReason, counts: counts, duration: now,
      outputs: outputs, state: state)
  }

  /// What the run, which has succeeded, leaves to the next one.
  private func next(of frame: Frame) throws(Failure) -> [String: JSONValue] {
    let context = frame.context
    let fields = context.block.block.next
    if fields.isEmpty { return given }
    return try StateValues(workflow: plan.workflow, startedAt: identity.startedAt).next(
      after: given, fields, context.secrecy[context.block].next,
      in: frame.scope(of: context.block.nextReads), files: context.files, redactor)
  }
}
