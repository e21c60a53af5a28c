internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineURIs

/// Asking again until a condition holds (`poll`): what each answer means, and when to ask next.
///
/// Each answer must have an expected status. The other expectations and the extractors judge only the
/// last one, because what they look for is rarely there before.
struct PollRun {
  /// The consequence of a response.
  enum Verdict {
    case done
    /// The request is sent again after this time.
    case again(Duration)
    case failed(FailureReason)
  }

  private let poll: Poll
  private let start: Duration
  private var pause: Duration
  private var count = 1

  init(_ poll: Poll, start: Duration) {
    self.poll = poll
    self.start = start
    pause = poll.every
  }

  /// When polling is over although no answer came.
  var bound: PollBound? {
    poll.within.map { within in
      PollBound(
        end: start + within,
        failure: FailureReason(
          .timeout,
          "'\(poll.until.value.text)' did not hold within \(within.text), and the last request was"
            + " not answered in that time", at: poll.until.range))
    }
  }

  /// Judges a response by the values that the conditions read.
  ///
  /// - Parameter facts: The values that a condition compares, for a message.
  mutating func judge(
    _ view: JSONNode, in scope: Scope, at now: Duration, _ facts: (Written<Condition>) -> [String]
  ) throws(FailureReason) -> Verdict {
    let poll = poll
    if let failWhen = poll.failWhen, try Evaluation.holds(failWhen, in: scope, current: view) {
      return .failed(
        FailureReason(
          .expect, "polling ends: '\(failWhen.value.text)' holds", at: failWhen.range,
          hints: facts(failWhen)))
    }
    if try Evaluation.holds(poll.until, in: scope, current: view) { return .done }
    func gaveUp(_ bound: String) -> Verdict {
      .failed(
        FailureReason(
          .timeout, "'\(poll.until.value.text)' did not hold \(bound)", at: poll.until.range,
          hints: facts(poll.until)))
    }
    if let attempts = poll.attempts, count >= attempts {
      return gaveUp("after \(count) request\(count == 1 ? "" : "s")")
    }
    if let within = poll.within, now - start + pause > within {
      return gaveUp("within \(within.text)")
    }
    defer {
      pause = pause.scaled(by: poll.factor, upTo: max(poll.maxEvery, poll.every))
      count += 1
    }
    return .again(pause)
  }
}

extension RequestRun {
  /// The request, marked with the number of earlier polls.
  private func numbered(_ parts: Parts, _ number: Int) -> Parts {
    guard number > 0 else { return parts }
    var parts = parts
    parts.value.poll = number
    return parts
  }

  /// The answer for which the condition of `poll` holds.
  @inline(never)
  func answers(to parts: Parts, until poll: Poll) async throws(FailureReason) -> Exchange {
    let clock = context.options.clock
    var polling = PollRun(poll, start: clock.elapsed)
    let run = bound(by: polling.bound)
    var number = 0
    var waited = RunEvent.Waits()
    while true {
      let exchange = try await run.attempt(numbered(parts, number), after: waited)
      number += 1
      try run.checkStatus(of: exchange)
      let view = try run.view(of: exchange, for: poll)
      let verdict = try polling.judge(view, in: unit.scope, at: clock.elapsed) {
        run.reader(exchange).facts(of: $0, in: view)
      }
      switch verdict {
      case .done: return exchange
      case .failed(let failure): throw run.described(failure, exchange)
      case .again(let pause):
        // Earlier polls have been answered, and are repeated anyway.
        run.sendings?.settleAnswered()
        run.grace?.release()
        waited.poll = try await run.sleep(pause)
      }
    }
  }

  /// The object that the conditions judge. It has the extracted values if the conditions read them.
  private func view(of exchange: Exchange, for poll: Poll) throws(FailureReason) -> JSONNode {
    let conditions = [poll.until] + (poll.failWhen.map { [$0] } ?? [])
    let values = poll.readsValues ? try reader(exchange).extractOnly() : nil
    do throws(FailureReason) {
      return try ResponseView(body: exchange.body, url: exchange.answer.url.text, values: values)
        .node(for: conditions)
    } catch {
      throw described(error, exchange)
    }
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
