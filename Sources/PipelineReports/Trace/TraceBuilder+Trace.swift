internal import PipelineByteText
internal import PipelineEngine

/// The trace that the events so far make.
extension TraceBuilder {
  /// The trace of the events so far, and of earlier processes.
  ///
  /// - Parameter time: How far the run has come; `nil` for its last event.
  package func finish(at time: Int? = nil) -> RunTrace {
    let own = ownTrace(at: time ?? lastTime)
    return earlier.map { $0.continued(by: own) } ?? own
  }

  func ownTrace(at time: Int) -> RunTrace {
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
  func wayOfOldest(until end: Int) -> CausalPath {
    let open = items.filter { children[$0.key.step].isEmpty }
      .min { ($0.value.began, $0.key.step) < ($1.value.began, $1.key.step) }
    guard let (key, item) = open else { return last }
    var way = item.way
    way.extend(to: end, .cutOff, work(key.step, key.path, key.item))
    return way
  }

  /// What was taken belongs to the process that carried it out, if that is known.
  func leaveOutTaken(_ trace: inout RunTrace) {
    let known = Set((earlier?.steps ?? []).filter { $0.start != nil }.map { ExactText($0.id) })
    for step in trace.steps.indices where known.contains(ExactText(trace.steps[step].id)) {
      trace.steps[step].isTaken = !workedSteps.contains(step)
      trace.steps[step].density = workedDensities[step]
    }
  }

  func pathPart(_ part: CausalPath.Part) -> RunTrace.PathPart {
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
