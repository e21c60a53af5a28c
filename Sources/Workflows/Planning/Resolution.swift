import JSONPaths

/// A block with every use of its scope looked up, and the graph that follows from them.
///
/// Lint judges it, and the plan is made of it, so both agree on what reads what. By reference: a step
/// that is a block holds one.
public final class Resolution: Sendable {
  public let block: Block
  public let graph: Graph
  /// For each step, the `finally` steps after the others.
  public let steps: [StepResolution]
  /// What the block's outputs read.
  public let outputUses: [ResolvedUse]
  private let scope: NameScope

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
  public static func of(_ workflow: Workflow) -> Resolution {
    Resolver(block: workflow.block, scope: NameScope().entering(workflow.block, of: nil))
      .resolution.value
  }

  fileprivate init(
    block: Block, graph: Graph, steps: [StepResolution], outputUses: [ResolvedUse],
    scope: NameScope
  ) {
    self.block = block
    self.graph = graph
    self.steps = steps
    self.outputUses = outputUses
    self.scope = scope
  }

  /// The number of the block's step that has this id.
  func step(named id: String) -> Int? { scope.step(named: id) }
}

/// Looks up what one block reads, and what the blocks inside of it read.
private struct Resolver {
  let block: Block
  /// The scope inside of the block.
  let scope: NameScope

  /// What is read of outside of a block, as seen from the block around it.
  typealias Outer = (use: Use, definition: Definition)

  /// What is found out of a stretch of the steps.
  private struct Found: Sendable {
    var steps: [Resolution.StepResolution] = []
    var edges: [Graph.Edge] = []
    var outer: [Outer] = []
  }

  /// The block's resolution, and what of it is read outside.
  var resolution: (value: Resolution, outer: [Outer]) {
    let steps = block.steps + block.finally
    let found = inStretches(upTo: steps.count) { numbers in
      var found = Found()
      found.steps.reserveCapacity(numbers.count)
      found.edges.reserveCapacity(2 * numbers.count)
      var scope = scope
      for number in numbers {
        scope.stand(at: number)
        resolve(steps[number], number, in: scope, &found)
      }
      return found
    }
    var outputUses: [ResolvedUse] = []
    for use in block.outputUses { resolve(use, in: scope, of: nil, into: &outputUses) }
    let fromOutputs = outputUses.compactMap { use -> Outer? in
      use.definition?.fromOutside.map { (use.use, $0) }
    }
    let graph = Graph(stepCount: steps.count, edges: joined(found.map(\.edges)))
    return (
      Resolution(
        block: block, graph: graph, steps: joined(found.map(\.steps)), outputUses: outputUses,
        scope: scope), found.flatMap(\.outer) + fromOutputs
    )
  }

  private func resolve(
    _ step: Step, _ number: Int, in scope: NameScope, _ found: inout Found
  ) {
    var uses: [ResolvedUse] = []
    uses.reserveCapacity(step.uses.count + step.iterationUses.count)
    // `forEach` itself is read before there is an item.
    for use in step.iterationUses { resolve(use, in: scope, of: nil, into: &uses) }
    for use in step.uses { resolve(use, in: scope, of: step.forEach, into: &uses) }
    var inner: Resolution?
    if case .block(let block) = step.action {
      let resolver = Resolver(block: block, scope: scope.entering(block, of: step.forEach))
      let (resolution, outer) = resolver.resolution
      inner = resolution
      for (use, definition) in outer { note(use, definition, number, &found) }
    }
    for use in uses {
      if let definition = use.definition { note(use.use, definition, number, &found) }
    }
    for name in step.dependsOn {
      if let from = scope.step(named: name.value), from != number {
        found.edges.append(Graph.Edge(from: from, to: number, reason: .declared(name)))
      }
    }
    if block.order == .listed, number > 0, number != block.steps.count {
      found.edges.append(Graph.Edge(from: number - 1, to: number, reason: .listed))
    }
    found.steps.append(Resolution.StepResolution(step: step, uses: uses, inner: inner))
  }

  private func resolve(
    _ use: Use, in scope: NameScope, of iteration: Iteration?, into uses: inout [ResolvedUse]
  ) {
    func add(_ name: String) {
      uses.append(ResolvedUse(use: use, name: name, outcome: scope.resolve(name, in: iteration)))
    }
    if let name = use.query.firstName {
      add(name)
    } else {
      use.query.firstNames.forEach(add)
    }
  }

  /// Records what step `number` reads: an edge in this block, or a use that leaves it.
  private func note(
    _ use: Use, _ definition: Definition, _ number: Int, _ found: inout Found
  ) {
    if case .step(level: 0, let from) = definition {
      found.edges.append(Graph.Edge(from: from, to: number, reason: .use(use)))
    } else if let seen = definition.fromOutside {
      found.outer.append((use, seen))
    }
  }
}
