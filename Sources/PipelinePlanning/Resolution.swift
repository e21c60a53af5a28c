import PipelineJSONPaths
package import PipelineLanguage

/// A block with every use of its scope looked up, and the graph that follows from them.
///
/// Lint judges it, and the plan is built from it, so both agree on all reads. By reference: a step
/// that is a block holds one.
package final class Resolution: Sendable {
  package let block: Block
  package let graph: Graph
  /// For each step, the `finally` steps after the others.
  package let steps: [StepResolution]
  /// The reads of the block's outputs.
  package let outputUses: [ResolvedUse]
  /// The reads of the values that are carried on: to the next run, or to the next round.
  package let nextUses: [ResolvedUse]
  /// The reads after the steps have ended: by the outputs, then by the values that are carried on.
  package var endUses: [ResolvedUse] { nextUses.isEmpty ? outputUses : outputUses + nextUses }
  /// The reads from outside of the block, as seen from the block around it.
  fileprivate let outerUses: [Outer]
  private let resolver: Resolver

  fileprivate typealias Outer = (use: Use, definition: Definition)

  /// A step's part of a resolution.
  package struct StepResolution: Sendable {
    package let step: Step
    /// The reads of the step itself, in the order written.
    package let uses: [ResolvedUse]
    /// The steps inside it, if it is a block.
    package let inner: Resolution?
  }

  /// Resolves a whole file.
  ///
  /// - Complexity: O(size of the workflow).
  package static func of(_ workflow: Workflow) -> Resolution {
    Resolver(
      block: workflow.block, scope: NameScope().entering(workflow.block, of: nil, in: nil)
    ).resolution
  }

  fileprivate init(
    _ resolver: Resolver, graph: Graph, steps: [StepResolution], outputUses: [ResolvedUse],
    nextUses: [ResolvedUse], outerUses: [Outer]
  ) {
    self.resolver = resolver
    self.block = resolver.block
    self.graph = graph
    self.steps = steps
    self.outputUses = outputUses
    self.nextUses = nextUses
    self.outerUses = outerUses
  }

  /// The number of the block's step that has this id.
  package func step(named id: String) -> Int? { resolver.scope.step(named: id) }

  /// Every edge of the graph and its cause, in the order of the later step, then as written.
  ///
  /// - Complexity: O(size of the block).
  package var edges: [Graph.Edge] { steps.indices.flatMap { edges(to: $0) } }

  /// The edges that lead to a step, as written.
  package func edges(to number: Int) -> [Graph.Edge] {
    var edges: [Graph.Edge] = []
    resolver.forEachEdge(to: number, steps[number]) { from, reason in
      edges.append(Graph.Edge(from: from, to: number, reason: reason()))
    }
    return edges
  }

  /// The steps that wait for each other in a circle.
  package var cycles: [Graph.Cycle] { graph.cycles(of: edges) }
}

/// Looks up the reads of one block and of its inner blocks.
private struct Resolver {
  let block: Block
  /// The scope inside the block.
  let scope: NameScope

  var resolution: Resolution {
    let written = block.finally.isEmpty ? block.steps : block.steps + block.finally
    let steps = mapInStretches(upTo: written.count) { resolve(written[$0], $0) }
    let links = inStretches(upTo: steps.count) { numbers in
      var links: [Graph.Link] = []
      links.reserveCapacity(2 * numbers.count)
      for number in numbers {
        forEachEdge(to: number, steps[number]) { from, _ in links.append((from, number)) }
      }
      return links
    }
    var outputUses: [ResolvedUse] = []
    for use in block.outputUses { resolve(use, at: nil, in: nil, into: &outputUses) }
    var nextUses: [ResolvedUse] = []
    for use in block.nextUses { resolve(use, at: nil, in: nil, into: &nextUses) }
    return Resolution(
      self, graph: Graph(stepCount: steps.count, links: joined(links)), steps: steps,
      outputUses: outputUses, nextUses: nextUses,
      outerUses: outerUses(of: steps, outputUses + nextUses))
  }

  private func resolve(_ step: Step, _ number: Int) -> Resolution.StepResolution {
    var uses: [ResolvedUse] = []
    uses.reserveCapacity(step.uses.count + step.iterationUses.count)
    // `forEach` itself is read before there is an item.
    for use in step.iterationUses { resolve(use, at: number, in: nil, into: &uses) }
    let pages = step.pageValues
    for use in step.uses { resolve(use, at: number, in: step.forEach, pages, into: &uses) }
    var inner: Resolution?
    if case .block(let block) = step.action {
      let scope = scope.entering(block, of: step.forEach, in: number)
      inner = Resolver(block: block, scope: scope).resolution
    }
    return Resolution.StepResolution(step: step, uses: uses, inner: inner)
  }

  private func resolve(
    _ use: Use, at step: Int?, in iteration: Iteration?, _ pages: [PageValue] = [],
    into uses: inout [ResolvedUse]
  ) {
    func add(_ name: String) {
      let outcome = scope.resolve(name, at: step, in: iteration, pages: pages)
      uses.append(ResolvedUse(use: use, name: name, outcome: outcome))
    }
    if let name = use.query.firstName {
      add(name)
    } else {
      use.query.firstNames.forEach(add)
    }
  }

  /// Calls `body` with each dependency of step `number` and its cause: a read of an inner step, a
  /// read of its own, or a name in `dependsOn`.
  func forEachEdge(
    to number: Int, _ part: Resolution.StepResolution,
    _ body: (_ from: Int, _ reason: @autoclosure () -> Graph.Reason) -> Void
  ) {
    for (use, definition) in part.inner?.outerUses ?? [] {
      if case .step(level: 0, let from) = definition { body(from, .use(use)) }
    }
    for use in part.uses {
      if case .found(.step(level: 0, let from)) = use.outcome { body(from, .use(use.use)) }
    }
    for name in part.step.dependsOn {
      if let from = scope.step(named: name.value), from != number { body(from, .declared(name)) }
    }
    if block.order == .listed, number > 0, number != block.steps.count {
      body(number - 1, .listed)
    }
  }

  /// Reads of steps and outputs from outside of the block. The file's block has none.
  private func outerUses(
    of steps: [Resolution.StepResolution], _ endUses: [ResolvedUse]
  ) -> [Resolution.Outer] {
    if scope.isOutermost { return [] }
    var outer: [Resolution.Outer] = []
    func add(_ use: Use, _ definition: Definition?) {
      if let seen = definition?.fromOutside { outer.append((use, seen)) }
    }
    for part in steps {
      for (use, definition) in part.inner?.outerUses ?? [] { add(use, definition) }
      for use in part.uses { add(use.use, use.definition) }
    }
    for use in endUses { add(use.use, use.definition) }
    return outer
  }
}
