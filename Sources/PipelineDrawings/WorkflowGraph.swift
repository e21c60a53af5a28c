/// The content of a drawing: the steps of a workflow or of a run and their dependencies, block
/// within block.
package struct WorkflowGraph: Sendable {
  package struct Node: Sendable {
    package enum Kind: String, Sendable {
      case request, values, wait, call, block, choose, fail
    }

    /// How a step of a run ended, as the classes of the style sheet have it.
    package enum Outcome: String, Sendable {
      case ok, bad, warn, idle
    }

    /// Unique in the whole graph: `block.step`.
    package var path: String
    package var name: String
    package var kind: Kind
    /// The method of a request.
    package var method: String?
    /// The step's action, in a few words: a URL, a duration, a file.
    package var action: String
    /// The collection that the step runs over: `each of $.list.ids`, `at most 9 rounds`.
    package var collection: String?
    package var condition: String?
    package var isFinally: Bool
    package var description: String?
    /// The steps inside a block.
    package var inner: WorkflowGraph?
    /// `nil` if it is drawn as it is written, and not as it was run.
    package var outcome: Outcome?
    /// Where its box leads; `nil` if nowhere.
    package var link: String?

    package init(
      path: String, name: String, kind: Kind, action: String = "", isFinally: Bool = false,
      description: String? = nil
    ) {
      self.path = path
      self.name = name
      self.kind = kind
      self.action = action
      self.isFinally = isFinally
      self.description = description
    }
  }

  package struct Edge: Sendable {
    package var from: Int
    package var to: Int
    /// The causes of the edge: the references, `dependsOn`, `listed`.
    package var reasons: [String]
    /// Whether the steps would be in this order without the edge, too.
    package var isImplied = false
    /// Whether a run waited along it.
    package var isCritical = false

    package init(from: Int, to: Int, reasons: [String]) {
      self.from = from
      self.to = to
      self.reasons = reasons
    }
  }

  package var nodes: [Node] = []
  package var edges: [Edge] = []

  package init() {}

  /// The number of steps, as a run counts them: a block is one.
  package var stepCount: Int { nodes.count }

  /// For each step the longest chain of steps before it, from 0; `finally` steps come last.
  package var stages: [Int] {
    LayeredLayout.stages(
      nodes.map(\.isFinally), edges.map { LayeredLayout.Edge(from: $0.from, to: $0.to) })
  }

  /// Removes the edges of circles, which no workflow has, but a file of events may.
  package mutating func removeCircles() {
    let order = order
    let isKnown = Set(order)
    edges.removeAll { !isKnown.contains($0.from) || !isKnown.contains($0.to) }
  }

  /// Marks the edges that a longer way implies. O(steps · edges), and so left out of large blocks.
  package mutating func markImplied() {
    guard nodes.count * edges.count <= 4_000_000 else { return }
    let leaving = leaving
    let order = order
    // The length of the longest way from one step to each other.
    for from in nodes.indices where leaving[from].count > 1 {
      var length = [Int](repeating: -1, count: nodes.count)
      length[from] = 0
      for step in order where length[step] >= 0 {
        for number in leaving[step] {
          let next = edges[number].to
          length[next] = max(length[next], length[step] + 1)
        }
      }
      for number in leaving[from] { edges[number].isImplied = length[edges[number].to] > 1 }
    }
  }

  /// The edges that leave each step.
  private var leaving: [[Int]] {
    var leaving = [[Int]](repeating: [], count: nodes.count)
    for (number, edge) in edges.enumerated() { leaving[edge.from].append(number) }
    return leaving
  }

  /// The steps, each after all that it follows. Those in a circle, and behind one, are missing.
  private var order: [Int] {
    let leaving = leaving
    var waiting = [Int](repeating: 0, count: nodes.count)
    for edge in edges { waiting[edge.to] += 1 }
    var order = nodes.indices.filter { waiting[$0] == 0 }
    var next = 0
    while next < order.count {
      for number in leaving[order[next]] {
        waiting[edges[number].to] -= 1
        if waiting[edges[number].to] == 0 { order.append(edges[number].to) }
      }
      next += 1
    }
    return order
  }
}
