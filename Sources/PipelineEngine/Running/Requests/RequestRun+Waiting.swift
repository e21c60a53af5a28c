internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelineURIs

// The pauses between the attempts of a request.
extension RequestRun {
  /// - Returns: How long it has slept.
  @discardableResult
  func sleep(_ delay: Duration) async throws(FailureReason) -> Duration {
    do {
      let began = context.options.clock.elapsed
      try await context.gates.sleep(for: delay, parking)
      return context.options.clock.elapsed - began
    } catch {
      throw FailureReason(.cancelled, "the run stopped")
    }
  }

  /// Waits before another attempt, and begins it.
  func wait(
    _ pause: RetryPause, before attempt: inout AttemptCount
  ) async throws(FailureReason) {
    var waits = RunEvent.Waits()
    let time = try await sleep(pause.duration)
    if pause.isAsked { waits.pause = time } else { waits.retry = time }
    attempt.goOn(pause.cause)
    attempt.wait(waits)
  }

  /// The pause before another attempt; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - attempt: How many of the attempts that `retry` allows were made.
  ///   - isAsked: Whether `retry.when` holds of the answer.
  func retryDelay(
    _ result: AttemptResult, _ schedule: RetrySchedule, _ attempt: Int, isAsked: Bool = false
  ) -> RetryPause? {
    let delay = { schedule.delay(after: attempt, random: self.context.options.random()) }
    let mayRetry = schedule.isAllowed && attempt < schedule.policy.attempts
    switch result {
    case .failure(.failed): return nil
    case .failure(.transport(let error)):
      return mayRetry && schedule.retries(error)
        ? withinPolling(RetryPause(duration: delay(), isAsked: false, cause: .error)) : nil
    case .success(let answer):
      let status = answer.response.status
      // Most responses: no wait was requested, and nothing is tried again.
      guard status >= 400 || isAsked || schedule.retries(status: status) else { return nil }
      let wish = wish(of: answer.response)
      let isTooLong = wish.map { $0 > limits.retryAfter } ?? false
      let isForStatus = schedule.retries(status: status)
      let mayRetry = mayRetry && (isAsked || isForStatus) && !isTooLong
      let isTooMany = status == 429 && wish == nil
      guard mayRetry || isTooMany else { return nil }
      let pause = RetryPause(
        duration: wish ?? delay(), isAsked: wish != nil,
        cause: isForStatus ? .status : .condition)
      if isTooMany { context.gates.hold(answer.origin, for: pause.duration) }
      return mayRetry ? withinPolling(pause) : nil
    }
  }

  /// How long no request may be sent to a server, as its answer says.
  func pauseAsked(by response: TransportResponse) -> Duration? {
    guard response.status == 429 || response.status == 503 else { return nil }
    return wish(of: response).flatMap { $0 <= limits.retryAfter ? $0 : nil }
  }

  private func wish(of response: TransportResponse) -> Duration? {
    response.header("retry-after")
      .flatMap { RetryAfter.parse($0, now: context.options.clock.wallTime) }
  }

  /// A pause that does not outlast polling.
  private func withinPolling(_ pause: RetryPause) -> RetryPause? {
    guard let end = pollBound?.end else { return pause }
    return context.options.clock.elapsed + pause.duration < end ? pause : nil
  }
}
