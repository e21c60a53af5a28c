internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

// The second stage: a request is sent until it is answered for good, as `retry` says.
//
// The states of an attempt, and the functions on the edges between them:
//
//     ready ──follow──► judged            `AttemptCount` holds its number and its cause.
//       ▲                 │
//       │                 ├─ answered ──► the exchange is returned
//       │                 ├─ failed ────► the failure is thrown
//       │  wait, goOn     ├─ again        A pause first; counts against `retry`.
//       ├─────────────────┤
//       │  renewToken     └─ refused      A new token; once, and does not count.
//       └─────────────────┘
//
// Inside `follow`, a redirect (`AttemptCount.follow`), a lost connection and an answer that was not
// confirmed (`goOnForFree`) send another request of the same attempt.
extension RequestRun {
  /// A response, and the server that gave it after redirects.
  final class Answer: Sendable {
    let response: TransportResponse
    /// The request that it answers.
    let parts: Parts
    /// Given back with the answer.
    private let memory: ResponseBudget?
    /// The content of the body, if it was read when the response came.
    let content: ResponseBody.Content?
    /// How the step reads the body, if it has `read`.
    private let reading: BodyReading?
    /// What stands for the rows that wait on the disk, by extractor; `nil` if the body is in
    /// memory.
    private let rows: [String: [UInt8]]?

    /// The number of times that the request left the machine.
    let sentCount: Int
    /// Whether the response was kept, and how it was used; `nil` if it came over the network.
    let cacheUse: CacheUse?

    var url: RequestURL { parts.value.url }
    var origin: Origin { parts.value.url.origin }

    init(
      _ response: TransportResponse, to parts: Parts, sentCount: Int, memory: ResponseBudget? = nil,
      content: ResponseBody.Content? = nil, cacheUse: CacheUse? = nil, reading: BodyReading?,
      rows: [String: [UInt8]]? = nil
    ) {
      self.reading = reading
      self.rows = rows
      self.response = response
      self.memory = memory
      self.parts = parts
      self.sentCount = sentCount
      self.content = content
      self.cacheUse = cacheUse
    }

    deinit { memory?.giveBackAll() }

    /// - Parameter isRead: Whether its content will be asked for.
    func body(isRead: Bool) -> ResponseBody {
      ResponseBody(
        of: response, from: url, content: content, reading: reading, isRead: isRead, rows: rows)
    }
  }

  /// How the step reads an answer. A token is fetched for it, and is none of its own.
  func reading(_ response: TransportResponse, to parts: Parts) -> BodyReading? {
    parts.value.isForToken ? nil : step.reading(status: response.status)
  }

  enum AttemptFailure: Error {
    case transport(TransportError)
    /// Nothing that another attempt could change.
    case failed(FailureReason)

    /// Whether the request has certainly not been carried out: it cannot have left, or the server
    /// has not processed it.
    var isKnownUnprocessed: Bool {
      guard case .transport(let error) = self else { return false }
      return error.loss == .unprocessed
        || [.refusedAddress, .nameResolution].contains(error.kind)
    }

    /// How the request was lost, if its connection was.
    var loss: TransportError.Loss? {
      if case .transport(let error) = self { error.loss } else { nil }
    }
  }

  typealias AttemptResult = Result<Answer, AttemptFailure>

