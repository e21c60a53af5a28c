package import PipelineJSONPaths

/// Sends a request again until a condition holds.
package struct Poll: Sendable {
  package let until: Written<Condition>
  /// Fails the step at once if it holds.
  package let failWhen: Written<Condition>?
  /// The pause before the second request. Each later one is `factor` times the previous one.
  package var every: Duration = .seconds(2)
  package var factor = 1.0
  package var maxEvery: Duration = .seconds(30)
  /// The longest that polling may take.
  package var within: Duration? = .seconds(300)
  /// The most requests.
  package var attempts: Int?
  /// Whether a condition reads what was extracted, `@.values`.
  package let readsValues: Bool

  package init(until: Written<Condition>, failWhen: Written<Condition>? = nil) {
    self.until = until
    self.failWhen = failWhen
    readsValues = [until, failWhen].contains { $0?.value.mayRead("values") ?? false }
  }
}
