import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
package import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

extension Plan {
  /// The plan of one step and of all that it follows, without other steps, clean-up and outputs;
  /// `nil` if the file has no such step.
  ///
  /// - Complexity: O(steps).
  package func part(endingAt id: String) -> Plan? {
    guard var workflow = workflow(endingAt: [id]) else { return nil }
    workflow.block.finally = []
    workflow.block.outputs = []
    return Plan(workflow, callees: root.callees)
  }

  /// The plan of some steps, their dependencies and their clean-up. It returns the values of each
  /// of the steps by its id. `nil` if the file has no such step.
  ///
  /// - Complexity: O(steps).
  package func part(of ids: [String]) -> Plan? {
    guard var workflow = workflow(endingAt: ids) else { return nil }
    let kept = workflow.block.steps.map(\.id.value)
    let all = Set(root.block.steps.map { ExactText($0.id.value) })
    let known = Set(kept.map { ExactText($0) })
    // Clean-up after steps that do not run would fail, or undo what was not done.
    workflow.block.finally = workflow.block.finally.filter { step in
      let uses = step.uses + step.iterationUses
      let read = Set(uses.flatMap { $0.query.firstNames.map { ExactText($0) } }).intersection(all)
      return !read.isEmpty && read.isSubset(of: known)
    }
    workflow.block.outputs = steps(named: ids).map { Field(valuesOf: $0) }
    return Plan(workflow, callees: root.callees)
  }

  private func steps(named ids: [String]) -> [Step] {
    ids.compactMap { id in root.block.steps.first { $0.id.value.equals(bytes: id) } }
  }

  /// The workflow with some of its steps and all that these follow, and without the next state.
  private func workflow(endingAt ids: [String]) -> Workflow? {
    let steps = root.block.steps
    var kept: Set<Int> = []
    var open: [Int] = []
    for id in ids {
      guard let last = steps.firstIndex(where: { $0.id.value.equals(bytes: id) }) else {
        return nil
      }
      if kept.insert(last).inserted { open.append(last) }
    }
    while let step = open.popLast() {
      for earlier in root.graph.dependencies[step] where kept.insert(earlier).inserted {
        open.append(earlier)
      }
    }
    var workflow = workflow
    workflow.block.steps = kept.sorted().map { steps[$0] }
    workflow.block.next = []
    workflow.leavesState = false
    return workflow
  }

  /// The plan with a share of its limits, and of the limits of its called files.
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

extension Field {
  /// The values of a step, under its id.
  fileprivate init(valuesOf step: Step) {
    let node = JSONValue.string("{{\(step.id.value)}}").node
    self.init(
      name: step.id.value, nameRange: step.id.range,
      value: DataTemplate.parse(node, allowsQueries: true).data, node: node)
  }
}

extension Plan {
  /// A digest of the file, and of all that it builds on and calls: 32 hexadecimal digits.
  package var sourceDigest: String {
    var hash = SHA256()
    addSources(to: &hash)
    let (high, low) = hash.finishShort()
    return [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The names of the file, and of all that it builds on and calls.
  package var sourceNames: [String] {
    [workflow.source.name] + (workflow.base.map { [$0.source.name] } ?? [])
      + root.callees.values.flatMap(\.sourceNames)
  }

  private func addSources(to hash: inout SHA256) {
    hash.update(workflow.source.bytes)
    if let base = workflow.base { hash.update(base.source.bytes) }
    for (path, callee) in root.callees.sorted(by: { $0.key.text < $1.key.text }) {
      hash.update(path.text.utf8)
      callee.addSources(to: &hash)
    }
  }
}

extension BlockPlan {
  /// The plans of the called files, including those in inner blocks, by path.
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
