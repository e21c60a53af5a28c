/// Dates and times as RFC 3339 §5.6 writes them: the one parser of values, inputs and schemas.
package enum RFC3339 {
  /// Days from 1970-01-01 to a `full-date`, `2026-01-31`; `nil` if the text is none, or the calendar
  /// does not have the day.
  package static func days(to date: ArraySlice<UInt8>) -> Int? {
    let start = date.startIndex
    guard date.count == 10, date[start + 4] == UInt8(ascii: "-"),
      date[start + 7] == UInt8(ascii: "-"), let year = number(date[start..<start + 4]),
      let month = number(date[start + 5..<start + 7]),
      let day = number(date[start + 8..<start + 10])
    else { return nil }
    return CalendarDate.days(year: year, month: month, day: day)
  }

  /// Whether a text is a `full-date`.
  package static func isDate(_ text: String) -> Bool { days(to: Array(text.utf8)[...]) != nil }

  /// Whether a text is a `date-time`.
  package static func isDateTime(_ text: String) -> Bool { DateTime(text) != nil }

  /// A `full-time`, `09:05:00.25+01:00`.
  package struct Time: Sendable {
    /// Minutes since midnight, as written.
    package let minute: Int
    /// Up to 60, which is a leap second.
    package let second: Int
    /// The digits after the point.
    package let fraction: ArraySlice<UInt8>
    /// Minutes east of UTC.
    package let offset: Int

    package init?(_ text: ArraySlice<UInt8>) {
      let start = text.startIndex
      guard text.count >= 9, text[start + 2] == UInt8(ascii: ":"),
        text[start + 5] == UInt8(ascii: ":"),
        let hour = number(text[start..<start + 2]), hour < 24,
        let minute = number(text[start + 3..<start + 5]), minute < 60,
        let second = number(text[start + 6..<start + 8]), second <= 60
      else { return nil }
      var rest = text[(start + 8)...]
      var fraction: ArraySlice<UInt8> = []
      if rest.first == UInt8(ascii: ".") {
        fraction = rest.dropFirst().prefix { $0 &- 0x30 < 10 }
        guard !fraction.isEmpty else { return nil }
        rest = rest[fraction.endIndex...]
      }
      guard let offset = RFC3339.offset(rest) else { return nil }
      self.minute = hour * 60 + minute
      self.second = second
      self.fraction = fraction
      self.offset = offset
    }
  }

  /// A `date-time`, `2026-01-31T09:05:00.25+01:00`, to be compared with others.
  package struct DateTime: Comparable, Sendable {
    /// From 1970-01-01T00:00:00Z, leap seconds not counted.
    private let seconds: Int
    /// The digits of the fraction, without zeros at its end.
    private let fraction: ArraySlice<UInt8>

    /// What separates the date from the time.
    package static let separators = ASCIISet("Tt")

    package init?(_ text: String, separators: ASCIISet = Self.separators) {
      let bytes = Array(text.utf8)
      guard bytes.count >= 20, separators.contains(bytes[10]),
        let days = RFC3339.days(to: bytes[..<10]), let time = Time(bytes[11...])
      else { return nil }
      seconds = days * 86_400 + (time.minute - time.offset) * 60 + time.second
      var fraction = time.fraction
      while fraction.last == 0x30 { fraction.removeLast() }
      self.fraction = fraction
    }

    /// Rounded to what a floating-point number holds.
    package var secondsSince1970: Double {
      guard !fraction.isEmpty else { return Double(seconds) }
      return Double(seconds) + (Double("0." + String(decoding: fraction, as: UTF8.self)) ?? 0)
    }

    package static func < (left: DateTime, right: DateTime) -> Bool {
      if left.seconds != right.seconds { return left.seconds < right.seconds }
      return left.fraction.lexicographicallyPrecedes(right.fraction)
    }
  }

  /// The `date-time` in UTC, with milliseconds if there are any; `nil` outside of the years 0 to
  /// 9999, and for numbers that are not finite.
  package static func text(
    secondsSince1970 time: Double, _ rounding: FloatingPointRoundingRule
  ) -> String? {
    let milliseconds = (time * 1000).rounded(rounding)
    guard first...last ~= milliseconds else { return nil }
    return CalendarDate.timestamp(unixMilliseconds: Int(milliseconds))
  }

  /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z, in milliseconds.
  private static let first = -62_167_219_200_000.0
  private static let last = 253_402_300_799_999.0

  /// Minutes east of UTC: of `Z`, `+01:00`.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
    let start = text.startIndex
    if text.count == 1, text[start] | 0x20 == UInt8(ascii: "z") { return 0 }
    guard text.count == 6, text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-"),
      text[start + 3] == UInt8(ascii: ":"),
      let hour = number(text[start + 1..<start + 3]), hour < 24,
      let minute = number(text[start + 4..<start + 6]), minute < 60
    else { return nil }
    return (hour * 60 + minute) * (text[start] == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard digit &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(digit &- 0x30)
    }
    return value
  }
}
