internal import PipelineKit
internal import Reports
internal import Synchronization

/// Gathers the trace of a run from its events, which come from several tasks.
final class TraceCollector: Sendable {
  private let builder = Mutex(TraceBuilder())

  func receive(_ event: RunEvent) {
    let event = TraceEvent(event)
    builder.withLock { $0.receive(event) }
  }

  /// The trace of what has come so far.
  func trace() -> RunTrace { builder.withLock { $0.finish() } }
}
