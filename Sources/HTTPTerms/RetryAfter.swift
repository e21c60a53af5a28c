/// `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// How long to wait from `now`, in seconds since 1970; `nil` where the text is neither a number
  /// of seconds nor a date.
  package static func parse(_ text: String, now: Double) -> Duration? {
    if let seconds = Double(text), seconds >= 0, seconds < 1e9 { return .seconds(seconds) }
    guard let date = HTTPDate(text, now: now) else { return nil }
    return .seconds(max(0, date.secondsSince1970 - now))
  }
}
