internal import PipelineByteText
internal import PipelineDrawings

// The steps and their dependencies, with their outcomes: the drawing that the page and the graph
// page have, too.
extension HTMLReport {
  mutating func graph() {
    let top = trace.steps.indices.filter { trace.steps[$0].parent == nil }
    guard trace.steps.contains(where: { !$0.after.isEmpty }), trace.steps.count > 1 else { return }
    // What is inside of blocks is left out of a large drawing.
    let hasInner = trace.steps.count <= Most.graphSteps
    guard top.count <= Most.graphSteps, hasInner || top.count > 1 else { return }
    let graph = graph(of: top, prefix: "", hasInner: hasInner)
    section(
      "graph", "Graph",
      "Each step follows those that lead to it. Heavy lines are the critical path, faint ones an"
        + " order that others imply.")
    beginScroll()
    html +=
      GraphSVG(
        picture: .fitting(graph), title: "The graph of the steps", isStyled: false
      ).text + "</div>\n</section>\n"
  }

  private func graph(of steps: [Int], prefix: String, hasInner: Bool) -> WorkflowGraph {
    var graph = WorkflowGraph()
    for step in steps { graph.nodes.append(node(of: step, hasInner: hasInner)) }
    let critical = criticalEdges
    for (to, step) in steps.enumerated() {
      for id in trace.steps[step].after {
        let from = steps.firstIndex { trace.steps[$0].id.equals(bytes: prefix + id) }
        guard let from, from != to, !graph.edges.contains(where: { $0.from == from && $0.to == to })
        else { continue }
        var edge = WorkflowGraph.Edge(from: from, to: to, reasons: [])
        edge.isCritical = critical.contains([steps[from], step])
        graph.edges.append(edge)
      }
    }
    graph.removeCircles()
    graph.markImplied()
    return graph
  }

  private func node(of number: Int, hasInner: Bool) -> WorkflowGraph.Node {
    let step = trace.steps[number]
    var words = [step.start == nil ? "" : step.time.timeText]
    switch step.outcome {
    case .succeeded: break
    case .none: words.insert("not begun", at: 0)
    default: words.insert(step.outcome.rawValue, at: 0)
    }
    var node = WorkflowGraph.Node(
      path: step.id, name: name(of: step),
      kind: WorkflowGraph.Node.Kind(rawValue: step.action) ?? .request,
      action: words.filter { !$0.isEmpty }.joined(separator: " · "), isFinally: step.isFinally)
    node.collection = step.itemsText
    node.outcome = WorkflowGraph.Node.Outcome(rawValue: Self.className(step.outcome.rawValue))
    node.link = "#s\(number)"
    let inner = trace.steps.indices.filter { trace.steps[$0].parent == number }
    if hasInner, !inner.isEmpty {
      node.inner = graph(of: inner, prefix: step.id + ".", hasInner: hasInner)
    }
    return node
  }

  /// The pairs of steps of one block that follow each other on the critical path.
  private var criticalEdges: Set<[Int]> {
    func chain(_ step: Int) -> [Int] {
      var chain = [step]
      while let parent = trace.steps[chain[0]].parent, chain.count < 32 {
        chain.insert(parent, at: 0)
      }
      return chain
    }
    var edges: Set<[Int]> = []
    var last: [Int] = []
    for step in trace.path.compactMap(\.step) {
      let next = chain(step)
      if let (from, to) = zip(last, next).first(where: { $0 != $1 }) { edges.insert([from, to]) }
      last = next
    }
    return edges
  }
}
