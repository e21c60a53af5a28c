internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineWorkflows

/// The scheduler: decides what starts when, and what follows from how it ended.
///
/// It has no clock, no task and no lock. Each call brings news and the time they came; what to do
/// about them is read with `takeActions(into:)`.
///
/// A value: a copy is another run that has come as far, and goes on by itself. Both copies share
/// what they are given and do not change: the plan, the units' tokens, the redactor and the signal.
struct RunState {
  /// What does not change while the run goes on.
  struct Settings {
    let plan: Plan
    /// What the last run left.
    let given: [String: JSONValue]
    let identity: RunIdentity
    let files: any FileAccess
    /// Hides secrets in what is said of failures, before anyone reads it.
    let redactor: Redactor
    /// How long the `finally` steps of a block may take together.
    let finallyLimit: Duration
    /// Whether every unit can be cancelled by itself, because `finally` steps of blocks go on while
    /// the run stops.
    let isSelective: Bool
    /// The collections whose rows are handed on one by one.
    let handedRows: HandedRows
    /// What of the run is this process's; `nil`: all of it.
    let part: RunPart?
    /// Read between two turns: whether the caller has to look at something before work goes on.
    let signal: StopSignal
  }

  enum Stage {
    case notBegun
    case underWay
    /// What runs is cancelled and no main step begins, for this reason. `finally` steps still run.
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
  var slots: Slots
  var memory: HeldMemory
  var items = ItemCounts()
  /// What was reported last.
  var news = News()
  var turns: Turns
  /// What to do, in order, since the last call of `takeActions(into:)`.
  var actions: [Action] = []
  /// How the steps of the root frame ended.
  var counts = RunReport.Counts()
  /// Where the values of a step are written before they join those of its frame.
  var scratch = JSONWriter()

  init(
    plan: Plan, inputs: ScopeValue, state: ScopeValue = ScopeValue(text: Array("{}".utf8)),
    given: [String: JSONValue] = [:], identity: RunIdentity, concurrency: Int, isObserved: Bool,
    files: any FileAccess = NoFileAccess(), finallyLimit: Duration = .seconds(60),
    handedRows: HandedRows = HandedRows(), signal: StopSignal = StopSignal(),
    turnsPerCall: Int = .max,
    redactor: Redactor = Redactor(), keepsLineage: Bool = false, part: RunPart? = nil
  ) {
    settings = Settings(
      plan: plan, given: given, identity: identity,
      files: files.relative(to: plan.workflow.source.name), redactor: redactor,
      finallyLimit: finallyLimit, isSelective: plan.root.hasInnerFinally,
      handedRows: handedRows, part: part,
      signal: signal)
    self.isObserved = isObserved
    slots = Slots(limit: concurrency)
    memory = HeldMemory(limit: plan.workflow.limits.memory)
    turns = Turns(perCall: turnsPerCall)
    frames = FrameTable(
      root: FrameContext(
        plan: plan, secrecy: plan.secrecy, provenance: plan.provenance, callers: [],
        block: plan.root, files: settings.files, inputs: inputs, state: state, loop: nil,
        label: nil, isSelective: false, lineage: keepsLineage ? .root : .none))
    frames[.root].runValue = identity.value(ok: nil, errors: [])
  }

  // MARK: Turns

  /// Deals with all that follows from the news, then starts what may start, as far as one call
  /// goes.
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
  /// goes on.
  func isInterrupted(_ frame: FrameID) -> Bool {
    settings.signal.stops && stopReason == nil && !frames[frame].isCleanUp
  }

  /// Does work for a frame. What stops the run does not interrupt evaluations of clean-up.
  mutating func shielding(_ frame: FrameID, _ work: (inout RunState) -> Void) {
    if frames[frame].isCleanUp {
      Interruption.$source.withValue(nil) { work(&self) }
    } else {
      work(&self)
    }
  }

  // MARK: What others see

  /// Why the run is to stop; `nil`: it is not.
  var stopReason: FailureReason? { if case .stopping(let reason) = stage { reason } else { nil } }

  var hasBegun: Bool { if case .notBegun = stage { false } else { true } }

  var isFinished: Bool { if case .finished = stage { true } else { false } }

  /// Whether the last call ended before all was done that may be done now; then `goOn` follows.
  var isBusy: Bool { turns.isBusy }

  mutating func emit(_ event: @autoclosure () -> RunEvent.Kind) {
    if isObserved { actions.append(.emit(event())) }
  }

  /// A failure of a step as others may see it.
  ///
  /// - Parameter scope: What the failed work could read; `nil`: what the step reads.
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

  /// What a step reads, apart from an item.
  mutating func scope(of place: StepPlace) -> Scope {
    frames.scope(of: place.plan.sharedReads, in: place.frame)
  }

  // MARK: Steps at work

  /// The number of a step's activation; `nil`: the step is not at work.
  func activation(at place: StepPlace) -> Int? {
    guard frames.contains(place.frame),
      case .atWork(let number) = frames[place.frame].steps[place.step]
    else { return nil }
    return Int(number)
  }

  /// Takes out the activation of a step that is at work no more.
  mutating func takeActivation(at place: StepPlace) -> Activation? {
    guard let number = activation(at: place) else { return nil }
    frames[place.frame].setActivation(nil, of: place.step)
    return activations.take(number)
  }

  /// A step at work keeps so many bytes of rows, values or failures.
  mutating func hold(_ count: Int, inActivation number: Int) {
    activations[number].held += count
    memory.hold(count)
  }

  /// A frame keeps so many bytes of values or failures.
  mutating func hold(_ count: Int, in frame: FrameID) {
    frames[frame].held += count
    memory.hold(count)
  }
}
