internal import PipelineByteText
internal import PipelineLanguage
internal import PipelinePlanning

// Units whose requests may have been carried out, and must not be sent twice.
//
// Such a unit was not found in the journal in its present form. It is held back until everything
// else has ended: then everything that can be taken has been taken, and what is left belongs to
// these units.

extension RunState {
  /// Holds a unit back, if an earlier process may have carried it out. `false`: it has not.
  mutating func hold(_ unit: Unit, of frame: FrameID) -> Bool {
    let onlyMain = !mayTake(frame)
    guard !frames[frame].context.isLaterAttempt, recorded?.hold(unit, onlyMain: onlyMain) == true
    else { return false }
    units.setSlot(.none, of: unit.id)
    actions.append(.hold(unit))
    return true
  }

  /// Goes on with units that were held back, when nothing else is at work. `false`: there are none.
  mutating func releaseHeld(at time: Duration) -> Bool {
    guard !slots.isPaused, var recorded, recorded.isHolding else { return false }
    now = time
    let isThere = { (unit: Unit) in self.units[unit.id]?.unit === unit }
    // The journal's part of this value is changed apart from the rest, which it looks at.
    self.recorded = nil
    recorded.decide(
      where: isThere, remaining: { self.remaining(of: $0) }, mayCome: { self.mayCome($0) })
    self.recorded = recorded
    var count = 0
    while count < slots.limit, let (unit, decision) = self.recorded?.nextDecision() {
      guard let running = units[unit.id], running.unit === unit else { continue }
      count += 1
      carryOut(running, decision)
    }
    advance()
    return true
  }

  private mutating func carryOut(
    _ running: UnitTable.Running, _ decision: CarriedOutRequests.Decision
  ) {
    let (unit, place) = (running.unit, running.place)
    switch decision {
    case .ask(let request):
      return actions.append(.refuse(unit, Self.failure(request, of: unit)))
    case .read(_, let step):
      let source = step.map { "the answers that step '\($0)' got" } ?? "its recorded answers"
      note("reads \(source) again", of: unit)
    case .resume(_, let step?):
      note("goes on with the request that step '\(step)' had under way", of: unit)
    case .take(let record, let step):
      if let step { note("comes to what was said of step '\(step)'", of: unit) }
      if let outcome = RecordedUnits.outcome(record) { end(unit, with: outcome) }
      return
    case .send, .resume: break
    }
    emitItemStarted(place, unit.scope)
    units.setSlot(.taken, of: unit.id)
    guard case .read = decision else { return carryOut(unit, of: place.frame, .taken) }
    // It sends nothing that would have to be cleaned up.
    slots.take(.taken)
    actions.append(.start(unit))
  }

  /// A rehearsal leaves a unit out that would be carried out.
  mutating func leaveOut(_ unit: Unit) {
    var next = units[unit.id]?.place.frame
    while let frame = next {
      frames[frame].isUnknown = true
      next = frames[frame].parent?.frame
    }
    finish(unit.id, .skipped("it would be carried out"), at: .zero)
  }

  private mutating func note(_ message: String, of unit: Unit) {
    emit(.note(RunEvent.Note(step: unit.label.id, message: message)))
  }

  private static func failure(_ request: SendingRecord, of unit: Unit) -> FailureReason {
    guard case .changed(let old) = request.state else { return FailureReason(.value, "") }
    let sent =
      old.isSameRequest
      ? "was carried out before"
        + (request.kept == .nothing ? ", and its answer was not kept" : " by '\(old.unit)'")
      : "was carried out before in another form, \(old.method) \(old.url)"
    return FailureReason(
      .file, sent + "; it must not be sent twice, so 'resume' asks what becomes of it",
      at: unit.stepPlan.request?.request.endpoint.range)
  }

  /// The items of a unit's collection that have not begun, and what is around those that have not
  /// begun of the collection around it.
  private mutating func remaining(of unit: Unit) -> CarriedOutRequests.Remaining {
    guard let place = units[unit.id]?.place else { return ([:], [:]) }
    let around = frames[place.frame].parent.map { remainingItems(of: $0) } ?? [:]
    return (remainingItems(of: place), around)
  }

  /// Whether a unit may still begin for the items of a group: one of the step that sent it, or of
  /// any list at work, if that step is gone.
  private mutating func mayCome(_ group: CarriedOutRequests.Group) -> Bool {
    let path = group.step
    let id = path?.prefix(before: ".")
    for (number, step) in settings.plan.root.steps.enumerated() {
      if let id, !step.step.id.value.utf8.elementsEqual(id.utf8) { continue }
      switch frames[.root].steps[number] {
      case .open: if path != nil { return true }
      case .ended: break
      case .atWork:
        guard id?.utf8.count == path?.utf8.count, let items = group.items else { return true }
        if remainingItems(of: frames[.root].place(of: number))[items] != nil { return true }
      }
    }
    return false
  }

  private mutating func remainingItems(of place: StepPlace) -> [Fingerprint: Int] {
    guard let number = activation(at: place) else { return [:] }
    return activations[number].collection?.remainingItems(place.context.lineage(ofNode:)) ?? [:]
  }
}
