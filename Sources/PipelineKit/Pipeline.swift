public import PipelineJSONText
package import PipelinePlanning
public import PipelineSourceText

/// A workflow and the transport of its requests, ready for any number of runs.
///
/// ```swift
/// let pipeline = try Pipeline(text)
/// let account = try await pipeline.value(of: Account.self, inputs: ["user": 7])
/// ```
///
/// Or step by step:
///
/// ```swift
/// let run = pipeline.run(inputs: ["user": 7])
/// for await event in run.events() { show(event) }
/// let account = try await run.result.output("account", as: Account.self)
/// ```
///
/// Make it once, and keep it.
public struct Pipeline: Sendable {
  package let plan: Plan
  /// The transport of the requests. A test sets a script here. A run that has begun keeps its own.
  public var transport: any Transport
  /// The options of the next run. A run that has begun keeps its own.
  public var options: RunOptions
  /// The steps that are written in Swift. A run that has begun keeps its own.
  public var handlers = Handlers()
  /// The warnings of lint for the pipeline's text. Errors are thrown.
  public internal(set) var warnings: [Diagnostic] = []

  package init(_ plan: Plan, transport: any Transport, options: RunOptions = RunOptions()) {
    self.plan = plan
    self.transport = transport
    self.options = options
  }

  /// What carries out the runs that begin now.
  var engine: Engine {
    Engine(plan: plan, transport: transport, handlers: handlers, options: options)
  }

  /// A run with these inputs. Nothing is sent before it is started, or its `result` or `events()` are
  /// asked for.
  ///
  /// - Parameter inputs: The values of inputs, by name. The others have their defaults.
  public func run(inputs: [String: JSONValue] = [:]) -> Run {
    Run(PreparedRun(engine, inputs: inputs))
  }

  /// A run whose inputs are the members of a value of your own, as `JSONValue(encoding:)` says.
  ///
  /// - Parameter inputs: A value whose members are the inputs.
  /// - Throws: `EncodingError` if the value cannot be encoded or is not an object.
  @_disfavoredOverload
  public func run(inputs: some Encodable) throws -> Run {
    run(inputs: try Self.members(of: inputs))
  }

  /// Runs the workflow, and decodes its outputs together.
  ///
  /// - Parameters:
  ///   - type: The type of all outputs together.
  ///   - inputs: The values of inputs, by name.
  ///   - keys: How names of members become keys of the type.
  /// - Returns: The decoded outputs.
  /// - Throws: `RunFailure` if the run did not succeed; also the errors of `Run.result` and
  ///   `RunResult.decode(_:keys:)`.
  public func value<Value: Decodable>(
    of type: Value.Type, inputs: [String: JSONValue] = [:], keys: DecodingKeys = .asWritten
  ) async throws -> Value {
    try await run(inputs: inputs).value(of: type, keys: keys)
  }

  /// Runs the workflow with inputs of your own type, and decodes its outputs together.
  ///
  /// - Parameters:
  ///   - type: The type of all outputs together.
  ///   - inputs: A value whose members are the inputs.
  ///   - keys: How names of members become keys of the type.
  /// - Returns: The decoded outputs.
  /// - Throws: `RunFailure` if the run did not succeed; also the errors of `Run.result`,
  ///   `run(inputs:)` and `RunResult.decode(_:keys:)`.
  @_disfavoredOverload
  public func value<Value: Decodable>(
    of type: Value.Type, inputs: some Encodable, keys: DecodingKeys = .asWritten
  ) async throws -> Value {
    try await run(inputs: inputs).value(of: type, keys: keys)
  }

  private static func members(of inputs: some Encodable) throws -> [String: JSONValue] {
    guard case .object(let members) = try JSONValue(encoding: inputs) else {
      throw EncodingError.invalidValue(
        inputs,
        .init(codingPath: [], debugDescription: "inputs are encoded as an object with their names"))
    }
    return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The steps that resuming the run in `options.journal` would carry out. Nothing is sent, and
  /// nothing is written.
  ///
  /// - Parameter inputs: The values of inputs, by name.
  /// - Returns: What would be carried out, and why.
  /// - Throws: `InputError` if the inputs do not fit the workflow, `JournalError` if the journal
  ///   cannot be read.
  public func rehearse(inputs: [String: JSONValue] = [:]) throws -> Rehearsal {
    try PreparedRun(engine, inputs: inputs).rehearse()
  }

  /// Whether the inputs, and the state of the options, fit the workflow, and each login that a run
  /// is sure to need has been made. Nothing is run.
  ///
  /// - Parameter inputs: The values of inputs, by name.
  /// - Throws: Everything that is wrong with them.
  public func check(inputs: [String: JSONValue]) throws(InputError) {
    try engine.check(inputs: inputs)
  }
}
