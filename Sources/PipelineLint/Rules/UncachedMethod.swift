import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A `cache` that does not apply to the step's method.
enum UncachedMethod: LintRule {
  static let explanation = Explanation(
    "uncached-method", .error,
    what: "A step with a method other than GET has a `cache`.",
    why: """
      Only responses to GET are kept. The response to another method says what that request did, \
      and the next one does something again. Remove `cache`, or write it in `defaults`, where it \
      applies to every GET.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "order",
            "endpoint": "POST https://api.example.com/orders",
            "body": { "json": { "item": 1 } },
            "cache": true
          }
        ]
      }
      """,
    good: """
      {
        "defaults": { "cache": true },
        "steps": [
          {
            "id": "order",
            "endpoint": "POST https://api.example.com/orders",
            "body": { "json": { "item": 1 } }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, request.cache != nil, request.method != "GET",
      let member = step.step.node.members.first(where: { $0.name == "cache" })
    else { return }
    found.append(
      finding(
        "only responses to GET are kept, and this is \(request.method); leave 'cache' out",
        at: member.nameRange,
        fix: step.step.node.removing(member).map {
          DiagnosticFix(message: "remove 'cache'", edits: [$0], isSafe: false)
        }))
  }
}
