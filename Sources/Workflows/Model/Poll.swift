public import JSONPaths

/// Sends a request again until a condition holds.
public struct Poll: Sendable {
  public let until: Written<Condition>
  /// Fails the step at once where it holds.
  public let failWhen: Written<Condition>?
  /// The pause before the second request; each later one is `factor` times the one before.
  public var every: Duration = .seconds(2)
  public var factor = 1.0
  public var maxEvery: Duration = .seconds(30)
  /// The longest that polling may take.
  public var within: Duration? = .seconds(300)
  /// The most requests.
  public var attempts: Int?
  /// Whether a condition reads what was extracted, `@.values`.
  public let readsValues: Bool

  public init(until: Written<Condition>, failWhen: Written<Condition>? = nil) {
    self.until = until
    self.failWhen = failWhen
    readsValues = [until, failWhen].contains { $0?.value.mayRead("values") ?? false }
  }
}
