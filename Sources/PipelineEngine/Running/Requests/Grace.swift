internal import PipelineJSONPaths
internal import PipelineLanguage
internal import Synchronization

/// The cancellation of a unit, put off while a request of it is under way that must not be sent
/// twice. If that request were cut off, it would be unknown whether it was carried out.
///
/// States:
///
/// - *free*: no such request is under way. `cancel` cancels the unit's task at once.
/// - *held*: from `hold`, immediately before the request leaves, to `release`, when its outcome is
///   known, or the end of the unit. `cancel` starts the limit, and nothing else.
/// - *over*: the task is cancelled, by `cancel`, by `release` after it, or by the limit. `hold`
///   refuses.
///
/// The task never outlives `guarding`, which waits for it.
final class Grace: Sendable {
  /// How long such a request may go on after its unit was cancelled.
  static let limit = Duration.seconds(10)

  private struct State {
    var isHeld = false
    var isCancelled = false
    var isOver = false
    /// Cancels the task.
    var cancelWork: (@Sendable () -> Void)?
    var limit: Task<Void, Never>?

    /// Returns what cancels the task, if there is one.
    mutating func end() -> (@Sendable () -> Void)? {
      isOver = true
      return cancelWork
    }
  }

  private let clock: any RunClock
  /// The source outside the unit, which also interrupts its computing.
  private let outer: (any InterruptionSource)?
  private let state = Mutex(State())

  init(clock: any RunClock) {
    self.clock = clock
    outer = Interruption.source
  }

  /// Does `work`. If the calling task is cancelled, so is the work, as soon as nothing holds it.
  func guarding<Outcome: Sendable>(
    on executor: (any TaskExecutor)?, _ work: @Sendable @escaping () async -> Outcome
  ) async -> Outcome {
    let task = Interruption.$source.withValue(self) {
      Task(executorPreference: executor) { await work() }
    }
    let isOver = state.withLock { state in
      state.cancelWork = { task.cancel() }
      return state.isOver
    }
    if isOver { task.cancel() }
    let outcome = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      cancel()
    }
    let limit = state.withLock { state in
      state.cancelWork = nil
      state.isOver = true
      return state.limit.take()
    }
    limit?.cancel()
    return outcome
  }

  /// A request that must not be sent twice is about to leave. `false`: it must not leave any more.
  func hold() -> Bool {
    state.withLock { state in
      if !state.isOver { state.isHeld = true }
      return !state.isOver
    }
  }

  /// What became of the request is known, and written down.
  func release() {
    let cancelWork = state.withLock { state in
      state.isHeld = false
      return state.isCancelled ? state.end() : nil
    }
    cancelWork?()
  }

  private func cancel() {
    let cancelWork = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isCancelled else { return nil }
      state.isCancelled = true
      guard state.isHeld else { return state.end() }
      state.limit = Task(executorPreference: clock.executor) { await self.expire() }
      return nil
    }
    cancelWork?()
  }

  /// Waits for the limit, and cancels the task.
  private func expire() async {
    guard (try? await clock.sleep(for: Self.limit)) != nil else { return }
    let cancelWork = state.withLock { $0.end() }
    cancelWork?()
  }
}

extension Grace: InterruptionSource {
  var interruptsWork: Bool {
    let (isOver, isHeld) = state.withLock { ($0.isOver, $0.isHeld) }
    return isOver || !isHeld && outer?.interruptsWork == true
  }

  func noteLongWork() { outer?.noteLongWork() }
}
