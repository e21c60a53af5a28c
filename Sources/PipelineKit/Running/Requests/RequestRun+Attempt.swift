internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

// One attempt: a request, and the requests of its redirects.
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

    /// How often the request left the machine.
    let sentCount: Int
    /// Whether the response was kept, and how it was used; `nil`: it came over the network.
    let cacheUse: CacheUse?

    var url: RequestURL { parts.value.url }
    var origin: Origin { parts.value.url.origin }

    init(
      _ response: TransportResponse, to parts: Parts, sentCount: Int, memory: ResponseBudget? = nil,
      content: ResponseBody.Content? = nil, cacheUse: CacheUse? = nil
    ) {
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
      ResponseBody(of: response, from: url, content: content, isRead: isRead)
    }
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

  /// One attempt, with the redirects that it follows.
  func makeAttempt(_ parts: Parts, _ attempt: inout AttemptCount) async -> AttemptResult {
    do throws(AttemptFailure) {
      return .success(try await follow(parts, &attempt))
    } catch {
      return .failure(error)
    }
  }

  private func follow(
    _ first: Parts, _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) -> Answer {
    var parts = first
    var redirects = 0
    var budget = timeBudget
    while true {
      let request = try prepared(parts, isRedirect: redirects > 0)
      let answer: Answer
      if let cache = context.cache {
        answer = try await sendCached(request, as: parts, cache, &budget, &attempt)
      } else {
        answer = try await send(request, as: parts, &budget, &attempt)
      }
      guard let next = try redirect(answer, from: parts, &attempt, redirects) else {
        return answer
      }
      redirects += 1
      parts = next
      parts.value.redirect = redirects
      attempt.follow(parts)
    }
  }

  /// The request that an answer redirects to; `nil` if it redirects nowhere.
  ///
  /// - Parameter redirects: How many were followed before.
  @inline(never)
  private func redirect(
    _ answer: Answer, from parts: Parts, _ attempt: inout AttemptCount, _ redirects: Int
  ) throws(AttemptFailure) -> Parts? {
    guard plan.request.redirects > 0, let location = Self.redirection(of: answer.response) else {
      return nil
    }
    report(.success(answer), parts, attempt, nil)
    // The next hop is a request of its own, if there is one.
    if let sending = attempt.sending.take() {
      sendings?.redirect(sending, status: answer.response.status)
    }
    var next = Parts(try redirect(answer.response, to: location, from: parts.value))
    if let journal = context.journal, !HTTPMethod.isIdempotent(parts.value.method) {
      next.value.asked =
        parts.value.asked ?? RequestForm(parts.value, of: step, journal.fingerprints).digest
    }
    guard redirects < plan.request.redirects else {
      throw .failed(
        FailureReason(
          .limit,
          "was redirected more than \(plan.request.redirects) times; 'redirects' sets how many are"
            + " followed", at: plan.request.endpoint.range))
    }
    return next
  }

  @inline(never)
  private func prepared(
    _ parts: Parts, isRedirect: Bool
  ) throws(AttemptFailure) -> TransportRequest {
    do throws(FailureReason) {
      return try request(parts.value, isRedirect: isRedirect)
    } catch {
      throw .failed(error)
    }
  }

  /// The request as its target may see it.
  private func request(
    _ parts: RequestBuilder.Parts, isRedirect: Bool
  ) throws(FailureReason) -> TransportRequest {
    var headers = parts.headers
    var connection = parts.connection
    connection.refusesPrivateAddresses =
      parts.origin != parts.home && !context.trust.holds(parts.origin)
    if parts.hasCredentials {
      let grant: CredentialPolicy.Grant
      do throws(CredentialPolicy.Refusal) {
        grant = try builder.policy(for: parts).grant(parts.credentials, to: parts.origin)
      } catch {
        throw builder.failure(error, to: parts.origin, isRedirect: isRedirect)
      }
      headers += grant.fields
      connection.credentials = grant.connection
      if !grant.hasCertificate {
        connection.certificateFile = nil
        connection.keyFile = nil
      }
      builder.noteWithheld(grant.withheld, parts.origin)
    }
    return TransportRequest(
      method: parts.method, to: parts.url, headers: headers, body: parts.body,
      timeout: plan.request.timeout?.total?.value, connectTimeout: plan.request.connectLimit,
      silence: plan.request.silenceLimit, responseLimit: limits.responseSize,
      wantsBody: plan.wantsBody, connection: connection, budget: context.responseBudget(limits),
      clock: context.options.clock)
  }

  /// Sends one request, and again if only the connection that it was to reuse had ended.
  ///
  /// - Parameter parts: The parts of the request.
  func send(
    _ request: TransportRequest, as parts: Parts, _ budget: inout TimeBudget,
    _ attempt: inout AttemptCount, mayRepeat: Bool? = nil
  ) async throws(AttemptFailure) -> Answer {
    var request = request
    var repeats = 0
    while true {
      do throws(AttemptFailure) {
        return try await sendOnce(request, as: parts, &budget, &attempt)
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
  ///   - repeats: How often it was sent again before.
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

  /// Sends one request once, when the limits allow it.
  private func sendOnce(
    _ request: TransportRequest, as parts: Parts, _ budget: inout TimeBudget,
    _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) -> Answer {
    attempt.beginRequest()
    if try !entersAtOnce(parts) { attempt.wait(try await enter(parts)) }
    if let sink = context.sink { attempt.leave(at: sink.now) }
    let meter = RequestMeter(self, parts)
    defer { meter.leave() }
    if sendings != nil {
      try await announce(parts, &attempt)
      meter.sending = attempt.sending
    }
    var request = try budget.begin(request)
    if context.tellsAskers || parts.value.origin.handler != nil {
      tell(of: parts, attempt, &request)
    }
    if let tracing = context.options.tracing { mark(&request, parts, tracing, &attempt) }
    do throws(TransportError) {
      let response = try await context.send(request, meter)
      return try answer(response, to: parts, request, meter, &budget)
    } catch {
      throw failure(error, parts, request, meter, &budget, attempt)
    }
  }

  /// Marks a request as a part of a trace, if the author named its origin.
  @inline(never)
  private func mark(
    _ request: inout TransportRequest, _ parts: Parts, _ tracing: RequestTracing,
    _ attempt: inout AttemptCount
  ) {
    let span = tracing.newSpan()
    attempt.span = span
    guard context.trust.holds(parts.value.origin) else { return }
    request.headers += tracing.fields(
      ownSpan: span, path: unit.label.path, item: unit.item, besides: request.headers)
  }

  /// Names the asking step, for a transport that wants to know.
  @inline(never)
  private func tell(of parts: Parts, _ attempt: AttemptCount, _ request: inout TransportRequest) {
    request.asker = RequestAsker(self, parts, attempt)
  }

  /// Writes down that a request is about to leave, if nobody may send it twice.
  @inline(never)
  private func announce(
    _ parts: Parts, _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) {
    // A token may be asked for twice.
    guard let sendings, attempt.sending == nil, !parts.value.isForToken,
      !HTTPMethod.isIdempotent(parts.value.method)
    else { return }
    // If the author allows more, and asks for no key, nothing is remembered.
    let hasKey = parts.value.headers.contains(where: Self.isIdempotencyKey)
    if plan.request.retry.unsafe, !hasKey { return }
    do throws(FailureReason) {
      attempt.sending = try await sendings.begin(
        parts.value, of: step, time: context.options.clock.wallTime, grace)
    } catch {
      throw .failed(error)
    }
  }

  /// Whether the request may be sent without waiting. If so, `leave` must follow.
  @inline(never)
  private func entersAtOnce(_ parts: Parts) throws(AttemptFailure) -> Bool {
    do throws(FailureReason) {
      try context.checkRequests(unit.callers)
    } catch {
      throw .failed(error)
    }
    return context.entersAtOnce(parts.value.origin, unit.callers)
  }

  /// Keeps what a response says to all that are sent to its server.
  @inline(never)
  private func answer(
    _ response: TransportResponse, to parts: Parts, _ request: TransportRequest,
    _ meter: RequestMeter,
    _ budget: inout TimeBudget
  ) throws(TransportError) -> Answer {
    budget.end(without: meter.waitingTime)
    if request.budget?.settle(response.body.count) == false {
      var error = TransportError(.responseTooLarge, "no memory is left for the body")
      error.status = response.status
      throw error
    }
    // Before anything of it is said, or can fail.
    let content = plan.hasSecretExtractors ? ResponseBody.content(of: response) : nil
    let answer = Answer(
      response, to: parts, sentCount: meter.sentCount, memory: request.budget, content: content)
    if plan.hasSecretExtractors {
      ResponseSecrets.hide(answer.body(isRead: true), in: step, page: parts.value.page)
    }
    context.countReceived(answer.response.bodySize)
    // Before this request gives its place to one that waits for it.
    if let pause = pauseAsked(by: answer.response) { context.hold(answer.origin, for: pause) }
    return answer
  }

  /// The meaning of an error for the attempt. A request that left and is then given up is reported
  /// here, because nobody judges it.
  @inline(never)
  private func failure(
    _ error: TransportError, _ parts: Parts, _ request: TransportRequest, _ meter: RequestMeter,
    _ budget: inout TimeBudget, _ attempt: AttemptCount
  ) -> AttemptFailure {
    let timeBefore = budget.timeBefore
    budget.end(without: meter.waitingTime)
    request.budget?.giveBackAll()
    var error = error
    error.sentCount = meter.sentCount
    if let status = error.status { meter.sending?.noteAnswer(status: status) }
    error.timeBefore = timeBefore
    let failure: FailureReason? =
      switch error.kind {
      case _ where meter.refusal != nil: meter.refusal
      case _ where request.budget?.isExhausted == true: .tooMuchHeld(limits)
      case .cancelled: FailureReason(.cancelled, "the run stopped")
      case .timeout where error.limit == nil: budget.failure
      default: nil
      }
    guard let failure else { return .transport(error) }
    if error.sentCount > 0 { report(.failure(.transport(error)), parts, attempt, nil) }
    return .failed(failure)
  }

  /// Waits for the limits, but no longer than polling may take.
  ///
  /// - Returns: How long it has waited.
  func enter(_ parts: Parts) async throws(AttemptFailure) -> RunEvent.Waits {
    let origin = parts.value.origin
    let cancelled = AttemptFailure.failed(FailureReason(.cancelled, "the run stopped"))
    guard let bound = pollBound else {
      do {
        return try await context.enter(origin, unit.callers, parking)
      } catch let failure as FailureReason {
        throw .failed(failure)
      } catch {
        throw cancelled
      }
    }
    let left = bound.end - context.options.clock.elapsed
    let waits = await withTaskGroup(of: RunEvent.Waits?.self) { group in
      group.addTask { [context, unit, parking] in
        try? await context.enter(origin, unit.callers, parking)
      }
      group.addTask { [context] in
        try? await context.options.clock.sleep(for: left)
        return nil
      }
      var entered: RunEvent.Waits?
      for await waits in group {
        entered = entered ?? waits
        group.cancelAll()
      }
      return entered
    }
    guard let waits else { throw Task.isCancelled ? cancelled : .failed(bound.failure) }
    return waits
  }

  /// Where a redirect leads; `nil` if the response is none.
  private static func redirection(of response: TransportResponse) -> String? {
    guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
    return response.header("location")
  }

  /// The request that a redirect asks for (RFC 9110 §15.4).
  private func redirect(
    _ response: TransportResponse, to location: String, from parts: RequestBuilder.Parts
  ) throws(AttemptFailure) -> RequestBuilder.Parts {
    guard let target = parts.url.resolving(location) else {
      throw .failed(
        FailureReason(
          .network,
          "was redirected to '\(context.redactor.shown(location, to: 200))', which is not an http"
            + " or https URL",
          at: plan.request.endpoint.range))
    }
    if parts.origin.isSecure, !target.origin.isSecure {
      throw .failed(
        FailureReason(
          .network,
          "was redirected from https to http, to '\(step.shown(url: target.text))'; '\"redirects\": 0' hands the redirect back",
          at: plan.request.endpoint.range))
    }
    var next = step.moved(parts, to: target)
    let becomesGET =
      response.status == 303 && parts.method != "HEAD"
      || parts.method == "POST" && (response.status == 301 || response.status == 302)
    if becomesGET {
      next.method = "GET"
      next.body = .none
      if next.hasCredentials {
        next.credentials.own.isInBody = false
        next.credentials.inherited.isInBody = false
      }
      next.headers.removeAll { $0.name.lowercasedASCII.hasPrefix(bytes: "content-") }
    }
    return next
  }
}

extension RequestRun.AttemptResult {
  var answer: RequestRun.Answer? {
    if case .success(let answer) = self { answer } else { nil }
  }
}