  /// Sends a request until it is answered for good, as the step's `retry` says.
  ///
  /// - Parameter waits: How long it was held back before.
  @inline(never)
  func attempt(
    _ parts: Parts, after waits: RunEvent.Waits? = nil
  ) async throws(FailureReason) -> Exchange {
    if !parts.value.body.files.isEmpty { try await prepareFiles(of: parts.value.body) }
    if sendings?.replay != nil, let exchange = try readAgain(parts) { return exchange }
    let parts = repeatable(parts)
    var attempt = AttemptCount(cause(of: parts.value))
    if let waits { attempt.wait(waits) }
    var hasRenewedToken = false
    while true {
      let sentAt = plan.lookUp == nil ? .zero : context.options.clock.elapsed
      let token = needsToken ? try await token(for: parts, attempt.cause) : nil
      let result: AttemptResult
      do throws(AttemptFailure) {
        result = .success(try await follow(authorized(parts, token), &attempt))
      } catch {
        result = .failure(error)
      }
      let sending = attempt.sending.take()
      if let sending {
        sendings?.end(sending, result.answer)
      } else if let answer = result.answer, !HTTPMethod.isIdempotent(parts.value.method) {
        sendings?.endRedirects(answer)
      }
      if mayHaveActed(result, attempt.redirected ?? parts) { unit.noteActed(true) }
      switch judge(result, parts, attempt, hasRenewedToken ? nil : token) {
      case .answered(let exchange): return exchange
      case .failed(let failure):
        if isInDoubt(result, attempt.redirected ?? parts) { context.usage.countDoubt() }
        throw failure
      case .again(let pause):
        try await wait(pause, before: &attempt)
        if plan.lookUp != nil,
          let found = try await settleBefore(result.answer, sending, sentAt: sentAt)
        {
          return found
        }
      case .refused(let token):
        await context.tokens.store.refuse(token.value, for: token.key)
        hasRenewedToken = true
        attempt.renewToken()
      }
    }
  }

  /// Whether the last request of an attempt must not be sent twice, and was carried out or may have
  /// been.
  private func mayHaveActed(_ result: AttemptResult, _ last: Parts) -> Bool {
    guard !unit.isLookUp, !last.value.isForToken, !HTTPMethod.isIdempotent(last.value.method) else {
      return false
    }
    switch result {
    case .success(let answer):
      let status = answer.response.status
      return Sendings.isCarriedOut(status) || status >= 500 && plan.lookUp != nil
    case .failure(.failed(let failure)): return failure.kind != .value && failure.kind != .file
    case .failure(.transport(let error)):
      if result.isKnownUnprocessed || error.sentCount == 0 { return false }
      return error.status.map(Sendings.isCarriedOut) ?? true
    }
  }

  /// Whether the last request may have been carried out or not, and no journal says so.
  private func isInDoubt(_ result: AttemptResult, _ last: Parts) -> Bool {
    guard context.journal == nil, plan.lookUp == nil, !plan.request.retry.unsafe,
      case .failure(.transport) = result
    else { return false }
    return mayHaveActed(result, last)
  }

  /// Why the first attempt of a request is made.
  private func cause(of parts: RequestBuilder.Parts) -> RequestCause {
    if unit.isLookUp { return .settle }
    if parts.poll > 0 { return .poll }
    return parts.page > 0 ? .page : .first
  }

  /// The answer that an earlier process received to this request, which must not be sent twice;
  /// `nil` if it has not been carried out.
  @inline(never)
  private func readAgain(_ parts: Parts) throws(FailureReason) -> Exchange? {
    guard let recorded = try sendings?.recordedAnswer(to: parts.value, of: step) else { return nil }
    var answered = parts
    if let url = RequestURL(recorded.url) { answered.value.url = url }
    let answer = Answer(
      recorded.response, to: answered, sentCount: 0,
      reading: reading(recorded.response, to: answered))
    if plan.hasSecretExtractors {
      ResponseSecrets.hide(answer.body(isRead: true), in: step, page: parts.value.page)
    }
    return Exchange(answer, isRead: plan.readsContent, attempts: 1)
  }

  /// Returns when all files of a body are whole.
  @inline(never)
  private func prepareFiles(of body: TransportBody) async throws(FailureReason) {
    do throws(FileError) {
      for path in body.files { try await unit.files.prepare(path, on: context.carrier.appExecutor) }
    } catch {
      if Task.isCancelled { throw FailureReason(.cancelled, "the run stopped") }
      throw FailureReason(
        .file, error.message, at: plan.request.body?.node.range ?? plan.request.endpoint.range)
    }
  }

  /// The consequence of an attempt.
  private enum Verdict {
    case answered(Exchange)
    case failed(FailureReason)
    case again(RetryPause)
    /// The server that had the token refused it.
    case refused(Token)
  }

