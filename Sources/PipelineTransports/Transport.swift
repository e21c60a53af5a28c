/// Carries one HTTP request to a server and its response back.
///
/// A transport makes one hop: it never follows a redirect, retries or interprets a body. The engine
/// does that, the same way over every transport. Cancelling the calling task aborts the request
/// down to its socket.
public protocol Transport: Sendable {
  /// Sends `request` and returns the whole response, whatever its status.
  ///
  /// - Throws: `TransportError` if no complete response arrived.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

  /// Where a task that sends requests runs best; `nil` for anywhere.
  ///
  /// - Parameter task: The task's number among those that run at once, from 0; `nil` for the task
  ///   that starts them. Asked when a task is made, which may send one request after the other.
  func preferredExecutor(for task: Int?) -> (any TaskExecutor)?

  /// Whether requests name the asking step (`TransportRequest.asker`), for a transport that records
  /// or replays.
  var readsAsker: Bool { get }

  /// Whether `send` itself ends a request at its `timeout`. If it does not, the run does, on its own
  /// clock: it cancels the task that sends, which must then return.
  var keepsTimeLimits: Bool { get }
}

extension Transport {
  /// `false`: the asking step does not matter to it.
  public var readsAsker: Bool { false }

  /// `false`: the run ends requests, on its own clock.
  public var keepsTimeLimits: Bool { false }

  /// No executor: the runtime chooses the thread of each task.
  public func preferredExecutor(for task: Int?) -> (any TaskExecutor)? { nil }
}
