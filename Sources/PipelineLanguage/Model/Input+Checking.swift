import PipelineByteText
package import PipelineJSONText
package import PipelineSourceText
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

  /// How a value that is not of this type is likely meant: `; write "now-30d"`.
  package func proposal(for value: JSONNode) -> Proposal {
    guard let text = value.string else {
      return self == .string && [.number, .boolean].contains(value.kind)
        ? .write("\"\(value.text)\"", for: value.range) : .none
    }
    let range = value.range
    switch self {
    case .date, .datetime:
      let bare = text.replacing(bytes: " ", with: "").replacing(bytes: "()", with: "")
      if Timestamps.isRelative(bare) { return .write("\"\(bare)\"", for: range) }
      if bare == "today" || bare == "timestamp" { return .write("\"now\"", for: range) }
      if self == .datetime, RFC3339.isDate(text) {
        return .write("\"\(text)T00:00:00Z\"", for: range)
      }
      if self == .date, RFC3339.isDateTime(text) {
        return .write("\"\(text.prefix(before: "T", "t"))\"", for: range)
      }
    case .integer, .number, .boolean:
      let isMeant = (try? JSONDocument.parse(Array(text.utf8))).map {
        problem(with: $0.root) == nil
      }
      if isMeant == true { return .withoutQuotes(text, for: range) }
    case .string, .array, .object: break
    }
    return .none
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
      case .date: value.string.map { Timestamps.isRelative($0) || RFC3339.isDate($0) } ?? false
      case .datetime:
        value.string.map { Timestamps.isRelative($0) || RFC3339.isDateTime($0) } ?? false
      }
    return fits ? nil : WorkflowDecoder.words(for: value)
  }
}

extension Input {
  /// A value as a run takes it: a text is read according to the type.
  package func taken(_ value: JSONNode) -> JSONNode {
    guard let text = value.string, let type else { return value }
    return ValueCheck.convert(text, to: type) ?? value
  }

  /// Why a run cannot take a value, as a phrase that follows the input's name; `nil` if it can.
  ///
  /// - Parameter shown: The value in the phrase.
  package func refusal(of value: JSONNode, shown: String) -> String? {
    typeRefusal(of: value, shown: shown) ?? choiceRefusal(of: value, shown: shown)
  }

  /// Why a value is not of the input's type.
  package func typeRefusal(of value: JSONNode, shown: String) -> String? {
    guard let type, !ValueCheck.holds(value, type) else { return nil }
    return "must be \(type.article)" + (type == .boolean ? ", true or false" : "")
      + ", but is \(shown)"
  }

  /// Why a value is not one of those that are allowed.
  private func choiceRefusal(of value: JSONNode, shown: String) -> String? {
    guard !allowed.isEmpty, !allowed.contains(where: { $0.isEqual(to: value) }) else { return nil }
    return "is \(shown), but must be one of: " + allowed.map(\.text).joined(separator: ", ")
  }
}

/// Moments relative to a run's start.
package enum Timestamps {
  /// `now`, `now-30d` or `now+1h`.
  package static func isRelative(_ text: String) -> Bool {
    guard text.hasPrefix(bytes: "now") else { return false }
    let rest = text.dropFirst(bytes: 3)
    guard let sign = rest.first else { return true }
    return (sign == "-" || sign == "+")
      && Quantities.duration(String(rest.dropFirst(bytes: 1))) != nil
  }
}
