import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A `concurrency` that the run's limit cuts down.
enum ConcurrencyAboveLimit: LintRule {
  static let explanation = Explanation(
    "concurrency-above-limit", .warning, PackageResources.concurrency_above_limit_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let limit = context.workflow.limits.concurrency
    guard let concurrency = step.step.forEach?.concurrency, concurrency.value > limit else {
      return
    }
    found.append(
      finding(
        "at most \(limit) requests run at once; write \"limits\": "
          + "{\"concurrency\": \(concurrency.value)} for more", at: concurrency.range,
        fix: context.setting(limit: "concurrency", to: "\(concurrency.value)")))
  }
}
