internal import PipelineByteText

// A run that several processes carried out, one after another.

extension RunTrace {
  /// What the processes of this trace and a later one did together. The later one had all that it
  /// could take from them, so that it knows how each step ended.
  package func continued(by later: RunTrace) -> RunTrace {
    var merge = TraceMerge(self, later)
    return merge.merged()
  }

  /// Whether its events end early: the process was killed, or goes on.
  package var isUnfinished: Bool { status.equals(bytes: "unfinished") }

  /// Why the run as a whole did not succeed, if no step is the reason.
  package var problem: String? {
    if let stopReason { return stopReason }
    if isWaiting { return "the run waits for an answer; 'pipeline resume --answer' gives it" }
    return isUnfinished ? "the process ended before the run did" : nil
  }

  /// Whether the run waits for a person.
  package var isWaiting: Bool { status.equals(bytes: "waiting") }

  /// Whether a process was carrying the run out when the trace was read.
  package var isRunning: Bool { status.equals(bytes: "running") }

  /// The trace of a run that a process is carrying out: what has no end yet is under way.
  package var goingOn: RunTrace {
    guard isUnfinished else { return self }
    var trace = self
    trace.status = "running"
    if let last = trace.processes.indices.last, trace.processes[last].status == "unfinished" {
      trace.processes[last].status = "running"
    }
    func mark(_ uses: inout [Use]) {
      for index in uses.indices where uses[index].use == .cutOff { uses[index].use = .underWay }
    }
    mark(&trace.uses)
    for index in trace.path.indices { mark(&trace.path[index].uses) }
    for index in trace.steps.indices { mark(&trace.steps[index].uses) }
    return trace
  }

  /// A moment of the run in microseconds since 1970-01-01T00:00:00Z.
  func wallTime(of time: Int) -> Int {
    let process = processes.last { $0.start <= time } ?? processes.first
    let start = process?.startedAt ?? startedAt
    guard start.magnitude < 1e12 else { return 0 }
    return Int((start * 1_000_000).rounded()) + time - (process?.start ?? 0)
  }

  /// The time in which no process carried the run out, before this one took it up.
  package func gap(before process: Int) -> Int {
    guard process > 0 else { return 0 }
    let before = processes[process - 1]
    let gap = processes[process].startedAt - before.startedAt - Double(before.duration) / 1_000_000
    return max(0, Int(gap * 1_000_000))
  }

  /// A sentence about all processes; `nil` if there is only one.
  package var processSentence: String? {
    guard processes.count > 1 else { return nil }
    let gap = processes.indices.reduce(0) { $0 + self.gap(before: $1) }
    return
      "\(processes.count) processes carried the run out. Its duration is the sum of theirs, without"
      + " the \(gap.timeText) between them."
  }

  /// Counts what a process did that could not say it at its end.
  mutating func countSteps() {
    counts.requests = steps.reduce(0) { $0 + $1.requests }
    counts.bytes = steps.reduce(0) { $0 + $1.bytes }
    counts.items = steps.reduce(0) { $0 + ($1.density?.count ?? 0) }
    func count(_ outcome: Outcome) -> Int {
      steps.count { $0.parent == nil && $0.outcome == outcome }
    }
    counts.succeeded = count(.succeeded)
    counts.recovered = count(.recovered)
    counts.skipped = count(.skipped)
    counts.failed = count(.failed)
    counts.cancelled = count(.cancelled)
  }
}
