internal import PipelineByteText
package import PipelineKit

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
  private var lastLabel: (id: String, number: Int)?
  /// For each step, the numbers of its inner steps and of its dependencies.
  private var children: [[Int]] = []
  private var dependencies: [[Int]] = []
  private var roots: [Int] = []
  private var atWork: [PassKey: AtWork] = [:]
  private var items: [ItemKey: OpenItem] = [:]
  private var ended: [PassKey: Ended] = [:]
  /// Units inside passes that ended last: their slots are handed on after their passes are gone.
  private var recent: [(key: ItemKey, way: CausalPath)] = []
  private var recentCount = 0
  /// The last end among the run's own steps.
  private var last = CausalPath()
  private var lastFree = LimitTimes()
  /// The lane in which the own `concurrency` of a step is doubled. Only the first steps have one.
  private var lanes: [Int: Int] = [:]
  private var lastTime = 0
  var origins = Origins()
  var uses = Uses()
  var stepUses: [Uses] = []
  var samples = RequestSamples()
  /// What earlier processes of the run did.
  private let earlier: RunTrace?
  /// Whether this process goes on with what another one began.
  private var isResumed = false
  /// The steps that this process has carried out something of, and the items of those.
  private var workedSteps: Set<Int> = []
  private var workedDensities: [Int: Density] = [:]

  private static let mostRecent = 32

  /// - Parameter earlier: What earlier processes of the run did.
  package init(after earlier: RunTrace? = nil) { self.earlier = earlier }

  /// Takes an event from a file.
  mutating func receive(_ event: TraceEvent) {
    let time = event.time
    lastTime = max(lastTime, time)
    switch event.kind {
    case .runStarted(let run): begin(run)
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
    lastTime = max(lastTime, time)
    switch event.kind {
    case .runStarted(let run): begin(TraceEvent.RunStarted(run))
    case .stepStarted(let step): beginStep(TraceEvent.StepStarted(step), time)
    case .itemStarted(let item):
      beginItem(item.step, item.path, item.item, item.releasedBy, time)
    case .requestFinished(let request): end(TraceEvent.Request(request), time)
    case .itemFinished(let item):
      let ending = TraceEvent.Ending(item.outcome, item.recoveredBy)
      endItem(item.step, item.path, item.item, ending, time)
    case .stepFinished(let step): end(TraceEvent.StepFinished(step), time)
    case .note(let note): self.note(note.step, note.message, time)
    case .runFinished(let report): end(TraceEvent.RunFinished(report), time)
    }
  }

  // MARK: Steps by number

  private mutating func begin(_ run: TraceEvent.RunStarted) {
    // A file of events may hold those of several processes.
    let isSame = run.resumedAt != nil && trace.run.equals(bytes: run.run)
    self = TraceBuilder(after: isSame ? finish() : earlier)
    isResumed = run.resumedAt != nil
    trace.run = run.run
    trace.workflow = run.workflow
    trace.file = run.file
    trace.startedAt = run.resumedAt ?? run.startedAt
    trace.limits = run.limits
    add(run.steps, inside: nil)
  }

  private mutating func add(_ steps: [TraceEvent.Step], inside parent: Int?) {
    let prefix = parent.map { trace.steps[$0].id + "." } ?? ""
    for step in steps {
      let number = add(prefix + step.id, inside: parent)
      trace.steps[number].action = step.action
      trace.steps[number].isCollection = step.isCollection
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

  private mutating func add(_ id: String, inside parent: Int?) -> Int {
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

  private func work(_ step: Int, _ path: [Int], _ item: Int = -1) -> CausalPath.Work {
    CausalPath.Work(step: step, root: roots[step], path: path, item: item)
  }

  // MARK: Begin

  private mutating func beginStep(_ started: TraceEvent.StepStarted, _ time: Int) {
    let step = number(of: started.step)
    let path = started.path
    var (way, free) = base(of: step, path, started.release)
    way.extend(to: time, .engine, work(step, path))
    trace.steps[step].began += 1
    trace.steps[step].start = min(trace.steps[step].start ?? time, time)
    if let items = started.items {
      trace.steps[step].isCollection = true
      trace.steps[step].items = (trace.steps[step].items ?? 0) + items
    } else {
      self.items[ItemKey(step: step, path: path, item: -1)] = OpenItem(way: way, began: time)
    }
    for other in dependencies[step] {
      guard let ended = ended[PassKey(step: other, path: path)] else { continue }
      free = free.longest(ended.free)
    }
    atWork[PassKey(step: step, path: path)] = AtWork(
      start: way, began: time, width: width(of: step, started), freeStart: free,
      items: started.items ?? 0)
  }

  private mutating func width(
    of step: Int, _ started: TraceEvent.StepStarted
  ) -> CollectionTimes.Width {
    let own = started.isSequential ? nil : started.concurrency
    if let own {
      trace.steps[step].concurrency = own
      let lane = LimitTimes.steps.lowerBound + lanes.count
      if lanes[step] == nil, LimitTimes.steps.contains(lane) { lanes[step] = lane }
    }
    return CollectionTimes.Width(
      run: trace.limits.concurrency, own: own, lane: lanes[step],
      isSequential: started.isSequential)
  }

  /// The event that released a step: its path, and its earliest possible time.
  private mutating func base(
    of step: Int, _ path: [Int], _ release: Release
  ) -> (CausalPath, LimitTimes) {
    switch release.kind {
    case .dependency:
      let other = release.step.map { number(of: $0) } ?? step
      if let ended = ended[PassKey(step: other, path: path)] { return (ended.way, ended.free) }
    case .finally:
      guard let around = itemAround(step, path) else { return (last, lastFree) }
      if let item = items[around] { return (item.inner ?? item.way, item.innerFree) }
    case .start, .step, .item, .slot, .resume: break
    }
    guard let around = itemAround(step, path) else { return (CausalPath(), LimitTimes()) }
    return (items[around]?.way ?? CausalPath(), LimitTimes())
  }

  /// The item whose pass a step belongs to; `nil`: the run's own.
  private func itemAround(_ step: Int, _ path: [Int]) -> ItemKey? {
    guard let parent = trace.steps[step].parent else { return nil }
    guard trace.steps[parent].isCollection, let item = path.last else {
      return ItemKey(step: parent, path: path, item: -1)
    }
    return ItemKey(step: parent, path: Array(path.dropLast()), item: item)
  }

  private mutating func beginItem(
    _ id: String, _ path: [Int], _ item: Int?, _ release: Release, _ time: Int
  ) {
    let step = number(of: id)
    guard let index = atWork.index(forKey: PassKey(step: step, path: path)) else { return }
    let key = ItemKey(step: step, path: path, item: item ?? -1)
    let start = atWork.values[index].start
    var way = start
    var use = TimeUse.engine
    switch release.kind {
    case .slot:
      if let releaser = releaser(release) { way = releaser } else { use = .place }
    case .item: way = atWork.values[index].lastItem?.way ?? way
    case .resume: use = .stopped
    case .start, .dependency, .finally, .step: break
    }
    // The step's own last wait may have ended later.
    if way.time < start.time { way = start }
    way.extend(to: time, use, work(step, path, key.item))
    items[key] = OpenItem(way: way, began: time)
  }

  /// This process carries out something of an item, and so of all around it.
  private mutating func noteWork(_ key: ItemKey) {
    // All that another process did not begin is this one's.
    guard isResumed else { return }
    var next: ItemKey? = key
    while let key = next {
      workedSteps.insert(key.step)
      if let index = items.index(forKey: key) {
        if items.values[index].hasWorked { return }
        items.values[index].hasWorked = true
      }
      next = itemAround(key.step, key.path)
    }
  }

  /// What failed was not taken, and a wait that was takes no time.
  private mutating func noteWork(of key: ItemKey, _ ending: TraceEvent.Ending, _ time: Int) {
    let isWait = trace.steps[key.step].action.equals(bytes: "wait")
    // Whether it took time is asked for waits alone, because this is done for each item.
    if ending.outcome == .failed || isWait && time - (items[key]?.began ?? time) >= 1_000 {
      noteWork(key)
    }
  }

  /// The way of a request that gave its slot back: it has ended, or it waits for something itself.
  private mutating func releaser(_ release: Release) -> CausalPath? {
    guard let id = release.step else { return nil }
    let step = number(of: id)
    let key = ItemKey(step: step, path: release.path, item: release.item ?? -1)
    if let item = items[key] { return item.way }
    let pass = PassKey(step: step, path: release.path)
    if let last = atWork[pass]?.lastItem, last.item == key.item { return last.way }
    if let ended = ended[pass] { return ended.way }
    return recent.first { $0.key == key }?.way
  }

  // MARK: Requests

  private mutating func end(_ request: TraceEvent.Request, _ time: Int) {
    let step = number(of: request.step)
    let key = ItemKey(step: step, path: request.path, item: request.item ?? -1)
    let origin = origins.number(of: request.url)
    let sent = min(request.sent ?? time, time)
    let pieces = Pieces(request, sent: sent, end: time)
    noteWork(key)
    if let index = items.index(forKey: key) {
      let work = work(step, key.path, key.item)
      items.values[index].held = FileNumber.sum(items.values[index].held, request.waits.held)
      // Nor would the server have refused the attempt before.
      if request.waits.pause > 0 {
        items.values[index].held = FileNumber.sum(
          items.values[index].held, items.values[index].retried)
      }
      items.values[index].retried = request.isRetried ? time - sent : 0
      items.values[index].way.extend(by: pieces, work, origin: origin)
    }
    pieces.forEach { piece in
      guard piece.use != .engine else { return }
      uses.add(piece.length, piece.use, origin)
      stepUses[step].add(piece.length, piece.use, origin)
    }
    let isGood = request.error == nil && (request.status ?? 0) < 400
    trace.density.add(at: time, isGood: isGood)
    trace.steps[step].bytes = FileNumber.sum(trace.steps[step].bytes, request.bytes)
    if request.isRetried {
      trace.steps[step].retries += 1
      trace.counts.retries += 1
    }
    if request.cause != .first {
      trace.steps[step].repeats.add(request.cause)
      trace.counts.repeats.add(request.cause)
    }
    guard request.sent != nil else { return samples.add(request, step, pieces, isGood, time) }
    trace.steps[step].requests += 1
    trace.steps[step].latency.add(time - sent)
    trace.least.add(time - sent, origins.add(time - sent, origin))
    samples.add(request, step, pieces, isGood, time)
  }

  // MARK: End

  private mutating func endItem(
    _ id: String, _ path: [Int], _ item: Int, _ ending: TraceEvent.Ending, _ time: Int
  ) {
    let step = number(of: id)
    let pass = PassKey(step: step, path: path)
    let key = ItemKey(step: step, path: path, item: item)
    noteWork(of: key, ending, time)
    let isGood = ending.outcome != .failed && ending.outcome != .cancelled
    if trace.steps[step].density == nil { trace.steps[step].density = Density() }
    trace.steps[step].density?.add(at: time, isGood: isGood)
    note(ending, time)
    let open = items.removeValue(forKey: key)
    if isResumed, open?.hasWorked == true {
      workedDensities[step, default: Density()].add(at: time, isGood: isGood)
    }
    guard let index = atWork.index(forKey: pass) else { return }
    atWork.values[index].endedItems += 1
    if atWork.values[index].endedItems > atWork.values[index].items {
      atWork.values[index].items += 1
      trace.steps[step].items = (trace.steps[step].items ?? 0) + 1
    }
    guard let open else {
      // It took no time: nothing began.
      var way = atWork.values[index].lastItem?.way ?? atWork.values[index].start
      way.extend(to: time, .engine, work(step, path, item))
      atWork.values[index].lastItem = (item, way)
      return
    }
    let (way, free) = finish(open, key, time)
    atWork.values[index].lastItem = (item, way)
    atWork.values[index].times.add(free)
    forgetPass(step, path, item: item)
    remember(key, way)
  }

  /// The whole way of an item, and how long it would have taken without limits.
  private mutating func finish(
    _ open: OpenItem, _ key: ItemKey, _ time: Int
  ) -> (CausalPath, LimitTimes) {
    var way = open.inner ?? open.way
    let use: TimeUse = trace.steps[key.step].action.equals(bytes: "wait") ? .wait : .engine
    way.extend(to: time, use, work(key.step, key.path, key.item))
    let free =
      open.inner == nil
      ? LimitTimes(max(0, time - open.began - open.held)) : open.innerFree
    return (way, free)
  }

  private mutating func remember(_ key: ItemKey, _ way: CausalPath) {
    guard trace.steps[key.step].parent != nil else { return }
    if recent.count < Self.mostRecent {
      recent.append((key, way))
    } else {
      recent[recentCount % Self.mostRecent] = (key, way)
    }
    recentCount += 1
  }

  /// The steps of a pass are of no use to anybody any more.
  ///
  /// - Parameter item: The item that the pass was for; `nil`: the pass is that of a single action.
  private mutating func forgetPass(_ step: Int, _ path: [Int], item: Int? = nil) {
    guard !children[step].isEmpty else { return }
    let path = item.map { path + [$0] } ?? path
    for child in children[step] { ended[PassKey(step: child, path: path)] = nil }
  }

  private mutating func end(_ finished: TraceEvent.StepFinished, _ time: Int) {
    let step = number(of: finished.step)
    let pass = PassKey(step: step, path: finished.path)
    noteWork(of: ItemKey(step: step, path: finished.path, item: -1), finished.ending, time)
    count(finished, step, time)
    let way: CausalPath
    let free: LimitTimes
    if let active = atWork.removeValue(forKey: pass) {
      (way, free) = end(active, step, finished.path, time)
    } else if let release = finished.release {
      var (base, start) = base(of: step, finished.path, release)
      base.extend(to: time, .engine, work(step, finished.path))
      (way, free) = (base, start)
    } else {
      (way, free) = lastOfPass(step, finished.path)
    }
    ended[pass] = Ended(way: way, free: free)
    if let around = itemAround(step, finished.path) {
      guard let index = items.index(forKey: around) else { return }
      items.values[index].inner = way
      items.values[index].innerFree = items.values[index].innerFree.longest(free)
    } else {
      last = way
      lastFree = lastFree.longest(free)
    }
  }

  private mutating func end(
    _ active: AtWork, _ step: Int, _ path: [Int], _ time: Int
  ) -> (CausalPath, LimitTimes) {
    let key = ItemKey(step: step, path: path, item: -1)
    if let open = items.removeValue(forKey: key) {
      let (way, free) = finish(open, key, time)
      forgetPass(step, path)
      remember(key, way)
      return (way, active.freeStart + free)
    }
    var way = active.lastItem?.way ?? active.start
    way.extend(to: time, .engine, work(step, path))
    return (way, active.freeStart + active.times.total(active.width))
  }

  private func lastOfPass(_ step: Int, _ path: [Int]) -> (CausalPath, LimitTimes) {
    guard let around = itemAround(step, path) else { return (last, lastFree) }
    guard let item = items[around] else { return (CausalPath(), LimitTimes()) }
    return (item.inner ?? item.way, item.innerFree)
  }

  private mutating func count(_ finished: TraceEvent.StepFinished, _ step: Int, _ time: Int) {
    switch finished.ending.outcome {
    case .succeeded: trace.steps[step].outcomes.succeeded += 1
    case .recovered: trace.steps[step].outcomes.recovered += 1
    case .skipped: trace.steps[step].outcomes.skipped += 1
    case .failed: trace.steps[step].outcomes.failed += 1
    case .cancelled: trace.steps[step].outcomes.cancelled += 1
    case .unfinished, .none: break
    }
    trace.steps[step].time = FileNumber.sum(trace.steps[step].time, finished.duration)
    trace.steps[step].failedItems = FileNumber.sum(
      trace.steps[step].failedItems, finished.failedItems)
    if trace.steps[step].start != nil {
      trace.steps[step].end = max(trace.steps[step].end ?? time, time)
    }
    let isWorse = trace.steps[step].outcome == finished.ending.outcome
    if let reason = finished.ending.failure?.message ?? finished.ending.reason,
      trace.steps[step].reason == nil || isWorse && trace.steps[step].outcomes.failed == 1
    {
      trace.steps[step].reason = reason
      trace.steps[step].recoveredBy = finished.ending.recoveredBy
    }
    if let failure = finished.ending.failure {
      trace.steps[step].failure = index(of: failure, time) ?? trace.steps[step].failure
    }
  }

  private mutating func note(_ step: String?, _ message: String, _ time: Int) {
    guard trace.notes.count < RunTrace.Most.notes else { return }
    trace.notes.append(RunTrace.Note(time: time, step: step, message: message))
  }

  private mutating func note(_ ending: TraceEvent.Ending, _ time: Int) {
    if let failure = ending.failure { _ = index(of: failure, time) }
  }

  /// The number of a failure among the kept ones.
  @discardableResult
  private mutating func index(of failure: RunTrace.Failed, _ time: Int?) -> Int? {
    if let index = trace.failures.firstIndex(where: { $0.isSame(as: failure) }) { return index }
    guard trace.failures.count < RunTrace.Most.failures else { return nil }
    var failure = failure
    failure.time = time
    trace.failures.append(failure)
    return trace.failures.count - 1
  }

  private mutating func end(_ run: TraceEvent.RunFinished, _ time: Int) {
    trace.status = run.status
    trace.duration = run.duration
    trace.stopReason = run.stopReason
    let (retries, repeats) = (trace.counts.retries, trace.counts.repeats)
    trace.counts = run.counts
    (trace.counts.retries, trace.counts.repeats) = (retries, repeats)
    for failure in run.failures { index(of: failure, nil) }
    trace.failureCount = run.failureCount
    // The event comes a moment after the run's end.
    lastTime = max(run.duration, last.time)
  }

  // MARK: The trace

  /// The trace of the events so far, and of earlier processes.
  ///
  /// - Parameter time: How far the run has come; `nil`: as far as its last event.
  package func finish(at time: Int? = nil) -> RunTrace {
    let own = ownTrace(at: time ?? lastTime)
    return earlier.map { $0.continued(by: own) } ?? own
  }

  private func ownTrace(at time: Int) -> RunTrace {
    var trace = trace
    let lastTime = trace.isUnfinished ? max(lastTime, time) : lastTime
    var way = trace.isUnfinished ? wayOfOldest(until: lastTime) : last
    way.extend(to: lastTime, .engine, CausalPath.Work(step: -1, root: -1, path: [], item: -1))
    trace.path = way.parts.map(pathPart)
    trace.duration = lastTime
    trace.least.set(lastFree, lanes)
    trace.uses = uses.named(origins)
    for step in trace.steps.indices { trace.steps[step].uses = stepUses[step].named(origins) }
    trace.requests = samples.all
    for (pass, active) in atWork {
      trace.steps[pass.step].outcomes.unfinished += 1
      trace.steps[pass.step].time += lastTime - active.began
    }
    if isResumed { leaveOutTaken(&trace) }
    if trace.isUnfinished { trace.countSteps() }
    trace.processes = [
      RunTrace.Process(
        start: 0, duration: trace.duration, startedAt: trace.startedAt, status: trace.status,
        requests: trace.counts.requests, taken: trace.counts.taken)
    ]
    return trace
  }

  /// The way of the piece of work that had taken longest when the process ended.
  private func wayOfOldest(until end: Int) -> CausalPath {
    let open = items.filter { children[$0.key.step].isEmpty }
      .min { ($0.value.began, $0.key.step) < ($1.value.began, $1.key.step) }
    guard let (key, item) = open else { return last }
    var way = item.way
    way.extend(to: end, .cutOff, work(key.step, key.path, key.item))
    return way
  }

  /// What was taken belongs to the process that carried it out, if that is known.
  private func leaveOutTaken(_ trace: inout RunTrace) {
    let known = Set((earlier?.steps ?? []).filter { $0.start != nil }.map { ExactText($0.id) })
    for step in trace.steps.indices where known.contains(ExactText(trace.steps[step].id)) {
      trace.steps[step].isTaken = !workedSteps.contains(step)
      trace.steps[step].density = workedDensities[step]
    }
  }

  private func pathPart(_ part: CausalPath.Part) -> RunTrace.PathPart {
    RunTrace.PathPart(
      step: part.step.flatMap { $0 < 0 ? nil : $0 }, item: part.item, start: part.start,
      end: part.end, links: part.links,
      uses: part.uses.map {
        RunTrace.Use(
          use: $0.use, origin: $0.use == .engine ? nil : $0.origin.map(origins.name), time: $0.time)
      })
  }
}

extension RunTrace.Failed {
  func isSame(as other: RunTrace.Failed) -> Bool {
    item == other.item && path == other.path && step.equals(bytes: other.step)
      && message.equals(bytes: other.message)
  }
}
