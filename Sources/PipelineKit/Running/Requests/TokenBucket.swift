internal import Workflows

/// A rate that allows short bursts: as many at once as its count, refilled evenly.
///
/// Kept as the time at which the bucket is full again, so that all sums are exact.
struct TokenBucket: Sendable {
  /// What one token takes to come back.
  private let interval: Duration
  /// What all tokens but one take.
  private let burst: Duration
  private var full = Duration.zero

  init(_ rate: Workflows.Limits.Rate) {
    interval = rate.per / rate.count
    burst = interval * (rate.count - 1)
  }

  /// How long until a request may be sent that follows `ahead` others.
  func pause(at now: Duration, ahead: Int = 0) -> Duration {
    max(.zero, max(full, now) + interval * ahead - burst - now)
  }

  mutating func take(at now: Duration) {
    full = max(full, now) + interval
  }
}
