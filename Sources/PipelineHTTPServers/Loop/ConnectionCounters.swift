internal import Synchronization

/// What a server's connections have done so far. Written by the event loop's thread alone.
package final class ConnectionCounters: Sendable {
  private let acceptedCounter = Atomic(0)
  private let openCounter = Atomic(0)
  private let abandonedCounter = Atomic(0)
  private let underWayCounter = Atomic(0)
  private let peakCounter = Atomic(0)

  package init() {}

  /// Connections accepted since the start.
  package var accepted: Int { acceptedCounter.load(ordering: .relaxed) }
  /// Connections open now.
  package var open: Int { openCounter.load(ordering: .acquiring) }
  /// Requests whose client went away before the answer.
  package var abandoned: Int { abandonedCounter.load(ordering: .acquiring) }
  /// Requests received whose response has not begun, because of their delay.
  package var underWay: Int { underWayCounter.load(ordering: .acquiring) }
  /// The maximum under way at once.
  package var peakUnderWay: Int { peakCounter.load(ordering: .relaxed) }

  /// Counts abandoned requests, and the peak of those under way, from zero again.
  package func reset() {
    abandonedCounter.store(0, ordering: .relaxed)
    peakCounter.store(0, ordering: .relaxed)
  }

  func countOpened() {
    acceptedCounter.add(1, ordering: .relaxed)
    openCounter.add(1, ordering: .releasing)
  }

  func countClosed() { openCounter.subtract(1, ordering: .releasing) }

  func countAbandoned() { abandonedCounter.add(1, ordering: .releasing) }

  func countBegun() {
    let count = underWayCounter.add(1, ordering: .releasing).newValue
    if count > peakCounter.load(ordering: .relaxed) {
      peakCounter.store(count, ordering: .relaxed)
    }
  }

  func countEnded() { underWayCounter.subtract(1, ordering: .releasing) }
}
