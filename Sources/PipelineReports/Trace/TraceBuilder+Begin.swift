internal import PipelineByteText
internal import PipelineEngine

/// What begins, and the requests of what has begun.
extension TraceBuilder {
  mutating func beginStep(_ started: TraceEvent.StepStarted, _ time: Int) {
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

  mutating func width(
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
  mutating func base(
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

  /// The item whose pass a step belongs to; `nil` for the run's own.
  func itemAround(_ step: Int, _ path: [Int]) -> ItemKey? {
    guard let parent = trace.steps[step].parent else { return nil }
    guard trace.steps[parent].isCollection, let item = path.last else {
      return ItemKey(step: parent, path: path, item: -1)
    }
    return ItemKey(step: parent, path: Array(path.dropLast()), item: item)
  }

  mutating func beginItem(
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
  mutating func noteWork(_ key: ItemKey) {
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
  mutating func noteWork(of key: ItemKey, _ ending: TraceEvent.Ending, _ time: Int) {
    let isWait = trace.steps[key.step].action.equals(bytes: "wait")
    // Whether it took time is asked for waits alone, because this is done for each item.
    if ending.outcome == .failed || isWait && time - (items[key]?.began ?? time) >= 1_000 {
      noteWork(key)
    }
  }

  /// The way of a request that gave its slot back: it has ended, or it waits for something itself.
  mutating func releaser(_ release: Release) -> CausalPath? {
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

  mutating func end(_ request: TraceEvent.Request, _ time: Int) {
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
}
