/// A moment in UTC, as RFC 3339 writes it.
struct Timestamp: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  let secondsSince1970: Double

  /// `2026-01-31T09:05:00Z`; milliseconds where there are any.
  var text: String {
    let milliseconds = Int((secondsSince1970 * 1000).rounded(.down))
    let (seconds, fraction) = milliseconds.quotientAndFloor(by: 1000)
    let (days, second) = seconds.quotientAndFloor(by: 86_400)
    let time = [second / 3600, second / 60 % 60, second % 60].map(Self.twoDigits)
      .joined(separator: ":")
    let rest = fraction == 0 ? "" : "." + String(String(fraction + 1000).dropFirst())
    return Self.date(day: days) + "T" + time + rest + "Z"
  }

  /// `2026-01-31`.
  var date: String {
    Self.date(day: Int((secondsSince1970 / 86_400).rounded(.down)))
  }

  /// The date that lies `day` days after 1970-01-01 in the Gregorian calendar.
  private static func date(day: Int) -> String {
    // Days are counted from 0000-03-01, so that leap days end a year; 146,097 days are 400 years.
    let (era, dayOfEra) = (day + 719_468).quotientAndFloor(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-"
      + twoDigits(month) + "-" + twoDigits(dayOfMonth)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension Int {
  /// Floored division: the remainder is never negative.
  fileprivate func quotientAndFloor(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
