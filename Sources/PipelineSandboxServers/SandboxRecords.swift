internal import Synchronization

/// The requests that a server has received, for tests to look at. Bounded: the newest requests are
/// kept.
package final class SandboxRecords: Sendable {
  /// How many requests are kept.
  package static let capacity = 4096
  /// A body past this many bytes is dropped from the record of its request.
  package static let bodyLimit = 64 << 10

  private struct Ring {
    var requests: [SandboxRequest] = []
    /// Where the next request goes once the ring is full.
    var next = 0
  }

  private let ring = Mutex(Ring())
  private let requestCounter = Atomic(0)
  private let acceptedCounter = Atomic(0)
  private let openCounter = Atomic(0)
  private let abandonedCounter = Atomic(0)
  private let underWayCounter = Atomic(0)
  private let peakCounter = Atomic(0)

  init() {}

  /// The newest requests, oldest first.
  package var requests: [SandboxRequest] {
    ring.withLock { ring in
      Array(ring.requests[ring.next...] + ring.requests[..<ring.next])
    }
  }

  /// Requests received since the start or the last `reset()`.
  package var requestCount: Int { requestCounter.load(ordering: .relaxed) }
  /// Connections accepted since the start.
  package var acceptedConnections: Int { acceptedCounter.load(ordering: .relaxed) }
  /// Connections open now.
  package var openConnections: Int { openCounter.load(ordering: .acquiring) }
  /// Requests whose client went away before the answer.
  package var abandonedRequests: Int { abandonedCounter.load(ordering: .acquiring) }
  /// Requests received whose response has not begun, because of their delay.
  package var requestsUnderWay: Int { underWayCounter.load(ordering: .acquiring) }
  /// The maximum under way at once.
  package var peakRequestsUnderWay: Int { peakCounter.load(ordering: .relaxed) }

  /// Forgets the requests and counts again from zero. Open connections stay counted.
  package func reset() {
    ring.withLock { $0 = Ring() }
    requestCounter.store(0, ordering: .relaxed)
    abandonedCounter.store(0, ordering: .relaxed)
    peakCounter.store(0, ordering: .relaxed)
  }

  // MARK: Written by the event loop's thread alone

  func note(_ request: SandboxRequest) {
    requestCounter.add(1, ordering: .relaxed)
    var request = request
    if request.body.count > Self.bodyLimit { request.body = [] }
    ring.withLock { ring in
      if ring.requests.count < Self.capacity {
        ring.requests.append(request)
      } else {
        ring.requests[ring.next] = request
        ring.next = (ring.next + 1) % Self.capacity
      }
    }
  }

  func opened() {
    acceptedCounter.add(1, ordering: .relaxed)
    openCounter.add(1, ordering: .releasing)
  }

  func closed() { openCounter.subtract(1, ordering: .releasing) }

  func abandoned() { abandonedCounter.add(1, ordering: .releasing) }

  func began() {
    let count = underWayCounter.add(1, ordering: .releasing).newValue
    if count > peakCounter.load(ordering: .relaxed) {
      peakCounter.store(count, ordering: .relaxed)
    }
  }

  func ended() { underWayCounter.subtract(1, ordering: .releasing) }
}
