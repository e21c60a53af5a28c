internal import JSONPaths
internal import JSONText
internal import Workflows

extension RunState {
  /// A step whose dependencies have ended: it is skipped, fails at once, or becomes ready.
  mutating func activate(_ place: StepPlace) {
    let frame = place.frame
    guard place.activation == nil, !frame.isStopping, frame.endings[place.step] == nil else {
      return
    }
    if evaluateAtHand(place) { return }
    let plan = place.plan
    for number in plan.declared {
      let ending = frame.endings[number]?.kind
      if ending == .failed || ending == .cancelled {
        skip(place, "step '\(frame.context.block.steps[number].step.id.value)' failed")
        return
      }
    }
    let missing = frame.missing(for: plan)
    if let reason = missing.reason {
      skip(place, reason)
      return
    }
    begin(place, readsGaps: missing.hasGaps)
  }

  /// - Parameter readsGaps: Whether something is missing of what the step reads, and it does not
  ///   need that itself.
  private mutating func begin(_ place: StepPlace, readsGaps: Bool) {
    let plan = place.plan
    do throws(Failure) {
      if plan.isPlainValues, !readsGaps, let values = plan.values, !isPaused {
        try evaluate(values, place)
        return
      }
      let scope = place.frame.scope(of: plan.sharedReads)
      if let when = plan.step.when, !plan.judgesEachItem {
        guard try Evaluation.holds(when, in: scope) else {
          skip(place, "its 'when' does not hold")
          return
        }
      }
      if isInterrupted(place.frame) { return abandon(place) }
      let items = try plan.step.forEach.map { iteration throws(Failure) in
        try Evaluation.items(of: iteration, in: scope, files: place.context.files)
      }
      if isInterrupted(place.frame) { return abandon(place) }
      if let items { try countItems(items.count, of: place.context) }
      let label = place.context.label(of: place.step)
      emitStarted(label, items: items?.count)
      let activation = Activation(
        label: label, shared: scope.shared, begun: now, items: items,
        concurrency: plan.step.forEach?.concurrency?.value ?? concurrency,
        isStreamed: place.frame === root && place.step == streamedStep)
      if let forEach = plan.step.forEach {
        activation.itemGaps = place.frame.itemGaps(of: forEach, reading: plan.sharedReads)
      }
      if readsGaps, items == nil, case .values(let fields) = plan.step.action {
        let gaps = place.frame.gaps(of: fields, reading: plan.sharedReads)
        activation.gaps = gaps.isEmpty ? .none : .members(gaps, others: .none)
      }
      activation.hidesItems = hasSecretRange(place)
      place.activation = activation
      if items?.count == 0 {
        activation.isQueued = false
        concludeStep(place)
      } else {
        enqueue(place, activation)
      }
    } catch {
      if let values = plan.values { place.frame.kept.forget(values) }
      fail(place, [stepFailure(error, place, item: nil)], activation: nil)
    }
  }

  /// Ends a step all of whose values are at hand; `false`: they are not, or there is no room for them.
  private mutating func evaluateAtHand(_ place: StepPlace) -> Bool {
    let frame = place.frame
    guard !isPaused, let values = frame.context.block.values.atHand(place.step) else {
      return false
    }
    scratch.reset()
    guard Evaluation.write(atHand: values, to: &scratch, keeping: &frame.kept),
      mayHold(scratch.bytes.count)
    else { return false }
    if isObserved { emitStarted(frame.context.label(of: place.step), items: nil) }
    finishWithScratch(place)
    return true
  }

  /// Ends a step with the values that were written last.
  private mutating func finishWithScratch(_ place: StepPlace) {
    hold(scratch.bytes.count, in: place.frame)
    emitFinished(place, .succeeded, nil)
    place.frame.end(place.step, joining: scratch.bytes)
    follow(place, .succeeded)
  }

  /// A step of nothing but values ends where it begins: it waits for nothing and nobody.
  private mutating func evaluate(
    _ values: ValuesPlan, _ place: StepPlace
  ) throws(Failure) {
    if isObserved { emitStarted(place.context.label(of: place.step), items: nil) }
    let (frame, reads) = (place.frame, place.plan.sharedReads)
    scratch.reset()
    try Evaluation.write(
      values, of: place.plan.step, to: &scratch, in: { frame.scope(of: reads) },
      files: frame.context.files, keeping: &frame.kept,
      reading: { frame.value(of: reads[$0].definition) })
    if isInterrupted(place.frame) { return abandon(place) }
    guard mayHold(scratch.bytes.count) else { throw .tooMuchHeld(plan.workflow.limits) }
    finishWithScratch(place)
  }

  /// Ends a step whose evaluation was cut short: what came of it is dropped.
  mutating func abandon(_ place: StepPlace) {
    let activation = place.activation
    place.activation = nil
    hand(activation, to: nil)
    if let values = place.plan.values { place.frame.kept.forget(values) }
    emitFinished(place, .cancelled, activation)
    end(place, .cancelled)
  }

  /// Whether the step counts from or to a secret, so that the numbers between are secret, too.
  private func hasSecretRange(_ place: StepPlace) -> Bool {
    guard case .range? = place.plan.step.forEach?.source.value,
      let ranges = place.context.secrecy.ranges(of: place.step, in: place.context.block)
    else { return false }
    return place.plan.step.iterationUses.contains { ranges.contains($0.range) }
  }

