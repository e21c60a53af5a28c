internal import Synchronization

/// Carries requests to a run from outside, and messages of units at work, to the task that owns its
/// state.
final class RunControls: Sendable {
  enum Command: Sendable {
    case pause, resume, cancel
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
    // First, so that whoever reads the command finds the signal raised.
    switch command {
    case .cancel: signal.raise(.cancel)
    case .pause, .resume: signal.raise(.attention)
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

  /// The commands that nobody has read, in order.
  func takeAll() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// The next command; `nil` if the task is cancelled before one comes.
  func next() async -> Command? {
    await withTaskCancellationHandler {
      while !Task.isCancelled {
        let command = state.withLock { state in
          state.commands.isEmpty ? nil : state.commands.removeFirst()
        }
        if let command { return command }
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            guard state.commands.isEmpty, !Task.isCancelled else { return true }
            state.waiter = continuation
            return false
          }
          if isReady { continuation.resume() }
        }
      }
      return nil
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }
}
