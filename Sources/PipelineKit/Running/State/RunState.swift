internal import JSONPaths
internal import JSONText
internal import Workflows

/// The scheduler: decides what starts when, and what follows from how it ended.
///
/// Without clock, task or lock. Each call brings news and the time it came; what to do about it is
/// read with `takeActions(into:)`.
struct RunState {
  /// A unit of work that a task carries out.
  struct RunningUnit {
    let place: StepPlace
    let item: Int
    /// Whether it takes one of the run's slots: a request, unless it waits for its own origin.
    var takesSlot: Bool
    let unit: Unit

    var isParked: Bool { !takesSlot && place.plan.request != nil }
  }

  let plan: Plan
  /// What the last run left.
  let given: [String: JSONValue]
  let identity: RunIdentity
  /// The most requests in flight.
  let concurrency: Int
  /// Whether anybody listens to events.
  var isObserved: Bool
  let files: any FileAccess
  /// Hides secrets in what is said of failures, before anyone reads it.
  let redactor: Redactor
  /// How long the `finally` steps of a block may take together.
  let finallyLimit: Duration
  /// Whether every unit can be cancelled by itself: where `finally` steps of blocks go on while the
  /// run stops.
  let isSelective: Bool
  /// The collection whose rows are handed on one by one.
  let streamedStep: Int?
  /// Read between two turns: whether the caller has to look at something before work goes on.
  let signal: StopSignal
  /// How many turns one call takes at most. A turn starts an item, or draws what follows from an
  /// end.
  private let turnsPerCall: Int

  /// The pass through the run's own steps.
  let root: Frame
  /// Passes that must end in time, by number.
  var timedFrames: [Int: Frame] = [:]
  /// What tasks carry out, by the unit's id; `nil`: the id is free.
  var units: [RunningUnit?] = []
  var freeUnits: [Int] = []
  /// Ready steps whose work takes one of the run's slots.
  var readyRequests = Heap<ReadyStep>()
  /// Ready steps whose work takes none.
  var readyOthers = Heap<ReadyStep>()
  /// Frames with freed steps, the first begun first.
  private var freedFrames = Heap<Frame>()
  /// Ready steps of the same kind that wait while very many passes are under way.
  var readyInner = Heap<InnerStep>()
  /// Passes through blocks and called files that have begun and not ended.
  var passCount = 0
  /// From so many passes on, what the latest of them need comes first, so that they end.
  static let manyPasses = 2_048
  /// Frames whose phase has no step left.
  var endedFrames: [Frame] = []
  var actions: [Action] = []
  /// Where the values of a step are written before they join those of its frame.
  var scratch = JSONWriter()
  var frameCount = 1
  var slotsTaken = 0
  /// Units that gave their slot back for a while.
  var parkedCount = 0
  /// Beyond this many a waiting unit keeps its slot: each is a task with its request.
  static let mostParked = 1_000
  /// Items, or the one thing that a step does, started so far.
  var turnCount = 0
  var unitCount = 0
  var itemCount = 0
  /// The items of called files that limit them.
  var itemCounts: [ObjectIdentifier: Int] = [:]
  /// Whether the last call ended before all was done that may be done now; then `goOn` follows.
  private(set) var isBusy = false
  private var turnsLeft = 0
  /// How many actions there were when the last turn began.
  private var turnStart = 0
  private(set) var hasBegun = false
  var isPaused = false
  var now = Duration.zero
  var stopReason: Failure?
  var counts = RunReport.Counts()
  /// What rows and values hold, in bytes, and how much of it was told.
  private var held = 0
  private var heldAndTold = 0
  private(set) var isFinished = false

  init(
    plan: Plan, inputs: ScopeValue, state: ScopeValue = ScopeValue(text: Array("{}".utf8)),
    given: [String: JSONValue] = [:], identity: RunIdentity, concurrency: Int, isObserved: Bool,
    files: any FileAccess = NoFileAccess(), finallyLimit: Duration = .seconds(60),
    streamsRows: Bool = false, signal: StopSignal = StopSignal(), turnsPerCall: Int = .max,
    redactor: Redactor = Redactor(), keepsLineage: Bool = false
  ) {
    self.plan = plan
    self.given = given
    self.identity = identity
    self.concurrency = max(1, concurrency)
    self.isObserved = isObserved
    self.finallyLimit = finallyLimit
    self.signal = signal
    self.turnsPerCall = turnsPerCall
    self.redactor = redactor
    isSelective = plan.root.hasInnerFinally
    streamedStep = streamsRows ? plan.streamableStep : nil
    self.files = files.relative(to: plan.workflow.source.name)
    root = Frame(
      Frame.Context(
        plan: plan, secrecy: plan.secrecy, provenance: plan.provenance, callers: [],
        block: plan.root, files: self.files, inputs: inputs, state: state, loop: nil, label: nil,
        isSelective: false, lineage: keepsLineage ? .root : .none),
      number: 0, parent: nil, item: 0)
    root.runValue = identity.value(ok: nil, errors: [])
  }

