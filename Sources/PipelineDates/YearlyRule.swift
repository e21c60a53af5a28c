internal import PipelineByteText

/// The changes of the clocks in each year, as a `TZ` variable of POSIX describes them, with the
/// extensions of RFC 9636 §3.3.1: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Sendable {
  /// A day of the year and a time on that day.
  private struct Change: Sendable {
    enum Day: Sendable {
      /// From 1 to 365: February 29 is not counted.
      case withoutLeapDay(Int)
      /// From 0 to 365.
      case counted(Int)
      /// A weekday, 0 is Sunday, of a week of a month; the fifth is the last.
      case weekday(Int, week: Int, month: Int)
    }

    let day: Day
    /// Seconds after midnight, which may be negative or on another day.
    let time: Int
  }

  private let standard: Int
  private let summer: Int
  /// When summer time begins and ends; `nil` if the clocks never change.
  private let changes: (start: Change, end: Change)?

  func offset(at seconds: Int) -> Int {
    guard changes != nil else { return standard }
    // Two years before are enough for a change that is moved to the year before its own.
    return changes(from: seconds - 800 * 86_400, to: seconds).last?.offset ?? standard
  }

  /// The changes after one moment, up to another, in their order.
  func changes(from start: Int, to end: Int) -> [ZoneRules.Change] {
    guard let changes else { return [] }
    let years =
      CalendarDate(unixSeconds: start).year - 1...CalendarDate(unixSeconds: end).year + 1
    var found: [ZoneRules.Change] = []
    for year in years {
      guard let first = CalendarDate.days(year: year, month: 1, day: 1) else { continue }
      let begins = Self.seconds(of: changes.start, in: year, first) - standard
      let ends = Self.seconds(of: changes.end, in: year, first) - summer
      found.append(ZoneRules.Change(time: begins, offset: summer))
      found.append(ZoneRules.Change(time: ends, offset: standard))
    }
    // If summer time ends when the next begins, it lasts all year.
    let endless = Set(found.filter { $0.offset == summer }.map(\.time))
    return
      found
      .filter { start < $0.time && $0.time <= end }
      .filter { $0.offset == summer || !endless.contains($0.time) }
      .sorted { $0.time < $1.time }
  }

  /// The time on clocks of a change, as if it were UTC.
  private static func seconds(of change: Change, in year: Int, _ first: Int) -> Int {
    let isLeap = CalendarDate.length(ofMonth: 2, year: year) == 29
    let day: Int
    switch change.day {
    case .counted(let number): day = first + number
    case .withoutLeapDay(let number): day = first + number - (isLeap && number > 59 ? 0 : 1)
    case .weekday(let weekday, let week, let month):
      let start = CalendarDate.days(year: year, month: month, day: 1) ?? first
      // 1970-01-01 was a Thursday.
      let startsOn = (start + 4).floored(by: 7).remainder
      let number = (weekday - startsOn + 7) % 7 + (week - 1) * 7
      let length = CalendarDate.length(ofMonth: month, year: year)
      day = start + (number < length ? number : number - 7)
    }
    return day * 86_400 + change.time
  }
}

// MARK: - Reading

extension YearlyRule {
  /// - Parameter text: The last line of a file of the tz database.
  init?(_ text: [UInt8]) {
    var reader = RuleReader(rest: text[...])
    guard reader.skipName(), let west = reader.time() else { return nil }
    standard = -west
    guard !reader.rest.isEmpty else {
      summer = standard
      changes = nil
      return
    }
    guard reader.skipName() else { return nil }
    let isGiven = reader.rest.first != UInt8(ascii: ",")
    guard let offset = isGiven ? reader.time().map({ -$0 }) : standard + 3600 else { return nil }
    summer = offset
    guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else {
      return nil
    }
    changes = (start, end)
  }

  private struct RuleReader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ byte: Character) -> Bool {
      guard rest.first == byte.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// `CET`, `<+03>`.
    mutating func skipName() -> Bool {
      if skip("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
      rest = rest[letters.endIndex...]
      return letters.count >= 3
    }

    mutating func number() -> Int? {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, digits.count <= 3 else { return nil }
      rest = rest[digits.endIndex...]
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `-1`, `+5:30`, `3:00:15`, in seconds.
    mutating func time() -> Int? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard let hours = number() else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where skip(":") {
        guard let count = number(), count < 60 else { return nil }
        seconds += count * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// `,M3.5.0/2`.
    mutating func change() -> YearlyRule.Change? {
      guard skip(",") else { return nil }
      let day: YearlyRule.Change.Day
      if skip("M") {
        guard let month = number(), (1...12).contains(month), skip("."), let week = number(),
          (1...5).contains(week), skip("."), let weekday = number(), weekday < 7
        else { return nil }
        day = .weekday(weekday, week: week, month: month)
      } else if skip("J") {
        guard let number = number(), (1...365).contains(number) else { return nil }
        day = .withoutLeapDay(number)
      } else {
        guard let number = number(), number <= 365 else { return nil }
        day = .counted(number)
      }
      guard skip("/") else { return YearlyRule.Change(day: day, time: 7200) }
      guard let time = time() else { return nil }
      return YearlyRule.Change(day: day, time: time)
    }
  }
}
