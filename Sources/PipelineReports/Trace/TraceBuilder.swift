internal import PipelineByteText
package import PipelineEngine

/// Makes a trace out of a run's events, one after another, in limited memory.
///
/// The critical path is built forward: each piece of work extends the path of the event that
/// released it.
package struct TraceBuilder {
  struct PassKey: Hashable {
    let step: Int
    /// The positions of the items around.
    let path: [Int]
  }

  struct ItemKey: Hashable {
    let step: Int
    let path: [Int]
    /// -1: the single action of a step.
    let item: Int
  }

  /// A step at work in a pass.
  struct AtWork {
    let start: CausalPath
    let began: Int
    let width: CollectionTimes.Width
    /// When it would have begun under other limits, since its pass began.
    let freeStart: LimitTimes
    /// The items that it has, as far as they are known: rounds show when they end.
    var items: Int
    var endedItems = 0
    var lastItem: (item: Int, way: CausalPath)?
    var times = CollectionTimes()
  }

  /// An item at work, or the single action of a step.
  struct OpenItem {
    var way: CausalPath
    let began: Int
    /// How long limits, and pauses that servers asked for, have held it back.
    var held = 0
    /// The time of its last attempt, if there is to be another one.
    var retried = 0
    /// The last end in this pass, and when it could have been.
    var inner: CausalPath?
    var innerFree = LimitTimes()
    /// Whether this process carried out something of it.
    var hasWorked = false
  }

  struct Ended {
    let way: CausalPath
    let free: LimitTimes
  }

  var trace = RunTrace()
  var labels: [String: Int] = [:]
  /// The step that was looked up last. The next event is mostly of the same.
  var lastLabel: (id: String, number: Int)?
  /// For each step, the numbers of its inner steps and of its dependencies.
  var children: [[Int]] = []
  var dependencies: [[Int]] = []
  var roots: [Int] = []
  var atWork: [PassKey: AtWork] = [:]
  var items: [ItemKey: OpenItem] = [:]
  var ended: [PassKey: Ended] = [:]
  /// Units inside passes that ended last: their slots are handed on after their passes are gone.
  var recent: [(key: ItemKey, way: CausalPath)] = []
  var recentCount = 0
  /// The last end among the run's own steps.
  var last = CausalPath()
  var lastFree = LimitTimes()
  /// The lane in which the own `concurrency` of a step is doubled. Only the first steps have one.
  var lanes: [Int: Int] = [:]
  var lastTime = 0
  var origins = Origins()
  var uses = Uses()
  var stepUses: [Uses] = []
  var samples = RequestSamples()
  /// What earlier processes of the run did.
  let earlier: RunTrace?
  /// Whether this process goes on with what another one began.
  var isResumed = false
  /// The steps that this process has carried out something of, and the items of those.
  var workedSteps: Set<Int> = []
  var workedDensities: [Int: Density] = [:]

  static let mostRecent = 32

  /// - Parameters:
  ///   - earlier: What earlier processes of the run did.
  ///   - rowStep: The step each of whose items is a run of its own.
  package init(after earlier: RunTrace? = nil, rowStep: String? = nil) {
    self.earlier = earlier
    trace.rowStep = rowStep
    trace.rows = rowStep.map { _ in [] }
  }

  /// Has each item of a step count as a run of its own.
  mutating func setRowStep(_ step: String) {
    trace.rowStep = step
    trace.rows = trace.rows ?? []
  }

  /// Takes an event from a file.
  mutating func receive(_ event: TraceEvent) {
    let time = event.time
    // It has the time of another process than the events before.
    if case .runStarted(let run) = event.kind { return begin(run) }
    lastTime = max(lastTime, time)
    switch event.kind {
    case .runStarted: break
    case .stepStarted(let step): beginStep(step, time)
    case .itemStarted(let step, let path, let item, let release):
      beginItem(step, path, item, release, time)
    case .requestFinished(let request): end(request, time)
    case .itemFinished(let step, let path, let item, let ending):
      endItem(step, path, item, ending, time)
    case .stepFinished(let step): end(step, time)
    case .note(let step, let message): note(step, message, time)
    case .runFinished(let run): end(run, time)
    }
  }

  /// Takes an event of a run. Three come with each request, so none becomes a `TraceEvent`, with
  /// copies of all that is in it.
  package mutating func receive(_ event: RunEvent) {
    let time = event.time.wholeMicroseconds
    if case .runStarted(let run) = event.kind { return begin(TraceEvent.RunStarted(run)) }
    lastTime = max(lastTime, time)
    switch event.kind {
    case .runStarted: break
    case .stepStarted(let step): beginStep(TraceEvent.StepStarted(step), time)
    case .itemStarted(let item):
      beginItem(item.step, item.path, item.item, item.releasedBy, time)
    case .requestFinished(let request): end(TraceEvent.Request(request), time)
    case .itemFinished(let item):
      let ending = TraceEvent.Ending(item.outcome, item.recoveredBy)
      endItem(item.step, item.path, item.item, ending, time)
    case .stepFinished(let step): end(TraceEvent.StepFinished(step), time)
    case .eventReceived: break
    case .note(let note): self.note(note.step, note.message, time)
    case .said(let said): note(said.step, "says: " + said.text, time)
    case .asked(let question): note(question.step, "asks: " + question.text, time)
    case .runFinished(let report): end(TraceEvent.RunFinished(report), time)
    }
  }

  // MARK: Steps by number

  mutating func begin(_ run: TraceEvent.RunStarted) {
    // A file of events may hold those of several processes.
    let isSame = run.resumedAt != nil && trace.run.equals(bytes: run.run)
    let rowStep = run.rowStep ?? trace.rowStep
    self = TraceBuilder(after: isSame ? finish() : earlier, rowStep: rowStep)
    isResumed = run.resumedAt != nil
    trace.run = run.run
    trace.workflow = run.workflow
    trace.file = run.file
    trace.startedAt = run.resumedAt ?? run.startedAt
    trace.limits = run.limits
    add(run.steps, inside: nil)
  }

  mutating func add(_ steps: [TraceEvent.Step], inside parent: Int?) {
    let prefix = parent.map { trace.steps[$0].id + "." } ?? ""
    for step in steps {
      let number = add(prefix + step.id, inside: parent)
      trace.steps[number].action = step.action
      trace.steps[number].isCollection = step.isCollection
      if step.hasRounds { trace.steps[number].hasRounds = true }
      trace.steps[number].isFinally = step.isFinally
      trace.steps[number].after = step.after
      trace.steps[number].file = step.file ?? trace.file
      trace.steps[number].line = step.line
      add(step.steps, inside: number)
    }
    for step in steps {
      guard let number = labels[prefix + step.id] else { continue }
      dependencies[number] = step.after.compactMap { labels[prefix + $0] }
    }
  }

  mutating func add(_ id: String, inside parent: Int?) -> Int {
    let number = trace.steps.count
    labels[id] = number
    trace.steps.append(
      RunTrace.Step(id: id, action: "", parent: parent, file: trace.file))
    children.append([])
    dependencies.append([])
    stepUses.append(Uses())
    roots.append(parent.map { roots[$0] } ?? number)
    if let parent { children[parent].append(number) }
    return number
  }

  /// The number of a step. One that the first event does not describe gets its own.
  mutating func number(of id: String) -> Int {
    if let lastLabel, id.equals(bytes: lastLabel.id) { return lastLabel.number }
    if let number = labels[id] {
      lastLabel = (id, number)
      return number
    }
    let parent = id.lastIndex(ascii: ".").map { number(of: String(id[..<$0])) }
    return add(id, inside: parent)
  }

  func work(_ step: Int, _ path: [Int], _ item: Int = -1) -> CausalPath.Work {
    CausalPath.Work(step: step, root: roots[step], path: path, item: item)
  }
}
