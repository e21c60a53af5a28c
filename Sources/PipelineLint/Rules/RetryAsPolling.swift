import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A retry that waits for a state, as polling does.
enum RetryAsPolling: LintRule {
  static let explanation = Explanation(
    "retry-as-polling", .note, PackageResources.retry_as_polling_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, let when = request.retry.when, request.poll == nil,
      request.retry.attempts >= manyAttempts, when.value.mayRead("body"),
      step.step.node["retry"] != nil
    else { return }
    found.append(
      finding(
        "\(request.retry.attempts) attempts wait for a state; write 'poll' with 'until'",
        at: when.range))
  }

  /// More than failures that may be temporary need.
  private static let manyAttempts = 15
}
