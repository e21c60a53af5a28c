internal import PipelineByteText
internal import PipelineHTTPTerms

/// How a date is written as text or as a number.
package enum DateFormat: Sendable, Equatable {
  /// A `date-time`.
  case rfc3339
  /// A `full-date`: `2026-01-31`.
  case date
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, RFC 9110 §5.6.7.
  case http
  /// Whole seconds since 1970.
  case unix
  case unixMilliseconds
  case pattern(DatePattern)

  package static let names = ["rfc3339", "date", "http", "unix", "unixMilliseconds"]

  package init?(named name: String) {
    switch name {
    case "rfc3339": self = .rfc3339
    case "date": self = .date
    case "http": self = .http
    case "unix": self = .unix
    case "unixMilliseconds": self = .unixMilliseconds
    default: return nil
    }
  }

  /// Whether what it writes is a number.
  package var isNumber: Bool { self == .unix || self == .unixMilliseconds }

  /// The text, or the digits of the number.
  package func text(of value: DateValue) throws(DateProblem) -> String {
    switch value {
    case .day(let days):
      switch self {
      case .date: return CalendarDate(unixSeconds: days * 86_400).date
      case .pattern(let pattern) where !pattern.hasTime:
        return pattern.text(clock: days * 86_400, offset: 0, Moment(seconds: 0))
      case .rfc3339, .http, .unix, .unixMilliseconds, .pattern: throw .noTime("\"format\"")
      }
    case .moment(let moment, let zone):
      return try text(of: moment, in: zone)
    }
  }

  private func text(of moment: Moment, in zone: Zone) throws(DateProblem) -> String {
    let exact = zone.offset(at: moment.seconds)
    // Texts have offsets of whole minutes, but clocks before 1972 had others.
    let offset = exact.floored(by: 60).quotient * 60
    let clock = moment.seconds + offset
    guard CalendarDate.writableSeconds.contains(clock),
      CalendarDate.writableSeconds.contains(moment.seconds)
    else { throw .outOfRange }
    switch self {
    case .rfc3339:
      let date = CalendarDate(unixSeconds: clock)
      return "\(date.date)T\(date.clock)\(moment.fraction)\(Self.text(ofOffset: offset))"
    case .date: return CalendarDate(unixSeconds: moment.seconds + exact).date
    case .http: return CalendarDate(unixSeconds: moment.seconds).httpDate
    case .unix: return String(moment.seconds)
    case .unixMilliseconds: return String(moment.seconds * 1000 + moment.milliseconds)
    case .pattern(let pattern):
      // Without an offset beside it, a time is what the clocks showed.
      let shown = pattern.hasOffset ? clock : moment.seconds + exact
      return pattern.text(clock: shown, offset: offset, moment)
    }
  }

  /// `Z`, `+01:00`.
  static func text(ofOffset offset: Int) -> String {
    if offset == 0 { return "Z" }
    let minutes = abs(offset) / 60
    return (offset < 0 ? "-" : "+") + CalendarDate.padded(minutes / 60) + ":"
      + CalendarDate.padded(minutes % 60)
  }
}

extension DateFormat {
  /// What a text says; `nil` if it is not written so.
  ///
  /// - Parameter zone: The zone of a text that has a time, but no offset.
  package func value(of text: String, in zone: Zone?) -> DateValue? {
    switch self {
    case .rfc3339:
      guard let value = DateValue(text), case .moment = value else { return nil }
      return value
    case .date:
      guard let value = DateValue(text), case .day = value else { return nil }
      return value
    case .http:
      return HTTPDate(text, now: Self.turnOfTheCentury).map {
        .moment(Moment(seconds: Int($0.secondsSince1970)), .utc)
      }
    case .unix: return Self.moment(text, places: 0).map { .moment($0, .utc) }
    case .unixMilliseconds: return Self.moment(text, places: 3).map { .moment($0, .utc) }
    case .pattern(let pattern): return pattern.value(of: text, in: zone)
    }
  }

  /// An obsolete form has years of two digits, which are then at most 50 years after this moment.
  private static let turnOfTheCentury = 946_684_800.0

  /// The moment of a decimal number of seconds, or of a smaller unit.
  ///
  /// - Parameter places: The power of ten of that unit in a second.
  private static func moment(_ text: String, places: Int) -> Moment? {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes = bytes.dropFirst() }
    let whole = bytes.prefix { (0x30...0x39).contains($0) }
    var fraction = bytes[whole.endIndex...]
    guard !whole.isEmpty, whole.count <= 15 else { return nil }
    if !fraction.isEmpty {
      guard fraction.first == UInt8(ascii: "."), fraction.count > 1,
        fraction.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      fraction = fraction.dropFirst()
    }
    let missing = max(0, places + 1 - whole.count)
    let digits = [UInt8](repeating: 0x30, count: missing) + whole
    let seconds = digits.dropLast(places).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let nanoseconds = Moment.nanoseconds(digits.suffix(places) + fraction)
    let moment =
      isNegative && nanoseconds > 0
      ? Moment(seconds: -seconds - 1, nanoseconds: 1_000_000_000 - nanoseconds)
      : Moment(seconds: isNegative ? -seconds : seconds, nanoseconds: nanoseconds)
    return CalendarDate.writableSeconds.contains(moment.seconds) ? moment : nil
  }
}