  mutating func countItems(_ count: Int, of context: Frame.Context) throws(Failure) {
    let limit = plan.workflow.limits.items
    guard count <= limit - itemCount else {
      throw Failure(
        .limit,
        "the run has more than \(limit) items and calls; 'limits.items' sets how many it may have")
    }
    itemCount += count
    for caller in context.callers where caller.workflow.limitNames.contains("items") {
      let limit = caller.workflow.limits.items
      let file = ObjectIdentifier(caller)
      guard count <= limit - itemCounts[file, default: 0] else {
        throw Failure(
          .limit,
          "'\(caller.workflow.name)' has more than \(limit) items and calls; its 'limits.items' sets"
            + " how many it may have")
      }
      itemCounts[file, default: 0] += count
    }
  }

  /// Ends a step that does not run.
  mutating func skip(_ place: StepPlace, _ reason: String) {
    let plan = place.plan
    if isInterrupted(place.frame) { return abandon(place) }
    var value: ScopeValue?
    if !place.frame.isStopping {
      do throws(Failure) {
        if plan.step.forEach != nil {
          value = plan.step.otherwise == nil ? nil : ScopeValue(rows: [], count: 0)
        } else if let otherwise = plan.step.otherwise {
          value = ScopeValue(
            text: try Evaluation.text(
              of: otherwise, in: fallbackScope(place), files: place.context.files))
        }
      } catch {
        failForGood(place, [stepFailure(error, place, item: nil)], activation: nil)
        return
      }
    }
    if isInterrupted(place.frame) { return abandon(place) }
    emitFinished(place, .skipped(reason), nil)
    end(place, .skipped, value, value == nil ? .none : gapsAfterSkip(place))
  }

  /// A step failed as a whole: the run stops, goes on, or goes on with `otherwise`.
  mutating func fail(_ place: StepPlace, _ failures: [StepFailure], activation: Activation?) {
    place.activation = nil
    hand(activation, to: nil)
    guard let first = failures.first else { return }
    if isInterrupted(place.frame) { return abandon(place) }
    let (plan, frame) = (place.plan, place.frame)
    let failed = activation?.failed ?? FailedItems(first)
    if plan.step.onError == .recover {
      do throws(Failure) {
        let value =
          plan.step.forEach == nil
          ? ScopeValue(
            text: try Evaluation.text(
              of: plan.step.otherwise ?? [], error: first.failure, in: fallbackScope(place),
              files: place.context.files))
          : ScopeValue(
            rows: [], count: 0,
            error: CollectedError(failed))
        if isInterrupted(frame) { return abandon(place) }
        if plan.step.forEach != nil { hold(failed.held, in: frame) }
        emitFinished(place, .recovered(first), activation)
        end(place, .recovered, value, gapsAfterFailure(place))
        return
      } catch {
        frame.failures.append(stepFailure(error, place, item: nil))
      }
    }
    failForGood(place, failures, activation: activation)
  }

  /// A step failed as a whole, and has no `otherwise` to go on with.
  private mutating func failForGood(
    _ place: StepPlace, _ failures: [StepFailure], activation: Activation?
  ) {
    guard let first = failures.first else { return }
    let (plan, frame) = (place.plan, place.frame)
    let failed = activation?.failed ?? FailedItems(first)
    emitFinished(place, .failed(first), activation)
    frame.fail(with: failures)
    hold(failed.held, in: frame)
    end(place, .failed)
    if plan.step.onError != .continue { stopFrame(frame) }
  }

  private mutating func emitStarted(_ label: StepLabel, items: Int?) {
    emit(.stepStarted(RunEvent.StepStarted(step: label.id, path: label.path, items: items)))
  }

  mutating func emitFinished(
    _ place: StepPlace, _ outcome: RunEvent.Outcome, _ activation: Activation?
  ) {
    guard isObserved else { return }
    let label = activation?.label ?? place.context.label(of: place.step)
    let event = RunEvent.StepFinished(
      step: label.id, path: label.path, outcome: outcome,
      duration: activation.map { now - $0.begun } ?? .zero,
      items: activation.flatMap { $0.isCollection ? $0.done : nil },
      failedItems: activation?.failed.count ?? 0,
      recoveredBy: recoverer(from: outcome, of: place))
    emit(.stepFinished(event))
  }

  /// The step around that recovers from a failure.
  func recoverer(from outcome: RunEvent.Outcome, of place: StepPlace) -> String? {
    guard case .failed = outcome else { return nil }
    var frame = place.frame
    while let parent = frame.parent {
      if parent.plan.step.onError == .recover { return parent.context.label(of: parent.step).id }
      frame = parent.frame
    }
    return nil
  }

  /// What is missing of the values of a step that was skipped.
  func gapsAfterSkip(_ place: StepPlace) -> Gaps {
    fallbackGaps(place, "was skipped", hasError: false)
  }

  /// What is missing of the values of a step that recovered.
  private func gapsAfterFailure(_ place: StepPlace) -> Gaps {
    fallbackGaps(place, "failed", hasError: true)
  }

  private func fallbackGaps(_ place: StepPlace, _ ending: String, hasError: Bool) -> Gaps {
    let step = place.plan.step
    let cause = "step '\(step.id.value)' \(ending)"
    guard step.forEach == nil else {
      return .members(hasError ? ["error": Gaps.none] : [:], others: .everywhere(cause))
    }
    let fields = place.frame.gaps(of: step.otherwise ?? [], reading: place.plan.sharedReads)
    return .ofFallback(for: step, cause, fields: fields, hasError: hasError)
  }

  /// What a step's `otherwise` reads.
  func fallbackScope(_ place: StepPlace, _ loop: Scope.Item? = nil) -> Scope {
    var scope = place.frame.scope(of: place.plan.sharedReads)
    scope.item = loop
    return scope
  }
}
