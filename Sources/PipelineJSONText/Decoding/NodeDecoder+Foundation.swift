internal import PipelineByteText

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
    CalendarDate.timestamp(unixMilliseconds: Int((time * 1_000).rounded()))
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
      let day = number(2, in: 1...31),
      let days = CalendarDate.days(year: year, month: month, day: day), skip("Tt ") != nil,
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
    let time = days * 86_400 + hour * 3_600 + minute * 60 + second
    return Double(time - offset) + fraction
  }
}
