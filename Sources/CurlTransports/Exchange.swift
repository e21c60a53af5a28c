import PipelineTransports

/// One request under way, from the task that waits for it to the thread that serves it and back.
///
/// `@unchecked Sendable`: `request`, `meter` and `worker` are immutable. `isSubmitted` and
/// `isCancelled` are read and written only while the worker's inbox is locked. `continuation` is
/// written once, before submission, and `outcome` before the task is resumed. `easy` belongs to the
/// reactor's thread. The inbox's lock orders the hand-over.
final class Exchange: @unchecked Sendable {
  typealias Outcome = Result<TransportResponse, TransportError>

  let request: TransportRequest
  let meter: any RequestMeter
  private let worker: Worker
  var isSubmitted = false
  var isCancelled = false
  var continuation: UnsafeContinuation<Void, Never>?
  /// The result for the waiting task.
  var outcome = Outcome.failure(.cancelled)
  /// The handle that carries the request; `nil` before it starts and after it ended.
  var easy: EasyHandle?
  /// Whether its next round waits for its turn. Written before the task is resumed or submits it.
  var isHeldBack = false

  @inline(never)
  init(_ request: TransportRequest, _ meter: any RequestMeter, _ worker: Worker) {
    self.request = request
    self.meter = meter
    self.worker = worker
  }

  /// Returns when the request has ended, by itself or with the task.
  func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { worker.submit(self, $0) }
    } onCancel: {
      worker.cancel(self)
    }
  }

  /// Drops a request whose next round is not sent.
  func giveUp() { worker.cancel(self) }

  /// The outcome of the request, for the task that waited. Not inlined, so that the task holds none
  /// of it while it waits.
  @inline(never)
  func response() throws(TransportError) -> TransportResponse { try outcome.get() }

  var hasSucceeded: Bool {
    if case .success = outcome { true } else { false }
  }

  /// The bytes of the body that were kept.
  var bodySize: Int {
    if case .success(let response) = outcome { response.body.count } else { 0 }
  }

  /// Resumes the waiting task, which finds `outcome`. Called exactly once, when the exchange ends.
  func resume() {
    continuation.take()?.resume()
  }
}
