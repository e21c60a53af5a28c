internal import Workflows

extension Unit {
  /// Carries the unit out, once, until its token or the task is cancelled.
  func run(in context: RunContext) async -> UnitOutcome {
    guard let token else { return await UnitRun(unit: self, context: context).run() }
    return await token.guarding { await UnitRun(unit: self, context: context).run() }
  }
}

/// One unit of work, carried out in a task.
private struct UnitRun {
  let unit: Unit
  let context: RunContext

  func run() async -> UnitOutcome {
    if let request = unit.stepPlan.request {
      return await RequestRun(unit, request, context).run()
    }
    return await runWithoutRequest()
  }

  /// Apart, for a request would wait with what this needs.
  @inline(never)
  private func runWithoutRequest() async -> UnitOutcome {
    switch unit.stepPlan.step.action {
    case .wait(let duration): return await wait(duration.value)
    case .request, .values, .block, .call:
      return .failed(Failure(.value, "this action needs no task"))
    }
  }

  private func wait(_ duration: Duration) async -> UnitOutcome {
    do {
      try await context.options.clock.sleep(for: duration)
      return .values(Array("{}".utf8))
    } catch {
      return .cancelled
    }
  }
}
