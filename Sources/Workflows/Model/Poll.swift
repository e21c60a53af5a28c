public import JSONPaths

/// Sends a request again until a condition holds.
public struct Poll: Sendable {
  public var until: Written<Condition>
  /// Fails the step at once where it holds.
  public var failWhen: Written<Condition>?
  /// The pause before the second request; each later one is `factor` times the one before.
  public var every: Duration = .seconds(2)
  public var factor = 1.0
  public var maxEvery: Duration = .seconds(30)
  /// The longest that polling may take.
  public var within: Duration? = .seconds(300)
  /// The most requests.
  public var attempts: Int?

  public init(until: Written<Condition>) {
    self.until = until
  }
}
