import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A limit of a poll or a retry that another one makes pointless.
enum LimitWithoutEffect: LintRule {
  static let explanation = Explanation(
    "limit-without-effect", .warning,
    what: "A number of a `poll` or a `retry` has no effect, because another one comes first.",
    why: """
      `within` ends a poll although `attempts` are left. A pause that is longer than `within` lets \
      only one request through. A maximum below the first pause is not reached. If `until` and \
      `failWhen` are the same, each poll ends as a failure.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "job",
            "endpoint": "GET https://api.example.com/jobs/1",
            "poll": {
              "until": "@.body.state == 'done'",
              "every": "60s",
              "attempts": 60,
              "within": "5m"
            }
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
            "poll": {
              "until": "@.body.state == 'done'",
              "every": "60s",
              "attempts": 60,
              "within": "1h"
            }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request else { return }
    if let poll = request.poll, let node = step.step.node["poll"], node.kind == .object {
      judge(poll, node, &found)
    }
    guard let retry = step.step.node["retry"], let longest = retry["maxDelay"],
      retry["delay"] != nil, request.retry.maxDelay < request.retry.delay
    else { return }
    found.append(
      finding(
        "'maxDelay' is below 'delay', \(Quantities.text(of: request.retry.delay)), the first pause;"
          + " write more here, or less there", at: longest.range))
  }

  private static func judge(_ poll: Poll, _ node: JSONNode, _ found: inout [Diagnostic]) {
    if let fail = poll.failWhen, fail.value.text == poll.until.value.text {
      found.append(
        finding(
          "'failWhen' is the same as 'until', so no poll succeeds; test another state",
          at: fail.range))
    }
    if let longest = node["maxEvery"], poll.maxEvery < poll.every {
      found.append(
        finding(
          "'maxEvery' is below 'every', \(Quantities.text(of: poll.every)), the first pause; write"
            + " more here, or less there", at: longest.range))
    }
    // Without it, the number of attempts is the limit.
    guard let limit = node["within"], let within = poll.within else { return }
    if node["every"] != nil, poll.every >= within {
      found.append(
        finding(
          "'within' ends the poll before its second request, which comes after"
            + " \(Quantities.text(of: poll.every)); write more here, or less in 'every'",
          at: limit.range))
      return
    }
    guard let attempts = poll.attempts, let member = node["attempts"], attempts > 1 else { return }
    let needed = poll.pauses(before: attempts)
    guard needed > within else { return }
    found.append(
      finding(
        "'within' ends the poll after \(Quantities.text(of: within)), before \(attempts) attempts;"
          + " they take \(Quantities.text(of: needed.rounded))", at: member.range,
        fix: .replacing(
          limit.range, with: "\"\(Quantities.text(of: needed.rounded))\"", isSafe: false)))
  }
}

extension Poll {
  /// The time that the pauses before this many attempts take.
  fileprivate func pauses(before attempts: Int) -> Duration {
    var total = Duration.zero
    var pause = every
    let longest = max(maxEvery, every)
    for number in 1..<attempts {
      total += pause
      pause = min(pause * factor, longest)
      // All further ones are equal.
      if factor == 1 || pause == longest {
        let rest = attempts - 1 - number
        return rest < 1 << 20 ? total + pause * rest : .seconds(1 << 40)
      }
    }
    return total
  }
}

extension Duration {
  /// Up to the next second.
  fileprivate var rounded: Duration {
    .seconds(components.seconds + (components.attoseconds > 0 ? 1 : 0))
  }
}
