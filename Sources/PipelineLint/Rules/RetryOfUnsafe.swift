import PipelineHTTPTerms
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A `retry` that does not apply to the step's method.
enum RetryOfUnsafe: LintRule {
  static let explanation = Explanation(
    "retry-of-unsafe", .warning,
    what: "A step with a method that is not idempotent has a `retry` without `unsafe`.",
    why: """
      A POST that is sent twice may take effect twice, so it is not retried. If the server \
      supports `Idempotency-Key`, or if a repeat does no harm, add `unsafe`. If the server can be \
      asked whether it was carried out, add `settle`. Otherwise remove `retry`.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "POST https://api.example.com/orders",
            "body": { "json": { "item": 1 } },
            "retry": 3
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "POST https://api.example.com/orders",
            "body": { "json": { "item": 1 } },
            "retry": { "attempts": 3, "unsafe": true }
          }
        ]
      }
      """)

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
