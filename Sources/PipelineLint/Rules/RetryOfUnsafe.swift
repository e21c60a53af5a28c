import PipelineHTTPTerms
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A `retry` that does not apply to the step's method.
enum RetryOfUnsafe: LintRule {
  static let explanation = Explanation(
    "retry-of-unsafe", .warning, PackageResources.retry_of_unsafe_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, request.retry.attempts > 1, !request.retry.unsafe,
      request.settle == nil,
      !HTTPMethod.isIdempotent(request.method),
      let member = step.step.node.members.first(where: { $0.name == "retry" })
    else { return }
    found.append(
      finding(
        "\(request.method) is not idempotent, so it is not sent again; write "
          + "{\"attempts\": \(request.retry.attempts), \"unsafe\": true} if a repeat does no harm",
        at: member.nameRange,
        fix: member.value.kind == .object
          ? member.value.suggesting("unsafe", "true")
          : .replacing(
            member.value.range,
            with: "{ \"attempts\": \(request.retry.attempts), \"unsafe\": true }", isSafe: false)))
  }
}
