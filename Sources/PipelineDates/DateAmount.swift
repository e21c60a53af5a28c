internal import PipelineByteText

/// An amount of time to move a date by: `-3d`, `1mo`, `90m`.
package struct DateAmount: Sendable, Hashable {
  package enum Unit: String, Sendable, CaseIterable {
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "m"
    case hours = "h"
    case days = "d"
    case months = "mo"
    case years = "y"
  }

  package let count: Int
  package let unit: Unit

  package init(count: Int, unit: Unit) {
    self.count = count
    self.unit = unit
  }

  /// `nil` if the text is not an amount.
  package init?(_ text: String) {
    let isNegative = text.hasPrefix(bytes: "-")
    let bytes = text.utf8.dropFirst(isNegative ? 1 : 0)
    let digits = bytes.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 15, let count = Int(Substring(digits)),
      let unit = Unit(rawValue: String(Substring(bytes[digits.endIndex...])))
    else { return nil }
    self.init(count: isNegative ? -count : count, unit: unit)
  }

  /// No amount of a unit lasts longer, in seconds: at least 1.
  package var longest: Int {
    let unit =
      switch unit {
      case .milliseconds: (1, 1000)
      case .seconds: (1, 1)
      case .minutes: (60, 1)
      case .hours: (3600, 1)
      case .days: (86_400, 1)
      case .months: (31 * 86_400, 1)
      case .years: (366 * 86_400, 1)
      }
    let (product, isTooMuch) = count.multipliedReportingOverflow(by: unit.0)
    return isTooMuch ? .max : max(1, product / unit.1 + (product % unit.1 == 0 ? 0 : 1))
  }

  /// By how much a series of such amounts may be behind their sum, because clocks were changed.
  package var longestDelay: Int { exactStep == nil ? 3 * 86_400 : 0 }

  package var text: String { "\(count)\(unit.rawValue)" }

  /// The same amount some number of times.
  package func times(_ factor: Int) -> DateAmount? {
    let (product, isTooMuch) = count.multipliedReportingOverflow(by: factor)
    return isTooMuch ? nil : DateAmount(count: product, unit: unit)
  }

  /// The amount in milliseconds or seconds; `nil` if the calendar decides how long it is.
  var exactStep: (count: Int, unit: Int, perSecond: Int)? {
    switch unit {
    case .milliseconds: (count, 1, 1000)
    case .seconds: (count, 1, 1)
    case .minutes: (count, 60, 1)
    case .hours: (count, 3600, 1)
    case .days, .months, .years: nil
    }
  }

  /// A day, counted from 1970-01-01, moved by the amount; `nil` if a day cannot be moved by it.
  ///
  /// If the month is too short for the day, the result is its last day.
  func moved(_ days: Int) throws(DateProblem) -> Int? {
    switch unit {
    case .milliseconds, .seconds, .minutes, .hours: return nil
    case .days:
      let (sum, isTooFar) = days.addingReportingOverflow(count)
      guard !isTooFar else { throw .outOfRange }
      return sum
    case .months, .years:
      let date = CalendarDate(unixSeconds: days * 86_400)
      let (change, isTooMuch) = count.multipliedReportingOverflow(by: unit == .years ? 12 : 1)
      let (months, isTooFar) = (date.year * 12 + date.month - 1).addingReportingOverflow(change)
      guard !isTooMuch, !isTooFar else { throw .outOfRange }
      let (year, month) = months.floored(by: 12)
      guard (0...9999).contains(year) else { throw .outOfRange }
      let day = min(date.day, CalendarDate.length(ofMonth: month + 1, year: year))
      return CalendarDate.days(year: year, month: month + 1, day: day)
    }
  }
}

extension DateAmount {
  /// What `+1d`, `1 month`, `2w` or `P1M` likely mean.
  package static func likely(_ text: String) -> DateAmount? {
    var word = text.lowercased().utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: "+") }[...]
    let isNegative = word.first == UInt8(ascii: "-")
    if isNegative { word = word.dropFirst() }
    let isPeriod = word.first == UInt8(ascii: "p")
    let hasTime = word.dropFirst().first == UInt8(ascii: "t")
    if isPeriod { word = word.dropFirst(hasTime ? 2 : 1) }
    let digits = word.prefix { (0x30...0x39).contains($0) }
    guard digits.count <= 9, let count = Int(String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    let unit = String(decoding: word[digits.endIndex...], as: UTF8.self)
    let units: [(Unit, Int, [String])] = [
      (.years, 1, ["y", "yr", "yrs", "year", "years"]),
      (.months, 1, isPeriod && !hasTime ? ["m"] : ["mo", "mon", "month", "months"]),
      (.days, 7, ["w", "week", "weeks"]), (.days, 1, ["d", "day", "days"]),
      (.hours, 1, ["h", "hr", "hrs", "hour", "hours"]),
      (.minutes, 1, ["m", "min", "mins", "minute", "minutes"]),
      (.seconds, 1, ["s", "sec", "secs", "second", "seconds"]),
      (.milliseconds, 1, ["ms", "millisecond", "milliseconds"]),
    ]
    guard let (meant, factor, _) = units.first(where: { $0.2.contains(unit) }) else { return nil }
    return DateAmount(count: (isNegative ? -count : count) * factor, unit: meant)
  }
}
