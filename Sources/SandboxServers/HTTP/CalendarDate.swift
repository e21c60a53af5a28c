/// A date of the proleptic Gregorian calendar in UTC, from seconds since 1970.
struct CalendarDate: Equatable {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  /// 0 is Sunday.
  let weekday: Int

  init(unixSeconds: Int) {
    let days = Int((Double(unixSeconds) / 86_400).rounded(.down))
    let rest = unixSeconds - days * 86_400
    // Days are counted from 0000-03-01, in eras of 400 years; March comes first, so the leap day
    // ends the year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
    weekday = ((days + 4) % 7 + 7) % 7
  }

  /// RFC 3339: `2026-11-21T09:27:44Z`.
  var timestamp: String {
    "\(year)-\(Self.padded(month))-\(Self.padded(day))T\(clock)Z"
  }

  /// IMF-fixdate of RFC 9110 §5.6.7: `Sat, 21 Nov 2026 09:27:44 GMT`.
  var httpDate: String {
    "\(Self.weekdays[weekday]), \(Self.padded(day)) \(Self.months[month - 1]) \(year) \(clock) GMT"
  }

  private var clock: String {
    "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))"
  }

  private static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
