package import PipelineHTTPServers

/// The requests that a server has received, for tests to look at. Bounded: the newest requests are
/// kept.
package final class SandboxRecords: Sendable {
  /// How many requests are kept.
  package static let capacity = 4096
  /// A body past this many bytes is dropped from the record of its request.
  package static let bodyLimit = 64 << 10

  private let log: RequestLog
  private let counters: ConnectionCounters

  init(_ log: RequestLog, _ counters: ConnectionCounters) {
    self.log = log
    self.counters = counters
  }

  /// The newest requests, oldest first.
  package var requests: [ServerRequest] { log.requests }
  /// Requests received since the start or the last `reset()`.
  package var requestCount: Int { log.count }
  /// Connections accepted since the start.
  package var acceptedConnections: Int { counters.accepted }
  /// Connections open now.
  package var openConnections: Int { counters.open }
  /// Requests whose client went away before the answer.
  package var abandonedRequests: Int { counters.abandoned }
  /// Requests received whose response has not begun, because of their delay.
  package var requestsUnderWay: Int { counters.underWay }
  /// The maximum under way at once.
  package var peakRequestsUnderWay: Int { counters.peakUnderWay }

  /// Forgets the requests and counts again from zero. Open connections stay counted.
  package func reset() {
    log.reset()
    counters.reset()
  }
}
