internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineWorkflows

/// The facts about a workflow that an engine needs: its parts, their dependencies, and its inputs.
struct ExportedRun: Sendable {
  /// A step of the file, which one process or several shards carry out.
  struct Part: Sendable {
    /// The step's id: letters, digits and `_`.
    let step: String
    /// The step's action, in a line.
    let meaning: String
    /// The steps that must have ended.
    let follows: [String]
    /// The maximum number of shards; `nil`: the step is carried out as a whole.
    let shards: Int?
    /// At most this many parts are at work at the same time as this one, itself included. Each
    /// takes this share of the workflow's limits.
    let contenders: Int
  }

  /// For people.
  let name: String
  let description: String?
  /// Each after all that it follows.
  let parts: [Part]
  /// The steps that no other follows: when they have ended, all have.
  let last: Set<String>
  /// Those that a person or an engine gives.
  let inputs: [Input]
  /// Those that may not be written down.
  let secrets: [Input]
  let environments: [String]
  let defaultEnvironment: String?
  let keepsState: Bool
  /// Whether a step writes files.
  let savesFiles: Bool

  init(_ plan: Plan, maximumShards: Int) {
    let workflow = plan.workflow
    let root = plan.root
    name = workflow.name
    description = workflow.description
    inputs = workflow.inputs.filter { !$0.isSecret }
    secrets = workflow.inputs.filter(\.isSecret)
    environments = workflow.environments.map(\.name.value)
    defaultEnvironment = workflow.defaultEnvironment?.value
    keepsState = !workflow.state.isEmpty
    savesFiles = root.savesFiles

    let limits = LimitsToShare(workflow)
    let contention = limits.isEmpty ? nil : Contention(root)
    let order = root.graph.topologicalOrder.filter { $0 < root.mainCount }
    last = Set(
      order.filter { step in !root.graph.followers[step].contains { $0 < root.mainCount } }
        .map { root.steps[$0].step.id.value })
    parts = order.map { number in
      let step = root.steps[number].step
      let contenders = contention?.count(of: number) ?? 1
      let shards = step.forEach.map { iteration in
        // Each shard has at least one request in flight, so more shards would break the limit.
        let bound = min(limits.inFlight / contenders, iteration.concurrency?.value ?? .max)
        return max(min(maximumShards, bound), 1)
      }
      return Part(
        step: step.id.value, meaning: StepMeaning(step).text,
        follows: root.graph.dependencies[number].map { root.steps[$0].step.id.value },
        shards: shards == 1 ? nil : shards, contenders: contenders)
    }
  }
}

extension BlockPlan {
  /// Whether a step writes a body to a file, also in blocks and called files.
  fileprivate var savesFiles: Bool {
    steps.contains { step in
      step.request?.request.save != nil || (step.inner ?? step.callee?.root)?.savesFiles == true
    }
  }
}

/// The limits that a workflow's author set, and that the parts of a run have to share.
private struct LimitsToShare {
  let isEmpty: Bool
  /// The maximum number of requests in flight.
  let inFlight: Int

  private static let shared: Set<String> = [
    "concurrency", "perOrigin", "rate", "ratePerOrigin", "requests", "items",
  ]

  init(_ workflow: Workflow) {
    let names = workflow.limitNames.intersection(Self.shared)
    isEmpty = names.isEmpty
    var inFlight = Int.max
    if names.contains("concurrency") { inFlight = workflow.limits.concurrency }
    if let count = workflow.limits.perOrigin { inFlight = min(inFlight, count) }
    self.inFlight = inFlight
  }
}

/// Which steps of a block may be at work at the same time.
struct Contention {
  private let root: BlockPlan
  /// For each step, the steps that end before it, as bits; none if the block has very many steps.
  private let earlier: [[UInt64]]
  /// How many steps send something.
  private let senders: Int

  /// Up to so many steps are compared with each other, which takes the cube of their number.
  private static let limit = 300

  init(_ root: BlockPlan) {
    self.root = root
    senders = root.steps.prefix(root.mainCount).count { Self.sends($0) }
    guard root.steps.count <= Self.limit else {
      earlier = []
      return
    }
    let words = (root.steps.count + 63) / 64
    var earlier = [[UInt64]](
      repeating: [UInt64](repeating: 0, count: words), count: root.steps.count)
    for step in root.graph.topologicalOrder {
      for dependency in root.graph.dependencies[step] {
        for word in 0..<words { earlier[step][word] |= earlier[dependency][word] }
        earlier[step][dependency / 64] |= 1 << UInt64(dependency % 64)
      }
    }
    self.earlier = earlier
  }

  /// The maximum number of sending steps at work together with `step`, itself included.
  ///
  /// The steps beside it are put into chains. Each step of a chain follows the one before it. No
  /// two of a chain are at work at once, so the number of chains is a bound. With very many steps,
  /// the number of all is the bound.
  func count(of step: Int) -> Int {
    guard Self.sends(root.steps[step]) else { return 1 }
    guard !earlier.isEmpty else { return senders }
    var ends: [Int] = []
    for other in root.graph.topologicalOrder where other < root.mainCount && other != step {
      guard Self.sends(root.steps[other]), !isEarlier(other, than: step),
        !isEarlier(step, than: other)
      else {
        continue
      }
      if let chain = ends.firstIndex(where: { isEarlier($0, than: other) }) {
        ends[chain] = other
      } else {
        ends.append(other)
      }
    }
    return 1 + ends.count
  }

  private func isEarlier(_ step: Int, than other: Int) -> Bool {
    earlier[other][step / 64] >> UInt64(step % 64) & 1 == 1
  }

  private static func sends(_ step: StepPlan) -> Bool {
    switch step.step.action {
    case .values, .wait, .fail: false
    case .request, .call, .block: true
    }
  }
}
