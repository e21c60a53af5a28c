import PipelineJSONText
import PipelineSourceText

/// A time that the run's deadline cuts off.
enum TimeoutBeyondDeadline: LintRule {
  static let explanation = Explanation(
    "timeout-beyond-deadline", .warning,
    what: "A `timeout`, or the `within` of `poll`, is longer than the deadline of the run.",
    why: """
      `limits.deadline` (one hour by default) ends the whole run first. Raise the deadline or \
      lower the time.
      """,
    bad: """
      {
        "limits": { "deadline": "10m" },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "timeout": "20m"
          }
        ]
      }
      """,
    good: """
      {
        "limits": { "deadline": "10m" },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "timeout": "5m"
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let deadline = context.workflow.limits.deadline
    if let timeout = step.request?.timeout {
      for limit in [timeout.total, timeout.connect, timeout.silence] {
        guard let limit, limit.value > deadline else { continue }
        found.append(Self.finding(deadline, below: limit.value, at: limit.range, context))
      }
    }
    if let within = step.request?.poll?.within, within > deadline,
      let node = step.step.node["poll"]?["within"]
    {
      found.append(Self.finding(deadline, below: within, at: node.range, context))
    }
    if case .wait(let wait) = step.step.action, wait.value > deadline {
      found.append(Self.finding(deadline, below: wait.value, at: wait.range, context))
    }
  }

  private static func finding(
    _ deadline: Duration, below needed: Duration, at range: Range<Int>, _ context: LintContext
  ) -> Diagnostic {
    finding(
      "the run ends earlier, at its deadline, \(Quantities.text(of: deadline)); "
        + "write less here, or more in \"limits\": {\"deadline\": …}", at: range,
      fix: context.setting(
        limit: "deadline", to: "\"\(Quantities.text(of: needed + needed))\""))
  }
}
