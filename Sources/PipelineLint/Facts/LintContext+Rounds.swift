import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A step with `repeat`, as rules see it.
struct LintRounds {
  let step: LintStep
  let rounds: Rounds
  /// The number of the block that its rounds carry out.
  let inner: Int
  let until: Written<Condition>?

  /// `nil` if the step has none, or a part of it could not be read.
  init?(_ step: LintStep) {
    guard let forEach = step.step.forEach, let rounds = forEach.rounds, let inner = step.inner,
      step.isWhole
    else { return nil }
    self.step = step
    self.rounds = rounds
    self.inner = inner
    until = forEach.until
  }

  /// The only step of the block, if it has no other and cleans nothing up.
  func onlyStep(_ context: LintContext) -> LintStep? {
    let steps = context.blocks[inner].steps
    return steps.count == 1 ? context.steps[steps[0]] : nil
  }
}

extension LintContext {
  /// Wherever what the rounds of a step carry is read, but for the values that are carried on.
  func reads(ofRoundsOf step: LintStep) -> [(name: String, use: Use, by: LintStep?)] {
    var reads: [(name: String, use: Use, by: LintStep?)] = []
    for reader in steps {
      for use in reader.uses {
        guard case .carried(let level, let name)? = use.definition else { continue }
        let owner = level == 0 ? reader.number : parent(of: reader.block, level: level - 1)
        if owner == step.number { reads.append((name, use.use, reader)) }
      }
    }
    for (number, block) in blocks.enumerated() {
      for use in block.resolution.endUses {
        guard case .carried(let level, let name)? = use.definition, level > 0,
          parent(of: number, level: level - 1) == step.number
        else { continue }
        let isOwn =
          number == step.inner
          && step.step.forEach?.rounds?.carried.contains { value in
            value.name == name && value.next?.node.range.contains(use.use.range.lowerBound) == true
          } == true
        if !isOwn { reads.append((name, use.use, nil)) }
      }
    }
    return reads
  }

  /// Judges the forms of a place. The findings are no graver than it is that a form fails there.
  func judgeForms(
    of parts: StepParts, in reader: Reader, _ found: inout [Diagnostic],
    _ judge: (DataTemplate, inout [Diagnostic]) -> Void
  ) {
    for data in parts.forms {
      guard let severity = severityOfFailure(of: data, in: reader) else { continue }
      let first = found.count
      judge(data, &found)
      for number in found.indices[first...] {
        found[number].severity = max(found[number].severity, severity)
      }
    }
  }

  /// How bad it is if a value of a block's end cannot be made; `nil` if it is never made. The next
  /// value of rounds is made after each round but the last one, which may be the first.
  private func severityOfFailure(of data: DataTemplate, in reader: Reader) -> Diagnostic.Severity? {
    guard case .outputs(let block) = reader,
      let rounds = blocks[block].parent.flatMap({ steps[$0].step.forEach?.rounds }),
      rounds.carried.contains(where: {
        $0.next?.node.range.contains(data.node.range.lowerBound) == true
      })
    else { return .error }
    return rounds.maxRounds == 1 ? nil : .warning
  }

  /// Whether nothing reads the rows of a step, except for the last one.
  func readsOnlyTheLastRow(of step: LintStep) -> Bool {
    func isOfLast(_ use: ResolvedUse, in block: Int) -> Bool {
      guard case .step(let level, let index)? = use.definition,
        let around = ancestor(of: block, level: level), blocks[around].steps[index] == step.number
      else { return true }
      let segments = use.use.query.segments
      guard segments.count > 1, segments[1].selectors.count == 1,
        case .index(let position) = segments[1].selectors.first.kind
      else { return false }
      return position == -1
    }
    return steps.allSatisfy { reader in reader.uses.allSatisfy { isOfLast($0, in: reader.block) } }
      && blocks.enumerated().allSatisfy { number, block in
        block.resolution.endUses.allSatisfy { isOfLast($0, in: number) }
      }
  }
}
