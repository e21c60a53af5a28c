internal import Workflows

extension Unit {
  /// Carries the unit out, once, until its token or the task is cancelled.
  func run(in context: RunContext) async -> UnitOutcome {
    guard let token else { return await work(in: context) }
    return await token.guarding { await self.work(in: context) }
  }

  private func work(in context: RunContext) async -> UnitOutcome {
    guard let request = stepPlan.request else { return await workWithoutRequest(in: context) }
    return await RequestRun(self, request, context).run()
  }

  /// Apart, for a request would wait with what this needs.
  @inline(never)
  private func workWithoutRequest(in context: RunContext) async -> UnitOutcome {
    switch stepPlan.step.action {
    case .wait(let duration): return await wait(duration.value, context.options.clock)
    case .request, .values, .block, .call:
      return .failed(Failure(.value, "this action needs no task"))
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
