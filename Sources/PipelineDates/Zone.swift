/// The difference between clocks and UTC.
package enum Zone: Sendable {
  /// Seconds east of UTC, always.
  case fixed(Int)
  case rules(ZoneRules)

  package static let utc = Zone.fixed(0)

  /// Seconds east of UTC at a moment, in seconds since 1970.
  package func offset(at seconds: Int) -> Int {
    switch self {
    case .fixed(let offset): offset
    case .rules(let rules): rules.offset(at: seconds)
    }
  }

  /// The moment at which clocks show a time, in seconds since 1970 as if it were UTC.
  ///
  /// A time that the clocks skip moves forward by what they skip. Of a time that they show twice,
  /// the first counts.
  package func seconds(ofClock clock: Int) -> Int {
    switch self {
    case .fixed(let offset): clock - offset
    case .rules(let rules): rules.seconds(ofClock: clock)
    }
  }
}

/// The changes of the clocks of one zone: a file of the tz database.
package struct ZoneRules: Sendable {
  /// A change of the clocks.
  struct Change: Sendable, Equatable {
    /// Seconds since 1970.
    let time: Int
    /// Seconds east of UTC from then on.
    let offset: Int
  }

  /// The changes that the file lists, in their order.
  private let changes: [Change]
  /// Seconds east of UTC before the first change.
  private let first: Int
  /// The rule for the time after the last change.
  private let rule: YearlyRule?

  init(first: Int, changes: [Change], rule: YearlyRule?) {
    self.first = first
    self.changes = changes
    self.rule = rule
  }

  /// - Complexity: O(log n) in the changes.
  package func offset(at seconds: Int) -> Int {
    if let rule, changes.last.map({ $0.time <= seconds }) ?? true {
      return rule.offset(at: seconds)
    }
    let next = partitioningIndex { $0.time > seconds }
    return next == 0 ? first : changes[next - 1].offset
  }

  package func seconds(ofClock clock: Int) -> Int {
    // No clock differs from UTC by more than 26 hours.
    let reach = 26 * 3600
    var offset = offset(at: clock - reach)
    for change in changes(from: clock - reach, to: clock + reach) {
      // Clocks show the time before this change, or skip it.
      if clock - offset < change.time { return clock - offset }
      if clock - change.offset < change.time { return clock - offset }
      offset = change.offset
    }
    return clock - offset
  }

  /// The changes after one moment, up to another.
  private func changes(from start: Int, to end: Int) -> [Change] {
    let listed = changes[partitioningIndex { $0.time > start }...].prefix { $0.time <= end }
    guard let rule, changes.last.map({ $0.time < end }) ?? true else { return Array(listed) }
    let last = changes.last?.time ?? .min
    return listed + rule.changes(from: start, to: end).filter { $0.time > last }
  }

  private func partitioningIndex(where isAfter: (Change) -> Bool) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(changes[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
