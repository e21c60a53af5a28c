import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A limit that another one makes useless.
enum LimitBeyondTotal: LintRule {
  static let explanation = Explanation(
    "limit-beyond-total", .note, PackageResources.limit_beyond_total_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let timeout = step.request?.timeout, let total = timeout.total else { return }
    for (name, limit) in [("connect", timeout.connect), ("silence", timeout.silence)] {
      guard let limit, limit.value > total.value else { continue }
      found.append(
        finding(
          "'\(name)' has no effect: 'total' ends the attempt after "
            + "\(Quantities.text(of: total.value)); write less here, or more there",
          at: limit.range))
    }
  }
}
