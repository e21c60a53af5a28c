internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTransports
internal import Synchronization

// A unit that asks a person.
//
// An answer comes from the first of these: one that was given beforehand, a person who is there, the
// defaults once the time is over. Without any of them the unit waits, and so does the run.
extension Unit {
  /// Asks, or takes the answers that were given beforehand.
  func ask(_ question: Question, in context: RunContext) async -> UnitOutcome {
    do throws(FailureReason) {
      let secrets = StepSecrets(
        step: stepPlan.step, ranges: secretRanges, redactor: context.redactor)
      let text = context.redactor.redact(try secrets.message(question.text, in: scope))
      return try await ask(question, text, in: context)
    } catch {
      return Interruption.isRaised || error.kind == .cancelled ? .cancelled : .failed(error)
    }
  }

  private func ask(
    _ question: Question, _ text: String, in context: RunContext
  ) async throws(FailureReason) -> UnitOutcome {
    let clock = context.options.clock
    context.questions.note(name)
    let known = context.questions.earlier(name)
    let isSame = known.map { $0.text.equals(bytes: text) } ?? true
    let askedAt = (isSame ? known?.askedAt : nil) ?? clock.wallTime
    let asked = RunQuestion(
      step: label.id, path: label.path, text: text, answers: question.answers.map { .init($0) },
      askedAt: askedAt, expiresAt: askedAt + question.within.seconds)
    let answers = Answers(
      of: question.answers, before: label.id + ".", startedAt: context.questions.startedAt)
    let given = context.options.answers(toStep: label.id, at: label.path)
    if !given.isEmpty, isSame {
      if let values = try taken(given, answers, in: context) { return .values(values) }
      let missing = answers.values(given).problems.map { "'\($0.name)'" }
      context.notes.note(
        "the question of '\(name)' also wants \(missing.joined(separator: " and ")), so none of its"
          + " answers is taken")
    } else if !given.isEmpty {
      context.notes.note(
        "the question of '\(name)' is not the one that was asked before, so the answer to that one is"
          + " not taken")
    }
    let left = Duration.seconds(asked.expiresAt - clock.wallTime)
    guard left > .zero else { return try late(question, answers, in: context) }
    context.sink?.emit(.asked(asked))
    if isCleanUp || !context.options.mayWait {
      let (values, problems) = answers.values([:])
      if problems.isEmpty { return .values(kept(values, answers, in: context)) }
      throw FailureReason(
        .value,
        isCleanUp
          ? "nobody has answered, and clean-up does not wait; ask in a step before it"
          : "nobody has answered, and a part does not wait; give the answer with '--answer"
            + " \(name).\(problems.first?.name ?? "answer")=…'", at: question.text.range)
    }
    return try await put(asked, question, answers, for: left, in: context)
  }

  /// Puts the question to the person who is there.
  private func put(
    _ asked: RunQuestion, _ question: Question, _ answers: Answers, for time: Duration,
    in context: RunContext
  ) async throws(FailureReason) -> UnitOutcome {
    guard let asker = context.options.asker else { return .waiting(asked) }
    context.questions.begin(at: context.options.clock.elapsed)
    defer { context.questions.end(at: context.options.clock.elapsed) }
    let clock = context.options.clock
    enum Reply: Sendable {
      case answers([String: JSONValue]), nobody, late
    }
    let reply = await withTaskGroup(of: Reply?.self) { group in
      group.addTask { await asker(asked).map { Reply.answers($0) } ?? Reply.nobody }
      group.addTask { (try? await clock.sleep(for: time)) == nil ? nil : Reply.late }
      var reply: Reply?
      for await next in group {
        reply = reply ?? next
        group.cancelAll()
      }
      return reply
    }
    if Task.isCancelled { throw FailureReason(.cancelled, "the run stopped") }
    switch reply {
    case .answers(let given)?:
      guard let values = try taken(given, answers, in: context) else {
        throw FailureReason(
          .value, "the question is not answered as a whole", at: question.text.range)
      }
      return .values(values)
    case .late?: return try late(question, answers, in: context)
    case nil, .nobody?: return .waiting(asked)
    }
  }

  /// The values of given answers; `nil` if some are missing.
  private func taken(
    _ given: [String: JSONValue], _ answers: Answers, in context: RunContext
  ) throws(FailureReason) -> [UInt8]? {
    let (values, problems) = answers.values(given)
    if let problem = problems.first(where: { !$0.isMissing }) {
      throw FailureReason(.value, problem.message, at: stepPlan.step.id.range)
    }
    guard problems.isEmpty else { return nil }
    return kept(values, answers, in: context)
  }

  /// The defaults, if there was no answer in time.
  private func late(
    _ question: Question, _ answers: Answers, in context: RunContext
  ) throws(FailureReason) -> UnitOutcome {
    let (values, problems) = answers.values([:])
    guard problems.isEmpty else {
      throw FailureReason(
        .timeout, "nobody has answered within \(question.withinText)", at: question.text.range)
    }
    return .values(kept(values, answers, in: context))
  }

  private func kept(
    _ values: JSONNode, _ answers: Answers, in context: RunContext
  ) -> [UInt8] {
    for input in answers.inputs {
      guard let value = values[input.name] else { continue }
      if input.isSecret {
        context.redactor.hide(value)
      } else {
        context.options.answerReader?("\(name).\(input.name)", JSONValue(value))
      }
    }
    return Array(values.text.utf8)
  }
}
