#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension NodeDecoder {
  /// The value of a type that Foundation would itself decode in another way; `nil`: it is none.
  func foundationValue<T: Decodable>(_ type: T.Type) throws -> T? {
    if type == URL.self { return try url() as? T }
    if type == Date.self { return try date() as? T }
    if type == Data.self { return try data() as? T }
    if type == Decimal.self { return try decimal() as? T }
    if type == JSONValue.self { return try value() as? T }
    return nil
  }

  /// The value as it is, unless it hides a secret.
  func value() throws -> JSONValue {
    let value = JSONValue(node)
    if let mask = settings.mask, value.holds(text: mask) { throw secret() }
    return value
  }

  private func url() throws -> URL {
    let text = try text(URL.self)
    guard !text.isEmpty, let url = URL(string: text) else {
      throw corrupted("a URL is expected, but \(excerpt) was found")
    }
    return url
  }

  private func date() throws -> Date {
    let text = try text(Date.self)
    guard let time = RFC3339.secondsSince1970(text) else {
      throw corrupted(
        "a time such as 2026-01-31T12:00:00Z (RFC 3339) is expected, but \(excerpt) was found")
    }
    return Date(timeIntervalSince1970: time)
  }

  private func data() throws -> Data {
    guard let data = Data(base64Encoded: try text(Data.self)) else {
      throw corrupted("text in base64 is expected (RFC 4648 §4), but \(excerpt) was found")
    }
    return data
  }

  /// A decimal holds 38 digits: a number that has more is refused, not rounded.
  private func decimal() throws -> Decimal {
    guard let number = node.number else { throw mismatch(Decimal.self, "a number") }
    guard let decimal = Decimal(string: number.text), JSONNumber("\(decimal)") == number else {
      throw unrepresentable(Decimal.self, number)
    }
    return decimal
  }
}

extension ValueEncoder {
  /// The value as a type that Foundation itself would encode differently; `nil`: it has another
  /// type.
  func foundationValue(_ value: some Encodable) -> JSONValue? {
    switch value {
    case let url as URL: .string(url.absoluteString)
    case let date as Date: .string(RFC3339.text(secondsSince1970: date.timeIntervalSince1970))
    case let data as Data: .string(data.base64EncodedString())
    case let decimal as Decimal: JSONValue(number: "\(decimal)")
    default: nil
    }
  }
}

/// Times as RFC 3339 §5.6 writes them.
enum RFC3339 {
  /// The time in UTC, to the millisecond if there is a fraction.
  static func text(secondsSince1970 time: Double) -> String {
    let milliseconds = Int64((time * 1_000).rounded())
    let (days, rest) = milliseconds.floored(by: 86_400_000)
    let (year, month, day) = date(ofDay: Int(days))
    func padded(_ number: Int64, _ digits: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
    let seconds = rest / 1_000
    let fraction = rest % 1_000
    return "\(padded(Int64(year), 4))-\(padded(Int64(month), 2))-\(padded(Int64(day), 2))T"
      + "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + (fraction == 0 ? "" : "." + padded(fraction, 3)) + "Z"
  }

  /// The date of a day since 1970-01-01, by the Gregorian calendar.
  private static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The time in seconds since 1970-01-01T00:00:00Z; `nil`: the text is not a time.
  static func secondsSince1970(_ text: String) -> Double? {
    var rest = Array(text.utf8)[...]
    func number(_ digits: Int, in range: ClosedRange<Int>) -> Int? {
      var value = 0
      for _ in 0..<digits {
        guard let byte = rest.popFirst(), byte &- 48 < 10 else { return nil }
        value = value * 10 + Int(byte &- 48)
      }
      return range.contains(value) ? value : nil
    }
    func skip(_ accepted: String) -> UInt8? {
      guard let byte = rest.first, accepted.utf8.contains(byte) else { return nil }
      rest.removeFirst()
      return byte
    }
    guard let year = number(4, in: 0...9999), skip("-") != nil,
      let month = number(2, in: 1...12), skip("-") != nil,
      let day = number(2, in: 1...days(of: month, year)), skip("Tt ") != nil,
      let hour = number(2, in: 0...23), skip(":") != nil,
      let minute = number(2, in: 0...59), skip(":") != nil,
      // A leap second is 60.
      let second = number(2, in: 0...60)
    else { return nil }
    var fraction = 0.0
    if skip(".") != nil {
      let digits = rest.prefix { $0 &- 48 < 10 }
      guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self))
      else { return nil }
      fraction = value
      rest = rest.dropFirst(digits.count)
    }
    var offset = 0
    if skip("Zz") == nil {
      guard let sign = skip("+-"), let hours = number(2, in: 0...23), skip(":") != nil,
        let minutes = number(2, in: 0...59)
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }
    guard rest.isEmpty else { return nil }
    let time = dayNumber(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    return Double(time - offset) + fraction
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Days since 1970-01-01, by the Gregorian calendar. Years begin in March here, so that the day
  /// that not every year has is the last.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Int64 {
  /// The quotient, rounded down, and the remainder, which is not negative.
  fileprivate func floored(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
