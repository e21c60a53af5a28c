internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

// Rounds of a block: each begins with what the one before carries to it.

extension RunState {
  /// Begins a round.
  mutating func startRound(
    _ rounds: Rounds, _ place: StepPlace, _ number: Int, _ position: Int, _ label: StepLabel
  ) {
    var round: Scope.Item?
    do throws(FailureReason) {
      guard position < rounds.maxRounds else {
        throw FailureReason(
          .limit,
          "'until' does not hold after \(rounds.maxRounds) rounds; 'maxRounds' sets how many there"
            + " may be", at: place.plan.step.forEach?.until?.range)
      }
      guard let block = place.plan.inner else {
        throw FailureReason(.value, "the block has no plan")
      }
      try checkRoom(for: block)
      try count(1, of: place.context)
      let carried = try carried(by: rounds, place, number)
      let item = Scope.Item(of: rounds, index: position, carrying: carried)
      round = item
      let scope = Scope(shared: activations[number].shared, item: item)
      let every = position == 0 ? .zero : try pause(rounds, in: scope)
      // A round that is only computed again sent nothing, so the next one need not wait.
      let pause = activations[number].collection?.hasActed == true ? every : .zero
      emitItemStarted(place, scope)
      enter(
        context(
          of: block, place, position, label, scope,
          lineage: lineage(of: item, place.context, block)),
        place, position, after: pause)
    } catch {
      let scope = round.map { Scope(shared: activations[number].shared, item: $0) }
      finishItem(
        place, position, .failed([stepFailure(error, place, item: position, in: scope)]), round)
    }
  }

  /// An object of the values that a round begins with.
  private mutating func carried(
    by rounds: Rounds, _ place: StepPlace, _ number: Int
  ) throws(FailureReason) -> JSONNode {
    let last = activations[number].collection?.carry.take()
    let source = DataScope(
      scope: last ?? Scope(shared: activations[number].shared), files: place.context.files)
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for value in rounds.carried {
      guard let data = last == nil ? value.first : value.next?.value else { continue }
      do throws(DataError) {
        try data.write(member: value.name, to: &writer, from: source)
      } catch {
        throw FailureReason(error)
      }
    }
    writer.endObject()
    let document = writer.document()
    let size = document.bytes.count
    let old = activations[number].collection?.carriedSize ?? 0
    guard memory.hasRoom(for: size - old) else {
      throw .tooMuchHeld(settings.plan.workflow.limits)
    }
    hold(size - old, inActivation: number)
    activations[number].collection?.carriedSize = size
    try check(document.root, rounds, isFirst: last == nil)
    return document.root
  }

  /// Fails if a carried value does not have its type.
  private func check(
    _ carried: JSONNode, _ rounds: Rounds, isFirst: Bool
  ) throws(FailureReason) {
    for value in rounds.carried {
      guard let type = value.type, let node = carried[value.name],
        !ValueCheck.holds(node, type)
      else { continue }
      throw FailureReason(
        .value,
        "the carried value '\(value.name)' must be \(type.article), but it is \(node.kind.article)",
        at: (isFirst ? value.first?.node : value.next?.node)?.range ?? value.nameRange)
    }
  }

  /// The pause before a round.
  private func pause(_ rounds: Rounds, in scope: Scope) throws(FailureReason) -> Duration {
    guard let every = rounds.every else { return .zero }
    let text = try Evaluation.text(every, at: .text, in: scope)
    guard let pause = Quantities.duration(text) else {
      throw FailureReason(
        .value, "'every' must be a duration such as \"5s\", and it comes to \"\(text)\"",
        at: every.range)
    }
    return pause
  }

  /// The lineage of a round: its number and what it begins with, without secrets. Rounds are
  /// in order, so none can take the place of another.
  private func lineage(
    of round: Scope.Item, _ context: FrameContext, _ block: BlockPlan
  ) -> Fingerprint? {
    if context.lineage == .none { return nil }
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    writer.integer(round.index)
    let taints = context.secrecy[block].next
    for (field, taint) in zip(block.block.next, taints) where taint.isNone {
      guard let value = round.node[field.name] else { continue }
      writer.string(field.name)
      writer.value(value)
    }
    writer.endArray()
    return context.lineage(ofNode: writer.document().root)
  }

  /// Keeps what the next round is made of, if the pass was a round.
  mutating func leaveCarry(of id: FrameID, in number: Int) {
    let context = frames[id].context
    guard context.loop?.rounds != nil, frames[id].verdict.isGood else { return }
    activations[number].collection?.hasActed = frames[id].hasActed
    activations[number].collection?.isUnknown = frames[id].isUnknown
    activations[number].collection?.carry = frames.scope(of: context.block.nextReads, in: id)
  }
}

