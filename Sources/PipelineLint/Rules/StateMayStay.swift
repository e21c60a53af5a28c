import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A state value that stays unchanged if a value is missing.
enum StateMayStay: LintRule {
  static let explanation = Explanation("state-may-stay", .note, PackageResources.state_may_stay_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.nextUses.compactMap { value, use, block in
      // An extractor that is `optional` says itself that it may find nothing.
      guard value.next?.value.wholeReference != nil, use.use.query.isSingular,
        !context.read(use, inOutputsOf: block).shape.isSecret,
        let reason = context.absenceOfStep(for: use, in: block)
      else { return nil }
      return finding(
        "'\(value.name)' stays unchanged if '\(use.use.query.shown)' is absent, and \(reason)",
        at: use.use.range)
    }
  }
}
