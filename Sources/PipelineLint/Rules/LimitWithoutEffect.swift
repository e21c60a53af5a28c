import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A limit of a poll or a retry that another one makes pointless.
enum LimitWithoutEffect: LintRule {
  static let explanation = Explanation(
    "limit-without-effect", .warning, PackageResources.limit_without_effect_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request else { return }
    if let poll = request.poll, let node = step.step.node["poll"], node.kind == .object,
      !context.hasUnread(in: node)
    {
      judge(poll, node, context.timeLimit(of: step), context, &found)
    }
    guard let retry = step.step.node["retry"], let longest = retry["maxDelay"],
      retry["delay"] != nil, request.retry.maxDelay < request.retry.delay
    else { return }
    found.append(
      finding(
        "'maxDelay' is below 'delay', \(Quantities.text(of: request.retry.delay)), the first pause;"
          + " write more here, or less there", at: longest.range))
  }

  private static func judge(
    _ poll: Poll, _ node: JSONNode, _ deadline: LintContext.TimeLimit, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
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
    guard let limit = node["within"], let within = poll.within else {
      // The number of attempts is the limit, and each takes time beside its pause.
      guard let attempts = poll.attempts, let member = node["attempts"], attempts > 1 else {
        return
      }
      let needed = poll.pauses(of: attempts)
      guard needed >= deadline.length else { return }
      found.append(
        finding(
          "\(deadline.end), \(Quantities.text(of: deadline.length)), which leaves no time for"
            + " \(attempts) attempts; write fewer here, or more in \"limits\":"
            + " {\"\(deadline.name)\": …}", at: member.range,
          fix: context.setting(
            limit: deadline.name, to: "\"\(Quantities.text(of: (needed + needed).rounded))\"")))
      return
    }
    if node["every"] != nil, poll.every >= within {
      found.append(
        finding(
          "'within' ends the poll before its second request, which comes after"
            + " \(Quantities.text(of: poll.every)); write more here, or less in 'every'",
          at: limit.range))
      return
    }
    guard let attempts = poll.attempts, let member = node["attempts"], attempts > 1 else { return }
    let needed = poll.pauses(of: attempts - 1)
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
  /// The time of the first `count` pauses, or less if they grow for very long.
  fileprivate func pauses(of count: Int) -> Duration {
    var total = Duration.zero
    var pause = every
    let longest = max(maxEvery, every)
    for number in 0..<min(count, 10_000) {
      total += pause
      // Compared as numbers first: a factor may be any.
      pause = pause / longest * factor < 1 ? pause * factor : longest
      // All further ones are equal.
      if factor == 1 || pause == longest {
        let rest = count - 1 - number
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
