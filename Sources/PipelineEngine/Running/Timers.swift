/// The times by which passes through called files and blocks must end: one task sleeps for the first
/// of them.
struct Timers {
  private var ends: [Int: Duration] = [:]
  /// The time that a task sleeps for.
  var sleeper: Duration?

  /// `frame` must end at this time. It replaces an earlier limit.
  mutating func start(_ frame: Int, end: Duration) {
    ends[frame] = end
  }

  mutating func stop(_ frame: Int) {
    ends[frame] = nil
  }

  /// The time for which a task must now begin to sleep; `nil` if one does, or there is nothing.
  ///
  /// - Complexity: O(passes under way that must end in time).
  mutating func nextToSleepFor() -> Duration? {
    guard let first = ends.values.min(), sleeper.map({ first < $0 }) ?? true else { return nil }
    sleeper = first
    return first
  }

  /// The frames whose time is over, in the order in which they began.
  mutating func takeDue(at now: Duration) -> [Int] {
    if let end = sleeper, end <= now { sleeper = nil }
    let due = ends.filter { $0.value <= now }.keys.sorted()
    for frame in due { ends[frame] = nil }
    return due
  }
}
