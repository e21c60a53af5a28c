internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

// Items of steps at work end, and so do the steps.
//
// A call of `stopActivation` or `concludeStep` may end the step: its activation is then gone.

extension RunState {
  /// One item of a step, or its single action, is done.
  ///
  /// - Parameters:
  ///   - loop: The item, if there is one, for the reads of `otherwise`.
  ///   - left: What it leaves to the next run if it ends well.
  mutating func finishItem(
    _ place: StepPlace, _ position: Int, _ outcome: ItemOutcome, _ loop: Scope.Item?,
    leaving left: [LeftState] = []
  ) {
    guard let number = activation(at: place) else { return }
    activations[number].endItem()
    var row: [UInt8]?
    var event = RunEvent.Outcome.succeeded
    switch limited(outcome, place, number, position) {
    case .values(let values):
      row = values
      activations[number].leftState += left
      activations[number].countDone()
    case .skipped(let reason):
      event = .skipped(reason)
      activations[number].countDone()
      activations[number].skip(position, reason)
      row = fallback(place, number, position, nil, loop)
    case .failed(let failures):
      if let first = failures.first {
        event =
          failures.allSatisfy({ place.plan.step.recovers(from: $0.failure) })
          ? .recovered(first) : .failed(first)
      }
      activations[number].countDone()
      row = failItem(place, number, position, failures, loop)
    case .cancelled:
      event = .cancelled
      stopActivation(place)
    }
    // Its failure may have ended the step.
    guard activation(at: place) == number else { return }
    keep(row, event, at: position, place, number)
    if let until = place.plan.step.forEach?.until {
      endCollection(after: row, event, until, loop, place, number)
      guard activation(at: place) == number else { return }
    }
    continueStep(place, number, after: position)
  }

  /// The consequences of the end of an item.
  private mutating func continueStep(_ place: StepPlace, _ number: Int, after item: Int) {
    if activations[number].isDone {
      concludeStep(place)
    } else if activations[number].mustBeQueued {
      enqueue(place, number, after: item)
    }
  }

  /// The outcome of an item, given that the run may be about to stop and memory may be short.
  private mutating func limited(
    _ outcome: ItemOutcome, _ place: StepPlace, _ number: Int, _ position: Int
  ) -> ItemOutcome {
    if isInterrupted(place.frame) { return .cancelled }
    guard case .values(let values) = outcome,
      activations[number].rowUse != .handedOn, !memory.hasRoom(for: values.count)
    else { return outcome }
    let item = activations[number].isCollection ? position : nil
    let failure = FailureReason.tooMuchHeld(settings.plan.workflow.limits)
    return .failed([stepFailure(failure, place, item: item)])
  }

  /// An item failed: it is collected, or the step stops. Returns the item's row, if there is one.
  private mutating func failItem(
    _ place: StepPlace, _ number: Int, _ position: Int, _ failures: [StepFailure],
    _ loop: Scope.Item?
  ) -> [UInt8]? {
    let step = place.plan.step
    let recovers = failures.allSatisfy { step.recovers(from: $0.failure) }
    let collects = step.forEach?.onItemError == .collect && (step.onError != .recover || recovers)
    activations[number].collection?.failed.insert(position)
    let size = activations[number].failed.append(failures)
    if collects, memory.hasRoom(for: size) {
      hold(size, inActivation: number)
      return step.onError == .recover
        ? fallback(place, number, position, failures.first, loop) : nil
    }
    let tooMuch = FailureReason.tooMuchHeld(settings.plan.workflow.limits)
    if collects, !activations[number].isStopping,
      failures.first?.failure.message != tooMuch.message
    {
      let failure = stepFailure(tooMuch, place, item: position)
      activations[number].failed.append([failure])
    }
    stopActivation(place)
    return nil
  }

  /// Keeps what an item gave, or hands it on.
  private mutating func keep(
    _ row: [UInt8]?, _ event: RunEvent.Outcome, at position: Int, _ place: StepPlace,
    _ number: Int
  ) {
    guard let use = activations[number].rowUse else {
      activations[number].values = row
      if let row {
        hold(row.count, inActivation: number)
        handOn(row, of: place)
      }
      return
    }
    counts.items += 1
    if let row { handOn(row, of: place, item: position) }
    // A step that fails gives nothing, so its rows are not kept.
    if !activations[number].isStopping {
      activations[number].collection?.rows.set(row, at: position)
      if use != .kept {
        for row in activations[number].collection?.rows.takeReady() ?? [] {
          actions.append(.row(row, step: place.step))
        }
      }
      if use != .handedOn, let row { hold(row.count, inActivation: number) }
    }
    emitItem(place, number, position, event)
  }

  /// Ends a collection early if its condition holds of the last row.
  private mutating func endCollection(
    after row: [UInt8]?, _ event: RunEvent.Outcome, _ until: Written<Condition>,
    _ loop: Scope.Item?, _ place: StepPlace, _ number: Int
  ) {
    guard activations[number].hasMore else { return }
    // Nothing is known of the rounds that follow.
    if activations[number].collection?.isUnknown == true { return activations[number].endEarly() }
    if case .recovered = event, place.plan.step.forEach?.rounds != nil {
      // No round follows one that failed.
      return activations[number].endEarly()
    }
    let scope = Scope(shared: activations[number].shared, item: loop)
    let current = ScopeValue(text: row ?? Array("null".utf8)).node
    do throws(FailureReason) {
      guard try Evaluation.holds(until, in: scope, current: current) else { return }
      activations[number].endEarly()
    } catch {
      let failure = stepFailure(error, place, item: loop?.index, in: scope)
      hold(activations[number].failed.append([failure]), inActivation: number)
      stopActivation(place)
    }
  }

