/// Bounds on a whole run.
public struct Limits: Sendable, Hashable {
  /// The most requests in flight.
  public var concurrency = 16
  /// The most requests in flight to one origin; `nil`: `concurrency`.
  public var perOrigin: Int?
  public var rate: Rate?
  public var ratePerOrigin: Rate?
  /// The longest that the run may take, `finally` not counted.
  public var deadline: Duration = .seconds(3600)
  /// The most bytes that a decoded body may have.
  public var responseSize = 64 << 20
  /// The most requests that are sent, retries included.
  public var requests = 1_000_000
  /// The most items over all collections, and calls of other files.
  public var items = 1_000_000
  /// The longest that a `Retry-After` may hold back an origin.
  public var retryAfter: Duration = .seconds(300)
  /// The most bytes that rows, bodies and collected failures may hold together.
  public var memory = 1 << 30

  public init() {}

  /// So many in so long: `100/1m`.
  public struct Rate: Sendable, Hashable {
    public var count: Int
    public var per: Duration
    /// When requests may leave, if not at any time.
    package var slot: Slot?

    /// A stretch of time that comes again after each `per`.
    package struct Slot: Sendable, Hashable {
      /// Since 1970-01-01T00:00:00Z, or on another scale that the user knows.
      package var start: Duration
      package let length: Duration
    }

    public init(count: Int, per: Duration) {
      self.count = count
      self.per = per
    }
  }
}
