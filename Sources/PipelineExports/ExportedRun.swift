internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

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
    /// The maximum number of shards; `nil` if the step is carried out as a whole.
    let shards: Int?
  }

  /// For people.
  let name: String
  let description: String?
  /// Each after all that it follows.
  let parts: [Part]
  /// The steps that no other follows: when they have ended, all have.
  let last: Set<String>
  /// The inputs that a person or an engine gives.
  let inputs: [Input]
  /// The inputs that must not be written down.
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
    keepsState = workflow.keepsStateOrColumns
    savesFiles = root.savesFiles

    let inFlight = workflow.requestsInFlight
    let order = root.graph.topologicalOrder.filter { $0 < root.mainCount }
    last = Set(
      order.filter { step in !root.graph.followers[step].contains { $0 < root.mainCount } }
        .map { root.steps[$0].step.id.value })
    parts = order.map { number in
      let step = root.steps[number].step
      let shards = step.forEach.map { iteration in
        // More shards than requests in flight would wait for each other.
        let bound = min(inFlight, iteration.concurrency?.value ?? .max)
        return max(min(maximumShards, bound), 1)
      }
      return Part(
        step: step.id.value, meaning: StepMeaning(step).text,
        follows: root.graph.dependencies[number].map { root.steps[$0].step.id.value },
        shards: shards == 1 ? nil : shards)
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

extension Workflow {
  /// The maximum number of requests in flight that the author set.
  fileprivate var requestsInFlight: Int {
    let count = limitNames.contains("concurrency") ? limits.concurrency : .max
    return min(count, limits.perOrigin ?? .max)
  }
}
