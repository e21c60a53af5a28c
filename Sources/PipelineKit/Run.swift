internal import PipelineJSONText
internal import Synchronization

/// One run of a pipeline: observe its events, await its result, pause, resume or cancel it.
///
/// The run begins with `start()`, or when its events or its result are first asked for. A pause or
/// cancellation before the beginning applies from then on: a cancelled run sends nothing.
public final class Run: Sendable {
  private let prepared: PreparedRun
  private let hasBegun = Atomic(false)
  private let waiters = RunWaiters<Result<RunReport, any Error>>()

  init(_ prepared: PreparedRun) {
    self.prepared = prepared
  }

  /// The events of the run, from its start to its end: a sequence for one listener. There may be
  /// several. Each has its own sequence, which it may ask for at any time.
  ///
  /// A listener that asks before the run begins gets every event. A late listener first gets the
  /// earlier events that were kept: the first `RunOptions.keptEvents`, and the one that ends the
  /// run. Where events are left out a note says so. After the end the sequence ends with these.
  ///
  /// Events wait, without limit, for a slow listener. A sequence that is not iterated over takes
  /// memory until it is released.
  public func events() -> RunEvents {
    RunEvents(stream: prepared.events(), run: self)
  }

  /// The result of the run, when it has ended. A run that failed has a result too.
  ///
  /// Any number of tasks may await it. Cancelling one of them ends its own wait, with a
  /// `CancellationError`. If no other task waits, the run is cancelled too, and the wait ends when
  /// its `finally` steps have run. A run that was begun with `start()` always goes on: only
  /// `cancel()` stops it.
  ///
  /// - Throws: `InputError` if the inputs or the state do not fit the workflow, or if a login that
  ///   a person makes is missing. `JournalError` if the journal cannot be read. `RunInDoubt` if it
  ///   holds requests whose outcome is unknown. In each case nothing was sent. `MissingHandler` if
  ///   a step in Swift is not there. `CancellationError` if the task that awaits was cancelled.
  public var result: RunResult {
    get async throws {
      let outcome = await waiters.outcome(begin: begin, cancelRun: cancel)
      guard let report = try outcome?.get() else { throw CancellationError() }
      if Task.isCancelled, report.status == .cancelled { throw CancellationError() }
      return RunResult(report: report)
    }
  }

  /// How many tasks await the result.
  package var waiterCount: Int { waiters.count }

  /// Stops the run: requests in flight are aborted, no further step begins, `finally` steps run. A
  /// run that has not begun ends without any step.
  ///
  /// If the run has a journal, a request that must not be sent twice may end first, for up to 10
  /// seconds.
  public func cancel() { prepared.cancel() }

  /// Starts nothing further until `resume()`. Requests in flight continue. `finally` steps are not
  /// held back, and a run that stops is no longer paused.
  ///
  /// Calls of `pause()`, `resume()` and `cancel()` apply in their order.
  public func pause() { prepared.pause() }

  /// Goes on after `pause()`.
  public func resume() { prepared.resume() }

  /// Begins the run, if it has not begun: requests are sent even if no task awaits their results.
  ///
  /// A run that was started continues to its end, even if it is no longer referenced, or if every
  /// task that awaits it is cancelled. `cancel()` stops it.
  ///
  /// - Returns: The run itself.
  @discardableResult
  public func start() -> Run {
    waiters.makeIndependent()
    begin()
    return self
  }

  /// The outputs of the run, decoded together, once it has succeeded.
  ///
  /// - Parameters:
  ///   - type: The type of all outputs together.
  ///   - keys: How names of members become keys of the type.
  /// - Returns: The decoded outputs.
  /// - Throws: `RunFailure` if the run did not succeed; also the errors of `result` and
  ///   `RunResult.decode(_:keys:)`.
  public func value<Value: Decodable>(
    of type: Value.Type, keys: DecodingKeys = .asWritten
  ) async throws -> Value {
    try await result.get().decode(type, keys: keys)
  }

  /// Begins the run, if it has not begun.
  ///
  /// Its task is unstructured, as only `Grace` has another. A run outlives the expression that began
  /// it, so that one task may show its events while another awaits its result. It is never cancelled
  /// itself; `cancel()` speaks to the scheduler, which ends it in order.
  func begin() {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task(executorPreference: prepared.executor) {
      self.waiters.end(with: await self.perform())
    }
  }

  private func perform() async -> Result<RunReport, any Error> {
    do {
      return .success(try await prepared.carryOut())
    } catch {
      return .failure(error)
    }
  }

  /// A new id: 16 hexadecimal digits.
  package static func randomID() -> String { RunIdentity.randomID() }
}
