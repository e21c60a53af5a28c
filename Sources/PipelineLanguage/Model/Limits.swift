/// Bounds on a whole run.
package struct Limits: Sendable, Hashable {
  /// The most requests in flight.
  package var concurrency = 16
  /// The most requests in flight to one origin; `nil`: `concurrency`.
  package var perOrigin: Int?
  package var rate: Rate?
  package var ratePerOrigin: Rate?
  /// The longest that the run may take, `finally` not counted.
  package var deadline: Duration = .seconds(3600)
  /// The longest that `finally` steps may take; `nil`: `defaultFinally`.
  package var finally: Duration?
  /// The most bytes that a decoded body may have.
  package var responseSize = 64 << 20
  /// The most requests that are sent, retries included.
  package var requests = 1_000_000
  /// The most items over all collections, and calls of other files.
  package var items = 1_000_000
  /// The longest that a `Retry-After` may hold back an origin.
  package var retryAfter: Duration = .seconds(300)
  /// The most bytes that rows, bodies and collected failures may hold together.
  package var memory = 1 << 30

  /// The limit of `finally` steps if the file sets none.
  package static let defaultFinally = Duration.seconds(60)

  package init() {}

  /// So many in so long: `100/1m`.
  package struct Rate: Sendable, Hashable {
    package var count: Int
    package var per: Duration
    /// When requests may leave, if not at any time.
    package var slot: Slot?

    /// A stretch of time that comes again after each `per`.
    package struct Slot: Sendable, Hashable {
      /// Since 1970-01-01T00:00:00Z, or on another scale that the user knows.
      package var start: Duration
      package let length: Duration
    }

    package init(count: Int, per: Duration) {
      self.count = count
      self.per = per
    }
  }
}
