internal import PipelineByteText
internal import PipelineJSONText

/// The type of the values of a column.
package enum ColumnType: String, Sendable, CaseIterable {
  case string, integer, number, boolean, date, datetime, array, object

  /// With an article, for messages.
  var article: String {
    switch self {
    case .string: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "'true' or 'false'"
    case .date: "a date (2026-01-31)"
    case .datetime: "a date and time (2026-01-31T09:05:00Z)"
    case .array: "a list in JSON"
    case .object: "an object in JSON"
    }
  }

  /// Writes the value that a text says; `false`, and nothing is written, if it says none of this
  /// type.
  func append(_ text: UnsafeBufferPointer<UInt8>, to room: inout ByteRoom) -> Bool {
    switch self {
    case .string: break
    case .date: guard RFC3339.isDate(text.text) else { return false }
    case .datetime: guard RFC3339.isDateTime(text.text) else { return false }
    case .integer, .number, .boolean, .array, .object:
      if self == .integer || self == .number, text.isPlainInteger {
        room.append(text)
        return true
      }
      guard let value = try? JSONDocument.parse(Array(text)).root, holds(value) else {
        return false
      }
      room.append(value.onOneLine)
      return true
    }
    room.append(quoted: text)
    return true
  }

  private func holds(_ value: JSONNode) -> Bool {
    switch self {
    case .integer: value.number?.isInteger ?? false
    case .number: value.kind == .number
    case .boolean: value.kind == .boolean
    case .array: value.kind == .array
    case .object: value.kind == .object
    case .string, .date, .datetime: value.kind == .string
    }
  }
}
