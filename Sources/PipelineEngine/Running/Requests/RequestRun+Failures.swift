internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

// The failures of a request, with the details that help people to understand them.
extension RequestRun {
  func described(_ failure: FailureReason, _ exchange: Exchange) -> FailureReason {
    described(failure, exchange.answer, exchange.attempts)
  }

  /// Fails if the response's status is not one that the step expects.
  func checkStatus(of exchange: Exchange) throws(FailureReason) {
    do throws(FailureReason) {
      try reader(exchange).checkStatus()
    } catch {
      throw described(error, exchange)
    }
  }

  /// The failure with its request and response, for people to see.
  private func described(_ failure: FailureReason, _ answer: Answer, _ attempts: Int)
    -> FailureReason
  {
    var failure = failure
    let body = answer.body(isRead: false)
    failure.status = answer.response.status
    let found = ResponseSecrets.of(answer.body(isRead: true), in: step)
    failure.excerpt = body.excerpt(context.redactor, hiding: found)
    failure.hints +=
      waitingHint(answer) + repeatingHint { $0.retries(status: answer.response.status) }
      + withheldHint(answer)
    return step.hiding(
      summarised(failure, answer.parts.value.method, answer.url.text, attempts), and: found)
  }

  func described(
    _ failure: FailureReason, _ parts: Parts, _ attempts: Int
  ) -> FailureReason {
    step.hiding(summarised(failure, parts.value.method, parts.value.url.text, attempts))
  }

  private func summarised(
    _ failure: FailureReason, _ method: String, _ url: String, _ attempts: Int
  ) -> FailureReason {
    var failure = failure
    if failure.request == nil {
      failure.request = FailureReason.RequestSummary(
        method: method, url: step.shown(url: url), attempts: attempts)
    }
    return failure
  }

  // MARK: Hints

  /// Why a request whose kept connection ended is not sent again on another.
  func lossHint(_ error: TransportError, _ parts: Parts) -> [String] {
    let method = parts.value.method
    guard error.loss == .unanswered, !mayRepeat(method) else { return [] }
    return ["the server may have processed the \(method), so it is not sent again"]
  }

  /// Why a failure that `retry` is for was the last one.
  func repeatingHint(_ isForRetry: (RetrySchedule) -> Bool) -> [String] {
    guard schedule.policy.attempts > 1, !schedule.isAllowed, isForRetry(schedule) else { return [] }
    return [
      "'retry' does not send a \(plan.request.method) again, because it might take effect twice;"
        + " '\"unsafe\": true' allows it"
    ]
  }

  /// Why a server may have refused a request: it did not get the credentials.
  private func withheldHint(_ answer: Answer) -> [String] {
    guard answer.response.status == 401 || answer.response.status == 403 else { return [] }
    return builder.withheld(from: answer.parts.value).map {
      builder.withheldText($0, answer.origin)
    }
  }

  private func waitingHint(_ answer: Answer) -> [String] {
    guard let text = answer.response.header("retry-after"),
      let wish = RetryAfter.parse(text, now: context.options.clock.wallTime),
      wish > limits.retryAfter
    else { return [] }
    return [
      "the server asks to wait \(Int(wish.seconds)) s, longer than 'limits.retryAfter' allows"
    ]
  }
}
