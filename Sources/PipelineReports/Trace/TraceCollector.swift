package import PipelineEngine
internal import Synchronization

/// Gathers the trace of a run from its events, which come from several tasks.
package final class TraceCollector: Sendable {
  private let builder: Mutex<TraceBuilder>
  /// Events that the builder has not seen, in their order. A task that reports one waits for no
  /// other that reports or builds.
  private let arrived = Mutex<[RunEvent]>([])

  /// The number taken at once, so that the builder's memory is fetched into the cache once for all.
  private static let batchSize = 256

  /// - Parameters:
  ///   - earlier: What earlier processes of the run did.
  ///   - rowStep: The step each of whose items is a run of its own.
  package init(after earlier: RunTrace? = nil, rowStep: String? = nil) {
    builder = Mutex(TraceBuilder(after: earlier, rowStep: rowStep))
  }

  package func receive(_ event: RunEvent) {
    let count = arrived.withLock { arrived in
      arrived.append(event)
      return arrived.count
    }
    // If another task is at it, the next event sees to the rest.
    if count >= Self.batchSize { _ = builder.withLockIfAvailable { takeArrived(&$0) } }
  }

  /// The trace of the events so far.
  ///
  /// - Parameter time: How far the run has come; `nil` for its last event.
  package func trace(at time: Duration? = nil) -> RunTrace {
    builder.withLock { builder in
      takeArrived(&builder)
      return builder.finish(at: time?.wholeMicroseconds)
    }
  }

  /// Passes arrived events to the builder. The caller holds the builder, so that it gets all events
  /// in order.
  private func takeArrived(_ builder: inout TraceBuilder) {
    var events: [RunEvent] = []
    events.reserveCapacity(Self.batchSize)
    arrived.withLock { swap(&$0, &events) }
    for event in events { builder.receive(event) }
  }
}
