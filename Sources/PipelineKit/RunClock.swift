#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Tells and waits for time. Tests give a run a clock that they turn by hand.
public protocol RunClock: Sendable {
  /// Since a moment that the clock chooses. Never goes back.
  var elapsed: Duration { get }
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  var wallTime: Double { get }
  /// Returns after `duration`.
  ///
  /// - Throws: `CancellationError` at once if the task is cancelled.
  func sleep(for duration: Duration) async throws

  /// Where tasks run that wait for the clock alone; `nil`: anywhere. A clock that advances only
  /// when all tasks are idle must see them wait.
  var executor: (any TaskExecutor)? { get }
}

extension RunClock {
  /// No executor: the runtime chooses the thread of each task.
  public var executor: (any TaskExecutor)? { nil }
}

/// The machine's own clock. All who wait for it share one timer.
public struct SystemClock: RunClock {
  private let start = ContinuousClock.now
  private let queue: SleepQueue

  /// A clock that begins now.
  public init() { self.init(queue: .shared) }

  package init(queue: SleepQueue) { self.queue = queue }

  /// The time since the clock was made.
  public var elapsed: Duration { ContinuousClock.now - start }

  /// The time of day, in seconds since 1970-01-01T00:00:00Z.
  public var wallTime: Double { Date().timeIntervalSince1970 }

  /// Waits, or throws when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await queue.sleep(for: duration)
  }
}

extension RunClock {
  /// What `work` comes to; `nil` if that takes longer than `limit`. Then its task is cancelled, and
  /// awaited until it returns.
  ///
  /// - Parameter executor: Where it is done; `nil`: where the calling task is.
  func limiting<Value: Sendable>(
    to limit: Duration, on executor: (any TaskExecutor)? = nil,
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    await withTaskGroup(of: Race<Value>.self) { group in
      group.addTask(executorPreference: executor) { .ended(await work()) }
      group.addTask(executorPreference: executor) {
        do {
          try await self.sleep(for: limit)
          return .late
        } catch {
          return .isCancelled
        }
      }
      for await runner in group {
        switch runner {
        case .ended(let value):
          group.cancelAll()
          return value
        case .late:
          group.cancelAll()
          return nil
        // The work ends soon, too, and says what it came to.
        case .isCancelled: continue
        }
      }
      return nil
    }
  }
}

private enum Race<Value: Sendable>: Sendable {
  case ended(Value)
  case late
  case isCancelled
}
