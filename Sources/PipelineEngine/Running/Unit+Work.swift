internal import PipelineJSONPaths
internal import PipelineLanguage
internal import PipelinePlanning

extension Unit {
  /// Carries the unit out, once, until its token or the task is cancelled.
  func run(in context: RunContext) async -> UnitOutcome {
    guard let token else { return await work(in: context) }
    return await token.guarding { await self.work(in: context) }
  }

  private func work(in context: RunContext) async -> UnitOutcome {
    if let given = context.options.givenValues,
      let values = given(label.id, label.path, label.group, item)
    {
      return .values(values)
    }
    if let journal = context.journal { return await work(in: context, journal) }
    guard let request = stepPlan.request else { return await workWithoutRequest(in: context) }
    return handingOn(await RequestRun(self, request, context).run(), in: context)
  }

  /// Carries out the unit and records its outcome in the journal.
  @inline(never)
  private func work(in context: RunContext, _ journal: UnitJournal) async -> UnitOutcome {
    let began = journal.now
    let outcome: UnitOutcome
    var sendings: Sendings?
    if let request = stepPlan.request {
      sendings = Sendings(self, journal)
      outcome = await RequestRun(self, request, context, sendings: sendings).run()
    } else {
      outcome = await workWithoutRequest(in: context)
    }
    // Its pages stay in the journal instead: all rows at once would need their room.
    if case .values = outcome, isOnlyOne, context.rows.areByPage(step),
      !context.rows.areOfOneResponse(self)
    {
      return outcome
    }
    if case .values(let values) = outcome, let spools = context.rows.spools {
      // They hold a secret: a later process sends the request again.
      if !isUnsafe, spools.mustBeForgotten(values) { return handingOn(outcome, in: context) }
      spools.keep(values)
    }
    journal.record(self, outcome, began: began, sendings)
    return handingOn(outcome, in: context)
  }

  /// Hands on the rows of the unit's one response, if they have a taker. They are then not a value.
  @inline(never)
  private func handingOn(_ outcome: UnitOutcome, in context: RunContext) -> UnitOutcome {
    guard case .values(let values) = outcome, context.rows.areOfOneResponse(self) else {
      return outcome
    }
    if let problem = context.handOnRows(of: values, step: step) {
      return Interruption.isRaised ? .cancelled : .failed(FailureReason(.file, problem.message))
    }
    return .values(context.rows.withoutRows(values, of: step))
  }

  /// Separate, because a waiting request would otherwise keep this memory.
  @inline(never)
  private func workWithoutRequest(in context: RunContext) async -> UnitOutcome {
    switch stepPlan.step.action {
    case .ask(let question): return await ask(question, in: context)
    case .wait(let duration): return await wait(duration.value, context.options.clock)
    case .request, .values, .block, .call, .fail, .say:
      return .failed(FailureReason(.value, "this action needs no task"))
    }
  }

  private func wait(_ duration: Duration, _ clock: any RunClock) async -> UnitOutcome {
    do {
      try await clock.sleep(for: duration)
      return .values(Array("{}".utf8))
    } catch {
      return .cancelled
    }
  }
}
