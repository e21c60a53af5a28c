/// A number of requests in a span: `100/1m`.
package struct RequestRate: Sendable, Hashable {
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
