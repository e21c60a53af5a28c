import ByteText

extension Plan {
  /// The plan of one step and of all that it follows, without other steps, clean-up and outputs;
  /// `nil`: the file has no such step.
  ///
  /// - Complexity: O(steps).
  package func part(endingAt id: String) -> Plan? {
    let steps = root.block.steps
    guard let last = steps.firstIndex(where: { $0.id.value.equals(bytes: id) }) else { return nil }
    var kept: Set<Int> = [last]
    var open = [last]
    while let step = open.popLast() {
      for earlier in root.graph.dependencies[step] where kept.insert(earlier).inserted {
        open.append(earlier)
      }
    }
    var workflow = workflow
    workflow.block.steps = kept.sorted().map { steps[$0] }
    workflow.block.finally = []
    workflow.block.outputs = []
    workflow.block.next = []
    return Plan(workflow, callees: root.callees)
  }

  /// The plan with a share of its limits, and of those of the files that it calls.
  package func limited(to share: Share) -> Plan? {
    guard share != .whole else { return self }
    var callees: [ExactText: Plan] = [:]
    for (path, plan) in root.callees {
      guard let limited = plan.limited(to: share) else { return nil }
      callees[path] = limited
    }
    var workflow = workflow
    workflow.limits = workflow.limits.limited(to: share)
    return Plan(workflow, callees: callees)
  }
}

extension BlockPlan {
  /// The plans of the files that the steps call, those of inner blocks included, by path.
  fileprivate var callees: [ExactText: Plan] {
    var callees: [ExactText: Plan] = [:]
    for step in steps {
      if case .call(let call) = step.step.action, let callee = step.callee {
        callees[ExactText(call.path.value)] = callee
      }
      if let inner = step.inner { callees.merge(inner.callees) { $1 } }
    }
    return callees
  }
}
