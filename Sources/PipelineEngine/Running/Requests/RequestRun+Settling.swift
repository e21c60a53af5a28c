internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning

// `settle`: before a request in doubt is sent again, the server is asked whether it was carried out.
//
// An earlier process left the request in doubt, or an attempt of this one was not answered. The
// look-up is repeated until it finds the request, or until the request can no longer take effect. If
// the look-up fails, the request stays in doubt, and a person decides.
extension RequestRun {
  /// The pause after the first look; each later one is twice as long, up to the longest.
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(10)

  /// The run of the step's look-up; `nil` if it has none.
  private var lookUp: (settle: Settle, run: RequestRun)? {
    guard let settle = plan.request.settle, let lookUp = plan.lookUp, let request = lookUp.request
    else { return nil }
    return (settle, RequestRun(Unit(unit, lookingUp: lookUp), request, context))
  }

  /// The values of the step if a request that an earlier process left in doubt was carried out;
  /// `nil` if there is none, or it is to be sent.
  @inline(never)
  func settleEarlier() async throws(FailureReason) -> [UInt8]? {
    guard let sendings, let (settle, run) = lookUp, let doubt = sendings.takeDoubt() else {
      return nil
    }
    let sinceSending = Duration.seconds(context.options.clock.wallTime - doubt.time)
    do throws(FailureReason) {
      guard let exchange = try await run.find(settle, for: settle.within - sinceSending) else {
        sendings.settle(doubt, status: nil)
        return nil
      }
      let values = try values(of: exchange)
      sendings.settle(doubt, status: exchange.answer.response.status)
      return values
    } catch {
      sendings.leaveInDoubt()
      throw Self.undecided(error)
    }
  }

  /// The answer to the look-up if the attempt before was carried out; `nil` if the request is to be
  /// sent again.
  ///
  /// - Parameters:
  ///   - answer: The answer to that attempt; `nil` if none came, and it may still take effect.
  ///   - sending: How the journal knows it; `nil` if there is no journal.
  ///   - moment: When it was sent, on the run's clock.
  @inline(never)
  func settleBefore(
    _ answer: Answer?, _ sending: Sendings.Sending?, sentAt moment: Duration
  ) async throws(FailureReason) -> Exchange? {
    guard let (settle, run) = lookUp else { return nil }
    if let status = answer?.response.status, status < 500 { return nil }
    let time =
      answer == nil ? settle.within - (context.options.clock.elapsed - moment) : .zero
    do throws(FailureReason) {
      let exchange = try await run.find(settle, for: time)
      if exchange == nil { unit.noteActed(false) }
      if let sending { sendings?.settle(sending, status: exchange?.answer.response.status) }
      return exchange
    } catch {
      sendings?.leaveInDoubt()
      throw Self.undecided(error)
    }
  }

  /// Looks until the request is found, and at least once.
  ///
  /// - Parameter time: How long it may still take effect.
  /// - Returns: `nil` if it was not carried out.
  private func find(
    _ settle: Settle, for time: Duration
  ) async throws(FailureReason) -> Exchange? {
    let clock = context.options.clock
    let end = clock.elapsed + max(time, .zero)
    var pause = Self.firstPause
    while true {
      let isLast = clock.elapsed >= end
      let exchange = try await attempt(Parts(try builder.build()))
      if try isFound(settle, in: exchange) { return Exchange(exchange, foundBy: self) }
      if isLast { return nil }
      try await sleep(min(pause, max(end - clock.elapsed, .zero)))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Whether an answer, which must be an expected one, shows the request.
  private func isFound(_ settle: Settle, in exchange: Exchange) throws(FailureReason) -> Bool {
    do throws(FailureReason) {
      try reader(exchange).judge()
      return try step.holds(settle.done, of: exchange.body)
    } catch {
      throw described(error, exchange)
    }
  }

  private static func undecided(_ failure: FailureReason) -> FailureReason {
    var failure = failure
    if failure.kind != .cancelled {
      failure.hints.append(
        "this was the look-up of 'settle', so it is not known whether the request was carried out,"
          + " and it is not sent again")
    }
    return failure
  }
}

extension Unit {
  /// The same piece of work, with a look-up in place of its step.
  fileprivate convenience init(_ unit: Unit, lookingUp plan: StepPlan) {
    self.init(
      id: unit.id, serial: unit.serial, frame: unit.frame, step: unit.step, label: unit.label,
      item: unit.item, scope: unit.scope, isSelective: false, isCleanUp: unit.isCleanUp,
      lookUp: plan)
  }
}
