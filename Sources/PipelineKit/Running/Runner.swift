internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineWorkflows

/// Carries out a run: what it is made of, and the two ways to go through it.
struct Runner {
  let plan: Plan
  let inputs: ScopeValue
  let state: ScopeValue
  let identity: RunIdentity
  let context: RunContext
  let controls: RunControls
  /// The record of the process that takes the run up; `nil`: it keeps no journal.
  var record: RunRecord?
  /// The results of earlier processes of the run.
  var recorded: RecordedUnits?

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
      handedRows: HandedRows(of: plan, context.options), signal: controls.signal,
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
      turnsPerCall: Self.turnsPerCall, redactor: context.redactor, keepsLineage: true,
      recorded: recorded, isRehearsal: true)
    var rehearsal = Rehearsal()
    var actions: [Action] = []
    state.start()
    while !state.isFinished {
      state.takeActions(into: &actions)
      if actions.isEmpty {
        guard state.isBusy else { break }
        state.goOn(at: .zero)
      }
      for action in actions {
        switch action {
        case .taken(let label): rehearsal.take(label.id)
        case .start(let unit), .refuse(let unit, _):
          rehearsal.carryOut(
            unit.label.id, try state.recorded?.reason(for: unit) ?? .unfinished)
          state.finish(unit.id, .skipped("it would be carried out"), at: .zero)
        default: break
        }
      }
    }
    return rehearsal
  }
}
