/// A date of a header, in the three forms that a recipient reads (RFC 9110 §5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
package struct HTTPDate: Sendable, Hashable {
  package let secondsSince1970: Double

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter now: Says which century a year of two digits is in: at most 50 years ahead.
  package init?(_ text: String, now: Double) {
    let words = text.split(separator: " ")
    let date: [Substring]
    let time: Substring
    switch words.count {
    case 6 where words[5] == "GMT": (date, time) = (Array(words[1...3]), words[4])
    case 4 where words[3] == "GMT":
      (date, time) = (words[1].split(separator: "-"), words[2])
    case 5: (date, time) = ([words[2], words[1], words[4]], words[3])
    default: return nil
    }
    guard date.count == 3, let day = Int(date[0]), (1...31).contains(day),
      let month = Self.months.firstIndex(of: String(date[1])), var year = Int(date[2])
    else { return nil }
    if date[2].utf8.count == 2 {
      let latest = 1970 + Int(now / 31_556_952) + 50
      year += latest / 100 * 100
      if year > latest { year -= 100 }
    }
    let parts = time.split(separator: ":").compactMap { Int($0) }
    guard (1970...9999).contains(year), parts.count == 3, (0...23).contains(parts[0]),
      (0...59).contains(parts[1]), (0...60).contains(parts[2])
    else { return nil }
    // Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    let shiftedYear = month < 2 ? year - 1 : year
    let shiftedMonth = (month + 10) % 12
    let days =
      shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
      + (shiftedMonth * 153 + 2) / 5 + day - 719_469
    secondsSince1970 = Double(days * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2])
  }
}
