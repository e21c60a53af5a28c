internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelinePlanning

/// Carries out a run: what it is made of, and the two ways to go through it.
struct Runner {
  let plan: Plan
  let inputs: ScopeValue
  let state: ScopeValue
  let identity: RunIdentity
  let context: RunContext
  let controls: RunControls
  /// The record of the process that takes the run up; `nil` if it keeps no journal.
  var record: RunRecord?
  /// The results of earlier processes of the run.
  var recorded: RecordedUnits?
  /// What units would send, and what recorded answers give; `nil` without a journal.
  var work: UnitWork?
  /// The requests in doubt.
  var doubts: [SendingRecord] = []

  /// Runs to the end, `finally` steps included.
  func run() async -> RunReport {
    await Interruption.$source.withValue(controls.signal) {
      var driver = RunDriver(self, scheduler: scheduler())
      return await driver.run()
    }
  }

  /// The state of the run before it begins.
  private func scheduler() -> RunState {
    RunState(
      plan: plan, inputs: inputs, state: state, given: context.options.state, identity: identity,
      concurrency: context.concurrency, isObserved: context.sink != nil,
      files: context.options.files, finallyLimit: context.options.finallyLimit,
      handedRows: context.rows,
      handsOnValues: context.options.valueReader != nil,
      signal: controls.signal,
      turnsPerCall: Self.turnsPerCall, redactor: context.redactor,
      keepsLineage: context.journal != nil, part: context.options.part, recorded: recorded)
  }

  /// How much the scheduler does before it looks for news: as much as takes some microseconds.
  private static let turnsPerCall = 64

  /// Finds out what the run would do, without sending anything, up to steps that depend on
  /// responses.
  func rehearse() throws(JournalError) -> Rehearsal {
    var state = RunState(
      plan: plan, inputs: inputs, state: state, given: context.options.state, identity: identity,
      concurrency: context.concurrency, isObserved: false, files: context.options.files,
      handedRows: context.rows, turnsPerCall: Self.turnsPerCall,
      redactor: context.redactor, keepsLineage: true,
      part: context.options.part, recorded: recorded, isRehearsal: true)
    var rehearsal = Rehearsal()
    var doubts = Dictionary(grouping: doubts, by: \.unit.step)
    var actions: [Action] = []
    state.start()
    while !state.isFinished {
      state.takeActions(into: &actions)
      if actions.isEmpty {
        if state.isBusy {
          state.goOn(at: .zero)
        } else if !state.releaseHeld(at: .zero) {
          break
        }
      }
      for action in actions {
        switch action {
        case .taken(let label): rehearsal.take(label.id)
        case .start(let unit) where work?.answers.isGiven(to: unit) == true:
          rehearsal.readAgain(unit.label.id)
          if let values = work?.values(of: unit) {
            state.finish(unit.id, .values(values), at: .zero)
          } else {
            state.leaveOut(unit)
          }
        case .start(let unit), .refuse(let unit, _):
          if state.recorded?.askedUnits.contains(unit.serial) == true
            || Self.take(unit, from: &doubts)
          {
            rehearsal.wait(unit.label.id)
          } else {
            rehearsal.carryOut(
              unit.label.id, try state.recorded?.reason(for: unit) ?? .unfinished)
          }
          state.leaveOut(unit)
        default: break
        }
      }
    }
    rehearsal.changed = state.recorded?.asked ?? []
    return rehearsal
  }

  /// Whether a request of a unit is in doubt. Each belongs to one unit.
  private static func take(_ unit: Unit, from doubts: inout [String: [SendingRecord]]) -> Bool {
    let id = unit.label.id
    guard let open = doubts[id], !open.isEmpty else { return false }
    let (place, items) = (unit.place, unit.items)
    guard
      let index = open.firstIndex(where: { $0.items == items && $0.unit.place == place })
        ?? open.firstIndex(where: { $0.items == items })
        ?? open.firstIndex(where: { $0.items == nil && $0.unit.place == place })
    else { return false }
    doubts[id]?.remove(at: index)
    return true
  }
}
