internal import PipelineByteText

/// A day of the calendar, or a moment with the zone in which it is read.
package enum DateValue: Sendable {
  /// Days since 1970-01-01.
  case day(Int)
  case moment(Moment, Zone)

  /// A `full-date` or a `date-time` of RFC 3339, whose offset is then its zone.
  package init?(_ text: String) {
    var text = text
    let read = text.withUTF8 { bytes -> DateValue? in
      if let days = RFC3339.days(to: bytes[...]) { return .day(days) }
      guard bytes.count >= 20, RFC3339.DateTime.separators.contains(bytes[10]),
        let days = RFC3339.days(to: bytes[..<10]), let time = RFC3339.Time(bytes[11...])
      else { return nil }
      let seconds = days * 86_400 + (time.minute - time.offset) * 60 + time.second
      let moment = Moment(
        seconds: seconds, nanoseconds: Moment.nanoseconds(bytes[time.fraction]))
      return .moment(moment, .fixed(time.offset * 60))
    }
    guard let read else { return nil }
    self = read
  }

  /// The same moment in another zone; of a day the moment at which it begins there.
  package func inZone(_ zone: Zone) -> DateValue {
    switch self {
    case .day(let days): .moment(Moment(seconds: zone.seconds(ofClock: days * 86_400)), zone)
    case .moment(let moment, _): .moment(moment, zone)
    }
  }

  /// Whether it is earlier; `nil` if one is a day and the other a moment.
  package func isBefore(_ other: DateValue) -> Bool? {
    switch (self, other) {
    case (.day(let days), .day(let others)): days < others
    case (.moment(let moment, _), .moment(let other, _)):
      (moment.seconds, moment.nanoseconds) < (other.seconds, other.nanoseconds)
    case (.day, .moment), (.moment, .day): nil
    }
  }

  /// Seconds since 1970-01-01; of a day, those to its start in UTC.
  package var seconds: Int {
    switch self {
    case .day(let days): days * 86_400
    case .moment(let moment, _): moment.seconds
    }
  }

  /// The same moment in the zone of another.
  package func written(like other: DateValue) -> DateValue {
    if case .moment(_, let zone) = other { inZone(zone) } else { self }
  }

  /// The format that RFC 3339 has for it.
  package var usualFormat: DateFormat {
    if case .day = self { .date } else { .rfc3339 }
  }

  /// The days whose years are 0 to 9999.
  private static let days = -719_528...2_932_896

  /// - Throws: If the date lies outside of the years that texts have.
  private func checked() throws(DateProblem) -> DateValue {
    let days =
      switch self {
      case .day(let days): days
      case .moment(let moment, _): moment.seconds.floored(by: 86_400).quotient
      }
    guard Self.days.contains(days) else { throw .outOfRange }
    return self
  }
}

/// Why a date cannot be worked out.
package enum DateProblem: Error, Sendable, Equatable {
  /// The years are not 0 to 9999.
  case outOfRange
  /// A day has no hours, so what needs them has no meaning.
  case noTime(String)

  /// A phrase.
  package var message: String {
    switch self {
    case .outOfRange: "the result would lie outside of the years 0 to 9999"
    case .noTime(let what):
      "a date has no time of day, which \(what) needs; with \"zone\" it is the moment at which the"
        + " day begins there"
    }
  }
}

/// The parts of the calendar that a date may be taken back to the start of.
package enum CalendarUnit: String, Sendable, CaseIterable {
  case year, month
  /// From Monday on.
  case week
  case day, hour, minute
}

extension DateValue {
  package func start(of unit: CalendarUnit) throws(DateProblem) -> DateValue {
    switch self {
    case .day(let days):
      guard unit != .hour, unit != .minute else {
        throw .noTime("\"startOf\": \"\(unit.rawValue)\"")
      }
      return .day(Self.start(of: unit, days))
    case .moment(let moment, let zone):
      let clock = moment.seconds + zone.offset(at: moment.seconds)
      switch unit {
      case .hour, .minute:
        let rest = clock.floored(by: unit == .hour ? 3600 : 60).remainder
        return .moment(Moment(seconds: moment.seconds - rest), zone)
      case .year, .month, .week, .day:
        let days = Self.start(of: unit, clock.floored(by: 86_400).quotient)
        return .moment(Moment(seconds: zone.seconds(ofClock: days * 86_400)), zone)
      }
    }
  }

  private static func start(of unit: CalendarUnit, _ days: Int) -> Int {
    let date = CalendarDate(unixSeconds: days * 86_400)
    switch unit {
    // A week begins on Monday, which is day 1.
    case .week: return days - (date.weekday + 6) % 7
    case .month: return days - (date.day - 1)
    case .year:
      return CalendarDate.days(year: date.year, month: 1, day: 1) ?? days
    case .day, .hour, .minute: return days
    }
  }

  /// The date after an amount of time, or before it if that is negative.
  ///
  /// Days, months and years are those of the zone's calendar: the clocks show the same time of day.
  package func adding(_ amount: DateAmount) throws(DateProblem) -> DateValue {
    switch self {
    case .day(let days):
      guard let moved = try amount.moved(days) else { throw .noTime("\"add\": \"\(amount.text)\"") }
      return try DateValue.day(moved).checked()
    case .moment(let moment, let zone):
      if let step = amount.exactStep {
        let (change, isTooFar) = step.unit.multipliedReportingOverflow(by: step.count)
        guard !isTooFar, abs(change) < 1 << 60 else { throw .outOfRange }
        // Milliseconds or seconds.
        let scale = step.perSecond
        let (seconds, rest) = change.floored(by: scale)
        let (carry, nanoseconds) =
          (moment.nanoseconds + rest * (1_000_000_000 / scale)).floored(by: 1_000_000_000)
        let (sum, isBeyond) = moment.seconds.addingReportingOverflow(seconds + carry)
        guard !isBeyond else { throw .outOfRange }
        return try DateValue.moment(Moment(seconds: sum, nanoseconds: nanoseconds), zone).checked()
      }
      let clock = moment.seconds + zone.offset(at: moment.seconds)
      let (days, time) = clock.floored(by: 86_400)
      guard let moved = try amount.moved(days), Self.days.contains(moved) else { throw .outOfRange }
      let seconds = zone.seconds(ofClock: moved * 86_400 + time)
      return try DateValue.moment(
        Moment(seconds: seconds, nanoseconds: moment.nanoseconds), zone
      ).checked()
    }
  }
}
