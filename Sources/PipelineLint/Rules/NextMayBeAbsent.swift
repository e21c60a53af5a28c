import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A next value of the state that cannot be built if a part is missing.
enum NextMayBeAbsent: LintRule {
  static let explanation = Explanation(
    "next-may-be-absent", .warning, PackageResources.next_may_be_absent_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.nextUses.compactMap { value, use, block in
      guard !use.use.isWhole, use.use.site != .query,
        let reason = context.absence(of: use, in: block)
      else { return nil }
      return finding(
        "the run fails at its end if '\(use.use.query.shown)' is absent, and \(reason); build the"
          + " text of '\(value.name)' in a step", at: use.use.range)
    }
  }
}

extension LintContext {
  /// The reads of the state's next values.
  var nextUses: [(value: StateValue, use: ResolvedUse, block: Int)] {
    stateValues.flatMap { value, block in
      blocks[block].resolution.nextUses.filter { use in
        guard let range = value.next?.node.range else { return false }
        return range.lowerBound <= use.use.range.lowerBound
          && use.use.range.upperBound <= range.upperBound
      }.map { (value, $0, block) }
    }
  }

  /// Why what is read when the steps have ended may be absent; `nil` if that is not certain.
  func absence(of use: ResolvedUse, in block: Int) -> String? {
    let query = use.use.query
    guard query.isSingular else { return nil }
    let shape = read(use, inOutputsOf: block).shape
    switch use.definition {
    case .state?:
      return shape.maybeAbsent && query.segments.count == 2
        ? "the first run finds no value" : nil
    case .inputs?: return shape.maybeAbsent && query.segments.count == 2 ? "it is optional" : nil
    case .step(level: 0, let index)?:
      let number = blocks[block].steps[index]
      let step = steps[number]
      let id = step.step.id.value
      if let reason = absenceOfStep(for: use, in: block) { return reason }
      if step.step.forEach == nil, query.segments.count > 1, let name = query.segments[1].name {
        if step.mayLack(name) { return "it is optional" }
        if case .object(let members, _) = shapes[number].value.content,
          let member = members[name], member.maybeAbsent, member.contentKind != nil,
          member.source == nil
        {
          return "step '\(id)' may lack it"
        }
      }
      return query.segments.contains(where: \.isPosition) ? "a list may be empty" : nil
    default: return nil
    }
  }
}

extension LintContext {
  /// Why all that a step gives may be absent when the steps have ended; `nil` if it is not.
  func absenceOfStep(for use: ResolvedUse, in block: Int) -> String? {
    guard case .step(level: 0, let index)? = use.definition else { return nil }
    let number = blocks[block].steps[index]
    guard shapes[number].value.maybeAbsent else { return nil }
    return "step '\(steps[number].step.id.value)' may be skipped or fail"
  }
}

extension Segment {
  /// Whether it selects an element by its position.
  fileprivate var isPosition: Bool {
    selectors.contains { if case .index = $0.kind { true } else { false } }
  }
}
