internal import Workflows

// What events say of steps and items.

extension RunState {
  mutating func emitStarted(_ label: StepLabel, items: Int?) {
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

  mutating func emitItem(
    _ place: StepPlace, _ number: Int, _ position: Int, _ outcome: RunEvent.Outcome
  ) {
    guard isObserved else { return }
    let label = activations[number].label
    let event = RunEvent.ItemFinished(
      step: label.id, path: label.path, item: position, outcome: outcome,
      done: activations[number].done, total: activations[number].total,
      recoveredBy: recoverer(from: outcome, of: place))
    emit(.itemFinished(event))
  }

  /// The step around that recovers from a failure.
  func recoverer(from outcome: RunEvent.Outcome, of place: StepPlace) -> String? {
    guard case .failed(let failed) = outcome else { return nil }
    var frame = place.frame
    while let parent = frames[frame].parent {
      if parent.plan.step.recovers(from: failed.failure) {
        return parent.context.label(of: parent.step).id
      }
      frame = parent.frame
    }
    return nil
  }
}
