internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

/// The scheduler: decides when each step starts, and what follows from its end.
///
/// It has no clock, no task and no lock. Each call brings news and the time. `takeActions(into:)`
/// then gives the actions.
///
/// A value: a copy is another run with the same past, and continues by itself. Both copies share
/// what they are given and do not change: the plan, the units' tokens, the redactor and the signal.
///
/// Invariants, between two calls:
/// 1. A step is `open`, `atWork` or `ended` in its frame. It is `atWork` exactly as long as its
///    activation is in `activations`.
/// 2. `Frame.left` is the number of the phase's steps that have not ended.
/// 3. Each unit that an action `.start` gave out is in `units` until its outcome comes, and comes
///    once.
/// 4. A unit in flight has a slot, or is parked. No more have one than `Slots.limit`.
/// 5. A step starts only after all that it depends on have ended.
/// 6. Once `stage` is `stopping`, no main step of any frame starts. `finally` steps still do.
/// 7. `memory` holds what rows, values and failures in `frames` and `activations` take.
/// 8. `.finish` is the last action, and there is one.
struct RunState {
  /// The part that does not change during the run.
  struct Settings {
    let plan: Plan
    /// The state that the last run left.
    let given: [String: JSONValue]
    let identity: RunIdentity
    let files: any FileAccess
    /// Hides secrets in failures before anyone reads them.
    let redactor: Redactor
    /// How long the `finally` steps of a block may take together, whatever the file says; `nil` if
    /// the file decides.
    let finallyLimit: Duration?
    /// Whether every unit can be cancelled by itself, because `finally` steps of blocks go on while
    /// the run stops.
    let isSelective: Bool
    /// The collections whose rows are handed on one by one, or wait on the disk.
    let handedRows: HandedRows
    /// Whether the values of each step are handed on.
    let handsOnValues: Bool
    /// The part of the run that belongs to this process; `nil` for all of it.
    let part: RunPart?
    /// Whether the run is only rehearsed, to list the units that are taken from the journal.
    let isRehearsal: Bool
    /// Read between two turns: whether the caller must look at something before work continues.
    let signal: StopSignal
  }

  enum Stage {
    case notBegun
    case underWay
    /// The reason why running units are cancelled and no main step begins. `finally` steps still
    /// run.
    case stopping(FailureReason)
    case finished
  }

  let settings: Settings
  /// Whether anybody listens to events.
  var isObserved: Bool
  var stage = Stage.notBegun
  var now = Duration.zero
  var frames: FrameTable
  /// The steps at work in all frames.
  var activations = Arena(vacant: Activation.vacant)
  var units = UnitTable()
  /// The results of earlier processes of the run; `nil` if there are none.
  var recorded: RecordedUnits?
  var slots: Slots
  var memory: HeldMemory
  var items = ItemCounts()
  /// The state of items, and their keys.
  var itemStates: ItemStates
  /// The last report.
  var news = News()
  var turns: Turns
  /// The actions to take, in order, since the last call of `takeActions(into:)`.
  var actions: [Action] = []
  /// How the steps of the root frame ended.
  var counts = RunReport.Counts()
  /// Where the values of a step are written before they join those of its frame.
  var scratch = JSONWriter()
  /// The number of times that each step's filter selected nothing and was examined.
  var emptyFilters: [String: Int] = [:]
  /// The positions of outputs whose rows were handed on page by page.
  var handedOutputs: Set<Int> = []

  init(
    plan: Plan, inputs: ScopeValue, state: ScopeValue = ScopeValue(text: Array("{}".utf8)),
    given: [String: JSONValue] = [:], identity: RunIdentity, concurrency: Int, isObserved: Bool,
    files: any FileAccess = NoFileAccess(), finallyLimit: Duration? = nil,
    handedRows: HandedRows = HandedRows(), handsOnValues: Bool = false,
    signal: StopSignal = StopSignal(),
    turnsPerCall: Int = .max,
    redactor: Redactor = Redactor(), keepsLineage: Bool = false, part: RunPart? = nil,
    recorded: RecordedUnits? = nil, isRehearsal: Bool = false
  ) {
    settings = Settings(
      plan: plan, given: given, identity: identity,
      files: files.relative(to: plan.workflow.source.name), redactor: redactor,
      finallyLimit: finallyLimit, isSelective: plan.root.hasInnerFinally,
      handedRows: handedRows, handsOnValues: handsOnValues, part: part,
      isRehearsal: isRehearsal,
      signal: signal)
    self.isObserved = isObserved
    self.recorded = recorded
    slots = Slots(limit: concurrency)
    memory = HeldMemory(limit: plan.workflow.limits.memory)
    turns = Turns(perCall: turnsPerCall)
    itemStates = ItemStates(plan.workflow, given: given)
    frames = FrameTable(
      root: FrameContext(
        plan: plan, secrecy: plan.secrecy, provenance: plan.provenance, callers: [],
        block: plan.root, files: settings.files, inputs: inputs, state: state, loop: nil,
        label: nil, isSelective: false, lineage: keepsLineage ? .root : .none),
      redactor: redactor)
    frames[.root].runValue = identity.value(ok: nil, errors: [])
  }

