package import PipelineByteText
import PipelineJSONPaths
package import PipelineLanguage
import PipelineTemplates

/// A workflow ready to run: every name resolved, every step knowing what it follows.
///
/// A plan is a value without state. Any number of runs may follow it at once.
package final class Plan: Sendable {
  package let workflow: Workflow
  package let root: BlockPlan
  /// Origins and names that hold secrets, worked out once.
  package let secrecy: Secrecy
  /// The parts of its URLs that responses decide, if the caller chooses the inputs.
  package let provenance: Provenance
  /// Where the file itself holds credentials.
  package let writtenSecrets: Set<Range<Int>>
  /// The handlers in Swift that the steps and the called files use, each once.
  package let handlers: [HandlerUse]

  /// Makes a plan of a workflow that lint found no error in; `nil` if its steps wait for each other
  /// in a circle.
  ///
  /// - Parameter callees: The plans of the files that the workflow's steps run, by path as written.
  package convenience init?(_ workflow: Workflow, callees: [ExactText: Plan] = [:]) {
    self.init(workflow, callees: callees, memory: PlanMemory())
  }

  /// - Parameter memory: That of all the plans that are made together.
  package init?(_ workflow: Workflow, callees: [ExactText: Plan], memory: PlanMemory) {
    let resolution = Resolution.of(workflow)
    guard let root = BlockPlan(resolution, callees: callees) else { return nil }
    self.workflow = workflow
    self.root = root
    handlers = HandlerUse.uses(in: root)
    self.secrecy = Secrecy(workflow, root, memory.secrecy)
    self.provenance = Provenance(root, memory.provenance)
    writtenSecrets =
      WrittenSecrets(of: workflow) { callees[ExactText($0.path.value)]?.secrecy.inputs ?? [] }
      .ranges
  }
}

extension Plan {
  /// Whether a step of the file reads this one.
  func isRead(_ step: Int) -> Bool {
    let followers = root.graph.followers[step]
    // Why a step follows is worked out only if one does.
    if followers.isEmpty { return false }
    let resolution = Resolution.of(workflow)
    return followers.contains { follower in
      resolution.edges(to: follower).contains { edge in
        if edge.from == step, case .use = edge.reason { true } else { false }
      }
    }
  }
}

/// The steps of one block, each with its dependencies and followers.
package final class BlockPlan: Sendable {
  package let block: Block
  /// The `finally` steps after the others.
  package let steps: [StepPlan]
  package let graph: Graph
  /// The reads of the block's outputs.
  package let outputReads: [Read]
  /// The reads of the values that are carried on.
  package let nextReads: [Read]

  /// The values of the block's `values` steps.
  package let values: BlockValues

  /// For each step how many steps of the block it follows.
  package let dependencyCounts: [Int32]

  /// Whether a block or a called file inside, at any depth, has `finally` steps.
  package let hasInnerFinally: Bool

  /// The number of steps before the `finally` steps.
  package var mainCount: Int { block.steps.count }

  /// Whether the block itself has `finally` steps.
  package var hasFinally: Bool { steps.count > mainCount }

  init?(_ resolution: Resolution, callees: [ExactText: Plan]) {
    let graph = resolution.graph
    guard graph.topologicalOrder.count == graph.stepCount else { return nil }
    let paths = graph.remainingPaths
    let reads = resolution.steps.map { Read.gather($0.uses) }
    let sharedReads = reads.map { reads in
      reads.contains(where: \.isOwnLoopName) ? reads.filter { !$0.isOwnLoopName } : reads
    }
    let values = BlockValues(resolution.steps.map(\.step), sharedReads: sharedReads)
    var steps: [StepPlan] = []
    steps.reserveCapacity(resolution.steps.count)
    for (number, part) in resolution.steps.enumerated() {
      var inner: BlockPlan?
      if let resolved = part.inner {
        guard let plan = BlockPlan(resolved, callees: callees) else { return nil }
        inner = plan
      }
      var callee: Plan?
      if case .call(let call) = part.step.action { callee = callees[ExactText(call.path.value)] }
      let declared = part.step.dependsOn.compactMap { resolution.step(named: $0.value) }
      steps.append(
        StepPlan(
          step: part.step, reads: reads[number], sharedReads: sharedReads[number],
          values: values[number], remainingPath: paths[number], declared: declared,
          inner: inner, callee: callee))
    }
    self.block = resolution.block
    self.steps = steps
    self.graph = graph
    self.values = values
    dependencyCounts = graph.dependencyCounts.map { Int32(clamping: $0) }
    self.outputReads = Read.gather(resolution.outputUses)
    self.nextReads = Read.gather(resolution.nextUses)
    hasInnerFinally = steps.contains { step in
      guard let inner = step.inner ?? step.callee?.root else { return false }
      return inner.hasFinally || inner.hasInnerFinally
    }
  }
}

