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
  /// Lets requests end that must not be sent twice; `nil` if the step has none.
  let grace: Grace?

  convenience init(
    _ unit: Unit, _ plan: RequestPlan, _ context: RunContext, sendings: Sendings? = nil
  ) {
    self.init(
      RequestStep(
        unit, plan, context.redactor, context.notes, checks: context.options.responseChecks),
      context, parking: Parking(unit), pollBound: nil, sendings: sendings)
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

  /// This request, as one of several at once.
  var parallel: RequestRun {
    RequestRun(step, context, parking: nil, pollBound: pollBound, sendings: sendings)
  }

  /// The same for the step with other values.
  func with(_ step: RequestStep) -> RequestRun {
    RequestRun(
      step, context, parking: parking, pollBound: pollBound, sendings: sendings, grace: grace)
  }

  /// This request, with a time by which it must be answered.
  func bound(by bound: PollBound?) -> RequestRun {
    RequestRun(
      step, context, parking: parking, pollBound: bound, sendings: sendings, grace: grace)
  }

  /// The run's limits, lowered by those of the called files around it.
  var limits: Limits { context.gates.limits.lowered(by: unit.callers) }

  /// The time that one attempt may take.
  var timeBudget: TimeBudget {
    TimeBudget(
      plan.request.timeout?.total?.value, within: pollBound, on: context.options.clock)
  }

  func run() async -> UnitOutcome {
    guard let grace else { return await carryOut() }
    return await grace.guarding(on: context.carrier.executor(for: unit)) { await self.carryOut() }
  }

  private func carryOut() async -> UnitOutcome {
    do throws(FailureReason) {
      if plan.lookUp != nil, let values = try await settleEarlier() { return .values(values) }
      if let pagination = plan.request.paginate {
        let run = with(try step.onFirstPage())
        return .values(try await run.pages(pagination, from: try run.prepare()))
      }
      let parts = try prepare()
      let exchange = try await ask(parts)
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
        path: path, unit: unit, journal: context.journal
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
    if let run = exchange.lookUp, run !== self { return try run.values(of: exchange) }
    do throws(FailureReason) {
      try context.usage.checkMemory(limits)
      var reader = reader(exchange)
      reader.page = page
      let values = try reader.read()
      if Interruption.isRaised { throw FailureReason(.cancelled, "the run stopped") }
      return values
    } catch {
      throw described(error, exchange)
    }
  }

  /// The first stage: an answer that need not be asked for again.
  func ask(_ parts: Parts) async throws(FailureReason) -> Exchange {
    guard let poll = plan.request.poll else { return try await attempt(parts) }
    return try await answers(to: parts, until: poll)
  }

  /// The parts of a request, in one word, because they are passed on more often than they are read.
  typealias Parts = Boxed<RequestBuilder.Parts>

  /// An answer, and how many attempts it took.
  final class Exchange: Sendable {
    let answer: Answer
    /// The body, read once for all that judge it.
    let body: ResponseBody
    let attempts: Int
    /// The run of the look-up that it answers; `nil` if it answers the step's own request.
    let lookUp: RequestRun?

    init(_ answer: Answer, isRead: Bool, attempts: Int) {
      self.answer = answer
      body = answer.body(isRead: isRead)
      self.attempts = attempts
      lookUp = nil
    }

    /// An exchange, marked as found by a look-up.
    init(_ exchange: Exchange, foundBy lookUp: RequestRun) {
      answer = exchange.answer
      body = exchange.body
      attempts = exchange.attempts
      self.lookUp = lookUp
    }
  }

  func reader(_ exchange: Exchange) -> ResponseReader {
    ResponseReader(step: step, body: exchange.body, attempts: exchange.attempts)
  }
}