// Passes that fail and begin again.

extension RunState {
  /// Whether a pass with this failure would begin again, as far as is known.
  func mayTryAgain(_ id: FrameID, after failures: [StepFailure]) -> Bool {
    guard let retry = frames[id].parent?.plan.step.retry else { return false }
    return frames[id].attempt < retry.attempts
      && failures.allSatisfy { retry.covers($0.failure) }
      && (retry.unsafe || frames[id].carriedOut == nil)
  }

  /// Begins a pass again that has failed. `false`: its failure stands.
  ///
  /// - Parameter outcome: Gets a hint if the pass must not begin again.
  mutating func tryAgain(
    _ id: FrameID, _ outcome: inout ItemOutcome, for parent: StepPlace
  ) -> Bool {
    guard case .failed(let failures) = outcome, let first = failures.first,
      let retry = parent.plan.step.retry, frames[id].attempt < retry.attempts,
      failures.allSatisfy({ retry.covers($0.failure) }), let number = activation(at: parent),
      !activations[number].isStopping, !isInterrupted(parent.frame)
    else { return false }
    if !retry.unsafe, let step = frames[id].carriedOut {
      var failure = first.failure
      failure.hints.append(
        "no other attempt follows, because step '\(step)' sent what must not be sent twice, and it was"
          + " carried out or may have been; 'settle' there, or \"unsafe\": true in 'retry', allows"
          + " another")
      outcome = .failed([first.saying(failure)] + failures.dropFirst())
      return false
    }
    if frames.removeTime(of: id) { actions.append(.stopTimer(frame: id.number)) }
    let frame = frames.remove(id)
    memory.release(frame.held)
    let context = frame.context
    let label = context.label ?? StepLabel(id: "", path: [])
    if frame.hasRecords { actions.append(.again(step: label.id, place: label.path)) }
    let pause = retry.delay(after: frame.attempt, random: chance(of: label, frame.attempt))
    emit(
      .note(
        RunEvent.Note(
          step: label.id,
          message: "attempt \(frame.attempt + 1) of \(retry.attempts) follows in"
            + " \(Quantities.text(of: pause)), because \(first.failure.message)")))
    let next = enter(
      context.again, parent, frame.item, attempt: frame.attempt + 1, after: pause)
    guard parent.plan.callee != nil else { return true }
    let workflow = context.plan.workflow
    guard workflow.limitNames.contains("deadline") else { return true }
    if frames[next].isWaiting {
      frames[next].deadline = workflow.limits.deadline
    } else {
      startTimer(next, workflow.limits.deadline)
    }
    return true
  }

  /// A number from `0..<1` that differs from run to run, from item to item and from attempt to
  /// attempt.
  private func chance(of label: StepLabel, _ attempt: Int) -> Double {
    let run = UnitKey.hash(of: settings.identity.id)
    let place = UnitKey.placeHash(
      step: run ^ UnitKey.hash(of: label.id), label.path + [attempt])
    return Double(place >> 11) / Double(1 << 53)
  }

  /// Notes what the end of a unit means for the passes around it.
  ///
  /// What cleans up belongs to its pass, and does not keep it from beginning again.
  mutating func noteEnd(of running: UnitTable.Running, _ outcome: UnitOutcome) {
    let unit = running.unit
    var isRecorded = false
    switch outcome {
    case .values, .skipped: isRecorded = true
    case .failed, .cancelled, .waiting: break
    }
    let hasActed = unit.isUnsafe && (isRecorded || unit.mayHaveActed)
    guard isRecorded || hasActed else { return }
    var next: FrameID? = running.place.frame
    var cleansUp = false
    while let frame = next, frames[frame].parent != nil {
      cleansUp = cleansUp || frames[frame].phase == .finally
      if isRecorded { frames[frame].hasRecords = true }
      if hasActed, !cleansUp, frames[frame].carriedOut == nil {
        frames[frame].carriedOut = unit.label.id
      }
      next = frames[frame].parent?.frame
    }
  }
}

extension RetryPolicy {
  /// Whether a block or a called file begins again after this failure.
  fileprivate func covers(_ failure: FailureReason) -> Bool {
    on.contains { cause in
      switch cause {
      case .network: failure.kind == .network
      case .timeout: failure.kind == .timeout
      case .kind(let kind): failure.kind.rawValue.equals(bytes: kind)
      case .status(let pattern):
        failure.kind == .status && failure.status.map(pattern.matches) == true
      }
    }
  }
}
