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

  /// Where tasks run that wait for the clock alone; `nil` for anywhere. A clock that advances only
  /// when all tasks are idle must see them wait.
  var executor: (any TaskExecutor)? { get }
}

extension RunClock {
  /// No executor: the runtime chooses the thread of each task.
  public var executor: (any TaskExecutor)? { nil }
}