  /// The run begins, at time zero.
  mutating func start() {
    hasBegun = true
    enter(root)
    advance()
  }

  /// The run ends before it has begun: no step runs, those of `finally` neither, since there is
  /// nothing to clean up.
  mutating func cancelBeforeStart() {
    stopReason = Failure(.cancelled, "the run was cancelled before it began")
    root.isCancelled = true
    stopFrame(root)
    root.phase = .finally
    root.isStopping = false
    root.left = plan.root.steps.count - plan.root.mainCount
    stopFrame(root)
    advance()
  }

  /// Goes on with what the last call left.
  mutating func goOn(at time: Duration) {
    now = time
    advance()
  }

  /// A unit's work is done.
  mutating func finish(_ id: Int, _ outcome: UnitOutcome, at time: Duration) {
    now = time
    guard let running = units[id].take() else { return }
    freeUnits.append(id)
    if running.takesSlot { slotsTaken -= 1 } else if running.isParked { parkedCount -= 1 }
    let item: ItemOutcome
    switch outcome {
    case .values(let values): item = .values(values)
    case .skipped(let reason): item = .skipped(reason)
    case .cancelled where running.place.activation?.isStopping == true: item = .cancelled
    case .cancelled: item = failed(Self.gaveUp, running)
    case .failed(let failure): item = failed(failure, running)
    }
    shielding(running.place.frame) { state in
      state.finishItem(running.place, running.item, item, running.unit.scope.item)
    }
    advance()
  }

  /// Whether what was recorded of a unit still holds. Clean-up is for what the main steps did: if
  /// one of those is carried out now, what cleaned up before does so again.
  func mayTake(_ id: Int) -> Bool {
    guard let place = units[id]?.place, place.frame.isCleanUp else { return true }
    var frame: Frame? = place.frame
    while let pass = frame {
      if pass.phase == .finally, pass.hasActed { return false }
      frame = pass.parent?.frame
    }
    return true
  }

  /// A unit is carried out by this process, and not taken from what earlier ones recorded.
  func noteAction(of id: Int) {
    var frame = units[id]?.place.frame
    while let pass = frame, !pass.hasActed, pass.phase == .main {
      pass.hasActed = true
      frame = pass.parent?.frame
    }
  }

  /// Nobody here cancelled it, so the transport did.
  private static let gaveUp = Failure(
    .network, "the transport cancelled the request, although the run did not ask for it")

  private func failed(_ failure: Failure, _ running: RunningUnit) -> ItemOutcome {
    .failed([
      stepFailure(failure, running.place, item: running.unit.item, in: running.unit.scope)
    ])
  }

  /// A request waits for its origin, for a limit of a called file, or for its next attempt: others
  /// may use its slot.
  mutating func park(_ parking: Parking, at time: Duration) {
    guard isAtWork(parking), units[parking.unit]?.takesSlot == true,
      parkedCount < Self.mostParked
    else { return }
    now = time
    units[parking.unit]?.takesSlot = false
    slotsTaken -= 1
    parkedCount += 1
    advance()
  }

  /// A parked request goes on. The gates see to the most requests in flight; here it only counts.
  mutating func unpark(_ parking: Parking) {
    guard isAtWork(parking), units[parking.unit]?.takesSlot == false else { return }
    units[parking.unit]?.takesSlot = true
    slotsTaken += 1
    parkedCount -= 1
  }

  private func isAtWork(_ parking: Parking) -> Bool {
    units[parking.unit]?.unit.serial == parking.serial
  }

  /// Stops the run: what is at work is cancelled, what has not begun is skipped; `finally` follows.
  mutating func stop(_ reason: Failure, at time: Duration) {
    now = time
    guard !isFinished else { return }
    if stopReason == nil { stopReason = reason }
    root.isCancelled = true
    // Clean-up that has begun goes on: it has a limit of its own.
    if root.phase == .main || reason.kind != .cancelled { stopFrame(root) }
    advance()
  }

  /// The time that a called file gives itself, or that the `finally` steps of a block have, is
  /// over.
  mutating func expire(frame number: Int, at time: Duration) {
    now = time
    guard let frame = timedFrames[number], let parent = frame.parent, !frame.isStopping else {
      return
    }
    let workflow = frame.context.plan.workflow
    let failure =
      frame.phase == .finally
      ? finallyTookTooLong
      : Failure(
        .limit,
        "'\(workflow.name)' took longer than \(workflow.limits.deadline.text); its"
          + " 'limits.deadline' sets how long it may")
    frame.failures.append(stepFailure(failure, parent, item: frame.context.loop?.index))
    stopFrame(frame)
    advance()
  }

  var finallyTookTooLong: Failure {
    Failure(.limit, "the 'finally' steps took longer than \(finallyLimit.text)")
  }

