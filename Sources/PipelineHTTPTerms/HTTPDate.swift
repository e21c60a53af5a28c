package import PipelineByteText

/// A date of a header, in the three forms that a recipient reads (RFC 9110 §5.6.7). Examples: `Sun,
/// 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov 6 08:49:37 1994`.
///
/// The day of the week must be one, but not the right one: servers are known to get it wrong.
package struct HTTPDate: Sendable, Hashable {
  package let secondsSince1970: Double

  /// - Parameter now: Says which century a year of two digits is in: at most 50 years ahead.
  package init?(_ text: String, now: Double) {
    let words = text.split(ascii: " ", omittingEmptySubsequences: false)
    let parts: (weekday: Substring, day: Substring, month: Substring, year: Int?, time: Substring)
    switch words.count {
    case 6 where words[5].equals(bytes: "GMT"):
      guard let weekday = Self.beforeComma(words[0]), words[1].utf8.count == 2 else { return nil }
      parts = (weekday, words[1], words[2], Self.number(words[3], digits: 4), words[4])
    case 4 where words[3].equals(bytes: "GMT"):
      let date = words[1].split(ascii: "-", omittingEmptySubsequences: false)
      guard let weekday = Self.beforeComma(words[0]), date.count == 3, date[0].utf8.count == 2,
        Self.longWeekdays.contains(bytes: weekday), let year = Self.number(date[2], digits: 2)
      else { return nil }
      let short = weekday.dropLast(bytes: weekday.utf8.count - 3)
      parts = (short, date[0], date[1], Self.year(ofTwoDigits: year, now: now), words[2])
    case 5 where words[2].utf8.count == 2:
      parts = (words[0], words[2], words[1], Self.number(words[4], digits: 4), words[3])
    case 6 where words[2].isEmpty && words[3].utf8.count == 1:
      parts = (words[0], words[3], words[1], Self.number(words[5], digits: 4), words[4])
    default: return nil
    }
    guard Self.weekdays.contains(bytes: parts.weekday),
      let day = Self.number(parts.day, digits: parts.day.utf8.count),
      let month = Self.months.firstIndex(where: { $0.equals(bytes: parts.month) }),
      let year = parts.year,
      let days = CalendarDate.days(year: year, month: month + 1, day: day),
      let seconds = Self.seconds(parts.time)
    else { return nil }
    secondsSince1970 = Double(days * 86_400 + seconds)
  }

  private static func beforeComma(_ word: Substring) -> Substring? {
    word.hasSuffix(bytes: ",") ? word.dropLast(bytes: 1) : nil
  }

  private static func year(ofTwoDigits year: Int, now: Double) -> Int {
    let latest = 1970 + Int(now / 31_556_952) + 50
    let same = latest / 100 * 100 + year
    return same > latest ? same - 100 : same
  }

  /// The seconds of a day at `08:49:37`. A leap second counts as one.
  private static func seconds(_ time: Substring) -> Int? {
    let parts = time.split(ascii: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], digits: 2), hour < 24,
      let minute = number(parts[1], digits: 2), minute < 60,
      let second = number(parts[2], digits: 2), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ ASCIISet.digits.contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  fileprivate static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  fileprivate static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let longWeekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
}

extension CalendarDate {
  /// IMF-fixdate of RFC 9110 §5.6.7: `Sat, 21 Nov 2026 09:27:44 GMT`.
  package var httpDate: String {
    "\(HTTPDate.weekdays[weekday]), \(Self.padded(day)) \(HTTPDate.months[month - 1]) \(paddedYear)"
      + " \(clock) GMT"
  }
}
