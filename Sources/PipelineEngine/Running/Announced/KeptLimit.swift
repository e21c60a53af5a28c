internal import PipelineByteText
internal import PipelineTransports

/// An announced limit of an origin, as the store keeps it for the processes of a machine. Times are
/// in seconds since 1970.
package struct KeptLimit: Sendable, Hashable {
  /// Requests that a process may still send.
  package struct Share: Sendable, Hashable {
    package var count: Int
    /// When it took them.
    package var time: Double

    package init(count: Int, time: Double) {
      self.count = count
      self.time = time
    }
  }

  package let name: String
  package var limit: Double?
  /// The length of a window in seconds.
  package var length: Double?
  /// The requests that were left at `time`.
  package var remaining: Double
  /// The requests that come back each second.
  package var refill: Double
  package var time: Double
  /// When all requests are there again.
  package var end: Double
  /// By the name of a process.
  package var held: [String: Share] = [:]

  package init(
    name: String, limit: Double?, length: Double?, remaining: Double, refill: Double, time: Double,
    end: Double
  ) {
    self.name = name
    self.limit = limit
    self.length = length
    self.remaining = remaining
    self.refill = refill
    self.time = time
    self.end = end
  }

  init(_ name: String, _ window: AnnouncedWindow, at now: Duration, wall: Double) {
    self.init(
      name: name, limit: window.limit, length: window.length?.seconds,
      remaining: window.left(at: now), refill: window.refill, time: wall,
      end: wall + max((window.end - now).seconds, window.refill > 0 ? 1 : 0))
  }

  /// Whether the server takes no request at a time.
  package func isUsedUp(at time: Double) -> Bool {
    end > time && left(at: time) < 1
  }

  /// The requests that are left at a time, while the window lasts.
  func left(at time: Double) -> Double {
    min(limit ?? .infinity, remaining + refill * max(0, time - self.time))
  }

  /// The requests that other processes may still send.
  func heldByOthers(than process: String, at time: Double) -> Int {
    held.reduce(0) { sum, entry in
      entry.key.equals(bytes: process)
        || time > entry.value.time + 2 * AnnouncedWindow.grantTime.seconds
        ? sum : sum + entry.value.count
    }
  }
}

/// Keeps announced limits for all processes of a machine.
package protocol AnnouncedLimitKeeping: Sendable {
  /// Changes what is kept of an origin, while no other process does. What cannot be kept is left out:
  /// then each process has only what its own answers say.
  ///
  /// - Parameters:
  ///   - makesStore: Whether a store is made if there is none. A server that has announced nothing
  ///     needs none.
  ///   - body: Changes the limits, and returns whether they are written.
  func change(
    _ origin: String, at time: Double, makesStore: Bool, _ body: (inout [KeptLimit]) -> Bool)
}
