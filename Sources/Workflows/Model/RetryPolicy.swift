public import JSONPaths

/// When and how often a request is sent again.
public struct RetryPolicy: Sendable {
  /// What is worth another attempt.
  public enum Cause: Sendable, Hashable {
    /// No complete response: the name, the connection, TLS, an interruption.
    case network
    case timeout
    case status(StatusPattern)
  }

  /// Attempts in all, the first included; at least 1.
  public var attempts: Int
  public var on: [Cause] = RetryPolicy.defaultCauses
  /// What makes an answer worth another attempt, whatever its status.
  public var when: Written<Condition>?
  /// Before the second attempt; each later delay is `factor` times the one before.
  public var delay: Duration = .milliseconds(200)
  public var factor = 2.0
  public var maxDelay: Duration = .seconds(30)
  /// Draws each delay between half of it and the whole.
  public var jitter = true
  /// Also retries methods that are not idempotent (RFC 9110 §9.2.2).
  public var unsafe = false

  public init(attempts: Int) {
    self.attempts = attempts
  }

  public static let none = RetryPolicy(attempts: 1)

  public static let defaultCauses: [Cause] =
    [.network, .timeout] + [408, 425, 429, 502, 503, 504].map { .status(.code($0)) }
}
