internal import PipelineByteText

/// A moment in UTC, as RFC 3339 writes it.
package struct Timestamp: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  package let secondsSince1970: Double

  /// A moment before year 0 or after year 9999, which an app's clock may give, becomes the first or
  /// the last that a text can name.
  package init(secondsSince1970: Double) {
    let writable = CalendarDate.writableSeconds
    self.secondsSince1970 =
      secondsSince1970.isNaN
      ? 0 : min(max(secondsSince1970, Double(writable.lowerBound)), Double(writable.upperBound))
  }

  /// `2026-01-31T09:05:00Z`, with milliseconds if there are any.
  package var text: String {
    CalendarDate.timestamp(unixMilliseconds: Int((secondsSince1970 * 1000).rounded(.down)))
  }

  /// `2026-01-31`.
  var date: String { CalendarDate(unixSeconds: Int(secondsSince1970.rounded(.down))).date }
}
