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
    let usesSlot: Bool
    let unit: Unit
  }

  /// Something to look at before news are dealt with in full.
  enum Work {
    /// A step whose dependencies have all ended.
    case activate(StepPlace)
    /// A frame whose phase has no step left.
    case conclude(Frame)
  }

  let plan: Plan
  let identity: RunIdentity
  /// The most requests in flight.
  let concurrency: Int
  /// Whether anybody listens to events.
  let isObserved: Bool
  let files: any FileAccess
  /// The collection whose rows are handed on one by one.
  let streamedStep: Int?

  /// The pass through the run's own steps.
  let root: Frame
  /// Passes through called files that have a deadline, by number.
  var timedFrames: [Int: Frame] = [:]
  /// What tasks carry out, by the unit's id; `nil`: the id is free.
  var units: [RunningUnit?] = []
  var freeUnits: [Int] = []
  /// Ready steps whose work takes one of the run's slots.
  var readyRequests = ReadyQueue()
  /// Ready steps whose work takes none.
  var readyOthers = ReadyQueue()
  var work: [Work] = []
  var actions: [Action] = []
  var frameCount = 1
  var slotsTaken = 0
  /// Items, or the one thing that a step does, started so far.
  var turnCount = 0
  var itemCount = 0
  /// The items of called files that limit them.
  var itemCounts: [ObjectIdentifier: Int] = [:]
  var isPaused = false
  var now = Duration.zero
  var stopReason: Failure?
  var counts = RunReport.Counts()
  /// `run` as steps see it.
  var runValue: ScopeValue
  private(set) var isFinished = false

  init(
    plan: Plan, inputs: ScopeValue, identity: RunIdentity, concurrency: Int, isObserved: Bool,
    files: any FileAccess = NoFileAccess(), streamsRows: Bool = false
  ) {
    self.plan = plan
    self.identity = identity
    self.concurrency = max(1, concurrency)
    self.isObserved = isObserved
    streamedStep = streamsRows ? plan.streamableStep : nil
    self.files = files.relative(to: plan.workflow.source.name)
    runValue = identity.value(ok: nil, errors: [])
    root = Frame(
      Frame.Context(
        plan: plan, secrecy: plan.secrecy, callers: [], block: plan.root, files: self.files,
        inputs: inputs, loop: nil, label: nil, isSelective: false),
      number: 0, parent: nil, item: 0)
  }

  /// The run begins, at time zero.
  mutating func start() {
    enter(root)
    advance()
  }

  /// A unit's work is done.
  mutating func finish(_ id: Int, _ outcome: UnitOutcome, at time: Duration) {
    now = time
    guard let running = units[id].take() else { return }
    freeUnits.append(id)
    if running.usesSlot { slotsTaken -= 1 }
    if case .cancelled = outcome, running.place.activation?.isStopping == false {
      // Cancelled along with others though it may go on: it starts again.
      start(
        running.place, running.item, running.unit.label, running.unit.scope,
        usesSlot: running.usesSlot)
      return
    }
    let item: ItemOutcome
    switch outcome {
    case .values(let values): item = .values(values)
    case .skipped(let reason): item = .skipped(reason)
    case .cancelled: item = .cancelled
    case .failed(let failure):
      item = .failed([stepFailure(failure, running.place, item: running.unit.item)])
    }
    finishItem(running.place, running.item, item)
    advance()
  }

  /// Stops the run: what is at work is cancelled, what has not begun is skipped; `finally` follows.
  mutating func stop(_ reason: Failure, at time: Duration) {
    now = time
    guard !isFinished else { return }
    if stopReason == nil { stopReason = reason }
    root.isCancelled = true
    stopFrame(root)
    advance()
  }

  /// The time that a called file gives itself is over.
  mutating func expire(frame number: Int, at time: Duration) {
    now = time
    guard let frame = timedFrames[number], let parent = frame.parent, frame.phase == .main,
      !frame.isStopping
    else { return }
    let workflow = frame.context.plan.workflow
    let failure = stepFailure(
      Failure(
        .limit,
        "'\(workflow.name)' took longer than \(workflow.limits.deadline.text); its"
          + " 'limits.deadline' sets how long it may"), parent, item: frame.context.loop?.index)
    frame.failures.append(failure)
    stopFrame(frame)
    advance()
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
  /// - Parameter list: Becomes the actions; its room is used for those to come.
  mutating func takeActions(into list: inout [Action]) {
    list.removeAll(keepingCapacity: true)
    swap(&list, &actions)
  }

  /// Deals with all that follows from the news, then starts what may start.
  mutating func advance() {
    repeat {
      while let next = work.popLast() {
        switch next {
        case .activate(let place): activate(place)
        case .conclude(let frame): conclude(frame)
        }
      }
      startReady()
    } while !work.isEmpty
  }

  mutating func emit(_ event: @autoclosure () -> RunEvent.Kind) {
    if isObserved { actions.append(.emit(event())) }
  }

  mutating func finishRun(_ report: RunReport) {
    isFinished = true
    actions.append(.finish(report))
  }

  func stepFailure(_ failure: Failure, _ place: StepPlace, item: Int?) -> StepFailure {
    // A setting may come from the file that this one builds on.
    let workflow = place.context.plan.workflow
    let stepRange = place.plan.step.id.range
    let source = workflow.place(of: failure.range ?? stepRange)
    var failure = failure
    if failure.range != nil { failure.range = source.range }
    let label = place.context.label(of: place.step)
    return StepFailure(
      step: label.id, path: label.path, item: item, failure: failure, stepRange: stepRange,
      source: source.file)
  }
}
