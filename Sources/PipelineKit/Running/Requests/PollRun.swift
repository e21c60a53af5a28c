internal import JSONPaths
internal import JSONText
internal import Workflows

/// Asks again until a condition holds (`poll`).
///
/// Each answer must have an expected status; `where`, `schema` and the extractors judge only the
/// last one, since what they look for is seldom there before.
final class PollRun: Sendable {
  let run: RequestRun
  let poll: Poll

  private init(_ run: RequestRun, _ poll: Poll) {
    self.run = run
    self.poll = poll
  }

  /// `nil` where the step does not poll.
  @inline(never)
  static func of(_ run: RequestRun) -> PollRun? {
    run.plan.request.poll.map { PollRun(run, $0) }
  }

  @inline(never)
  func run(_ parts: RequestRun.Parts) async throws(Failure) -> RequestRun.Exchange {
    let clock = run.context.options.clock
    let start = clock.elapsed
    var pause = poll.every
    var count = 1
    let run = run.bound(
      by: poll.within.map { within in
        PollBound(
          end: start + within,
          failure: Failure(
            .timeout,
            "'\(poll.until.value.text)' did not hold within \(within.text), and the last request was"
              + " not answered in that time", at: poll.until.range))
      })
    while true {
      let exchange = try await run.attempts(numbered(parts, count - 1))
      try run.checkStatus(of: exchange)
      let view = try view(of: exchange)
      if let failWhen = poll.failWhen, try holds(failWhen, view) {
        throw run.described(
          Failure(
            .expect, "polling ends: '\(failWhen.value.text)' holds", at: failWhen.range,
            hints: Evaluation.operands(
              of: failWhen, in: run.unit.scope, current: view, run.context.redactor)), exchange)
      }
      if try holds(poll.until, view) { return exchange }
      let spent = clock.elapsed - start
      if let attempts = poll.attempts, count >= attempts {
        throw gaveUp("after \(count) request\(count == 1 ? "" : "s")", view, exchange)
      }
      if let within = poll.within, spent + pause > within {
        throw gaveUp("within \(within.text)", view, exchange)
      }
      // What was asked so far has been answered, and is asked again anyway.
      run.sendings?.settleAnswered()
      try await run.sleep(pause)
      pause = pause.scaled(by: poll.factor, upTo: max(poll.maxEvery, poll.every))
      count += 1
    }
  }

  /// The request, knowing how often was asked before.
  private func numbered(_ parts: RequestRun.Parts, _ number: Int) -> RequestRun.Parts {
    guard run.context.tellsAskers, number > 0 else { return parts }
    var parts = parts
    parts.value.poll = number
    return parts
  }

  private func holds(
    _ condition: Written<Condition>, _ view: JSONNode
  ) throws(Failure) -> Bool {
    try Evaluation.holds(condition, in: run.unit.scope, current: view)
  }

  /// What the conditions judge; with the extracted values, if they read these.
  private func view(of exchange: RequestRun.Exchange) throws(Failure) -> JSONNode {
    let conditions = [poll.until] + (poll.failWhen.map { [$0] } ?? [])
    let values = poll.readsValues ? try run.reader(exchange).extractOnly() : nil
    do throws(Failure) {
      return try ResponseView(body: exchange.body, url: exchange.answer.url, values: values)
        .node(for: conditions)
    } catch {
      throw run.described(error, exchange)
    }
  }

  private func gaveUp(
    _ bound: String, _ view: JSONNode, _ exchange: RequestRun.Exchange
  ) -> Failure {
    run.described(
      Failure(
        .timeout, "'\(poll.until.value.text)' did not hold \(bound)", at: poll.until.range,
        hints: Evaluation.operands(
          of: poll.until, in: run.unit.scope, current: view, run.context.redactor)), exchange)
  }
}

extension Duration {
  /// As an author would write it: `250ms`, `10s`, `5m`.
  package var text: String {
    let milliseconds = Int((seconds * 1000).rounded())
    if milliseconds % 1000 != 0 { return "\(milliseconds)ms" }
    let seconds = milliseconds / 1000
    for (unit, length) in [("d", 86_400), ("h", 3600), ("m", 60)]
    where seconds >= length && seconds % length == 0 {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }
}
