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
    "\(paddedYear)-\(Self.padded(month))-\(Self.padded(day))"
  }

  /// The year in four digits.
  package var paddedYear: String {
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// RFC 3339: `2026-11-21T09:27:44Z`.
  package var timestamp: String {
    "\(date)T\(clock)Z"
  }

  /// `09:27:44`.
  package var clock: String {
    "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))"
  }

  /// A number from 0 to 99 in two digits.
  package static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// The time of RFC 3339, with milliseconds if there are any: `2026-11-21T09:27:44.250Z`.
  package static func timestamp(unixMilliseconds: Int) -> String {
    let fraction = (unixMilliseconds % 1000 + 1000) % 1000
    let date = CalendarDate(unixSeconds: (unixMilliseconds - fraction) / 1000)
    if fraction == 0 { return date.timestamp }
    return "\(date.date)T\(date.clock).\(String(fraction + 1000).dropFirst(bytes: 1))Z"
  }

  /// The seconds since 1970-01-01T00:00:00Z whose dates have four digits for the year.
  package static let writableSeconds = -62_167_219_200...253_402_300_799

  /// Days from 1970-01-01 to a date in the years 0 to 9999, with months and days counted from 1;
  /// `nil` if the date does not exist.
  package static func days(year: Int, month: Int, day: Int) -> Int? {
    guard (0...9999).contains(year), (1...12).contains(month),
      (1...length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    // Years that begin in March, so that a leap day ends one. They are counted from 400 years before
    // year 0, so that none is negative.
    let shiftedYear = (month < 3 ? year - 1 : year) + 400
    let shiftedMonth = (month + 9) % 12
    return shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
      + (shiftedMonth * 153 + 2) / 5 + day - 719_469 - 146_097
  }

  /// The number of days of a month, from 1 to 12.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}
