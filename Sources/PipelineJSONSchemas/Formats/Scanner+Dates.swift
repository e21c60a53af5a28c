// Dates and times of RFC 3339 §5.6, durations of its appendix A.

internal import PipelineByteText

extension RFC3339.Time {
  /// Whether a leap second, if it is one, is at the end of a day in UTC: the only place that
  /// RFC 3339 §5.7 allows.
  fileprivate var keepsTheCalendar: Bool {
    let day = 24 * 60
    return second < 60 || (minute - offset + day) % day == day - 1
  }
}

extension RFC3339 {
  /// `full-date`.
  static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { days(to: $0[...]) != nil }
  }

  /// `full-time`.
  static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { Time($0[...])?.keepsTheCalendar ?? false }
  }

  /// `date-time`.
  static func isDateTime(_ text: ArraySlice<UInt8>) -> Bool {
    guard let separator = text.dropFirst(10).first, separator | 0x20 == UInt8(ascii: "t") else {
      return false
    }
    return isDate(text.prefix(10)) && isTime(text.dropFirst(11))
  }
}

extension Scanner {
  /// `duration`: weeks, or a date part and a time part whose units follow one another without a gap.
  mutating func duration() -> Bool {
    guard take("P") else { return false }
    if let weeks = units("W"), weeks { return true }
    guard let hasDate = units("YMD") else { return false }
    guard take("T") else { return hasDate }
    return units("HMS") ?? false
  }

  /// Amounts with these units in their order, without a gap between two; `false` if there are none,
  /// and `nil` if other text follows.
  private mutating func units(_ units: String) -> Bool? {
    let units = Array(units.utf8)
    let start = self
    var last: Int?
    while let first = rest.first, Self.isDigit(first) {
      _ = digits()
      guard let unit = rest.first.flatMap({ units.firstIndex(of: $0) }),
        last.map({ unit == $0 + 1 }) ?? true
      else {
        self = start
        return nil
      }
      rest.removeFirst()
      last = unit
    }
    return last != nil
  }
}