  /// Nothing further starts until `resume`.
  mutating func pause() {
    isPaused = true
  }

  mutating func resume(at time: Duration) {
    now = time
    isPaused = false
    advance()
  }

  /// What to do now, in order.
  ///
  /// - Parameters:
  ///   - list: Becomes the actions; its room is used for those to come.
  ///   - time: When the last turn ended, if it took long; `nil`: when it began.
  mutating func takeActions(into list: inout [Action], at time: Duration? = nil) {
    list.removeAll(keepingCapacity: true)
    swap(&list, &actions)
    let first = turnStart
    turnStart = 0
    guard let time, time > now else { return }
    for index in min(first, list.count)..<list.count { list[index].end(later: time - now) }
    now = time
  }

  /// Deals with all that follows from the news, then starts what may start, as far as one call
  /// goes.
  mutating func advance() {
    isBusy = false
    turnsLeft = turnsPerCall
    repeat {
      while !isSettled {
        guard takeTurn() else { return }
        if let frame = endedFrames.popLast() {
          shielding(frame) { state in state.conclude(frame) }
        } else if let place = nextFreed() {
          shielding(place.frame) { state in state.activate(place) }
        }
      }
      startReady()
    } while !isSettled && !isBusy
  }

  /// Whether there is another turn in this call. Ends it also where the signal is raised.
  mutating func takeTurn() -> Bool {
    guard turnsLeft > 0, !signal.isRaised else {
      isBusy = true
      return false
    }
    turnsLeft -= 1
    turnStart = actions.count
    return true
  }

  /// Whether what was evaluated last is of no use, because the run is to stop. Clean-up goes on.
  func isInterrupted(_ frame: Frame) -> Bool {
    signal.stops && stopReason == nil && !frame.isCleanUp
  }

  /// Does work for a frame. What stops the run does not interrupt evaluations of clean-up.
  mutating func shielding(_ frame: Frame, _ work: (inout RunState) -> Void) {
    if frame.isCleanUp {
      Interruption.$source.withValue(nil) { work(&self) }
    } else {
      work(&self)
    }
  }

  /// Whether nothing follows from what has happened so far.
  var isSettled: Bool { freedFrames.isEmpty && endedFrames.isEmpty }

  /// Frees steps of a frame.
  mutating func free(_ frame: Frame, _ body: (inout FreedSteps) -> Void) {
    let wasEmpty = frame.freed.isEmpty
    body(&frame.freed)
    if wasEmpty, !frame.freed.isEmpty { freedFrames.insert(frame) }
  }

  private mutating func nextFreed() -> StepPlace? {
    guard let frame = freedFrames.first, let step = frame.freed.removeFirst() else { return nil }
    if frame.freed.isEmpty { _ = freedFrames.removeFirst() }
    return StepPlace(frame: frame, step: step)
  }

  mutating func emit(_ event: @autoclosure () -> RunEvent.Kind) {
    if isObserved { actions.append(.emit(event())) }
  }

  /// By how much what the rows hold has changed since the last call, in bytes.
  mutating func takeHeldChange() -> Int {
    defer { heldAndTold = held }
    return held - heldAndTold
  }

  /// Whether there is room for so many bytes.
  func mayHold(_ count: Int) -> Bool {
    held + count <= plan.workflow.limits.memory
  }

  /// A step at work keeps so many bytes of rows or failures.
  mutating func hold(_ count: Int, in activation: Activation) {
    activation.held += count
    held += count
  }

  /// A frame keeps so many bytes of values or failures.
  mutating func hold(_ count: Int, in frame: Frame) {
    frame.held += count
    held += count
  }

  /// The values of a step that has ended now belong to its frame; `nil`: they are gone.
  mutating func hand(_ activation: Activation?, to frame: Frame?) {
    guard let activation else { return }
    if let frame { frame.held += activation.held } else { held -= activation.held }
    activation.held = 0
  }

  /// The values of a pass that has ended are gone.
  mutating func releaseAll(of frame: Frame) {
    held -= frame.held
    frame.held = 0
  }

  mutating func finishRun(_ report: RunReport) {
    isFinished = true
    actions.append(.finish(report))
  }

  /// A failure of a step as others may see it.
  ///
  /// - Parameter scope: What the failed work could read; `nil`: what the step reads.
  func stepFailure(
    _ failure: Failure, _ place: StepPlace, item: Int?, in scope: Scope? = nil
  ) -> StepFailure {
    let ranges = place.context.secrecy.ranges(of: place.step, in: place.context.block)
    let secrets =
      ranges?.isEmpty == false
      ? KnownSecrets(
        place.plan.step, at: ranges,
        in: scope ?? place.frame.scope(of: place.plan.sharedReads)) : KnownSecrets()
    var failure = failure.hiding(secrets, redactor)
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
}
