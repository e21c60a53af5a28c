import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A condition of rounds that no round changes.
enum IdleUntil: LintRule {
  static let explanation = Explanation("idle-until", .error, PackageResources.idle_until_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = LintRounds(step), let until = loop.until,
      !ConditionWalk(until.value.expression).queries.contains(where: { $0.anchor == .current })
    else { return }
    // A name that is not understood may be the one that was meant.
    let reads = step.uses.filter { until.range.contains($0.use.range.lowerBound) }
    let changes = reads.contains { use in
      switch use.definition {
      case .carried?, nil: true
      default: false
      }
    }
    if changes { return }
    found.append(
      finding(
        "'until' reads nothing that a round changes, so it holds after the first round or never;"
          + " read the round's row, '@', or a carried value", at: until.range))
  }
}
