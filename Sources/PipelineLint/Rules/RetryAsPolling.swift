import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A retry that waits for a state, as polling does.
enum RetryAsPolling: LintRule {
  static let explanation = Explanation(
    "retry-as-polling", .note,
    what: "A step retries until a response has some state.",
    why: """
      `retry` is for failures. `poll` sends a request until a condition holds: it has a pause of \
      its own, a limit in time, and a condition at which it fails at once.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "job",
            "endpoint": "GET https://api.example.com/jobs/1",
            "retry": { "attempts": 100, "when": "@.body.state == 'running'", "delay": "5s", "factor": 1 }
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "job",
            "endpoint": "GET https://api.example.com/jobs/1",
            "poll": { "until": "@.body.state != 'running'", "every": "5s", "within": "10m" }
          }
        ]
      }
      """)

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
