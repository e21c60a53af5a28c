internal import JSONText
internal import Workflows

/// The scheduler: decides what starts when, and what follows from how it ended.
///
/// A value without clock, task or lock. Each call brings news and the time it came; what to do
/// about it is read with `takeActions()`.
struct RunState: Sendable {
  /// A unit of work that a task carries out.
  struct RunningUnit: Sendable {
    let key: Frame.Key
    let item: Int
    let usesSlot: Bool
    let unit: Unit
  }

  /// Something to look at before news are dealt with in full.
  enum Work: Sendable {
    /// A step whose dependencies have all ended.
    case activate(Frame.Key)
    /// A frame whose phase has no step left.
    case conclude(frame: Int)
  }

  let plan: Plan
  let identity: RunIdentity
  /// The most requests in flight.
  let concurrency: Int
  /// Whether anybody listens to events.
  let isObserved: Bool
  let files: any FileAccess

  var frames: [Int: Frame] = [:]
  var activations: [Frame.Key: Activation] = [:]
  var units: [Int: RunningUnit] = [:]
  /// Ready steps whose work takes one of the run's slots.
  var readyRequests = ReadyQueue()
  /// Ready steps whose work takes none.
  var readyOthers = ReadyQueue()
  var work: [Work] = []
  var actions: [Action] = []
  var frameCount = 0
  var unitCount = 0
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
    files: any FileAccess = NoFileAccess()
  ) {
    self.plan = plan
    self.identity = identity
    self.concurrency = max(1, concurrency)
    self.isObserved = isObserved
    self.files = files.relative(to: plan.workflow.source.name)
    runValue = identity.value(ok: nil, errors: [])
    enter(
      Frame.Context(
        plan: plan, secrecy: plan.secrecy, callers: [], block: plan.root, files: self.files,
        parent: nil, item: 0, inputs: inputs, loop: nil, label: nil, isSelective: false))
  }

  /// The run begins, at time zero.
  mutating func start() {
    advance()
  }

  /// A unit's work is done.
  mutating func finish(_ id: Int, _ outcome: UnitOutcome, at time: Duration) {
    now = time
    guard let running = units.removeValue(forKey: id) else { return }
    if running.usesSlot { slotsTaken -= 1 }
    if case .cancelled = outcome, activations[running.key]?.isStopping == false {
      // Cancelled along with others though it may go on: it starts again.
      start(running)
      return
    }
    let item: ItemOutcome
    switch outcome {
    case .values(let values): item = .values(values)
    case .skipped(let reason): item = .skipped(reason)
    case .cancelled: item = .cancelled
    case .failed(let failure):
      item = .failed([stepFailure(failure, running.key, item: running.unit.item)])
    }
    finishItem(running.key, running.item, item)
    advance()
  }

  /// Stops the run: what is at work is cancelled, what has not begun is skipped; `finally` follows.
  mutating func stop(_ reason: Failure, at time: Duration) {
    now = time
    guard !isFinished else { return }
    if stopReason == nil { stopReason = reason }
    frames[0]?.isCancelled = true
    stopFrame(0)
    advance()
  }

  /// The time that a called file gives itself is over.
  mutating func expire(frame number: Int, at time: Duration) {
    now = time
    guard let context = frames[number]?.context, let parent = context.parent,
      frames[number]?.phase == .main, frames[number]?.isStopping == false
    else { return }
    let limit = context.plan.workflow.limits.deadline.text
    let failure = stepFailure(
      Failure(
        .limit,
        "'\(context.plan.workflow.name)' took longer than \(limit); its 'limits.deadline' sets how"
          + " long it may"), parent, item: context.loop?.index)
    frames[number]?.failures.append(failure)
    stopFrame(number)
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
  mutating func takeActions() -> [Action] {
    defer { actions.removeAll(keepingCapacity: true) }
    return actions
  }

  /// Deals with all that follows from the news, then starts what may start.
  mutating func advance() {
    repeat {
      while let next = work.popLast() {
        switch next {
        case .activate(let key): activate(key)
        case .conclude(let frame): conclude(frame: frame)
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

  func stepFailure(_ failure: Failure, _ key: Frame.Key, item: Int?) -> StepFailure {
    guard let context = frames[key.frame]?.context else {
      return StepFailure(
        step: "", path: [], item: item, failure: failure, stepRange: 0..<0,
        source: plan.workflow.source)
    }
    // A setting may come from the file that this one builds on.
    let workflow = context.plan.workflow
    let stepRange = context.block.steps[key.step].step.id.range
    let place = workflow.place(of: failure.range ?? stepRange)
    var failure = failure
    if failure.range != nil { failure.range = place.range }
    return StepFailure(
      step: context.label(of: key.step).id, path: context.label?.path ?? [], item: item,
      failure: failure, stepRange: stepRange, source: place.file)
  }
}
