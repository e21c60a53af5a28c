internal import PipelineByteText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension NodeDecoder {
  /// The value of a type that Foundation would itself decode in another way; `nil` if it is none.
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
    // §5.6 lets applications write a space for the 'T'.
    guard let time = RFC3339.DateTime(text, separators: Self.separators) else {
      throw corrupted(
        "a time such as 2026-01-31T12:00:00Z (RFC 3339) is expected, but \(excerpt) was found")
    }
    return Date(timeIntervalSince1970: time.secondsSince1970)
  }

  private static let separators = ASCIISet("Tt ")

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
  /// The value as a type that Foundation itself would encode differently; `nil` if it has another
  /// type.
  func foundationValue(_ value: some Encodable) throws -> JSONValue? {
    switch value {
    case let url as URL: .string(url.absoluteString)
    case let date as Date: .string(try text(of: date))
    case let data as Data: .string(data.base64EncodedString())
    case let decimal as Decimal: try self.value(of: decimal)
    default: nil
    }
  }

  private func text(of date: Date) throws -> String {
    let time = date.timeIntervalSince1970
    guard let text = RFC3339.text(secondsSince1970: time) else {
      // The error holds the number: Foundation's own text of such a date may trap.
      throw invalid(
        time, "RFC 3339 writes dates of the years 0 to 9999, and not \(time) seconds since 1970")
    }
    return text
  }

  private func value(of decimal: Decimal) throws -> JSONValue {
    guard let number = JSONValue(number: "\(decimal)") else {
      throw invalid(decimal, "JSON cannot write the number \(decimal)")
    }
    return number
  }
}
