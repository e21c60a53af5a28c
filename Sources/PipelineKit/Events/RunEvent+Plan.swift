internal import PipelineSourceText
internal import PipelineWorkflows

// The description of a run's plan in its first event.

extension RunEvent.RunStarted {
  init(_ plan: Plan, _ identity: RunIdentity, resumedAt: Double? = nil, concurrency: Int) {
    var left = RunEvent.StepSummary.mostSteps
    let limits = plan.workflow.limits
    self.init(
      runID: identity.id, workflow: plan.workflow.name,
      steps: RunEvent.StepSummary.summaries(
        of: plan.root, in: plan, plan.workflow.source.name, depth: 0, &left),
      file: plan.workflow.source.name, startedAt: identity.startedAt,
      resumedAt: resumedAt,
      limits: RunEvent.RunLimits(
        concurrency: concurrency, perOrigin: limits.perOrigin,
        rate: limits.rate.map(RunEvent.RunLimits.Rate.init),
        ratePerOrigin: limits.ratePerOrigin.map(RunEvent.RunLimits.Rate.init)))
  }
}

extension RunEvent.RunLimits.Rate {
  init(_ rate: PipelineWorkflows.Limits.Rate) {
    self.init(count: rate.count, per: rate.per)
  }
}

extension RunEvent.StepSummary {
  /// A plan is described up to about so many steps, because files may call each other.
  fileprivate static let mostSteps = 2_000
  private static let mostDepth = 8

  fileprivate static func summaries(
    of block: BlockPlan, in plan: Plan, _ root: String, depth: Int, _ left: inout Int
  ) -> [Self] {
    var after = [[String]](repeating: [], count: block.steps.count)
    for (number, step) in block.steps.enumerated() {
      for follower in block.graph.followers[number] { after[follower].append(name(of: step.step)) }
    }
    left -= block.steps.count
    return block.steps.enumerated().map { number, step in
      summary(
        step, in: plan, root, after: after[number], isFinally: number >= block.mainCount, depth,
        &left)
    }
  }

  private static func summary(
    _ step: StepPlan, in plan: Plan, _ root: String, after: [String], isFinally: Bool, _ depth: Int,
    _ left: inout Int
  ) -> Self {
    var steps: [Self] = []
    if left > 0, depth < mostDepth {
      if let block = step.inner {
        steps = summaries(of: block, in: plan, root, depth: depth + 1, &left)
      } else if let callee = step.callee {
        steps = summaries(of: callee.root, in: callee, root, depth: depth + 1, &left)
      }
    }
    let place = plan.workflow.place(of: step.step.id.range)
    let file = place.file.name
    return Self(
      id: name(of: step.step), isCollection: step.step.forEach != nil, isFinally: isFinally,
      action: action(of: step.step), after: after,
      file: file == root ? nil : file,
      line: place.file.position(at: place.range.lowerBound).line, steps: steps)
  }

  private static func name(of step: Step) -> String {
    step.branch.map(String.init) ?? step.id.value
  }

  private static func action(of step: Step) -> String {
    switch step.action {
    case .request: "request"
    case .values: "values"
    case .wait: "wait"
    case .block(let block): block.isChoice ? "choose" : "block"
    case .call: "call"
    case .fail: "fail"
    }
  }
}
