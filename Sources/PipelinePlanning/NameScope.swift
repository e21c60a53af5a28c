package import PipelineLanguage

/// The names that are visible at one place of a workflow, innermost first.
struct NameScope: Sendable {
  /// The steps of one block, and the loop names of the step that holds it.
  private struct Layer: Sendable {
    let steps: [String: Int]
    /// Steps from this number on are `finally` steps.
    let mainCount: Int
    let iteration: Iteration?
    /// The step that contains the block, in the block around; `nil` if the block is the file's.
    let holder: Int?
  }

  /// Outermost first.
  private var layers: [Layer] = []
  /// Whether the file keeps state.
  private(set) var hasState = false

  /// The scope inside a block, which a step with loop names holds or which is the whole file.
  func entering(_ block: Block, of iteration: Iteration?, in holder: Int?) -> NameScope {
    var steps: [String: Int] = [:]
    steps.reserveCapacity(block.steps.count + block.finally.count)
    // The branches of a choice have no names, and the step around has its own.
    for (list, first) in [(block.steps, 0), (block.finally, block.steps.count)]
    where !block.isChoice {
      let numbered = list.lazy.enumerated().map { ($1.id.value, first + $0) }
      steps.merge(numbered, uniquingKeysWith: { first, _ in first })
    }
    var scope = self
    // Only the block of a file says so, and its inner blocks inherit it.
    scope.hasState = hasState || block.keepsState
    scope.layers.append(
      Layer(
        steps: steps, mainCount: block.steps.count, iteration: iteration, holder: holder))
    return scope
  }

  /// Whether the innermost block is the file's.
  var isOutermost: Bool { layers.count == 1 }

  /// The number of the innermost block's step of this name.
  func step(named name: String) -> Int? { layers.last?.steps[name] }

  /// The meaning of `name` in a step of the innermost block, whose loop is `iteration`. Without a
  /// step, in the block's outputs.
  ///
  /// - Parameter pages: The values that pages of the step's request hand on.
  func resolve(
    _ name: String, at step: Int?, in iteration: Iteration?, pages: [PageValue] = []
  ) -> ResolvedUse.Outcome {
    // No step, item or index may have this name. A second finding would only follow from the first.
    if name == "inputs" { return .found(.inputs) }
    if hasState, name == "state" { return .found(.state) }
    if let found = iteration?.definition(of: name, level: 0) { return .found(found) }
    if pages.contains(where: { $0.name == name }) { return .found(.pageValue(name: name)) }
    // By number: copying the layers costs more than looking into them.
    var current = step
    for level in layers.indices {
      let number = layers.count - 1 - level
      if let step = layers[number].steps[name] {
        let mainCount = layers[number].mainCount
        if step == current { return .itself }
        if step >= mainCount, let current, current < mainCount { return .runsLater }
        return .found(.step(level: level, index: step))
      }
      if let found = layers[number].iteration?.definition(of: name, level: level + 1) {
        return .found(found)
      }
      current = layers[number].holder
    }
    return name == "run" ? .found(.run) : .unknown
  }
}

extension Iteration {
  /// What a name stands for that an item has.
  package func definition(of name: String, level: Int) -> Definition? {
    if let rounds { return rounds.carries(name) ? .carried(level: level, name: name) : nil }
    if name == itemName { return .item(level: level) }
    return name == indexName?.value ? .itemIndex(level: level) : nil
  }
}
