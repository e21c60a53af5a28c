internal import Synchronization

/// The tasks that wait for the end of a run.
///
/// A task that is cancelled ends its own wait only. If no other task waits, the run is cancelled
/// too, and the task waits until the clean-up is done. A run that its owner has started does not
/// depend on those who wait.
final class RunWaiters<Outcome: Sendable>: Sendable {
  /// Resumed with `nil` if the wait is cancelled, and the run is not.
  private typealias Continuation = CheckedContinuation<Outcome?, Never>

  private enum Waiter {
    /// It is about to wait.
    case arriving
    /// The task was cancelled before it waited, and the run goes on.
    case gone
    /// The task was the last one, and was cancelled. It waits for the end of the run.
    case last(Continuation?)
    case waiting(Continuation)

    /// Whether it wants the outcome.
    var isInterested: Bool {
      switch self {
      case .arriving, .waiting: true
      case .gone, .last: false
      }
    }
  }

  private struct State {
    var outcome: Outcome?
    var waiters: [Int: Waiter] = [:]
    var lastID = 0
    var isIndependent = false
  }

  private let state = Mutex(State())

  /// How many tasks want the outcome.
  var count: Int { state.withLock { $0.waiters.values.count(where: \.isInterested) } }

  /// The run does not depend on those who wait from now on.
  func makeIndependent() { state.withLock { $0.isIndependent = true } }

  /// The outcome of the run, when it has one; `nil` if the calling task was cancelled, and the run
  /// was not.
  ///
  /// - Parameters:
  ///   - begin: Begins the run, if it has not begun.
  ///   - cancelRun: Cancels the run.
  func outcome(begin: () -> Void, cancelRun: @Sendable () -> Void) async -> Outcome? {
    let id = state.withLock { state in
      state.lastID += 1
      state.waiters[state.lastID] = .arriving
      return state.lastID
    }
    return await withTaskCancellationHandler {
      // A task that is cancelled already has cancelled the run before it begins.
      begin()
      return await withCheckedContinuation { continuation in wait(id, continuation) }
    } onCancel: {
      if leave(id) { cancelRun() }
    }
  }

  /// The run has ended.
  func end(with outcome: Outcome) {
    let waiters = state.withLock { state in
      state.outcome = outcome
      defer { state.waiters = [:] }
      return state.waiters.values.compactMap { waiter in
        switch waiter {
        case .waiting(let continuation): continuation
        case .last(let continuation): continuation
        case .arriving, .gone: nil
        }
      }
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  private func wait(_ id: Int, _ continuation: Continuation) {
    let (isOver, outcome) = state.withLock { state -> (Bool, Outcome?) in
      if let outcome = state.outcome { return (true, outcome) }
      switch state.waiters[id] {
      case .last?: state.waiters[id] = .last(continuation)
      case .gone?:
        state.waiters[id] = nil
        return (true, nil)
      case .arriving?, .waiting?, nil: state.waiters[id] = .waiting(continuation)
      }
      return (false, nil)
    }
    if isOver { continuation.resume(returning: outcome) }
  }

  /// The task of a wait is cancelled. Returns whether the run must be cancelled.
  private func leave(_ id: Int) -> Bool {
    let (wasLast, continuation) = state.withLock { state -> (Bool, Continuation?) in
      guard let waiter = state.waiters.removeValue(forKey: id) else { return (false, nil) }
      var waiting: Continuation?
      if case .waiting(let continuation) = waiter { waiting = continuation }
      if !state.isIndependent, !state.waiters.values.contains(where: \.isInterested) {
        state.waiters[id] = .last(waiting)
        return (true, nil)
      }
      if waiting == nil { state.waiters[id] = .gone }
      return (false, waiting)
    }
    continuation?.resume(returning: nil)
    return wasLast
  }
}
