internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

/// Carries out the request of one step for one scope: attempts, redirects, and extraction.
///
/// A class, so that what goes from call to call, and is kept while they wait, is small. For the same
/// reason nothing is inlined into what waits: its variables would be kept, too.
final class RequestRun: Sendable {
  let step: RequestStep
  let context: RunContext
  /// Gives the unit's slot back while it waits; `nil` if several of its requests go at once.
  let parking: Parking?
  /// Where the step polls: when that is over.
  let pollBound: PollBound?
  /// The record of requests that must not be sent twice; `nil` without a journal.
  let sendings: Sendings?
  /// Lets requests end that must not be sent twice; `nil`: the step has none.
  let grace: Grace?

  convenience init(
    _ unit: Unit, _ plan: RequestPlan, _ context: RunContext, sendings: Sendings? = nil
  ) {
    self.init(
      RequestStep(unit, plan, context.redactor, context.notes), context, parking: Parking(unit),
      pollBound: nil, sendings: sendings)
  }

  private init(
    _ step: RequestStep, _ context: RunContext, parking: Parking?, pollBound: PollBound?,
    sendings: Sendings?, grace: Grace? = nil
  ) {
    self.step = step
    self.context = context
    self.parking = parking
    self.pollBound = pollBound
    self.sendings = sendings
    let isForOneTry =
      sendings != nil && !step.plan.request.retry.unsafe
      && !HTTPMethod.isIdempotent(step.plan.request.method)
    self.grace = isForOneTry ? grace ?? Grace(clock: context.options.clock) : nil
  }

  var unit: Unit { step.unit }
  var plan: RequestPlan { step.plan }

  var builder: RequestBuilder {
    RequestBuilder(
      step: step, origins: context.origins, sandboxOrigin: context.options.sandboxOrigin)
  }

  /// The same, for several requests at once.
  var parallel: RequestRun {
    RequestRun(step, context, parking: nil, pollBound: pollBound, sendings: sendings)
  }

  /// The same, for requests that must be answered in time.
  func bound(by bound: PollBound?) -> RequestRun {
    RequestRun(
      step, context, parking: parking, pollBound: bound, sendings: sendings, grace: grace)
  }

  /// The run's limits, lowered by those of the called files around it.
  var limits: Limits { context.limits.lowered(by: unit.callers) }

  /// The time that one attempt may take.
  var timeBudget: TimeBudget {
    TimeBudget(
      plan.request.timeout?.total?.value, within: pollBound, on: context.options.clock)
  }

  func run() async -> UnitOutcome {
    guard let grace else { return await carryOut() }
    return await grace.guarding(on: context.executor(for: unit)) { await self.carryOut() }
  }

  private func carryOut() async -> UnitOutcome {
    do throws(FailureReason) {
      let parts = try prepare()
      if let pagination = plan.request.paginate {
        return .values(try await pages(pagination, from: parts))
      }
      let exchange = try await exchange(parts)
      let values = try values(of: exchange)
      if plan.request.save == nil { return .values(values) }
      return .values(with(try await save(exchange), exchange, values))
    } catch {
      if Interruption.isRaised || error.kind == .cancelled { return .cancelled }
      return .failed(error)
    }
  }

  @inline(never)
  private func prepare() throws(FailureReason) -> Parts { Parts(try builder.build()) }

  /// Saves the body of an answer, and returns the file's path.
  @inline(never)
  func save(_ exchange: Exchange) async throws(FailureReason) -> String? {
    guard let path = plan.request.save else { return nil }
    do throws(FailureReason) {
      return try await BodyFile(
        path: path, scope: unit.scope, files: unit.files, journal: context.journal
      ).write(exchange.answer.response.body)
    } catch {
      throw described(error, exchange)
    }
  }

  /// The step's values with the path and size of the file that was saved. An extractor of the same
  /// name comes first.
  @inline(never)
  private func with(_ path: String?, _ exchange: Exchange, _ values: [UInt8]) -> [UInt8] {
    guard let path else { return values }
    let names = plan.request.extract.map(\.name)
    var writer = JSONWriter(style: .compact, capacity: values.count + path.utf8.count + 32)
    writer.beginObject()
    for member in ScopeValue(text: values).node.members {
      writer.name(member.name)
      writer.value(member.value)
    }
    if !names.contains("path") {
      writer.name("path")
      writer.string(path)
    }
    if !names.contains("size") {
      writer.name("size")
      writer.integer(exchange.answer.response.body.count)
    }
    writer.endObject()
    return writer.bytes
  }

