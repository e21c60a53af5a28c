import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A time that the run's deadline cuts off.
enum TimeoutBeyondDeadline: LintRule {
  static let explanation = Explanation(
    "timeout-beyond-deadline", .warning, PackageResources.timeout_beyond_deadline_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let deadline = context.timeLimit(of: step)
    if let timeout = step.request?.timeout {
      for limit in [timeout.total, timeout.connect, timeout.silence] {
        guard let limit, limit.value > deadline.length else { continue }
        found.append(Self.finding(deadline, below: limit.value, at: limit.range, context))
      }
    }
    if let within = step.request?.poll?.within, within > deadline.length,
      let node = step.step.node["poll"]?["within"]
    {
      found.append(Self.finding(deadline, below: within, at: node.range, context))
    }
    if case .wait(let wait) = step.step.action, wait.value > deadline.length {
      found.append(Self.finding(deadline, below: wait.value, at: wait.range, context))
    }
  }

  private static func finding(
    _ deadline: LintContext.TimeLimit, below needed: Duration, at range: Range<Int>,
    _ context: LintContext
  ) -> Diagnostic {
    finding(
      "\(deadline.end), \(Quantities.text(of: deadline.length)); write less here, or more in"
        + " \"limits\": {\"\(deadline.name)\": …}", at: range,
      fix: context.setting(
        limit: deadline.name, to: "\"\(Quantities.text(of: needed + needed))\""))
  }
}

extension LintContext {
  /// A limit of the file that ends a step.
  struct TimeLimit {
    /// The key in `limits`.
    let name: String
    let length: Duration
    /// What it does, for a message.
    let end: String
  }

  /// The limit that ends a step: the run's deadline, or that of `finally` steps if it is one or is
  /// inside one.
  func timeLimit(of step: LintStep) -> TimeLimit {
    var next: LintStep? = step
    while let step = next {
      let block = blocks[step.block]
      if step.index >= block.mainCount {
        return TimeLimit(
          name: "finally", length: workflow.limits.finally ?? Limits.defaultFinally,
          end: "'finally' steps end earlier, at their limit")
      }
      next = block.parent.map { steps[$0] }
    }
    return TimeLimit(
      name: "deadline", length: workflow.limits.deadline,
      end: "the run ends earlier, at its deadline")
  }
}
