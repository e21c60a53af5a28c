internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText

// The description of a run's plan in its first event.

extension RunEvent.RunStarted {
  init(_ plan: Plan, _ identity: RunIdentity, resumedAt: Double? = nil, concurrency: Int) {
    let limits = plan.workflow.limits
    self.init(
      runID: identity.id, workflow: plan.workflow.name,
      steps: RunEvent.StepSummary.summaries(of: plan),
      file: plan.workflow.source.name, startedAt: identity.startedAt,
      resumedAt: resumedAt,
      limits: RunEvent.RunLimits(
        concurrency: concurrency, perOrigin: limits.perOrigin,
        rate: limits.rate.map(RunEvent.RunLimits.Rate.init),
        ratePerOrigin: limits.ratePerOrigin.map(RunEvent.RunLimits.Rate.init)))
  }
}

extension RunEvent.RunLimits.Rate {
  init(_ rate: PipelineLanguage.Limits.Rate) {
    self.init(count: rate.count, per: rate.per)
  }
}

extension RunEvent.StepSummary {
  /// A plan is described up to about this number of steps, because files may call each other.
  private static let mostSteps = 2_000
  /// The maximum number of steps around one. Each is two levels of JSON, and common readers of
  /// events take 256.
  private static let mostDepth = 100

  /// A block that is described, and the step that holds it.
  private struct Pending {
    let block: BlockPlan
    let plan: Plan
    let depth: Int
    let holder: Int?
  }

  /// The steps of a plan. What is nested less deeply comes first, if not all can be described.
  fileprivate static func summaries(of plan: Plan) -> [Self] {
    var pending = [Pending(block: plan.root, plan: plan, depth: 0, holder: nil)]
    var found: [(summary: Self, holder: Int?)] = []
    var count = plan.root.steps.count
    var next = 0
    while next < pending.count {
      let block = pending[next]
      next += 1
      for (step, summary) in zip(block.block.steps, summaries(of: block, root: plan)) {
        if let inner = step.inner ?? step.callee?.root, count < mostSteps,
          block.depth < mostDepth
        {
          count += inner.steps.count
          pending.append(
            Pending(
              block: inner, plan: step.inner == nil ? step.callee ?? block.plan : block.plan,
              depth: block.depth + 1, holder: found.count))
        }
        found.append((summary, block.holder))
      }
    }
    return nested(found)
  }

  /// Puts each summary into its holder, which comes before it.
  private static func nested(_ found: [(summary: Self, holder: Int?)]) -> [Self] {
    var found = found
    var top: [Self] = []
    while let last = found.popLast() {
      var summary = last.summary
      // They were collected from the last to the first.
      summary.steps.reverse()
      if let holder = last.holder {
        found[holder].summary.steps.append(summary)
      } else {
        top.append(summary)
      }
    }
    return top.reversed()
  }

  private static func summaries(of pending: Pending, root: Plan) -> [Self] {
    let block = pending.block
    var after = [[String]](repeating: [], count: block.steps.count)
    for (number, step) in block.steps.enumerated() {
      for follower in block.graph.followers[number] { after[follower].append(step.step.pathID) }
    }
    return block.steps.enumerated().map { number, step in
      let place = pending.plan.workflow.place(of: step.step.id.range)
      let file = place.file.name
      return Self(
        id: step.step.pathID, isCollection: step.step.forEach != nil,
        isFinally: number >= block.mainCount, hasRounds: step.step.forEach?.rounds != nil,
        action: action(of: step.step), after: after[number],
        file: file == root.workflow.source.name ? nil : file,
        line: place.file.position(at: place.range.lowerBound).line, steps: [])
    }
  }

  private static func action(of step: Step) -> String {
    switch step.action {
    case .request: "request"
    case .values: "values"
    case .wait: "wait"
    case .say: "say"
    case .ask: "ask"
    case .block(let block): block.isChoice ? "choose" : "block"
    case .call: "call"
    case .fail: "fail"
    }
  }
}
