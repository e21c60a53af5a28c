internal import PipelineByteText

/// `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// How long to wait from `now`, in seconds since 1970; nil if the text is not a date and not a
  /// number of digits only.
  package static func parse(_ text: String, now: Double) -> Duration? {
    if let seconds = seconds(text) { return .seconds(seconds) }
    guard let date = HTTPDate(text, now: now) else { return nil }
    return .seconds(max(0, date.secondsSince1970 - now))
  }

  /// `delay-seconds`. A number beyond all patience is as good as the longest one.
  private static func seconds(_ text: String) -> Int64? {
    guard !text.utf8.isEmpty, text.utf8.allSatisfy({ ASCIISet.digits.contains($0) }) else {
      return nil
    }
    return min(Int64(text) ?? .max, longest)
  }

  /// About 30,000 years, which a sum of times can hold.
  private static let longest: Int64 = 1_000_000_000_000
}
