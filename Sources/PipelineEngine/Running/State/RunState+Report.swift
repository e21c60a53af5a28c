internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

// The report of a run that has ended.

extension RunState {
  /// The outputs of the run. Of a run that was stopped, nothing that takes long to evaluate.
  private mutating func outputs() throws(FailureReason) -> Outputs {
    let context = frames[.root].context
    let scope = outputScope(of: .root)
    let handed = handedOutputs
    let evaluate = { () throws(FailureReason) -> Outputs in
      let outputs = zip(
        context.block.block.outputs ?? [], context.secrecy[context.block].outputs
      ).enumerated().filter { !handed.contains($0.offset) }.map(\.element)
      return try Evaluation.outputs(outputs, in: scope, files: context.files)
    }
    guard stopReason != nil else { return try evaluate() }
    let limit = WorkLimit()
    let result = Interruption.$source.withValue(limit) { Result(catching: evaluate) }
    return limit.interruptsWork ? Outputs() : try result.get()
  }

  /// Whether an output cannot be given because the run stopped or failed before, which is reported.
  private mutating func isConsequence() -> Bool {
    stopReason != nil
      || !frames[.root].verdict.failures.isEmpty && !gaps(of: .root).isNone
  }

  mutating func report() -> RunReport {
    let context = frames[.root].context
    var failures = frames[.root].verdict.failures
    var outputs = Outputs()
    do throws(FailureReason) {
      outputs = try self.outputs()
    } catch {
      let failure = StepFailure(
        of: "outputs", error, at: error.range ?? 0..<0, in: context.plan.workflow.source)
      if !isConsequence() { failures.append(failure) }
    }
    var state = settings.given
    if failures.isEmpty, stopReason == nil {
      do throws(FailureReason) {
        state = try next()
      } catch {
        failures.append(
          StepFailure(
            of: "state", error, at: error.range ?? 0..<0, in: context.plan.workflow.source))
      }
    }
    let isCancelled = stopReason?.kind == .cancelled
    let isWell = failures.isEmpty && stopReason == nil
    return RunReport(
      runID: settings.identity.id, status: isCancelled ? .cancelled : isWell ? .succeeded : .failed,
      failures: failures, stopReason: stopReason, counts: counts, duration: now,
      outputs: outputs, state: state)
  }

  /// The state that the run, which has succeeded, leaves to the next one.
  private mutating func next() throws(FailureReason) -> [String: JSONValue] {
    let context = frames[.root].context
    guard settings.plan.workflow.leavesState else { return settings.given }
    let values = StateValues(
      workflow: settings.plan.workflow, startedAt: settings.identity.startedAt)
    let next = try values.next(
      context.block.block.next, context.secrecy[context.block].next,
      in: frames.scope(of: context.block.nextReads, in: .root), files: context.files,
      settings.redactor)
    return frames[.root].leftState.merged(
      into: settings.given.merging(next.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
  }
}
