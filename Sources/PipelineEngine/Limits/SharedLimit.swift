internal import PipelineLanguage
internal import PipelineURIs

/// A limit that several runs keep together, such as what one server allows an app.
///
/// ```swift
/// let limit = SharedLimit(concurrency: 8, rate: .init(100, per: .seconds(60)))
/// pipeline.options.limit = limit
/// other.options.limit = limit
/// ```
///
/// Each run also keeps the limits of its workflow. A server that asks one of the runs to wait is
/// left alone by all of them, and so is one that announces that its limit is used up.
public final class SharedLimit: Sendable {
  /// A number of requests in any span of this length.
  public struct Rate: Sendable, Hashable {
    /// How many requests may leave.
    public var count: Int
    /// In how long.
    public var span: Duration

    /// A rate: at least one request in a span that is not empty.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - span: The time in which they may leave.
    public init(_ count: Int, per span: Duration) {
      self.count = max(1, count)
      self.span = max(span, .nanoseconds(1))
    }

    fileprivate var limit: Limits.Rate { Limits.Rate(count: count, per: span) }
  }

  let gates: OriginGates

  /// - Parameters:
  ///   - concurrency: How many requests of all runs may be in flight; `nil` for any number.
  ///   - perOrigin: How many of them to one scheme, host and port; `nil` for any number.
  ///   - rate: How many requests may leave in a time; `nil` for any number.
  ///   - ratePerOrigin: How many of them to one scheme, host and port; `nil` for any number.
  ///   - clock: On which the rates are kept.
  public init(
    concurrency: Int? = nil, perOrigin: Int? = nil, rate: Rate? = nil,
    ratePerOrigin: Rate? = nil, clock: any RunClock = SystemClock()
  ) {
    gates = OriginGates(
      limits: OriginGates.Limits(
        run: max(1, concurrency ?? .max), origin: max(1, perOrigin ?? .max), runRate: rate?.limit,
        originRate: ratePerOrigin?.limit,
        announced: OriginGates.Announced(patience: PipelineLanguage.Limits().retryAfter)),
      clock: clock)
  }
}
