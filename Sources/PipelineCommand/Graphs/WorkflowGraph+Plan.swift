internal import PipelineByteText
internal import PipelineDrawings
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineTemplates

// A workflow as it is written, for drawings.
extension WorkflowGraph {
  init(_ plan: Plan) { self.init(plan, Resolution.of(plan.workflow)) }

  /// - Parameter resolution: The plan's workflow, resolved.
  init(_ plan: Plan, _ resolution: Resolution) {
    self.init(plan.root, resolution, prefix: "")
  }

  private init(_ block: BlockPlan, _ resolution: Resolution, prefix: String) {
    self.init()
    for (number, step) in block.steps.enumerated() {
      nodes.append(
        Self.node(
          step, resolution.steps[number].inner, prefix: prefix,
          isFinally: number >= block.mainCount))
    }
    var numbers: [[Int]: Int] = [:]
    for edge in resolution.edges {
      let reason = Self.reason(edge.reason)
      if let number = numbers[[edge.from, edge.to]] {
        if !edges[number].reasons.contains(reason) { edges[number].reasons.append(reason) }
      } else {
        numbers[[edge.from, edge.to]] = edges.count
        edges.append(Edge(from: edge.from, to: edge.to, reasons: [reason]))
      }
    }
    markImplied()
  }

  static func reason(_ reason: Graph.Reason) -> String {
    switch reason {
    case .use(let use):
      use.query.text.hasPrefix(bytes: "$.")
        ? String(use.query.text.dropFirst(bytes: 2)) : use.query.text
    case .declared: "dependsOn"
    case .listed: "listed"
    }
  }

  // MARK: Steps

  private static func node(
    _ plan: StepPlan, _ inner: Resolution?, prefix: String, isFinally: Bool
  ) -> Node {
    let step = plan.step
    // A branch has a number for a name.
    let name = step.pathID
    var node = Node(
      path: prefix + name, name: step.branch.map { "branch \($0)" } ?? name, kind: .wait,
      isFinally: isFinally, description: step.description)
    switch step.action {
    case .request(let request):
      node.kind = .request
      node.method = request.shownMethod
      let endpoint = request.endpoint.value
      node.action = String(
        decoding: Array(endpoint.text.utf8)[endpoint.urlRange], as: UTF8.self)
    case .call(let call):
      node.kind = .call
      node.action = call.path.value
    case .block(let written):
      node.kind = written.isChoice ? .choose : .block
      if written.isChoice { node.action = "choose" }
      if let block = plan.inner, let inner {
        node.inner = WorkflowGraph(block, inner, prefix: prefix + name + ".")
      }
    case .fail(let failure):
      node.kind = .fail
      node.action = "fail: " + failure.message.value.text
    case .values(let fields):
      node.kind = .values
      node.action = fields.map(\.name).joined(separator: ", ")
    case .say(let text): node.action = "say: " + text.value.text
    case .ask(let question): node.action = "ask: " + question.text.value.text
    case .wait(let duration):
      node.action = "wait " + (duration.node.string ?? "")
    }
    node.collection = step.forEach.map { iteration in
      (iteration.rounds == nil ? "each of " : "") + collection(iteration)
    }
    node.condition = step.when?.node.string
    if step.branch != nil, step.when == nil { node.condition = "no other holds" }
    return node
  }

  /// The collection of a step, in a few words.
  static func collection(_ iteration: Iteration) -> String {
    switch iteration.source.value {
    case .query(let query): query.value.text
    case .list(let list): list.shortForm ?? list.node.count.counting("item")
    case .windows(let windows):
      ["from", "to"].map { windows.node[$0].map { $0.string ?? $0.text } ?? "" }
        .joined(separator: " … ") + " by " + (windows.node["by"]?.string ?? "")
    case .rounds(let rounds): "at most " + rounds.maxRounds.counting("round")
    case .range(let from, let to, let by):
      [from, to].map { Self.text($0) }.joined(separator: " … ")
        + (by.map { " by " + Self.text($0) } ?? "")
    }
  }

  private static func text(_ data: DataTemplate) -> String { data.node.string ?? data.node.text }
}
