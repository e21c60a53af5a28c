internal import Synchronization

/// Cancels one unit of work while its siblings go on, which a task group alone cannot.
final class CancellationToken: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case cancelled
  }

  private let state = Mutex(State.idle)

  func cancel() {
    let waiter = state.withLock { state in
      defer { state = .cancelled }
      if case .waiting(let waiter) = state { return waiter as CheckedContinuation<Void, Never>? }
      return nil
    }
    waiter?.resume()
  }

  /// Does `work`, cancelled as soon as this token or the calling task is.
  func guarding(_ work: @Sendable @escaping () async -> UnitOutcome) async -> UnitOutcome {
    await withTaskGroup(of: UnitOutcome?.self) { group in
      group.addTask { await work() }
      group.addTask {
        await self.wait()
        return nil
      }
      var outcome = UnitOutcome.cancelled
      for await result in group {
        if let result { outcome = result }
        group.cancelAll()
      }
      return outcome
    }
  }

  /// Returns when the token or the calling task is cancelled.
  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .cancelled = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }
}
