import PipelineByteText
package import PipelineJSONText
import PipelineTemplates

extension Input.ValueType {
  /// The type in a message: `a whole number`.
  package var words: String {
    switch self {
    case .string: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .array: "a list"
    case .object: "an object"
    case .date: "a date such as \"2026-01-31\""
    case .datetime: "a time such as \"2026-01-31T12:00:00Z\""
    }
  }

  /// What `value` is instead, in words, if it is not of this type.
  ///
  /// A `date` or `datetime` may also be `now` or `now-30d`, which a run resolves when it starts.
  package func problem(with value: JSONNode) -> String? {
    let fits =
      switch self {
      case .string: value.kind == .string
      case .integer: value.number?.isInteger ?? false
      case .number: value.kind == .number
      case .boolean: value.kind == .boolean
      case .array: value.kind == .array
      case .object: value.kind == .object
      case .date: value.string.map { Timestamps.isRelative($0) || Timestamps.isDate($0) } ?? false
      case .datetime:
        value.string.map { Timestamps.isRelative($0) || Timestamps.isDateTime($0) } ?? false
      }
    return fits ? nil : WorkflowDecoder.words(for: value)
  }
}

/// The shapes of RFC 3339 dates and times.
enum Timestamps {
  /// `now`, `now-30d` or `now+1h`.
  static func isRelative(_ text: String) -> Bool {
    guard text.hasPrefix(bytes: "now") else { return false }
    let rest = text.dropFirst(bytes: 3)
    guard let sign = rest.first else { return true }
    return (sign == "-" || sign == "+")
      && Quantities.duration(String(rest.dropFirst(bytes: 1))) != nil
  }

  /// `2026-01-31`, a day that the calendar has (RFC 3339 `full-date`).
  static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == dash, bytes[7] == dash,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10])
    else { return false }
    return CalendarDate.days(year: year, month: month, day: day) != nil
  }

  /// `2026-01-31T12:00:00.5+01:00` (RFC 3339 `date-time`).
  static func isDateTime(_ text: String) -> Bool { Moment(text) != nil }

  private static let dash = UInt8(ascii: "-")

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard ASCIISet.digits.contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
