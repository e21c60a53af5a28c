internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

extension RunState {
  /// A step whose dependencies have ended: it is skipped, fails at once, or becomes ready.
  mutating func activate(_ place: StepPlace) {
    guard !frames[place.frame].isStopping, frames[place.frame].steps[place.step].isOpen else {
      return
    }
    if evaluateKept(place) { return }
    let plan = place.plan
    for number in plan.declared {
      let words: String
      switch frames[place.frame].steps[number].ending?.kind {
      case .failed, .cancelled: words = "step"
      case .collected: words = "an item of step"
      case .succeeded, .recovered, .skipped, nil: continue
      }
      skip(place, "\(words) '\(place.context.block.steps[number].step.id.value)' failed")
      return
    }
    let missing = frames.missing(for: place)
    if let reason = missing.reason {
      skip(place, reason)
      return
    }
    begin(place, readsGaps: missing.hasGaps)
  }

  /// - Parameter readsGaps: Whether a read of the step is missing that the step does not need
  ///   itself.
  private mutating func begin(_ place: StepPlace, readsGaps: Bool) {
    let plan = place.plan
    do throws(FailureReason) {
      if plan.isPlainValues, !readsGaps, let values = plan.values, !slots.isPaused {
        try evaluate(values, place)
        return
      }
      let scope = scope(of: place)
      if let when = plan.step.when, !plan.judgesEachItem {
        guard try Evaluation.holds(when, in: scope) else {
          noteMixedComparison(of: when.value, in: scope, place)
          skip(place, "its 'when' does not hold")
          return
        }
      }
      if isInterrupted(place.frame) { return abandon(place) }
      let items = try plan.step.forEach.map { iteration throws(FailureReason) in
        try Evaluation.items(
          of: iteration, in: scope, files: place.context.files, settings.handedRows.spools)
      }
      if items?.count == 0, case .query(let query)? = plan.step.forEach?.source.value {
        noteMixedComparison(of: [query.value], in: scope, place)
      }
      let concurrency = try concurrency(of: place, in: scope)
      if isInterrupted(place.frame) { return abandon(place) }
      // Rounds are counted when they begin.
      if let items, plan.step.forEach?.rounds == nil {
        try count(items.count, of: place.context)
      }
      activate(place, items, scope.shared, concurrency: concurrency, readsGaps: readsGaps)
    } catch {
      forget(place)
      fail(place, [stepFailure(error, place, item: nil)])
    }
  }

  /// How many items of a step may run at once.
  private func concurrency(
    of place: StepPlace, in scope: Scope
  ) throws(FailureReason) -> Int {
    guard let iteration = place.plan.step.forEach else { return slots.limit }
    let number = try Evaluation.amount(
      iteration.concurrency, iteration.concurrencyData, "concurrency", in: scope,
      files: place.context.files)
    if let until = iteration.until, number != 1 {
      throw FailureReason(
        .value, "'until' looks at one row after another, so 'concurrency' must be 1",
        at: until.range)
    }
    guard let number else { return slots.limit }
    guard let part = settings.part, place.frame == .root else { return number }
    return part.share.of(number)
  }

  /// A step begins to work.
  private mutating func activate(
    _ place: StepPlace, _ items: Items?, _ shared: Scope.Shared, concurrency: Int,
    readsGaps: Bool
  ) {
    let step = place.plan.step
    let label = place.context.label(of: place.step)
    emitStarted(
      place, items: step.forEach?.rounds == nil ? items?.count : 0,
      concurrency: concurrency < slots.limit ? concurrency : nil)
    let number = activations.reserve()
    activations[number] = Activation(
      label: label, shared: shared, begun: now, concurrency: concurrency,
      collection: items.map { collection(of: place, $0) })
    if readsGaps, items == nil, case .values(let fields) = step.action {
      let gaps = frames.gaps(of: fields, reading: place.plan.sharedReads, in: place.frame)
      activations[number].gaps = gaps.isEmpty ? .none : .members(gaps, others: .none)
    }
    frames[place.frame].setActivation(number, of: place.step)
    if activations[number].isDone { concludeStep(place) } else { enqueue(place, number) }
  }

  private func collection(of place: StepPlace, _ items: Items) -> Activation.Collection {
    let plan = place.plan
    let part = place.frame == .root ? settings.part : nil
    return Activation.Collection(
      items, in: part?.items(of: plan.step) ?? .whole,
      gaps: plan.step.forEach.flatMap {
        frames.itemGaps(of: $0, reading: plan.sharedReads, in: place.frame)
      },
      hidesItems: hasSecretRange(place),
      rowUse: place.frame == .root ? settings.handedRows[place.step] : .kept)
  }

  /// Ends a step whose values are constants or kept; `false`: they are not, or there is no room for
  /// them.
  private mutating func evaluateKept(_ place: StepPlace) -> Bool {
    guard !slots.isPaused, let values = place.context.block.values.atHand(place.step) else {
      return false
    }
    scratch.reset()
    guard frames[place.frame].values.writeKept(values, to: &scratch),
      memory.hasRoom(for: scratch.bytes.count)
    else { return false }
    emitStarted(place)
    finishWithScratch(place)
    return true
  }

  /// Ends a step with the values that were written last.
  private mutating func finishWithScratch(_ place: StepPlace) {
    hold(scratch.bytes.count, in: place.frame)
    handOn(scratch.bytes, of: place)
    emitFinished(place, .succeeded, nil)
    frames[place.frame].end(place.step, joining: scratch.bytes)
    follow(place, .succeeded)
  }

