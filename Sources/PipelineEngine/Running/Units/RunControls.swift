internal import Synchronization

/// Carries requests to a run from outside, and messages of units at work, to the task that owns its
/// state.
final class RunControls: Sendable {
  enum Command: Sendable {
    case pause, resume, cancel
    /// The run ends once its requests under way have ended, because it must not send anything more.
    case stop(FailureReason)
    /// A unit waits for something that others do not need.
    case park(Parking)
    /// A unit that was parked continues.
    case unpark(Parking)
  }

  private struct State {
    var commands: [Command] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  /// The flags that the scheduler sees even while it computes.
  let signal = StopSignal()

  func send(_ command: Command) {
    // First, so that a reader of the command finds the signal raised.
    switch command {
    case .cancel: signal.raise(.cancel)
    case .pause, .resume, .stop: signal.raise(.attention)
    // The scheduler does not need these to continue its work.
    case .park, .unpark: break
    }
    let waiter = state.withLock { state in
      state.commands.append(command)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// The commands that have not been read, in the order of the calls.
  ///
  /// This is the only way to read them. So an older command is never applied after a newer one.
  func takeAll() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Waits until there is a command to read, or the task is cancelled. Takes none.
  func waitForCommand() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.commands.isEmpty, !Task.isCancelled else { return true }
          state.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }
}
