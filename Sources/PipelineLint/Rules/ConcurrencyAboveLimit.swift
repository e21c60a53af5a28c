import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A `concurrency` that the run's limit cuts down.
enum ConcurrencyAboveLimit: LintRule {
  static let explanation = Explanation(
    "concurrency-above-limit", .warning,
    what: "A step asks for more items at once than the run's limit allows.",
    why: """
      `limits.concurrency` (16 by default) limits the requests of the whole run. Raise the limit, \
      or lower the step's `concurrency` to it.
      """,
    bad: """
      {
        "limits": { "concurrency": 4 },
        "steps": [
          {
            "id": "user",
            "forEach": [1, 2, 3],
            "concurrency": 8,
            "endpoint": "GET https://api.example.com/users/{{item}}"
          }
        ]
      }
      """,
    good: """
      {
        "limits": { "concurrency": 8 },
        "steps": [
          {
            "id": "user",
            "forEach": [1, 2, 3],
            "concurrency": 8,
            "endpoint": "GET https://api.example.com/users/{{item}}"
          }
        ]
      }
      """)

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
