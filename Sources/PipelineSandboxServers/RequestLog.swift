internal import PipelineHTTPServers
internal import Synchronization

/// The newest requests of a server. Bounded, and safe to read while the server runs.
final class RequestLog: Sendable {
  private struct Ring {
    var requests: [ServerRequest] = []
    /// Where the next request goes once the ring is full.
    var next = 0
  }

  private let ring = Mutex(Ring())
  private let requestCounter = Atomic(0)

  /// Oldest first.
  var requests: [ServerRequest] {
    ring.withLock { ring in
      Array(ring.requests[ring.next...] + ring.requests[..<ring.next])
    }
  }

  /// Requests since the start or the last `reset()`.
  var count: Int { requestCounter.load(ordering: .relaxed) }

  func reset() {
    ring.withLock { $0 = Ring() }
    requestCounter.store(0, ordering: .relaxed)
  }

  /// Called by the event loop's thread alone.
  func note(_ request: ServerRequest) {
    requestCounter.add(1, ordering: .relaxed)
    var request = request
    if request.body.count > SandboxRecords.bodyLimit { request.body = [] }
    ring.withLock { ring in
      if ring.requests.count < SandboxRecords.capacity {
        ring.requests.append(request)
      } else {
        ring.requests[ring.next] = request
        ring.next = (ring.next + 1) % SandboxRecords.capacity
      }
    }
  }
}
