internal import JSONText
internal import Synchronization
internal import Workflows

/// One run of a pipeline: observe its events, await its result, pause, resume or cancel it.
///
/// The run begins when its events or its result are first asked for. Events are kept from the first
/// one on for whoever asked for `events` before that; without a listener, and without an observer
/// in the options, none are made.
public final class Run: Sendable {
  private enum State {
    case idle
    case running(Task<Result<RunReport, InputError>, Never>)
  }

  private let pipeline: Pipeline
  private let inputs: [String: JSONValue]
  private let controls = RunControls()
  private let state = Mutex(State.idle)
  private let listener = Mutex<AsyncStream<RunEvent>.Continuation?>(nil)
  /// Hides the run's secrets in texts that are shown to people.
  public let redactor = Redactor()

  init(pipeline: Pipeline, inputs: [String: JSONValue]) {
    self.pipeline = pipeline
    self.inputs = inputs
  }

  /// What happens in the run, from its start to its end. One sequence for one listener: asking
  /// again ends the earlier sequence.
  ///
  /// Events wait, without limit, for a listener that falls behind.
  public var events: RunEvents {
    let (stream, continuation) = AsyncStream.makeStream(of: RunEvent.self)
    let earlier = listener.withLock { listener in
      defer { listener = continuation }
      return listener
    }
    earlier?.finish()
    return RunEvents(stream: stream, run: self)
  }

  /// What the run came to, when it has ended; a run that failed is a result too.
  ///
  /// Cancelling the task that awaits the result cancels the run; its `finally` steps still run.
  ///
  /// - Throws: `InputError` where the inputs do not fit the workflow; nothing was sent.
  public var result: RunResult {
    get async throws {
      let task = start()
      let outcome = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        cancel()
      }
      return RunResult(report: try outcome.get())
    }
  }

  /// Stops the run: requests in flight are aborted, no further step begins, `finally` steps run.
  public func cancel() { controls.send(.cancel) }

  /// Starts nothing further until `resume()`; what is in flight goes on.
  public func pause() { controls.send(.pause) }

  public func resume() { controls.send(.resume) }

  /// Begins the run, where it has not begun.
  ///
  /// The one unstructured task of the library: a run outlives the expression that began it, so that
  /// one task may show its events while another awaits its result. It is never cancelled itself;
  /// `cancel()` speaks to the scheduler, which ends it in order.
  @discardableResult
  func start() -> Task<Result<RunReport, InputError>, Never> {
    state.withLock { state in
      if case .running(let task) = state { return task }
      let task = Task(executorPreference: pipeline.transport.preferredExecutor(for: nil)) {
        await self.perform()
      }
      state = .running(task)
      return task
    }
  }

  private func perform() async -> Result<RunReport, InputError> {
    defer { listener.withLock { $0?.finish() } }
    let plan = pipeline.plan
    var options = pipeline.options
    let startedAt = options.clock.wallTime
    let values: ScopeValue
    do throws(InputError) {
      values = try InputValues(workflow: plan.workflow, options: options, startedAt: startedAt)
        .resolve(inputs)
    } catch {
      return .failure(error)
    }
    for input in plan.workflow.inputs where input.isSecret {
      if let value = values.node[input.name] { redactor.hide(value) }
    }
    let identity = RunIdentity(id: options.runID ?? Self.randomID(), startedAt: startedAt)
    options.runID = identity.id
    let sink = sink(options)
    let context = RunContext(
      transport: pipeline.transport, options: options, limits: plan.workflow.limits,
      redactor: redactor,
      trust: Trust(plan: plan, inputs: values, sandboxOrigin: options.sandboxOrigin), sink: sink,
      controls: controls)
    sink?.emit(
      .runStarted(
        RunEvent.RunStarted(
          runID: identity.id, workflow: plan.workflow.name, steps: RunEvent.summaries(of: plan))))
    let runner = Runner(
      plan: plan, inputs: values, identity: identity, context: context, controls: controls)
    return .success(await runner.run())
  }

  /// Where events go; `nil` where nobody wants them.
  private func sink(_ options: RunOptions) -> EventSink? {
    let continuation = listener.withLock { $0 }
    let observer = options.observer
    guard continuation != nil || observer != nil else { return nil }
    if let observer, continuation == nil {
      return EventSink(clock: options.clock, yield: observer)
    }
    return EventSink(clock: options.clock) { event in
      observer?(event)
      continuation?.yield(event)
    }
  }

  /// 16 hexadecimal digits.
  private static func randomID() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// What happens in a run, in the order it happened.
public struct RunEvents: AsyncSequence, Sendable {
  public typealias Element = RunEvent
  public typealias Failure = Never

  let stream: AsyncStream<RunEvent>
  let run: Run

  public func makeAsyncIterator() -> AsyncStream<RunEvent>.Iterator {
    run.start()
    return stream.makeAsyncIterator()
  }
}

/// What a run came to.
public struct RunResult: Sendable {
  public let report: RunReport

  public var status: RunReport.Status { report.status }

  /// What the workflow returns.
  public var outputs: Outputs { report.outputs }

  /// An output, decoded.
  ///
  /// - Throws: `MissingOutput` where the run did not give it; `DecodingError` where it is no
  ///   `Value`.
  public func output<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    guard let node = outputs[name] else {
      throw MissingOutput(name: name, failures: report.failures)
    }
    return try node.decode(type)
  }
}

/// An output that a run did not give.
public struct MissingOutput: Error, Sendable, CustomStringConvertible {
  public let name: String
  /// What failed in the run.
  public let failures: [StepFailure]

  public var description: String {
    "the run gave no output '\(name)'"
      + (failures.first.map { ": step '\($0.step)' \($0.failure.message)" } ?? "")
  }
}

extension RunEvent {
  static func summaries(of plan: Plan) -> [StepSummary] {
    plan.root.steps.enumerated().map { number, step in
      StepSummary(
        id: step.step.id.value, isCollection: step.step.forEach != nil,
        isFinally: number >= plan.root.mainCount)
    }
  }
}
