import PipelineKit

/// One request under way, from the task that waits for it to the thread that serves it and back.
///
/// `@unchecked Sendable`: `request` is immutable; `isSubmitted` and `isCancelled` are read and
/// written only while the worker's inbox is locked; `continuation` is written once, before
/// submission, and `easy` belongs to the reactor's thread. The inbox's lock orders the hand-over.
final class Exchange: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponse, TransportError>

  let request: HTTPRequest
  var isSubmitted = false
  var isCancelled = false
  var continuation: UnsafeContinuation<Outcome, Never>?
  /// The handle that carries the request; `nil` before it starts and after it ended.
  var easy: EasyHandle?

  init(_ request: HTTPRequest) {
    self.request = request
  }

  /// Resumes the waiting task. Called exactly once, by whoever ends the exchange.
  func finish(_ outcome: Outcome) {
    continuation.take()?.resume(returning: outcome)
  }
}
