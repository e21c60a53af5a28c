internal import PipelineByteText

/// Merges the trace of earlier processes of a run with the trace of the process that continued it.
struct TraceMerge {
  private let earlier: RunTrace
  private var trace: RunTrace
  /// When the later process continued the run.
  private let offset: Int
  /// The numbers that the steps of the earlier trace have in the later one.
  private var numbers: [Int] = []

  init(_ earlier: RunTrace, _ later: RunTrace) {
    self.earlier = earlier
    trace = later
    offset = earlier.duration
  }

  mutating func merged() -> RunTrace {
    // All times first: what is added below has the run's time already.
    shiftTimes()
    mergeSteps()
    mergeCounts()
    trace.startedAt = earlier.startedAt
    trace.duration += offset
    trace.processes = earlier.processes + trace.processes
    trace.path = Self.joined(earlier.path.map(renumbered) + trace.path)
    trace.uses = Self.sum(earlier.uses, trace.uses)
    trace.requests = RequestSamples.chosen(of: earlier.requests.map(renumbered) + trace.requests)
    trace.notes = Array((earlier.notes + trace.notes).prefix(RunTrace.Most.notes))
    trace.least.add(earlier.least, numbers: numbers)
    mergeRows()
    return trace
  }

  /// What a process took from an earlier one ends in both; it took its time in the earlier one.
  private mutating func mergeRows() {
    guard let rows = trace.rows else { return }
    var known: [Int: RunTrace.Row] = [:]
    for row in earlier.rows ?? [] { known[row.item] = row }
    for row in rows where known[row.item]?.outcome != .succeeded { known[row.item] = row }
    trace.rows = Array(
      known.values.sorted { $0.item < $1.item }.prefix(RunTrace.Most.rows))
  }

  private mutating func shiftTimes() {
    for index in trace.processes.indices { trace.processes[index].start += offset }
    for index in trace.path.indices {
      trace.path[index].start += offset
      trace.path[index].end += offset
    }
    for index in trace.requests.indices {
      trace.requests[index].sent += offset
      trace.requests[index].end += offset
    }
    for index in trace.notes.indices { trace.notes[index].time += offset }
    for index in trace.failures.indices {
      trace.failures[index].time = trace.failures[index].time.map { $0 + offset }
    }
    for index in trace.steps.indices {
      trace.steps[index].start = trace.steps[index].start.map { $0 + offset }
      trace.steps[index].end = trace.steps[index].end.map { $0 + offset }
      trace.steps[index].density = trace.steps[index].density.map { Self.after(offset, $0) }
    }
    trace.density = Self.after(offset, trace.density)
    var density = earlier.density
    density.add(trace.density, after: 0)
    trace.density = density
  }

  private static func after(_ offset: Int, _ density: Density) -> Density {
    var result = Density()
    result.add(density, after: offset)
    return result
  }

  // MARK: Steps

  private mutating func mergeSteps() {
    let known = Dictionary(
      trace.steps.enumerated().map { (ExactText($1.id), $0) },
      uniquingKeysWith: { first, _ in first })
    for step in earlier.steps {
      guard let number = known[ExactText(step.id)] else {
        // The step was removed from the file between the processes.
        numbers.append(trace.steps.count)
        var step = step
        step.parent = step.parent.map { numbers[$0] }
        step.failure = nil
        trace.steps.append(step)
        continue
      }
      numbers.append(number)
      let isKnown = trace.steps[number].outcome != .none
      trace.steps[number] = merged(step, trace.steps[number])
      if !isKnown { trace.steps[number].failure = step.failure.map { kept(earlier.failures[$0]) } }
    }
  }

  private func merged(_ old: RunTrace.Step, _ new: RunTrace.Step) -> RunTrace.Step {
    var step = new
    let isKnown = new.outcome != .none
    if !isKnown {
      step.outcomes = old.outcomes
      step.reason = old.reason
      step.recoveredBy = old.recoveredBy
      step.items = old.items
      step.failedItems = old.failedItems
    }
    step.began = max(old.began, new.began)
    step.concurrency = new.concurrency ?? old.concurrency
    if let start = old.start {
      step.start = start
      // A taken step ended in the earlier process. A step that is only evaluated again takes no time.
      let isOld = !isKnown || new.isTaken && new.outcome != .failed
      step.end = isOld ? old.end ?? offset : new.end
      step.time = isOld ? old.time : old.time + new.time
      step.isTaken = false
    }
    step.requests += old.requests
    step.retries += old.retries
    step.repeats.add(old.repeats)
    step.bytes += old.bytes
    step.latency.add(old.latency)
    step.uses = Self.sum(old.uses, new.uses)
    if var density = old.density {
      if let more = new.density { density.add(more, after: 0) }
      step.density = density
    }
    return step
  }

  /// Keeps a failure that no later process has repaired, and returns its number.
  private mutating func kept(_ failed: RunTrace.Failed) -> Int {
    trace.failureCount += 1
    trace.failures.append(failed)
    return trace.failures.count - 1
  }

  private mutating func mergeCounts() {
    let old = earlier.counts
    if trace.isUnfinished {
      let counts = trace.counts
      trace.countSteps()
      (trace.counts.requests, trace.counts.bytes) = (counts.requests, counts.bytes)
    }
    trace.counts.requests += old.requests
    trace.counts.bytes += old.bytes
    trace.counts.cached += old.cached
    trace.counts.validated += old.validated
    trace.counts.retries += old.retries
    trace.counts.repeats.add(old.repeats)
    // Units taken from processes in this trace count for those processes.
    trace.counts.taken = old.taken
  }

  // MARK: Parts

  private func renumbered(_ part: RunTrace.PathPart) -> RunTrace.PathPart {
    var part = part
    part.step = part.step.map { numbers[$0] }
    return part
  }

  private func renumbered(_ request: RunTrace.Request) -> RunTrace.Request {
    var request = request
    request.step = numbers[request.step]
    return request
  }

  /// Neighbours are joined until there are few enough.
  private static func joined(_ parts: [RunTrace.PathPart]) -> [RunTrace.PathPart] {
    var parts = parts
    while parts.count > RunTrace.Most.pathParts {
      parts = stride(from: 0, to: parts.count, by: 2).map { index in
        index + 1 < parts.count ? joined(parts[index], parts[index + 1]) : parts[index]
      }
    }
    return parts
  }

  private static func joined(
    _ first: RunTrace.PathPart, _ second: RunTrace.PathPart
  ) -> RunTrace.PathPart {
    RunTrace.PathPart(
      step: first.step == second.step ? first.step : nil, item: nil, start: first.start,
      end: second.end, links: first.links + second.links, uses: sum(first.uses, second.uses))
  }

  private static func sum(_ first: [RunTrace.Use], _ second: [RunTrace.Use]) -> [RunTrace.Use] {
    second.reduce(into: first) { uses, use in
      let index = uses.firstIndex {
        $0.use == use.use && ($0.origin ?? "").equals(bytes: use.origin ?? "")
      }
      if let index { uses[index].time += use.time } else { uses.append(use) }
    }
  }
}
