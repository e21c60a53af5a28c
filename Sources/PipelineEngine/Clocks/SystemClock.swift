#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
  ///
  /// - Parameter duration: The time to wait.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await queue.sleep(for: duration)
  }
}
