internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

// The fourth stage: one hop is answered, over a new connection if the old one had ended.
extension RequestRun {
  /// Sends one request, and again if only the connection that it was to reuse had ended.
  ///
  /// - Parameter parts: The parts of the request.
  func deliver(
    _ request: TransportRequest, as parts: Parts, _ budget: inout TimeBudget,
    _ attempt: inout AttemptCount, mayRepeat: Bool? = nil
  ) async throws(AttemptFailure) -> Answer {
    var request = request
    var repeats = 0
    while true {
      do throws(AttemptFailure) {
        return try await dispatch(request, as: parts, &budget, &attempt)
      } catch {
        if error.isKnownUnprocessed, let sending = attempt.sending.take() {
          sendings?.takeBack(sending)
        }
        try checkRepeating(
          after: error, mayRepeat ?? self.mayRepeat(request.method), repeats,
          mayBeStream: parts.value.origin.isSecure)
        report(.failure(error), parts, attempt, .zero)
      }
      repeats += 1
      attempt.goOnForFree(.lostConnection)
      request.usesNewConnection = true
    }
  }

  /// Returns if a request that failed is sent again at once, on a new connection.
  ///
  /// - Parameters:
  ///   - mayRepeat: Whether it may reach the server twice.
  ///   - repeats: The number of times that it was already sent again.
  ///   - mayBeStream: Whether its connection may have carried several requests (HTTP/2).
  /// - Throws: The failure, if it is not.
  @inline(never)
  private func checkRepeating(
    after failure: AttemptFailure, _ mayRepeat: Bool, _ repeats: Int, mayBeStream: Bool
  ) throws(AttemptFailure) {
    let goesOn =
      switch failure.loss {
      case nil: false
      case .unanswered: mayRepeat && repeats < (mayBeStream ? Self.mostStreamRepeats : 1)
      case .unprocessed: repeats < Self.mostRepeats
      }
    if !goesOn { throw failure }
  }

  /// A server that reloads ends the streams of new connections, too.
  private static let mostStreamRepeats = 5

  /// A server that refuses each new connection's first request is left to `retry`.
  private static let mostRepeats = 3

  func mayRepeat(_ method: String) -> Bool {
    plan.request.retry.unsafe || HTTPMethod.isIdempotent(method)
  }
}