/// A step of a plan.
///
/// A class, because a step is large, is never changed, and is read at every request.
package final class StepPlan: Sendable {
  package let step: Step
  /// The step's request, if it has one.
  package let request: RequestPlan?
  /// The values of the step, if it sends and awaits nothing.
  package let values: ValuesPlan?
  /// Whether it gives values, is not a collection, and nothing judges it.
  package let isPlainValues: Bool
  /// The reads of the step itself, each name once.
  package let reads: [Read]
  /// The reads that are the same for all items: `reads` without the step's own loop names.
  package let sharedReads: [Read]
  /// The length of the longest chain after it.
  package let remainingPath: Int
  /// The steps that `dependsOn` names.
  package let declared: [Int]
  /// The inner steps, if the step is a block.
  package let inner: BlockPlan?
  /// The plan of the file that the step runs.
  package let callee: Plan?
  /// The names of the item and its position, if the step has a `forEach`.
  package let loopNames: (item: String, index: String?)?
  /// Whether `when` reads the step's own loop names, so that it is judged for each item.
  package let judgesEachItem: Bool
  /// - Parameter values: Empty if the step is not a `values` step.
  init(
    step: Step, reads: [Read], sharedReads: [Read], values: ValuesPlan, remainingPath: Int,
    declared: [Int], inner: BlockPlan?, callee: Plan?
  ) {
    self.step = step
    if case .request(let request) = step.action {
      self.request = RequestPlan(request, step.expect)
    } else {
      self.request = nil
    }
    self.reads = reads
    self.sharedReads = sharedReads
    self.remainingPath = remainingPath
    self.declared = declared
    self.inner = inner
    self.callee = callee
    var collector = UseCollector()
    if let when = step.when { collector.add(when) }
    loopNames = step.forEach.flatMap { iteration in
      iteration.itemName.map { ($0, iteration.indexName?.value) }
    }
    let names = [loopNames?.item, loopNames?.index].compactMap(\.self)
    judgesEachItem = collector.uses.contains { use in
      use.query.firstNames.contains { names.contains($0) }
    }
    if case .values = step.action { self.values = values } else { self.values = nil }
    isPlainValues = step.isPlainValues
  }
}

/// The request of a step of a plan.
package final class RequestPlan: Sendable {
  package let request: Request
  /// Whether the step needs the content of the response, as JSON or as text. Status, header fields
  /// and raw bytes do not count.
  package let readsContent: Bool
  /// Whether the step needs the whole body in any form.
  package let wantsBody: Bool
  /// Whether a value that the step extracts is secret.
  package let hasSecretExtractors: Bool
  /// The look-up that settles the request, as a step that nothing else knows.
  package let lookUp: StepPlan?

  init(_ request: Request, _ expectation: Expectation) {
    self.request = request
    hasSecretExtractors = request.extract.contains { $0.isSecret }
    lookUp = request.settle.map { settle in
      StepPlan(
        step: settle.step, reads: [], sharedReads: [], values: ValuesPlan(members: []),
        remainingPath: 0, declared: [], inner: nil, callee: nil)
    }
    var readsContent =
      request.paginate != nil || request.poll != nil || request.retry.when != nil
      || request.read != nil
      || expectation.schema != nil
      || !expectation.checks.isEmpty
    var readsText = false
    if case .graphQL? = request.body?.content { readsContent = true }
    for extractor in request.extract {
      switch extractor.source {
      case .body, .value: readsContent = true
      case .text: readsText = true
      case .header, .headers, .cookie, .status, .url: break
      }
    }
    self.readsContent = readsContent
    wantsBody = readsContent || readsText || request.save != nil
  }
}

/// A name that a step reads.
package struct Read: Sendable {
  package let name: String
  package let definition: Definition
  /// Whether a use needs the value. If not, all of them only wait for it.
  package let isNeeded: Bool

  package init(name: String, definition: Definition, isNeeded: Bool) {
    self.name = name
    self.definition = definition
    self.isNeeded = isNeeded
  }

  /// Whether it is the item of the step itself, or its number.
  fileprivate var isOwnLoopName: Bool {
    switch definition {
    case .item(level: 0), .itemIndex(level: 0), .carried(level: 0, _): true
    default: false
    }
  }

  /// Each name once, in the order of first use.
  static func gather(_ uses: [ResolvedUse]) -> [Read] {
    var reads: [Read] = []
    var position: [String: Int] = [:]
    for resolved in uses {
      guard let definition = resolved.definition else { continue }
      let isNeeded = resolved.use.mode == .needs
      if let known = position[resolved.name] {
        if isNeeded, !reads[known].isNeeded {
          reads[known] = Read(name: resolved.name, definition: definition, isNeeded: true)
        }
      } else {
        position[resolved.name] = reads.count
        reads.append(Read(name: resolved.name, definition: definition, isNeeded: isNeeded))
      }
    }
    return reads
  }
}
