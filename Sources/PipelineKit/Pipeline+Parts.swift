package import PipelineJSONText
import PipelineLanguage
package import PipelinePlanning

extension Pipeline {
  /// The identity of a new run, for all processes that carry out a part of it. Each of them is given
  /// the secret inputs again.
  ///
  /// - Throws: `InputError` if the inputs, or the state of the options, do not fit the workflow.
  package func newRecord(inputs: [String: JSONValue]) throws(InputError) -> RunRecord {
    let startedAt = options.clock.wallTime
    let workflow = plan.workflow
    let (values, found) = InputValues(
      workflow: workflow, options: options, startedAt: startedAt
    ).values(inputs)
    guard found.isEmpty else { throw InputError(problems: found) }
    _ = try StateValues(workflow: workflow, startedAt: startedAt).resolve(options.state)
    return RunRecord(
      id: options.runID ?? Run.randomID(), workflow: workflow.name, file: workflow.source.name,
      startedAt: startedAt, environment: options.environment,
      inputs: workflow.withoutSecrets(values), state: options.state)
  }
}

extension Plan {
  /// The plan that a part of a run follows; `nil` if the file has no such step.
  package func carriedOut(by part: RunPart) -> Plan? {
    switch part.work {
    case .step(let id): self.part(endingAt: id)?.limited(to: part.share)
    case .finish: limited(to: part.share)
    }
  }
}
