internal import PipelineLanguage

extension RetryPolicy {
  /// The pause before attempt `attempt` + 1.
  ///
  /// - Parameter random: From `0..<1`.
  func delay(after attempt: Int, random: Double) -> Duration {
    var delay = self.delay
    for _ in 1..<max(1, attempt) where delay < maxDelay {
      // With no delay at all nothing grows, however often.
      if delay == .zero { break }
      delay = delay.scaled(by: factor, upTo: maxDelay)
    }
    delay = min(delay, maxDelay)
    return jitter ? delay * (0.5 + random / 2) : delay
  }
}

extension Duration {
  /// `factor` times as long, or `longest`, without an overflow of `Duration` in between.
  func scaled(by factor: Double, upTo longest: Duration) -> Duration {
    seconds * factor < longest.seconds ? self * factor : longest
  }
}
