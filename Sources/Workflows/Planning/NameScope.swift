/// The names that are visible at one place of a workflow, innermost first.
struct NameScope: Sendable {
  /// The steps of one block, and the loop names of the step that holds it.
  private struct Layer: Sendable {
    let steps: [String: Int]
    /// Steps from this number on are `finally` steps.
    let mainCount: Int
    let itemName: String?
    let indexName: String?
    /// The step of this block inside of which we are.
    var current: Int?
  }

  /// Outermost first.
  private var layers: [Layer] = []

  /// The scope inside of a block, which stands in a step with loop names or is the whole file.
  func entering(_ block: Block, of iteration: Iteration?) -> NameScope {
    var steps: [String: Int] = [:]
    steps.reserveCapacity(block.steps.count + block.finally.count)
    var number = 0
    for list in [block.steps, block.finally] {
      for step in list {
        if steps[step.id.value] == nil { steps[step.id.value] = number }
        number += 1
      }
    }
    var scope = self
    scope.layers.append(
      Layer(
        steps: steps, mainCount: block.steps.count, itemName: iteration?.itemName,
        indexName: iteration?.indexName?.value, current: nil))
    return scope
  }

  /// The step whose uses are looked up from now on; `nil`: the block's outputs.
  mutating func stand(at step: Int?) {
    layers[layers.count - 1].current = step
  }

  /// The number of the innermost block's step of this name.
  func step(named name: String) -> Int? { layers.last?.steps[name] }

  /// What `name` stands for in the current step, whose own loop is `iteration`.
  func resolve(_ name: String, in iteration: Iteration?) -> ResolvedUse.Outcome {
    if let iteration {
      if name == iteration.itemName { return .found(.item(level: 0)) }
      if name == iteration.indexName?.value { return .found(.itemIndex(level: 0)) }
    }
    // By number: copying the layers costs more than looking into them.
    for level in layers.indices {
      let number = layers.count - 1 - level
      if let step = layers[number].steps[name] {
        let (current, mainCount) = (layers[number].current, layers[number].mainCount)
        if step == current { return .itself }
        if step >= mainCount, let current, current < mainCount { return .runsLater }
        return .found(.step(level: level, index: step))
      }
      if name == layers[number].itemName { return .found(.item(level: level + 1)) }
      if name == layers[number].indexName { return .found(.itemIndex(level: level + 1)) }
    }
    switch name {
    case "inputs": return .found(.inputs)
    case "run": return .found(.run)
    default: return .unknown
    }
  }
}
