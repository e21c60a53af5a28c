package import PipelineJSONText
internal import PipelineLanguage
package import PipelinePlanning

/// A plan with the surroundings of its runs.
package struct Engine: Sendable {
  let plan: Plan
  let transport: any Transport
  let handlers: Handlers
  var options: RunOptions

  package init(
    plan: Plan, transport: any Transport, handlers: Handlers, options: RunOptions
  ) {
    self.plan = plan
    self.transport = transport
    self.handlers = handlers
    self.options = options
  }

  /// Whether the inputs, and the state of the options, fit the workflow, and each login that a run
  /// is sure to need has been made. Nothing is run.
  package func check(inputs: [String: JSONValue]) throws(InputError) {
    let startedAt = options.clock.wallTime
    let values = try InputValues(workflow: plan.workflow, options: options, startedAt: startedAt)
      .resolve(inputs)
    try checkLogins(values.node)
    _ = try StateValues(workflow: plan.workflow, startedAt: startedAt).resolve(options.state)
  }

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
      id: options.runID ?? RunIdentity.randomID(), workflow: workflow.name,
      file: workflow.source.name, startedAt: startedAt, environment: options.environment,
      inputs: workflow.withoutSecrets(values), state: options.state)
  }
}
