internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineWorkflows

/// Whether a value is of a type of the language, and how a text becomes one.
enum ValueCheck {
  static func holds(_ node: JSONNode, _ type: Extractor.ValueType) -> Bool {
    // On a list a scalar type means each element.
    if node.kind == .array, type != .array {
      return node.elements.allSatisfy { holdsAlone($0, type) }
    }
    return holdsAlone(node, type)
  }

  /// The same, but a list is only a list.
  static func holdsAlone(_ node: JSONNode, _ type: Extractor.ValueType) -> Bool {
    switch type {
    case .string, .url: node.kind == .string
    case .integer: node.number?.isInteger ?? false
    case .number: node.kind == .number
    case .boolean: node.kind == .boolean
    case .array: node.kind == .array
    case .object: node.kind == .object
    case .date: node.string.map(DateText.isDate) ?? false
    case .datetime: node.string.map(DateText.isDateTime) ?? false
    }
  }

  static func holds(_ node: JSONNode, _ type: Input.ValueType) -> Bool {
    switch type {
    case .string: node.kind == .string
    case .integer: node.number?.isInteger ?? false
    case .number: node.kind == .number
    case .boolean: node.kind == .boolean
    case .array: node.kind == .array
    case .object: node.kind == .object
    case .date: node.string.map(DateText.isDate) ?? false
    case .datetime: node.string.map(DateText.isDateTime) ?? false
    }
  }

  /// A text as a value of `type`; `nil` if it is none.
  static func convert(_ text: String, to type: Extractor.ValueType) -> JSONNode? {
    switch type {
    case .string, .url: return JSONValue.string(text).node
    case .date: return DateText.isDate(text) ? JSONValue.string(text).node : nil
    case .datetime: return DateText.isDateTime(text) ? JSONValue.string(text).node : nil
    case .integer, .number, .boolean, .array, .object:
      guard let document = try? JSONDocument.parse(Array(text.utf8)) else { return nil }
      return holdsAlone(document.root, type) ? document.root : nil
    }
  }

  /// The same, but without blanks around it, which JSON allows.
  static func convert(wholly text: String, to type: Extractor.ValueType) -> JSONNode? {
    let isBlank = { (byte: UInt8?) in byte.map { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? true
    }
    if type != .string, isBlank(text.utf8.first) || isBlank(text.utf8.last) { return nil }
    return convert(text, to: type)
  }

  /// A text from a command line or an environment variable as a value of `type`.
  static func convert(_ text: String, to type: Input.ValueType) -> JSONNode? {
    Extractor.ValueType(rawValue: type.rawValue).flatMap { convert(text, to: $0) }
  }
}

/// Dates of RFC 3339.
enum DateText {
  /// `2026-01-31`, a day that exists.
  static func isDate(_ text: String) -> Bool {
    let parts = text.split(ascii: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      let year = number(parts[0]), let month = number(parts[1]), let day = number(parts[2]),
      (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// `2026-01-31T09:05:00Z`, with a fraction and an offset if there are any.
  static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"),
      isDate(String(decoding: bytes.prefix(10), as: UTF8.self))
    else { return false }
    let rest = text.dropFirst(bytes: 11)
    guard let zone = rest.firstIndex(where: { "Zz+-".contains($0) }) else { return false }
    return isTime(rest[..<zone]) && isZone(rest[zone...])
  }

  private static func isTime(_ text: Substring) -> Bool {
    let parts = text.split(ascii: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return false }
    let seconds = parts[2].split(ascii: ".", omittingEmptySubsequences: false)
    guard seconds.count <= 2, parts[0].utf8.count == 2, parts[1].utf8.count == 2,
      seconds[0].utf8.count == 2, let hour = number(parts[0]), let minute = number(parts[1]),
      let second = number(seconds[0])
    else { return false }
    if seconds.count == 2, number(seconds[1]) == nil { return false }
    return hour < 24 && minute < 60 && second <= 60
  }

  private static func isZone(_ text: Substring) -> Bool {
    if text == "Z" || text == "z" { return true }
    let parts = text.dropFirst(bytes: 1).split(ascii: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
      let hour = number(parts[0]), let minute = number(parts[1])
    else { return false }
    return hour < 24 && minute < 60
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    // A fraction may have more digits than a number holds. Only its digits matter.
    return Int(text.prefix(18))
  }
}

extension Extractor.ValueType {
  /// With an article, for messages.
  var article: String {
    switch self {
    case .string: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "a boolean"
    case .array: "a list"
    case .object: "an object"
    case .date: "a date (2026-01-31)"
    case .datetime: "a date and time (2026-01-31T09:05:00Z)"
    case .url: "a URL"
    }
  }
}

extension Input.ValueType {
  /// With an article, for messages.
  var article: String {
    Extractor.ValueType(rawValue: rawValue)?.article ?? rawValue
  }
}
