internal import PipelineByteText
internal import PipelineEngine

/// What ends: its way, its count and its failure.
extension TraceBuilder {
  mutating func endItem(
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
    if path.isEmpty, let rowStep = trace.rowStep, rowStep.equals(bytes: id) {
      addRow(item, ending, open.map { time - $0.began } ?? 0)
    }
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

  private mutating func addRow(_ item: Int, _ ending: TraceEvent.Ending, _ time: Int) {
    guard trace.rows?.count ?? 0 < RunTrace.Most.rows else { return }
    trace.rows?.append(
      RunTrace.Row(
        item: item, outcome: ending.outcome, time: time,
        failure: ending.failure.map {
          RunTrace.RowFailure(kind: $0.kind, message: $0.message)
        }))
  }

  /// The whole way of an item, and how long it would have taken without limits.
  mutating func finish(
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

  mutating func remember(_ key: ItemKey, _ way: CausalPath) {
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
  /// - Parameter item: The item that the pass was for; `nil` if the pass is that of a single
  ///   action.
  mutating func forgetPass(_ step: Int, _ path: [Int], item: Int? = nil) {
    guard !children[step].isEmpty else { return }
    let path = item.map { path + [$0] } ?? path
    for child in children[step] { ended[PassKey(step: child, path: path)] = nil }
  }

  mutating func end(_ finished: TraceEvent.StepFinished, _ time: Int) {
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

  mutating func end(
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

  func lastOfPass(_ step: Int, _ path: [Int]) -> (CausalPath, LimitTimes) {
    guard let around = itemAround(step, path) else { return (last, lastFree) }
    guard let item = items[around] else { return (CausalPath(), LimitTimes()) }
    return (item.inner ?? item.way, item.innerFree)
  }

  mutating func count(_ finished: TraceEvent.StepFinished, _ step: Int, _ time: Int) {
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

  mutating func note(_ step: String?, _ message: String, _ time: Int) {
    guard trace.notes.count < RunTrace.Most.notes else { return }
    trace.notes.append(RunTrace.Note(time: time, step: step, message: message))
  }

  mutating func note(_ ending: TraceEvent.Ending, _ time: Int) {
    if let failure = ending.failure { _ = index(of: failure, time) }
  }

  /// The number of a failure among the kept ones.
  @discardableResult
  mutating func index(of failure: RunTrace.Failed, _ time: Int?) -> Int? {
    if let index = trace.failures.firstIndex(where: { $0.isSame(as: failure) }) { return index }
    guard trace.failures.count < RunTrace.Most.failures else { return nil }
    var failure = failure
    failure.time = time
    trace.failures.append(failure)
    return trace.failures.count - 1
  }

  mutating func end(_ run: TraceEvent.RunFinished, _ time: Int) {
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
}
