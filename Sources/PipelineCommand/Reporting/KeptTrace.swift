internal import PipelineKit
internal import PipelineReports
internal import Synchronization

/// The trace of a run that goes on, and the copy of it that outlives a process which is killed.
final class KeptTrace: Sendable {
  private struct State {
    /// When the next copy is made.
    var next = Duration.zero
    var hasEnded = false
    /// When the run began, on the clock.
    var start: Duration?
  }

  private let collector: TraceCollector
  private let kept: (any RunKeeping)?
  private let clock: any RunClock
  private let state = Mutex(State())

  /// - Parameter rowStep: The step each of whose items is a run of its own.
  init(_ kept: (any RunKeeping)?, clock: any RunClock, rowStep: String?) {
    self.kept = kept?.keepsTrace == true ? kept : nil
    self.clock = clock
    collector = TraceCollector(after: kept?.earlierTrace, rowStep: rowStep)
  }

  func receive(_ event: RunEvent) {
    if case .runStarted = event.kind {
      let start = clock.elapsed - event.time
      state.withLock { $0.start = start }
    }
    collector.receive(event)
  }

  /// Keeps a copy if one is due: often at first, then every two seconds, and never so often that
  /// it costs more than a fiftieth of the time.
  func keepIfDue() {
    guard let kept else { return }
    state.withLock { state in
      let time = clock.elapsed
      guard let start = state.start, time >= state.next, !state.hasEnded else { return }
      kept.keep(collector.trace(at: time - start))
      let now = clock.elapsed
      let pause = max(.milliseconds(80), min(.seconds(2), (now - start) / 4))
      state.next = now + max(pause, (now - time) * 50)
    }
  }

  /// Keeps the whole trace, and gives it.
  func finish() -> RunTrace {
    state.withLock { state in
      state.hasEnded = true
      let trace = collector.trace()
      kept?.keep(trace)
      return trace
    }
  }
}
