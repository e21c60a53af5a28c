/// When the reactor looks for transfers that make no progress.
///
/// It looks from time to time, so that no byte costs a look at the clock. A transfer ends at most a
/// fiftieth of its limit late, and never early.
struct SilenceWatch {
  private var interval = UInt64.max
  /// When to look next, in the reactor's clock; `.max`: no transfer has a limit.
  private(set) var nextLook = UInt64.max

  private static let looks: UInt64 = 50
  private static let shortestInterval: UInt64 = 1_000_000
  /// After a delay this long, unread bytes may be waiting, so silence cannot be judged.
  private static let lateness: UInt64 = 1_000_000_000

  /// Watches a transfer that may be silent for `limit` nanoseconds.
  mutating func add(_ limit: UInt64) {
    let interval = max(limit / Self.looks, Self.shortestInterval)
    guard interval < self.interval else { return }
    self.interval = interval
    nextLook = min(nextLook, Reactor.now() + interval)
  }

  /// Whether to look now, and whether that is too late to judge. All transfers are then added again.
  mutating func begin(_ now: UInt64) -> (isDue: Bool, isLate: Bool) {
    guard now >= nextLook else { return (false, false) }
    let isLate = now - nextLook > Self.lateness
    (interval, nextLook) = (.max, .max)
    return (true, isLate)
  }
}

/// The progress of one transfer so far.
struct Progress {
  /// The longest that it may be silent, in nanoseconds.
  var limit = UInt64.max
  /// The port on this side of the connection; 0: unknown.
  var localPort: Int32 = 0
  /// The connection's socket, once it was looked up; -1 if unknown.
  var descriptor: Int32 = -1
  /// The last reading, and when it was first seen; 0: none yet.
  private var seen: UInt64 = 0
  private var since: UInt64 = 0

  /// A request begins, or leaves again.
  mutating func restart(localPort: Int32) {
    self.localPort = localPort
    descriptor = -1
    since = 0
  }

  /// Records the current reading. Returns whether it has been the same for too long.
  mutating func isSilent(_ value: UInt64, _ now: UInt64, isLate: Bool) -> Bool {
    if value != seen || since == 0 || isLate {
      (seen, since) = (value, now)
      return false
    }
    return now - since >= limit
  }
}
