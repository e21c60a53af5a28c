internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

/// Finds out what units would send and what recorded answers give, without sending anything.
struct UnitWork: Sendable {
  let plan: Plan
  let history: any JournalHistory
  let fingerprints: UnitFingerprints
  let redactor: Redactor
  /// What `sandbox:` stands for; `nil` if there is nothing.
  let sandboxOrigin: String?
  /// Where decisions on units are left for those who carry them out.
  let answers: UnitAnswers
  private let origins = RecentOrigin()

  init(
    _ plan: Plan, _ history: any JournalHistory, _ journal: UnitJournal, _ redactor: Redactor,
    sandboxOrigin: String?, answers: UnitAnswers
  ) {
    self.plan = plan
    self.history = history
    fingerprints = journal.fingerprints
    self.redactor = redactor
    self.sandboxOrigin = sandboxOrigin
    self.answers = answers
  }

  /// The request that a unit would begin with; `nil` if there is none, or it cannot be made.
  func firstRequest(of unit: Unit) -> RequestForm? {
    guard let (step, parts) = firstParts(of: unit) else { return nil }
    return RequestForm(parts, of: step, fingerprints)
  }

  private func firstParts(of unit: Unit) -> (RequestStep, RequestBuilder.Parts)? {
    guard let plan = unit.stepPlan.request else { return nil }
    let own = RequestStep(unit, plan, redactor, RunNotes(nil, redactor))
    guard let step = try? own.onFirstPage() else { return nil }
    let builder = RequestBuilder(step: step, origins: origins, sandboxOrigin: sandboxOrigin)
    guard let parts = try? builder.build() else { return nil }
    guard let pagination = plan.request.paginate else { return (step, parts) }
    let start = PageStart(pagination: pagination, builder: builder, parts: parts)
    return (try? start.firstPage()).map { (step, $0) }
  }

  /// The values that a recorded answer gives a unit; `nil` if only its work will show them.
  func values(of unit: Unit) -> [UInt8]? {
    guard let replay = answers.take(for: unit), let request = unit.stepPlan.request?.request,
      request.paginate == nil, request.poll == nil, request.save == nil,
      let (step, parts) = firstParts(of: unit),
      let answer = try? replay.answer(to: RequestForm(parts, of: step, fingerprints))?.answer,
      let url = RequestURL(answer.url)
    else { return nil }
    let body = ResponseBody(
      of: answer.response, from: url, content: nil,
      reading: step.reading(status: answer.status), isRead: true)
    return try? ResponseReader(step: step, body: body, attempts: 1).read()
  }
}

extension Unit {
  /// Whether it sends requests that must not be sent twice.
  var isUnsafe: Bool {
    stepPlan.request.map { !HTTPMethod.isIdempotent($0.request.method) } ?? false
  }
}

extension RecordedAnswer {
  var response: TransportResponse {
    TransportResponse(status: status, headers: headers, body: body ?? [])
  }
}
