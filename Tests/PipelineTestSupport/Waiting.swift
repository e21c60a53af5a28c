#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What tests wait for that sends them no event: the state of another process, and chance.
///
/// Everything else waits for an event or turns a clock.
package enum Waiting {
  /// Returns as soon as a condition holds, or after a minute at most.
  ///
  /// - Returns: Whether the condition holds.
  @discardableResult
  package static func until(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try !condition() {
      guard ContinuousClock.now < end else { return false }
      // Another process reports nothing to this one, so its traces are looked at again.
      usleep(500)
    }
    return true
  }

  /// Lets another process go on for some time.
  ///
  /// Nothing announces the moment at which a process is killed: that is what such tests are about.
  package static func moment(_ microseconds: UInt32) {
    usleep(microseconds)
  }
}
