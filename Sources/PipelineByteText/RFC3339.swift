/// Dates and times as RFC 3339 §5.6 writes them: the one parser of values, inputs and schemas.
///
/// Bytes are read in place, because a response may hold many times.
package enum RFC3339 {
  /// Whether a text is a `full-date`, `2026-01-31`, of a day that the calendar has.
  package static func isDate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { days(to: $0[...]) != nil }
  }

  /// Whether a text is a `date-time`.
  package static func isDateTime(_ text: String) -> Bool { DateTime(text) != nil }

  /// Days from 1970-01-01 to a `full-date`; `nil` if the bytes are none.
  package static func days(to date: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let start = date.startIndex
    guard date.count == 10, date[start + 4] == UInt8(ascii: "-"),
      date[start + 7] == UInt8(ascii: "-"), let century = pair(date, start),
      let year = pair(date, start + 2), let month = pair(date, start + 5),
      let day = pair(date, start + 8)
    else { return nil }
    return CalendarDate.days(year: century * 100 + year, month: month, day: day)
  }

  /// A `full-time`, `09:05:00.25+01:00`.
  package struct Time: Sendable {
    /// Minutes since midnight, as written.
    package let minute: Int
    /// Up to 60, which is a leap second.
    package let second: Int
    /// The places of the digits after the point.
    package let fraction: Range<Int>
    /// Minutes east of UTC.
    package let offset: Int

    package init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
      let start = text.startIndex
      guard text.count >= 9, text[start + 2] == UInt8(ascii: ":"),
        text[start + 5] == UInt8(ascii: ":"), let hour = pair(text, start), hour < 24,
        let minute = pair(text, start + 3), minute < 60,
        let second = pair(text, start + 6), second <= 60
      else { return nil }
      var end = start + 8
      var fraction = end..<end
      if text[end] == UInt8(ascii: ".") {
        let first = end + 1
        end = first
        while end < text.endIndex, text[end] &- 0x30 < 10 { end += 1 }
        guard end > first else { return nil }
        fraction = first..<end
      }
      guard let offset = RFC3339.offset(text[end...]) else { return nil }
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
    private let fraction: [UInt8]

    /// What separates the date from the time.
    package static let separators = ASCIISet("Tt")

    package init?(_ text: String, separators: ASCIISet = Self.separators) {
      var text = text
      let read = text.withUTF8 { bytes -> (Int, [UInt8])? in
        guard bytes.count >= 20, separators.contains(bytes[10]),
          let days = RFC3339.days(to: bytes[..<10]), let time = Time(bytes[11...])
        else { return nil }
        var fraction = time.fraction
        while let last = fraction.last, bytes[last] == 0x30 { fraction.removeLast() }
        return (
          days * 86_400 + (time.minute - time.offset) * 60 + time.second,
          fraction.isEmpty ? [] : Array(bytes[fraction])
        )
      }
      guard let read else { return nil }
      (seconds, fraction) = read
    }

    /// Rounded to what a floating-point number holds.
    package var secondsSince1970: Double {
      guard !fraction.isEmpty else { return Double(seconds) }
      return Double(seconds) + (Double("0." + String(decoding: fraction, as: UTF8.self)) ?? 0)
    }

    /// The moment in UTC as a text. Such texts are in the order of their moments. `nil` outside of the
    /// years 0 to 9999.
    package var orderedText: String? {
      guard CalendarDate.writableSeconds.contains(seconds) else { return nil }
      let date = CalendarDate(unixSeconds: seconds)
      let digits = String(decoding: fraction, as: UTF8.self)
      return "\(date.date)T\(date.clock)" + (digits.isEmpty ? "" : "." + digits)
    }

    package static func < (left: DateTime, right: DateTime) -> Bool {
      if left.seconds != right.seconds { return left.seconds < right.seconds }
      return left.fraction.lexicographicallyPrecedes(right.fraction)
    }
  }

  /// The `date-time` in UTC, with milliseconds if there are any; `nil` outside of the years 0 to
  /// 9999, and for numbers that are not finite.
  package static func text(secondsSince1970 time: Double) -> String? {
    let milliseconds = (time * 1000).rounded()
    let writable = CalendarDate.writableSeconds
    let first = Double(writable.lowerBound * 1000)
    guard first...Double(writable.upperBound * 1000 + 999) ~= milliseconds else { return nil }
    return CalendarDate.timestamp(unixMilliseconds: Int(milliseconds))
  }

  /// Minutes east of UTC: of `Z`, `+01:00`.
  private static func offset(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let start = text.startIndex
    if text.count == 1, text[start] | 0x20 == UInt8(ascii: "z") { return 0 }
    guard text.count == 6, text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-"),
      text[start + 3] == UInt8(ascii: ":"), let hour = pair(text, start + 1), hour < 24,
      let minute = pair(text, start + 4), minute < 60
    else { return nil }
    return (hour * 60 + minute) * (text[start] == UInt8(ascii: "-") ? -1 : 1)
  }

  /// Two digits.
  private static func pair(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ place: Int) -> Int? {
    let (tens, ones) = (text[place] &- 0x30, text[place + 1] &- 0x30)
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }
}
