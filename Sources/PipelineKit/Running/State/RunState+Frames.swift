internal import JSONText
internal import Workflows

extension RunState {
  /// Begins a pass through a block.
  mutating func enter(_ context: Frame.Context) {
    let number = frameCount
    frameCount += 1
    let frame = Frame(context)
    frames[number] = frame
    if frame.left == 0 { work.append(.conclude(frame: number)) }
    for step in (0..<context.block.mainCount).reversed() where frame.remaining[step] == 0 {
      work.append(.activate(Frame.Key(frame: number, step: step)))
    }
  }

  /// Records how a step ended, and frees those that follow it.
  mutating func end(_ key: Frame.Key, _ result: StepResult) {
    guard let block = frames[key.frame]?.context.block, frames[key.frame]?.results[key.step] == nil
    else {
      return
    }
    frames[key.frame]?.results[key.step] = result
    frames[key.frame]?.left -= 1
    if key.frame == 0 { count(result.ending) }
    let isMain = key.step < block.mainCount
    for follower in block.graph.followers[key.step].reversed() {
      frames[key.frame]?.remaining[follower] -= 1
      let isSamePhase = (follower < block.mainCount) == isMain
      if isSamePhase, frames[key.frame]?.remaining[follower] == 0 {
        work.append(.activate(Frame.Key(frame: key.frame, step: follower)))
      }
    }
    if frames[key.frame]?.left == 0 { work.append(.conclude(frame: key.frame)) }
  }

  private mutating func count(_ ending: StepResult.Ending) {
    switch ending {
    case .succeeded: counts.succeeded += 1
    case .recovered: counts.recovered += 1
    case .skipped: counts.skipped += 1
    case .failed, .collected: counts.failed += 1
    case .cancelled: counts.cancelled += 1
    }
  }

  /// No further step of the frame's phase starts; those at work are cancelled.
  mutating func stopFrame(_ number: Int) {
    guard frames[number]?.isStopping == false, let steps = frames[number]?.steps else { return }
    frames[number]?.isStopping = true
    var active: [Frame.Key] = []
    for step in steps where frames[number]?.results[step] == nil {
      let key = Frame.Key(frame: number, step: step)
      if activations[key] == nil {
        skip(key, "the run stopped before it could start")
      } else {
        active.append(key)
      }
    }
    if number == 0, !active.isEmpty { actions.append(.cancelAll) }
    for key in active { stopActivation(key) }
  }

  /// A phase of a frame has no step left: `finally` follows, or what the block returns.
  mutating func conclude(frame number: Int) {
    guard frames[number]?.left == 0, let context = frames[number]?.context else { return }
    let block = context.block
    if frames[number]?.phase == .main, block.steps.count > block.mainCount {
      beginFinally(number, block)
    } else if number == 0 {
      frames[0]?.left = -1
      finishRun(report(context))
    } else if let parent = context.parent {
      let outcome = judged(outcome(of: number, context), context, parent)
      frames[number] = nil
      finishItem(parent, context.item, outcome)
    }
  }

  private mutating func beginFinally(_ number: Int, _ block: BlockPlan) {
    frames[number]?.phase = .finally
    frames[number]?.isStopping = false
    frames[number]?.left = block.steps.count - block.mainCount
    var failures = frames[number]?.failures.map(\.failure) ?? []
    if number == 0 {
      failures += [stopReason].compactMap { $0 }
      actions.append(.beginFinally)
    }
    let isWell = failures.isEmpty && frames[number]?.isCancelled != true
    let value = identity.value(ok: isWell, errors: failures)
    frames[number]?.runValue = value
    for step in (block.mainCount..<block.steps.count).reversed()
    where frames[number]?.remaining[step] == 0 {
      work.append(.activate(Frame.Key(frame: number, step: step)))
    }
  }

  /// What a block that has ended gives the step that it stands in.
  private func outcome(of number: Int, _ context: Frame.Context) -> ItemOutcome {
    if let failures = frames[number]?.failures, !failures.isEmpty { return .failed(failures) }
    if frames[number]?.isCancelled == true { return .cancelled }
    do throws(Failure) {
      return .values(try values(of: number, context))
    } catch {
      guard let parent = context.parent else { return .cancelled }
      return .failed([stepFailure(error, parent, item: context.loop?.index)])
    }
  }

  /// What a step expects of the values that its block, or the file that it runs, gives.
  private func judged(
    _ outcome: ItemOutcome, _ context: Frame.Context, _ parent: Frame.Key
  ) -> ItemOutcome {
    guard case .values(let values) = outcome, let shared = activations[parent]?.shared,
      let step = frames[parent.frame]?.context.block.steps[parent.step].step
    else { return outcome }
    do throws(Failure) {
      try Evaluation.check(
        step.expect, values: values, in: Scope(shared: shared, item: context.loop))
      return outcome
    } catch {
      return .failed([stepFailure(error, parent, item: context.loop?.index)])
    }
  }

  /// The text of the object that a block returns.
  private func values(of number: Int, _ context: Frame.Context) throws(Failure) -> [UInt8] {
    // A called file returns its outputs and nothing else.
    let isFile = context.block === context.plan.root
    if let fields = context.block.block.outputs ?? (isFile ? [] : nil) {
      return try Evaluation.text(
        of: fields, in: outputScope(of: number, context), files: context.files)
    }
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (step, plan) in context.block.steps.enumerated() {
      guard let value = frames[number]?.results[step]?.value else { continue }
      writer.name(plan.step.id.value)
      writer.raw(value.utf8)
    }
    writer.endObject()
    return writer.bytes
  }

  private func outputScope(of number: Int, _ context: Frame.Context) -> Scope {
    let reads = context.block.outputReads
    return Scope(
      shared: Scope.Shared(
        names: reads.map(\.name),
        values: reads.map { value(of: $0.definition, in: number).available }))
  }

  private func report(_ context: Frame.Context) -> RunReport {
    var failures = frames[0]?.failures ?? []
    var text = Array("{}".utf8)
    do throws(Failure) {
      text = try Evaluation.outputs(
        context.block.block.outputs ?? [], context.secrecy[context.block].outputs,
        in: outputScope(of: 0, context), files: context.files)
    } catch {
      failures.append(
        StepFailure(
          step: "outputs", path: [], item: nil, failure: error,
          stepRange: error.range ?? 0..<0, source: context.plan.workflow.source))
    }
    let isCancelled = stopReason?.kind == .cancelled
    let isWell = failures.isEmpty && stopReason == nil
    return RunReport(
      runID: identity.id, status: isCancelled ? .cancelled : isWell ? .succeeded : .failed,
      failures: failures, stopReason: stopReason, counts: counts, duration: now,
      outputs: ScopeValue(text: text).node)
  }
}
