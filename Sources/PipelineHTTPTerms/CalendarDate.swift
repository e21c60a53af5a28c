/// A date of the proleptic Gregorian calendar in UTC, from seconds since 1970.
package struct CalendarDate: Sendable, Hashable {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// 0 is Sunday.
  package let weekday: Int

  package init(unixSeconds: Int) {
    let (quotient, remainder) = unixSeconds.quotientAndRemainder(dividingBy: 86_400)
    let days = remainder < 0 ? quotient - 1 : quotient
    let rest = remainder < 0 ? remainder + 86_400 : remainder
    // Days are counted from 0000-03-01, in eras of 400 years. March comes first, so the leap day
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

  /// `2026-11-21`.
  package var date: String {
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      + "-\(Self.padded(month))-\(Self.padded(day))"
  }

  /// RFC 3339: `2026-11-21T09:27:44Z`.
  package var timestamp: String {
    "\(date)T\(clock)Z"
  }

  /// IMF-fixdate of RFC 9110 §5.6.7: `Sat, 21 Nov 2026 09:27:44 GMT`.
  package var httpDate: String {
    "\(Self.weekdays[weekday]), \(Self.padded(day)) \(Self.months[month - 1]) \(year) \(clock) GMT"
  }

  /// `09:27:44`.
  package var clock: String {
    "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))"
  }

  private static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  package static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  /// Days from 1970-01-01 to a date, with months and days counted from 1; nil if the date does not
  /// exist.
  package static func days(year: Int, month: Int, day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...9999).contains(year), lengths.indices.contains(month - 1),
      (1...lengths[month - 1]).contains(day)
    else { return nil }
    // Years that begin in March, so that a leap day ends one.
    let shiftedYear = month < 3 ? year - 1 : year
    let shiftedMonth = (month + 9) % 12
    return shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
      + (shiftedMonth * 153 + 2) / 5 + day - 719_469
  }

  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
