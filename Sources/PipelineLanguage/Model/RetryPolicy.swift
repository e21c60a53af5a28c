package import PipelineJSONPaths

/// When and how often a request is sent again.
package struct RetryPolicy: Sendable {
  /// The failures that are worth another attempt.
  package enum Cause: Sendable, Hashable {
    /// No complete response: the name, the connection, TLS, an interruption.
    case network
    case timeout
    case status(StatusPattern)
  }

  /// Attempts in all, the first included, at least 1.
  package var attempts: Int
  package var on: [Cause] = RetryPolicy.defaultCauses
  /// The condition under which a response causes another attempt, whatever its status.
  package var when: Written<Condition>?
  /// The delay before the second attempt. Each later delay is `factor` times the previous one.
  package var delay: Duration = .milliseconds(200)
  package var factor = 2.0
  package var maxDelay: Duration = .seconds(30)
  /// Draws each delay between half of it and the whole.
  package var jitter = true
  /// Also retries methods that are not idempotent (RFC 9110 §9.2.2).
  package var unsafe = false

  package init(attempts: Int) {
    self.attempts = attempts
  }

  package static let none = RetryPolicy(attempts: 1)

  package static let defaultCauses: [Cause] =
    [.network, .timeout] + [408, 425, 429, 502, 503, 504].map { .status(.code($0)) }
}