  /// A `values` step ends at once, because it waits for nothing.
  private mutating func evaluate(
    _ values: ValuesPlan, _ place: StepPlace
  ) throws(FailureReason) {
    emitStarted(place)
    let scope = scope(of: place)
    scratch.reset()
    let source = DataScope(scope: scope, files: place.context.files)
    try frames[place.frame].values.write(
      values, of: place.plan.step, to: &scratch, in: scope, from: source)
    noteMixedComparison(of: source.emptyQueries, in: scope, place)
    if isInterrupted(place.frame) { return abandon(place) }
    guard memory.hasRoom(for: scratch.bytes.count) else {
      throw .tooMuchHeld(settings.plan.workflow.limits)
    }
    finishWithScratch(place)
  }

  /// What was kept of a step that gives values is no longer readable.
  private mutating func forget(_ place: StepPlace) {
    if let values = place.plan.values { frames[place.frame].values.forget(values) }
  }

  /// Ends a step whose evaluation was cut short, and drops its result.
  mutating func abandon(_ place: StepPlace) {
    let activation = takeActivation(at: place)
    memory.release(activation?.held ?? 0)
    forget(place)
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

  /// Counts items of a step, or a call.
  mutating func count(_ count: Int, of context: FrameContext) throws(FailureReason) {
    try items.count(count, of: settings.plan, in: context.callers)
  }

  /// Ends a step that does not run.
  mutating func skip(_ place: StepPlace, _ reason: String) {
    let plan = place.plan
    if isInterrupted(place.frame) { return abandon(place) }
    var value: ScopeValue?
    if !frames[place.frame].isStopping {
      do throws(FailureReason) {
        if plan.step.forEach != nil {
          value = plan.step.otherwise == nil ? nil : ScopeValue(rows: [], count: 0)
        } else if let otherwise = plan.step.otherwise {
          value = ScopeValue(
            text: try Evaluation.text(
              of: otherwise, in: fallbackScope(place), files: place.context.files))
        }
      } catch {
        failForGood(place, [stepFailure(error, place, item: nil)], nil)
        return
      }
    }
    if isInterrupted(place.frame) { return abandon(place) }
    if value != nil { endRows(of: place, areWhole: false) }
    handOn(value, of: place)
    emitFinished(place, .skipped(reason), nil)
    end(place, .skipped, value, value == nil ? .none : gapsAfterSkip(place))
  }

  /// A step failed as a whole. The run stops, continues, or continues with `otherwise`.
  mutating func fail(_ place: StepPlace, _ failures: [StepFailure]) {
    let activation = takeActivation(at: place)
    memory.release(activation?.held ?? 0)
    guard let first = failures.first else { return }
    if isInterrupted(place.frame) { return abandon(place) }
    let plan = place.plan
    let failed = activation?.failed ?? FailedItems(first)
    if failures.allSatisfy({ plan.step.recovers(from: $0.failure) }) {
      do throws(FailureReason) {
        let value =
          plan.step.forEach == nil
          ? ScopeValue(
            text: try Evaluation.text(
              of: plan.step.otherwise ?? [], error: first.failure, in: fallbackScope(place),
              files: place.context.files))
          : ScopeValue(
            rows: [], count: 0,
            error: CollectedError(failed))
        if isInterrupted(place.frame) { return abandon(place) }
        if plan.step.forEach != nil {
          hold(failed.held, in: place.frame)
          endRows(of: place, areWhole: false)
        }
        handOn(value, of: place)
        emitFinished(place, .recovered(first), activation)
        end(place, .recovered, value, gapsAfterFailure(place))
        return
      } catch {
        frames[place.frame].fail(with: [stepFailure(error, place, item: nil)])
      }
    }
    failForGood(place, failures, activation)
  }

  /// A step failed as a whole, and has no `otherwise` to go on with.
  private mutating func failForGood(
    _ place: StepPlace, _ failures: [StepFailure], _ activation: Activation?
  ) {
    guard let first = failures.first else { return }
    let failed = activation?.failed ?? FailedItems(first)
    emitFinished(place, .failed(first), activation)
    frames[place.frame].fail(with: failures)
    hold(failed.held, in: place.frame)
    end(place, .failed)
    if place.plan.step.onError != .continue { stopFrame(place.frame) }
  }

  /// The gaps in the values of a step that was skipped.
  mutating func gapsAfterSkip(_ place: StepPlace) -> Gaps {
    fallbackGaps(place, "was skipped", hasError: false)
  }

  /// The gaps in the values of a step that recovered.
  private mutating func gapsAfterFailure(_ place: StepPlace) -> Gaps {
    fallbackGaps(place, "failed", hasError: true)
  }

  private mutating func fallbackGaps(_ place: StepPlace, _ ending: String, hasError: Bool) -> Gaps {
    let step = place.plan.step
    let cause = "step '\(step.id.value)' \(ending)"
    guard step.forEach == nil else {
      return .members(hasError ? ["error": Gaps.none] : [:], others: .everywhere(cause))
    }
    let fields = frames.gaps(
      of: step.otherwise ?? [], reading: place.plan.sharedReads, in: place.frame)
    return .ofFallback(for: step, cause, fields: fields, hasError: hasError)
  }

  /// The reads of a step's `otherwise`.
  mutating func fallbackScope(_ place: StepPlace, _ loop: Scope.Item? = nil) -> Scope {
    var scope = scope(of: place)
    scope.item = loop
    return scope
  }
}