  /// The row that `otherwise` gives an item which was skipped or failed.
  private mutating func fallback(
    _ place: StepPlace, _ number: Int, _ position: Int, _ failure: StepFailure?,
    _ loop: Scope.Item?
  ) -> [UInt8]? {
    guard let otherwise = place.plan.step.otherwise else { return nil }
    let scope = fallbackScope(place, loop)
    do throws(FailureReason) {
      return try Evaluation.text(
        of: otherwise, error: failure?.failure, in: scope, files: place.context.files)
    } catch {
      let failure = stepFailure(error, place, item: position, in: scope)
      hold(activations[number].failed.append([failure]), inActivation: number)
      activations[number].hasFailedOtherwise = true
      return nil
    }
  }

  // MARK: Steps

  /// No further part of a step begins, and its units at work are cancelled.
  mutating func stopActivation(_ place: StepPlace) {
    guard let number = activation(at: place), !activations[number].isStopping else { return }
    activations[number].stop()
    let started = units.units(of: place)
    if !started.isEmpty { actions.append(.cancel(started)) }
    for frame in activations[number].frames.values.sorted() {
      frames[frame].cancel()
      // Clean-up that has begun continues, because it has a separate limit.
      if frames[frame].phase == .main { stopFrame(frame) }
    }
    // Its failure stops the whole run, and its units cannot be cancelled without the others.
    if !started.isEmpty, !isSelective(place) { stopFrame(.root) }
    if activations[number].running == 0 { concludeStep(place) }
  }

  /// All of a step's work is done.
  mutating func concludeStep(_ place: StepPlace) {
    guard let number = activation(at: place) else { return }
    if isInterrupted(place.frame) { return abandon(place) }
    let failures = activations[number].failed.failures
    let isStopping = activations[number].isStopping
    let collects = place.plan.step.forEach?.onItemError == .collect && !isStopping
    if !failures.isEmpty, !collects { return failAtWork(place, number, failures) }
    guard var activation = takeActivation(at: place) else { return }
    if isStopping {
      memory.release(activation.held)
      emitFinished(place, .cancelled, activation)
      end(place, .cancelled)
      return
    }
    // The values now belong to the frame.
    frames[place.frame].held += activation.held
    frames[place.frame].leftState += activation.leftState
    if activation.isCollection {
      concludeCollection(place, &activation, failures)
    } else {
      concludeSingle(place, activation)
    }
  }

  /// A step ends with what failed in it. Items that it recovered from are not why.
  private mutating func failAtWork(
    _ place: StepPlace, _ number: Int, _ failures: [StepFailure]
  ) {
    let step = place.plan.step
    guard failures.contains(where: { !step.recovers(from: $0.failure) }) else {
      return fail(place, failures)
    }
    activations[number].failed.leaveOut { step.recovers(from: $0) }
    fail(place, activations[number].failed.failures)
  }

  /// A step that is not a collection ends with its values.
  private mutating func concludeSingle(_ place: StepPlace, _ activation: Activation) {
    let value = activation.values.map(ScopeValue.init(text:))
    if let reason = activation.skipReason {
      emitFinished(place, .skipped(reason), activation)
      end(place, .skipped, value, gapsAfterSkip(place))
    } else {
      endPages(of: place)
      emitFinished(place, .succeeded, activation)
      end(place, .succeeded, value, activation.gaps)
    }
  }

  /// All pages of a step were read. The outputs that they went to have no other value.
  private mutating func endPages(of place: StepPlace) {
    guard place.frame == .root, settings.handedRows.areByPage(place.step) else { return }
    handedOutputs.formUnion(settings.handedRows.outputsByPage(of: place.step))
    actions.append(.rowsEnd(step: place.step, areWhole: true))
  }

  /// The rows of a step that are handed on are at an end.
  ///
  /// - Parameter areWhole: Whether the step's value is the rows. If not, it is an empty list.
  mutating func endRows(of place: StepPlace, areWhole: Bool) {
    guard place.frame == .root, settings.handedRows[place.step] != .kept else { return }
    actions.append(.rowsEnd(step: place.step, areWhole: areWhole))
  }

  /// A collection ends with its rows. Some items may have failed.
  private mutating func concludeCollection(
    _ place: StepPlace, _ activation: inout Activation, _ failures: [StepFailure]
  ) {
    let step = place.plan.step
    let error = failures.isEmpty ? nil : CollectedError(activation.failed)
    let gaps = activation.collection?.gaps(of: step) ?? .none
    endRows(of: place, areWhole: true)
    // Rows that were only handed on are not a value of the scope.
    let value = activation.collection?.takeValue(error: error)
    guard let first = failures.first else {
      emitFinished(place, .succeeded, activation)
      end(place, .succeeded, value, gaps)
      return
    }
    if step.onError == .recover, !activation.hasFailedOtherwise {
      emitFinished(place, .recovered(first), activation)
      end(place, .recovered, value, gaps)
    } else {
      emitFinished(place, .failed(first), activation)
      frames[place.frame].fail(with: failures)
      end(place, .collected, value, gaps)
    }
  }
}

extension Step {
  /// Whether the step continues with `otherwise` after this failure.
  func recovers(from failure: FailureReason) -> Bool {
    guard onError == .recover else { return false }
    guard let recovers else { return true }
    return recovers.contains { cause in
      switch cause {
      case .kind(let kind): failure.kind.rawValue.equals(bytes: kind)
      case .status(let pattern):
        failure.kind == .status && failure.status.map(pattern.matches) == true
      }
    }
  }
}
