internal import Synchronization
internal import URIs
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
  private let run: (context: RunContext, origin: Origin, callers: [Plan])?
  private let count = Atomic<Int>(0)
  private let refusals = Mutex<Failure?>(nil)

  init(_ context: RunContext, _ origin: Origin, _ callers: [Plan]) {
    run = (context, origin, callers)
  }

  /// Counts without a limit.
  package init() {
    run = nil
  }

  /// Counts the request, which leaves now; `false`: a limit is reached, and it must not leave.
  package func begin() -> Bool {
    do throws(Failure) {
      try run?.context.countRequest(run?.callers ?? [])
      let isFirst = count.add(1, ordering: .relaxed).oldValue == 0
      // The gates have let one request in; a second round of its authentication follows it.
      if isFirst, let run { run.context.sends(to: run.origin, run.callers) }
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
