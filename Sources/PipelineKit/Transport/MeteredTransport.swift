internal import Synchronization
internal import Workflows

/// A transport that asks each time before a request leaves the machine.
///
/// Some requests leave more than once (digest authentication), others never: no connection was made,
/// or the run stopped first. The engine counts those of any other transport when it hands them over.
package protocol MeteredTransport: Transport {
  /// Sends `request`, and asks `meter` immediately before its first byte leaves, each time.
  func send(
    _ request: HTTPRequest, _ meter: RequestMeter
  ) async throws(TransportError) -> HTTPResponse
}

/// Counts how often one request leaves the machine, as far as the run's limits allow.
package final class RequestMeter: Sendable {
  private let context: RunContext?
  private let callers: [Plan]
  private let count = Atomic<Int>(0)
  private let refusals = Mutex<Failure?>(nil)

  init(_ context: RunContext, _ callers: [Plan]) {
    self.context = context
    self.callers = callers
  }

  /// Counts without a limit.
  package init() {
    context = nil
    callers = []
  }

  /// Counts the request, which leaves now; `false`: a limit is reached, and it must not leave.
  package func begin() -> Bool {
    do throws(Failure) {
      try context?.countRequest(callers)
      count.add(1, ordering: .relaxed)
      return true
    } catch {
      refusals.withLock { $0 = error }
      return false
    }
  }

  /// How often the request left.
  package var sentCount: Int { count.load(ordering: .relaxed) }

  /// The limit that kept the request from leaving.
  var refusal: Failure? { refusals.withLock { $0 } }
}