  @inline(never)
  private func judge(
    _ result: AttemptResult, _ parts: Parts, _ count: AttemptCount, _ token: Token?
  ) -> Verdict {
    let attempt = count.number
    if case .failure(.failed(let failure)) = result {
      return .failed(described(failure, parts, attempt))
    }
    if let token, case .success(let answer) = result, hasRefusedToken(answer, of: parts) {
      report(result, parts, count, .zero)
      return .refused(token)
    }
    let isAsked: Bool
    do throws(FailureReason) {
      isAsked = try asksForRetry(result, count)
    } catch {
      return .failed(described(error, parts, attempt))
    }
    let pause = retryDelay(result, schedule, count.spent, isAsked: isAsked)
    report(result, parts, count, pause?.duration)
    if let pause { return .again(pause) }
    switch result {
    case .success(let answer):
      return .answered(
        Exchange(answer, isRead: plan.readsContent, attempts: attempt))
    case .failure(.transport(let error)):
      var failure = FailureReason(error, at: plan.request.endpoint.range)
      failure.hints +=
        lossHint(error, parts) + step.timeHint(error) + repeatingHint { $0.retries(error) }
      return .failed(described(failure, parts, attempt))
    case .failure(.failed(let failure)):
      return .failed(failure)
    }
  }

  /// Whether `retry.when` holds of an answer that may be asked for again.
  @inline(never)
  private func asksForRetry(
    _ result: AttemptResult, _ count: AttemptCount
  ) throws(FailureReason) -> Bool {
    guard let condition = plan.request.retry.when, case .success(let answer) = result,
      schedule.isAllowed, count.spent < schedule.policy.attempts
    else { return false }
    return try step.holds(condition, of: answer.body(isRead: true))
  }

  /// The request with a key that shows servers that it is a repeat, if the step asks for one.
  @inline(never)
  private func repeatable(_ parts: Parts) -> Parts {
    guard plan.request.retry.attempts > 1, schedule.needsKey,
      parts.value.headers.idempotencyKey == nil
    else { return parts }
    let kept = sendings?.keptKey(
      for: parts.value, url: step.shownInEvents(url: parts.value.url.text))
    let key = kept ?? "\"\(context.randomID())\""
    var parts = parts
    parts.value.headers.append(HeaderField("Idempotency-Key", key))
    return parts
  }

  var schedule: RetrySchedule {
    RetrySchedule(plan.request)
  }

  func report(
    _ result: AttemptResult, _ parts: Parts, _ attempt: AttemptCount, _ delay: Duration?
  ) {
    guard let sink = context.sink else { return }
    var status: Int?
    var error: TransportError?
    var bytes = 0
    var timings = Timings()
    var sentCount = 0
    switch result {
    case .success(let answer):
      sentCount = answer.sentCount
      // A kept response's body was not received now.
      status = answer.cacheUse == .validated ? 304 : answer.response.status
      bytes = answer.cacheUse == nil ? answer.response.bodySize : 0
      timings = answer.response.timings
    case .failure(.transport(let failure)):
      error = TransportError(
        failure.kind, context.redactor.redact(step.secrets.masked(failure.message)))
      sentCount = failure.sentCount
    case .failure(.failed): break
    }
    let sent = (result.answer?.parts ?? attempt.redirected ?? parts).value
    let isForToken = sent.isForToken
    sink.emit(
      .requestFinished(
        RunEvent.RequestFinished(
          step: unit.label.id, path: unit.label.path, item: unit.item, attempt: attempt.number,
          method: sent.method, url: step.shownInEvents(url: sent.url.text),
          requests: sentCount, status: status, error: error, bytesReceived: bytes, timings: timings,
          retryAfter: delay, cache: result.answer?.cacheUse, sent: attempt.sent,
          waits: attempt.waits, cause: attempt.cause,
          page: plan.request.paginate == nil || isForToken ? nil : sent.page,
          poll: plan.request.poll == nil || isForToken ? nil : sent.poll, isForToken: isForToken,
          span: result.answer?.cacheUse == .fresh ? nil : attempt.span)))
  }
}

extension RequestRun.AttemptResult {
  fileprivate var isKnownUnprocessed: Bool {
    if case .failure(let failure) = self { failure.isKnownUnprocessed } else { false }
  }

  var answer: RequestRun.Answer? {
    if case .success(let answer) = self { answer } else { nil }
  }
}
