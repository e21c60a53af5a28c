internal import PipelineJSONPaths
internal import PipelineLanguage
internal import PipelinePlanning

// The events of steps and items.

extension RunState {
  mutating func emitStarted(_ place: StepPlace, items: Int? = nil, concurrency: Int? = nil) {
    guard isObserved else { return }
    let label = place.context.label(of: place.step)
    let isSequential = place.plan.step.forEach?.until != nil
    let event = RunEvent.StepStarted(
      step: label.id, path: label.path, items: items, releasedBy: release(of: place),
      concurrency: items == nil ? nil : concurrency, isSequential: isSequential)
    emit(.stepStarted(event))
  }

  /// The last wait of a step that has just been freed.
  private func release(of place: StepPlace) -> Release {
    let block = place.context.block
    let isFinally = place.step >= block.mainCount
    if let other = frames[place.frame].freed.releaser(of: place.step),
      !isFinally || other >= block.mainCount
    {
      let label = place.context.label(of: other)
      return Release(.dependency, step: label.id, path: label.path)
    }
    return Release(isFinally ? .finally : .start)
  }

  /// Items begin one by one. The one thing that a step does begins with the step, and that is said
  /// only if it does not.
  mutating func emitItemStarted(_ place: StepPlace, _ scope: Scope) {
    guard isObserved, let number = activation(at: place) else { return }
    let release = releaseOfItem(number)
    if scope.item == nil, release.kind == .step { return }
    let label = activations[number].label
    emit(
      .itemStarted(
        RunEvent.ItemStarted(
          step: label.id, path: label.path, item: scope.item?.index, releasedBy: release)))
  }

  /// The last wait of an item that begins now.
  private func releaseOfItem(_ number: Int) -> Release {
    if activations[number].queuedWith != news.number { return news.release }
    return activations[number].queuedAfter.map { Release(.item, item: $0) } ?? Release(.step)
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
      recoveredBy: recoverer(from: outcome, of: place),
      releasedBy: activation == nil && !frames[place.frame].isStopping ? release(of: place) : nil)
    emit(.stepFinished(event))
  }

  /// Says why a filter selected nothing, if it compares texts with numbers. A collection may have a
  /// million items, so only the first few filters of a step are looked into.
  mutating func noteMixedComparison(of queries: [Query], in scope: Scope, _ place: StepPlace) {
    guard isObserved, !queries.isEmpty else { return }
    let step = place.context.label(of: place.step).id
    guard emptyFilters[step, default: 0] < Self.mostEmptyFilters else { return }
    emptyFilters[step, default: 0] += 1
    let context = scope.queryContext()
    guard let mixed = queries.lazy.compactMap({ $0.mixedComparison(in: context) }).first else {
      return
    }
    emptyFilters[step] = Self.mostEmptyFilters
    emit(.note(RunEvent.Note(step: step, message: mixed.message)))
  }

  /// Says why a step's `when` does not hold, if it compares a text with a number.
  mutating func noteMixedComparison(of when: Condition, in scope: Scope, _ place: StepPlace) {
    guard isObserved else { return }
    let step = place.context.label(of: place.step).id
    guard emptyFilters[step, default: 0] < Self.mostEmptyFilters else { return }
    emptyFilters[step, default: 0] += 1
    guard let mixed = when.mixedComparison(in: scope.queryContext()) else { return }
    emptyFilters[step] = Self.mostEmptyFilters
    emit(.note(RunEvent.Note(step: step, message: mixed.message)))
  }

  private static var mostEmptyFilters: Int { 16 }

  mutating func emitItem(
    _ place: StepPlace, _ number: Int, _ position: Int, _ outcome: RunEvent.Outcome
  ) {
    guard isObserved else { return }
    let label = activations[number].label
    let event = RunEvent.ItemFinished(
      step: label.id, path: label.path, item: position, outcome: outcome,
      done: activations[number].done,
      total: place.plan.step.forEach?.rounds == nil
        ? activations[number].ownTotal : activations[number].begunCount,
      recoveredBy: recoverer(from: outcome, of: place))
    emit(.itemFinished(event))
  }

  /// The step around that recovers from a failure, or tries again.
  func recoverer(from outcome: RunEvent.Outcome, of place: StepPlace) -> String? {
    guard case .failed(let failed) = outcome else { return nil }
    var frame = place.frame
    while let parent = frames[frame].parent {
      if parent.plan.step.recovers(from: failed.failure)
        || mayTryAgain(frame, after: [failed])
      {
        return parent.context.label(of: parent.step).id
      }
      frame = parent.frame
    }
    return nil
  }
}
