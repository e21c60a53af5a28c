/// A transport that asks each time before a request leaves the machine.
///
/// Some requests leave more than once (digest authentication), others never: no connection was
/// made, or the run stopped first. The engine counts requests of any other transport when it hands
/// them over.
package protocol MeteredTransport: Transport {
  /// Sends `request`, and asks `meter` immediately before its first byte leaves, each time.
  func send(
    _ request: TransportRequest, _ meter: any RequestMeter
  ) async throws(TransportError) -> TransportResponse
}

/// Decides before a request leaves the machine, and counts the times that it does.
package protocol RequestMeter: AnyObject, Sendable {
  /// Counts the request, which leaves now if it may.
  func begin() -> RequestPermission

  /// Waits until the next round of the request may leave; `false`: it is given up.
  func waitForTurn() async -> Bool

  /// The time that is left to a round that waited for its turn; `nil` for the request's own
  /// `timeout`.
  var timeLimit: Duration? { get }
}

/// The decision on a request that is about to leave.
package enum RequestPermission: Sendable {
  case leaves
  /// It leaves once `waitForTurn` has returned `true`.
  case waits
  /// A limit is reached: it must not leave.
  case isRefused
}

/// Lets every request leave.
package final class FreeMeter: RequestMeter {
  package init() {}

  package func begin() -> RequestPermission { .leaves }

  package func waitForTurn() async -> Bool { true }

  package var timeLimit: Duration? { nil }
}
