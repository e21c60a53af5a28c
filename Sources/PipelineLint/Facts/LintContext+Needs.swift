import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineTemplates

/// A value of one step that another step needs, and does not test first.
struct StepNeed {
  let source: LintStep
  let name: String
  /// Where it is read.
  let range: Range<Int>
}

extension LintContext {
  /// The values that a step needs from others, except from steps that its `when` reads.
  func needs(of reader: LintStep) -> [StepNeed] {
    let tested = Set(reader.step.when?.value.references.compactMap(\.query.firstName) ?? [])
    return reader.uses.compactMap { use in
      guard use.use.mode == .needs, case .step(let level, let index)? = use.definition,
        !tested.contains(use.name),
        let source = source(level: level, index: index, from: reader.block),
        let name = source.valueName(in: use.use.query)
      else { return nil }
      return StepNeed(source: source, name: name, range: use.use.range)
    }
  }

  func source(level: Int, index: Int, from block: Int) -> LintStep? {
    ancestor(of: block, level: level).map { steps[blocks[$0].steps[index]] }
  }

  /// For each step whether it can be skipped: `false` only if it is certain that it cannot.
  var maySkip: [Bool] {
    var known = [Bool?](repeating: nil, count: steps.count)
    func judge(_ number: Int) -> Bool {
      if let known = known[number] { return known }
      // The steps of a circle are reported as such.
      known[number] = true
      let step = steps[number]
      let result =
        step.mayChooseNothing || followsWhatMayFail(step) { judge($0) }
        || branches(of: step).contains { followsWhatMayFail(steps[$0]) { judge($0) } }
      known[number] = result
      return result
    }
    return steps.indices.map(judge)
  }

  /// The branches of a step that chooses one of them.
  private func branches(of step: LintStep) -> [Int] {
    guard let inner = step.inner, blocks[inner].resolution.block.isChoice else { return [] }
    return blocks[inner].steps
  }

  private func followsWhatMayFail(_ step: LintStep, maySkip: (Int) -> Bool) -> Bool {
    let isFinally = step.index >= blocks[step.block].mainCount
    let declared = step.step.dependsOn.compactMap { name in
      blocks[step.block].resolution.step(named: name.value)
    }
    if isFinally, !declared.isEmpty { return true }
    if declared.contains(where: { steps[blocks[step.block].steps[$0]].step.onError == .continue }) {
      return true
    }
    return step.uses.contains { use in
      guard use.use.mode == .needs else { return false }
      switch use.definition {
      case .step(let level, let index)?:
        guard !isFinally, let source = source(level: level, index: index, from: step.block)
        else { return true }
        switch source.step.action {
        case .block, .call: return true
        case .request, .values, .wait, .fail, .say, .ask:
          return source.step.onError != .fail || source.step.forEach?.onItemError == .collect
            || maySkip(source.number)
        }
      case .item(level: 0)?: return step.step.forEach?.readsSteps ?? false
      case .item?: return true
      case .inputs?, .state?, .run?, .itemIndex?, .carried?, .pageValue?, nil: return false
      }
    }
  }
}

extension LintStep {
  /// Whether its conditions may leave nothing to do: its `when`, or the conditions of all its
  /// branches.
  var mayChooseNothing: Bool {
    if case .block(let block) = step.action, block.mayChooseNone { return true }
    return step.when != nil
  }

  /// The value of this step that a query reads; `nil` if it reads the step as a whole, or many rows.
  fileprivate func valueName(in query: Query) -> String? {
    let segments = query.segments.dropFirst()
    guard step.forEach != nil else { return segments.first?.name }
    return segments.first?.name == nil ? segments.dropFirst().first?.name : nil
  }

  /// Whether a value may be absent though the step succeeded.
  func mayLack(_ name: String) -> Bool {
    request?.extract.contains { $0.name == name && $0.isOptional && $0.defaultValue == nil }
      ?? false
  }
}

extension Iteration {
  /// Whether the items may be rows of a step.
  fileprivate var readsSteps: Bool {
    guard case .query(let query) = source.value else { return false }
    return !["inputs", "state"].contains(query.value.firstName)
  }
}
