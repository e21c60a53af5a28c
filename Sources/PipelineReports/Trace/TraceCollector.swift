package import PipelineKit
internal import Synchronization

/// Gathers the trace of a run from its events, which come from several tasks.
package final class TraceCollector: Sendable {
  private let builder: Mutex<TraceBuilder>

  /// - Parameter earlier: What earlier processes of the run did.
  package init(after earlier: RunTrace? = nil) {
    builder = Mutex(TraceBuilder(after: earlier))
  }

  package func receive(_ event: RunEvent) {
    let event = TraceEvent(event)
    builder.withLock { $0.receive(event) }
  }

  /// The trace of the events so far.
  ///
  /// - Parameter time: How far the run has come; `nil`: as far as its last event.
  package func trace(at time: Duration? = nil) -> RunTrace {
    builder.withLock { $0.finish(at: time?.wholeMicroseconds) }
  }
}