  // MARK: Turns

  /// Draws all consequences of the news, then starts steps, up to the limit of one call.
  mutating func advance() {
    turns.beginCall()
    repeat {
      while !frames.isSettled {
        guard takeTurn() else { return }
        if let frame = frames.nextEnded() {
          shielding(frame) { state in state.conclude(frame) }
        } else if let place = frames.nextFreed() {
          shielding(place.frame) { state in state.activate(place) }
        }
      }
      startReady()
    } while !frames.isSettled && !turns.isBusy
  }

  /// Whether there is another turn in this call. A raised signal ends the call, too.
  mutating func takeTurn() -> Bool {
    turns.take(isInterrupted: settings.signal.isRaised, actionCount: actions.count)
  }

  /// Whether the result of the last evaluation is of no use, because the run is to stop. Clean-up
  /// continues.
  func isInterrupted(_ frame: FrameID) -> Bool {
    settings.signal.stops && stopReason == nil && !frames[frame].isCleanUp
  }

  /// Does work for a frame. A stop of the run does not interrupt evaluations of clean-up.
  mutating func shielding(_ frame: FrameID, _ work: (inout RunState) -> Void) {
    if frames[frame].isCleanUp {
      Interruption.$source.withValue(nil) { work(&self) }
    } else {
      work(&self)
    }
  }

  // MARK: What others see

  /// Why the run is to stop; `nil` if it is not.
  var stopReason: FailureReason? { if case .stopping(let reason) = stage { reason } else { nil } }

  var hasBegun: Bool { if case .notBegun = stage { false } else { true } }

  var isFinished: Bool { if case .finished = stage { true } else { false } }

  /// Whether the last call ended before all possible work was done. If so, `goOn` follows.
  var isBusy: Bool { turns.isBusy }

  mutating func emit(_ event: @autoclosure () -> RunEvent.Kind) {
    if isObserved { actions.append(.emit(event())) }
  }

  /// A failure of a step as others may see it.
  ///
  /// - Parameter scope: The scope of the failed work; `nil` for that of the step.
  mutating func stepFailure(
    _ failure: FailureReason, _ place: StepPlace, item: Int?, in scope: Scope? = nil
  ) -> StepFailure {
    let ranges = place.context.secrecy.ranges(of: place.step, in: place.context.block)
    let secrets =
      ranges?.isEmpty == false
      ? KnownSecrets(place.plan.step, at: ranges, in: scope ?? self.scope(of: place))
      : KnownSecrets()
    var failure = failure.hiding(secrets, settings.redactor)
    // A setting may come from the file that this one builds on.
    let workflow = place.context.plan.workflow
    let stepRange = place.plan.step.id.range
    let source = workflow.place(of: failure.range ?? stepRange)
    if failure.range != nil { failure.range = source.range }
    let label = place.context.label(of: place.step)
    return StepFailure(
      step: label.id, path: label.path, item: item, failure: failure, stepRange: stepRange,
      source: place.context.plan.shown(source.file))
  }

  /// What is secret of a step.
  func secrets(of place: StepPlace) -> StepSecrets {
    let context = place.context
    let steps = context.secrecy[context.block].steps
    return StepSecrets(
      step: place.plan.step, ranges: context.secrecy.ranges(of: place.step, in: context.block),
      values: steps.indices.contains(place.step) ? steps[place.step].values : .none,
      redactor: settings.redactor)
  }

  /// The reads of a step, apart from an item.
  mutating func scope(of place: StepPlace) -> Scope {
    frames.scope(of: place.plan.sharedReads, in: place.frame, for: place.step)
  }

  // MARK: Steps at work

  /// The number of a step's activation; `nil` if the step is not at work.
  func activation(at place: StepPlace) -> Int? {
    guard frames.contains(place.frame),
      case .atWork(let number) = frames[place.frame].steps[place.step]
    else { return nil }
    return Int(number)
  }

  /// Removes the activation of a step that is no longer running.
  mutating func takeActivation(at place: StepPlace) -> Activation? {
    guard let number = activation(at: place) else { return nil }
    frames[place.frame].setActivation(nil, of: place.step)
    return activations.take(number)
  }

  /// Counts bytes of rows, values or failures that a step at work keeps.
  mutating func hold(_ count: Int, inActivation number: Int) {
    activations[number].held += count
    memory.hold(count)
  }

  /// Counts bytes of values or failures that a frame keeps.
  mutating func hold(_ count: Int, in frame: FrameID) {
    frames[frame].held += count
    memory.hold(count)
  }
}
