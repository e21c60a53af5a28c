// Dates and times of RFC 3339 §5.6, durations of its appendix A.

internal import PipelineByteText

extension Scanner {
  /// `full-date`, with the days that the month has.
  mutating func date() -> Bool {
    guard let year = number(digits: 4, in: 0...9999), take("-"),
      let month = number(digits: 2, in: 1...12), take("-")
    else { return false }
    return number(digits: 2, in: 1...CalendarDate.length(ofMonth: month, year: year)) != nil
  }

  /// `full-time`. A leap second is one only at the end of a day in UTC.
  mutating func time() -> Bool {
    guard let hour = number(digits: 2, in: 0...23), take(":"),
      let minute = number(digits: 2, in: 0...59), take(":"),
      let second = number(digits: 2, in: 0...60)
    else { return false }
    if take("."), digits() == 0 { return false }
    var offset = 0
    if !take("Z") && !take("z") {
      let sign = take("+") ? 1 : -1
      guard sign == 1 || take("-"), let hours = number(digits: 2, in: 0...23), take(":"),
        let minutes = number(digits: 2, in: 0...59)
      else { return false }
      offset = sign * (hours * 60 + minutes)
    }
    let day = 24 * 60
    return second < 60 || (hour * 60 + minute - offset + day) % day == day - 1
  }

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
