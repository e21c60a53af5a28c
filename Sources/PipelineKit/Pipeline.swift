public import JSONText
public import SourceText
package import Workflows

/// A workflow together with what carries its requests: ready to be run, any number of times.
///
/// ```swift
/// let pipeline = try Pipeline(text, transport: CurlTransport())
/// let run = pipeline.run(inputs: ["user": 7])
/// for await event in run.events { show(event) }
/// let account = try await run.result.output("account", as: Account.self)
/// ```
public struct Pipeline: Sendable {
  package let plan: Plan
  /// What sends the requests.
  public let transport: any Transport
  /// What surrounds the next run. A run that has begun keeps its own.
  public var options: RunOptions
  /// What lint found in the text that the pipeline was made of: warnings, since errors are thrown.
  public internal(set) var warnings: [Diagnostic] = []

  package init(_ plan: Plan, transport: any Transport, options: RunOptions = RunOptions()) {
    self.plan = plan
    self.transport = transport
    self.options = options
  }

  /// Begins a run. Nothing is sent before its `result` or its `events` are asked for.
  public func run(inputs: [String: JSONValue] = [:]) -> Run {
    Run(pipeline: self, inputs: inputs)
  }

  /// What a run would do that goes on with the one in `options.journal`. Nothing is sent, and
  /// nothing is written.
  ///
  /// - Throws: `InputError` if the inputs do not fit the workflow, `JournalError` if the journal
  ///   cannot be read.
  public func rehearse(inputs: [String: JSONValue] = [:]) throws -> Rehearsal {
    try Run(pipeline: self, inputs: inputs).rehearse()
  }

  /// Whether the inputs, and the state of the options, fit the workflow, without running it.
  ///
  /// - Throws: Everything that is wrong with them.
  public func check(inputs: [String: JSONValue]) throws(InputError) {
    _ = try InputValues(
      workflow: plan.workflow, options: options, startedAt: options.clock.wallTime
    ).resolve(inputs)
    _ = try StateValues(workflow: plan.workflow, startedAt: options.clock.wallTime)
      .resolve(options.state)
  }
}

extension Plan {
  /// The values that a run's inputs would have, as one object, and all that is wrong with them:
  /// what can be known of a run that nobody has begun.
  package func inputs(
    given: [String: JSONValue], options: RunOptions = RunOptions()
  ) -> (values: JSONNode, problems: [InputProblem]) {
    InputValues(workflow: workflow, options: options, startedAt: options.clock.wallTime)
      .values(given)
  }
}

extension Plan {
  /// The state that a run would begin with, as one object, and all that is wrong with it.
  ///
  /// - Parameter given: What the last run left.
  package func state(
    given: [String: JSONValue], options: RunOptions = RunOptions()
  ) -> (values: JSONNode, problems: [InputProblem]) {
    StateValues(workflow: workflow, startedAt: options.clock.wallTime).values(given)
  }

  /// A text as a state value of this name: JSON, but for texts and dates.
  package func stateValue(
    _ name: String, from text: String, options: RunOptions = RunOptions()
  ) throws(InputProblem) -> JSONValue {
    guard let value = workflow.state.first(where: { $0.name == name }) else {
      throw InputProblem.noState(name, in: workflow)
    }
    return try StateValues(workflow: workflow, startedAt: options.clock.wallTime)
      .value(text, of: value)
  }
}
