internal import PipelineByteText
internal import PipelineFormats
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

// The last stage: one request leaves when the limits allow it.
extension RequestRun {
  /// Sends one request once, when the limits allow it.
  func dispatch(
    _ request: TransportRequest, as parts: Parts, _ budget: inout TimeBudget,
    _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) -> Answer {
    attempt.beginRequest()
    if try !entersAtOnce(parts) { attempt.wait(try await enter(parts)) }
    if let sink = context.sink { attempt.leave(at: sink.now) }
    let meter = RunMeter(self, parts)
    defer { meter.leave() }
    // Before the request is announced, because a value of it may fail.
    let signed = try signed(request, as: parts)
    if sendings != nil {
      try await announce(parts, &attempt)
      meter.sending = attempt.sending
    }
    let unsigned = request
    var request = try budget.begin(signed)
    let watch = eventWatch(of: parts, attempt)
    let rows = rowsReceiver(of: parts, watch)
    request.receiver = rows ?? watch
    if context.carrier.tellsAskers || parts.value.origin.handler != nil {
      tell(of: parts, attempt, &request, unsigned: unsigned)
    }
    if let tracing = context.options.tracing { mark(&request, parts, tracing, &attempt) }
    do throws(TransportError) {
      let response = try await context.carrier.carry(request, meter)
      return try answer(response, to: parts, request, meter, &budget, rows)
    } catch {
      throw failure(
        error, parts, request, meter, rows?.failure ?? watch?.failure, &budget, attempt)
    }
  }

  /// Who puts the rows of a response on the disk; `nil` if they are needed in memory.
  @inline(never)
  private func rowsReceiver(of parts: Parts, _ watch: EventWatch?) -> RowsReceiver? {
    guard let spools = context.rows.spools, let read = plan.request.read, unit.isOnlyOne,
      !unit.isLookUp, !parts.value.isForToken
    else { return nil }
    let names = context.rows.onDisk(unit.step)
    guard !names.isEmpty else { return nil }
    return RowsReceiver(step, read, names, in: spools, rowLimit: limits.responseSize, watch)
  }

  /// The receiver that looks at the events of a response while they come; `nil` if none is needed.
  @inline(never)
  private func eventWatch(of parts: Parts, _ attempt: AttemptCount) -> EventWatch? {
    guard let read = plan.request.read, case .events = read.format, !parts.value.isForToken else {
      return nil
    }
    let sink = context.options.reportsServerEvents ? context.sink : nil
    guard read.until != nil || sink != nil else { return nil }
    return EventWatch(step, until: read.until, attempt: attempt.number, sink)
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

  private func signed(
    _ request: TransportRequest, as parts: Parts
  ) throws(AttemptFailure) -> TransportRequest {
    guard plan.request.auth?.signature != nil else { return request }
    do throws(FailureReason) {
      return try signed(request, parts)
    } catch {
      throw .failed(error)
    }
  }

  /// Names the asking step, for a transport that wants to know.
  @inline(never)
  private func tell(
    of parts: Parts, _ attempt: AttemptCount, _ request: inout TransportRequest,
    unsigned: TransportRequest
  ) {
    let asking = StepRequest(self, parts, attempt, unsigned: unsigned)
    request.asker = RequestAsker(
      asking.key, group: unit.label.group, asking.cause, asking)
  }

  /// Records that a request is about to leave, if it must not be sent twice.
  @inline(never)
  private func announce(
    _ parts: Parts, _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) {
    // A token may be asked for twice.
    guard let sendings, attempt.sending == nil, !parts.value.isForToken,
      !HTTPMethod.isIdempotent(parts.value.method)
    else { return }
    // If the author allows more, and asks for no key, nothing is remembered.
    let hasKey = parts.value.headers.idempotencyKey != nil
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
      try context.gates.checkRequests(unit.callers)
    } catch {
      throw .failed(error)
    }
    return context.gates.entersAtOnce(parts.value.origin, unit.callers)
  }

  /// Keeps what a response announces for all requests to its server.
  @inline(never)
  private func answer(
    _ response: TransportResponse, to parts: Parts, _ request: TransportRequest,
    _ meter: RunMeter,
    _ budget: inout TimeBudget, _ rows: RowsReceiver?
  ) throws(TransportError) -> Answer {
    budget.end(without: meter.waitingTime)
    if request.budget?.settle(response.body.count) == false {
      var error = TransportError(.responseTooLarge, "no memory is left for the body")
      error.status = response.status
      throw error
    }
    // Before any of it is reported, or can fail.
    let reading = reading(response, to: parts)
    let content = plan.hasSecretExtractors ? ResponseBody.content(of: response, reading) : nil
    let answer = Answer(
      response, to: parts, sentCount: meter.sentCount, memory: request.budget, content: content,
      reading: reading, rows: rows?.values())
    if plan.hasSecretExtractors {
      ResponseSecrets.hide(answer.body(isRead: true), in: step, page: parts.value.page)
    }
    if parts.value.isForToken {
      TokenRequest.hideCredentials(of: answer.body(isRead: true), context.redactor)
    }
    context.usage.countReceived(answer.response.bodySize)
    context.gates.countReceived(answer.response.bodySize, unit.callers)
    // Before this request gives its place to one that waits for it.
    if parts.value.origin.handler == nil {
      context.gates.note(answer.response, from: parts.value.origin)
    }
    if let pause = pauseAsked(by: answer.response) { context.gates.hold(answer.origin, for: pause) }
    return answer
  }

  /// The meaning of an error for the attempt. A request that left and is then given up is reported
  /// here, because it is not judged.
  @inline(never)
  private func failure(
    _ error: TransportError, _ parts: Parts, _ request: TransportRequest, _ meter: RunMeter,
    _ unusable: FailureReason?, _ budget: inout TimeBudget, _ attempt: AttemptCount
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
      case _ where unusable != nil: unusable
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
    let tells = { @Sendable [context] (pause: Duration) in
      context.notes.note(
        "announced limit of \(origin): it takes no more requests for \(pause.shown), so they"
          + " wait")
    }
    guard let bound = pollBound else {
      do {
        return try await context.gates.enter(origin, unit.callers, parking, tells: tells)
      } catch let failure as FailureReason {
        throw .failed(failure)
      } catch {
        throw cancelled
      }
    }
    let left = bound.end - context.options.clock.elapsed
    let waits = await withTaskGroup(of: RunEvent.Waits?.self) { group in
      group.addTask { [context, unit, parking] in
        try? await context.gates.enter(origin, unit.callers, parking, tells: tells)
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
}
