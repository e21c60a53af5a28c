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
    return nil
  }

  private func url() throws -> URL {
    let text = try text(URL.self)
    guard !text.isEmpty, let url = URL(string: text) else {
      throw corrupted("a URL is expected, but '\(text)' was found")
    }
    return url
  }

  private func date() throws -> Date {
    let text = try text(Date.self)
    guard let time = RFC3339.secondsSince1970(text) else {
      throw corrupted(
        "a time such as 2026-01-31T12:00:00Z (RFC 3339) is expected, but '\(text)' was found")
    }
    return Date(timeIntervalSince1970: time)
  }

  private func data() throws -> Data {
    guard let data = Data(base64Encoded: try text(Data.self)) else {
      throw corrupted("text in base64 is expected (RFC 4648 §4), but something else was found")
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

/// Times as RFC 3339 §5.6 writes them.
enum RFC3339 {
  /// The time in seconds since 1970-01-01T00:00:00Z; `nil`: the text is no such time.
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