  /// The step's values out of an answer.
  @inline(never)
  ///
  /// - Parameter page: The page's number, from 0, if the step reads pages.
  func values(of exchange: Exchange, page: Int? = nil) throws(FailureReason) -> [UInt8] {
    do throws(FailureReason) {
      try context.checkMemory(limits)
      var reader = reader(exchange)
      reader.page = page
      let values = try reader.read()
      if Interruption.isRaised { throw FailureReason(.cancelled, "the run stopped") }
      return values
    } catch {
      throw described(error, exchange)
    }
  }

  /// An answer that need not be retried or asked for again.
  func exchange(_ parts: Parts) async throws(FailureReason) -> Exchange {
    guard let poll = plan.request.poll else { return try await attempts(parts) }
    return try await answers(to: parts, until: poll)
  }

  // MARK: Attempts

  /// The parts of a request, in one word, because they are passed on more often than they are read.
  typealias Parts = Boxed<RequestBuilder.Parts>

  /// An answer, and how many attempts it took.
  final class Exchange: Sendable {
    let answer: Answer
    /// The body, read once for whoever judges it.
    let body: ResponseBody
    let attempts: Int

    init(_ answer: Answer, isRead: Bool, attempts: Int) {
      self.answer = answer
      body = answer.body(isRead: isRead)
      self.attempts = attempts
    }
  }

  /// Sends a request until it is answered for good, as the step's `retry` says.
  ///
  /// - Parameter waits: How long it was held back before.
  @inline(never)
  func attempts(
    _ parts: Parts, after waits: RunEvent.Waits? = nil
  ) async throws(FailureReason) -> Exchange {
    if !parts.value.body.files.isEmpty { try await prepareFiles(of: parts.value.body) }
    if sendings?.replay != nil, let exchange = try readAgain(parts) { return exchange }
    let parts = repeatable(parts)
    var attempt = AttemptCount(cause(of: parts.value))
    if let waits { attempt.wait(waits) }
    var hasRenewedToken = false
    while true {
      let token = needsToken ? try await token(for: parts, attempt.cause) : nil
      let result = await makeAttempt(authorized(parts, token), &attempt)
      if let sending = attempt.sending.take() {
        sendings?.end(sending, result.answer)
      } else if let answer = result.answer, !HTTPMethod.isIdempotent(parts.value.method) {
        sendings?.endRedirects(answer)
      }
      switch judge(result, parts, attempt, hasRenewedToken ? nil : token) {
      case .answered(let exchange): return exchange
      case .failed(let failure): throw failure
      case .again(let pause): try await wait(pause, before: &attempt)
      case .refused(let token):
        await context.tokens.refuse(token.value, for: token.key)
        hasRenewedToken = true
        attempt.renewToken()
      }
    }
  }

  /// Why the first attempt of a request is made.
  private func cause(of parts: RequestBuilder.Parts) -> RequestCause {
    if parts.poll > 0 { return .poll }
    return parts.page > 0 ? .page : .first
  }

  /// The answer that an earlier process received to this request, which must not be sent twice;
  /// `nil`: it has not been carried out.
  @inline(never)
  private func readAgain(_ parts: Parts) throws(FailureReason) -> Exchange? {
    guard let recorded = try sendings?.recordedAnswer(to: parts.value, of: step) else { return nil }
    var answered = parts
    if let url = RequestURL(recorded.url) { answered.value.url = url }
    let answer = Answer(recorded.response, to: answered, sentCount: 0)
    if plan.hasSecretExtractors {
      ResponseSecrets.hide(answer.body(isRead: true), in: step, page: parts.value.page)
    }
    return Exchange(answer, isRead: plan.readsContent, attempts: 1)
  }

  /// Returns when all files of a body are whole.
  @inline(never)
  private func prepareFiles(of body: TransportBody) async throws(FailureReason) {
    do throws(FileError) {
      for path in body.files { try await unit.files.prepare(path, on: context.appExecutor) }
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
      !parts.value.headers.contains(where: Self.isIdempotencyKey)
    else { return parts }
    let kept = sendings?.keptKey(
      for: parts.value, url: step.shownInEvents(url: parts.value.url.text))
    let key = kept ?? "\"\(context.randomID())\""
    var parts = parts
    parts.value.headers.append(HeaderField("Idempotency-Key", key))
    return parts
  }

  var schedule: RetrySchedule {
    RetrySchedule(plan.request.retry, method: plan.request.method)
  }

  static func isIdempotencyKey(_ field: HeaderField) -> Bool {
    field.name.equalsIgnoringASCIICase("idempotency-key")
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

  func reader(_ exchange: Exchange) -> ResponseReader {
    ResponseReader(step: step, body: exchange.body, attempts: exchange.attempts)
  }
}
