internal import PipelineByteText

/// `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// How long to wait from `now`, in seconds since 1970; nil if the text is neither a date nor a
  /// number.
  ///
  /// RFC 9110 allows whole seconds. Some servers send `2.0`, which is rounded up.
  package static func parse(_ text: String, now: Double) -> Duration? {
    if let seconds = seconds(text) { return .seconds(seconds) }
    guard let date = HTTPDate(text, now: now) else { return nil }
    return .seconds(max(0, date.secondsSince1970 - now))
  }

  /// `delay-seconds`. A huge number is the same as the longest one.
  private static func seconds(_ text: String) -> Int64? {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCIISet.digits.contains) }) else {
      return nil
    }
    let whole = min(Int64(Substring(parts[0])) ?? .max, longest)
    let hasFraction = parts.count == 2 && parts[1].contains { $0 != UInt8(ascii: "0") }
    return min(hasFraction ? whole + 1 : whole, longest)
  }

  /// About 30,000 years, which a sum of times can hold.
  private static let longest: Int64 = 1_000_000_000_000
}
