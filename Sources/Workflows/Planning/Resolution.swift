import JSONPaths

/// A block with every use of its scope looked up, and the graph that follows from them.
///
/// Lint judges it, and the plan is made of it, so both agree on what reads what.
public struct Resolution: Sendable {
  public let block: Block
  public let graph: Graph
  /// For each step, the `finally` steps after the others.
  public let steps: [StepResolution]
  /// What the block's outputs read.
  public let outputUses: [ResolvedUse]
  /// The names visible to the block's steps, their own loop names aside, for proposals.
  public let visibleNames: [String]

  /// A step's part of a resolution.
  public struct StepResolution: Sendable {
    public let step: Step
    /// What the step itself reads, in the order written.
    public let uses: [ResolvedUse]
    /// The steps inside of it, where it is a block.
    public let inner: Resolution?
  }

  /// Resolves a whole file.
  ///
  /// - Complexity: O(size of the workflow).
  public init(_ workflow: Workflow) {
    var resolver = Resolver()
    self = resolver.resolve(workflow.block, in: NameScope().entering(workflow.block, of: nil))
  }

  init(
    block: Block, graph: Graph, steps: [StepResolution], outputUses: [ResolvedUse],
    visibleNames: [String]
  ) {
    self.block = block
    self.graph = graph
    self.steps = steps
    self.outputUses = outputUses
    self.visibleNames = visibleNames
  }
}

/// Walks the blocks of a workflow, innermost edges first.
private struct Resolver {
  /// Uses of outer steps that the block just resolved has, seen from the block around it.
  private var escaping: [(use: Use, definition: Definition)] = []

  mutating func resolve(_ block: Block, in scope: NameScope) -> Resolution {
    var scope = scope
    var edges: [Graph.Edge] = []
    var resolutions: [Resolution.StepResolution] = []
    var outer: [(use: Use, definition: Definition)] = []
    let steps = block.steps + block.finally
    let numbers = Dictionary(
      steps.enumerated().map { ($1.id.value, $0) }, uniquingKeysWith: { first, _ in first })
    for (number, step) in steps.enumerated() {
      scope.stand(at: number)
      // `forEach` itself is read before there is an item.
      let own = step.uses
      var uses: [ResolvedUse] = []
      uses.reserveCapacity(own.count + 1)
      if step.forEach != nil {
        for use in step.iterationUses { resolve(use, in: scope, of: nil, into: &uses) }
      }
      for use in own { resolve(use, in: scope, of: step.forEach, into: &uses) }
      var inner: Resolution?
      if case .block(let block) = step.action {
        inner = resolve(block, in: scope.entering(block, of: step.forEach))
        for (use, definition) in escaping { note(use, definition, number, &edges, &outer) }
      }
      for use in uses {
        if let definition = use.definition { note(use.use, definition, number, &edges, &outer) }
      }
      for name in step.dependsOn {
        if let from = numbers[name.value], from != number {
          edges.append(Graph.Edge(from: from, to: number, reason: .declared(name)))
        }
      }
      if block.order == .listed, number > 0, number != block.steps.count {
        edges.append(Graph.Edge(from: number - 1, to: number, reason: .listed))
      }
      resolutions.append(Resolution.StepResolution(step: step, uses: uses, inner: inner))
    }
    scope.stand(at: nil)
    var outputUses: [ResolvedUse] = []
    for use in block.outputUses { resolve(use, in: scope, of: nil, into: &outputUses) }
    for use in outputUses {
      if case .found(let definition) = use.outcome, let seen = definition.fromOutside {
        outer.append((use.use, seen))
      }
    }
    escaping = outer
    return Resolution(
      block: block, graph: Graph(stepCount: steps.count, edges: edges), steps: resolutions,
      outputUses: outputUses, visibleNames: scope.visibleNames(in: nil))
  }

  private func resolve(
    _ use: Use, in scope: NameScope, of iteration: Iteration?, into uses: inout [ResolvedUse]
  ) {
    for name in use.query.firstNames {
      uses.append(ResolvedUse(use: use, name: name, outcome: scope.resolve(name, in: iteration)))
    }
  }

  /// Records what step `number` reads: an edge in this block, or a use that leaves it.
  private func note(
    _ use: Use, _ definition: Definition, _ number: Int, _ edges: inout [Graph.Edge],
    _ outer: inout [(use: Use, definition: Definition)]
  ) {
    if case .step(level: 0, let from) = definition {
      edges.append(Graph.Edge(from: from, to: number, reason: .use(use)))
    } else if let seen = definition.fromOutside {
      outer.append((use, seen))
    }
  }
}
