import PipelineByteText
package import PipelineJSONText

/// Whether a value is of a type of the language, and how a text becomes one.
package enum ValueCheck {
  package static func holds(_ node: JSONNode, _ type: Extractor.ValueType) -> Bool {
    // On a list a scalar type means each element.
    if node.kind == .array, type != .array {
      return node.elements.allSatisfy { holdsAlone($0, type) }
    }
    return holdsAlone(node, type)
  }

  /// Whether a value has a type, where a list is only a list.
  package static func holdsAlone(_ node: JSONNode, _ type: Extractor.ValueType) -> Bool {
    switch type {
    case .string, .url: node.kind == .string
    case .integer: node.number?.isInteger ?? false
    case .number: node.kind == .number
    case .boolean: node.kind == .boolean
    case .array: node.kind == .array
    case .object: node.kind == .object
    case .date: node.string.map(RFC3339.isDate) ?? false
    case .datetime: node.string.map(RFC3339.isDateTime) ?? false
    }
  }

  package static func holds(_ node: JSONNode, _ type: Input.ValueType) -> Bool {
    type.ofExtractors.map { holdsAlone(node, $0) } ?? false
  }

  /// A text as a value of `type`; `nil` if it is none.
  package static func convert(_ text: String, to type: Extractor.ValueType) -> JSONNode? {
    switch type {
    case .string, .url: return JSONValue.string(text).node
    case .date: return RFC3339.isDate(text) ? JSONValue.string(text).node : nil
    case .datetime: return RFC3339.isDateTime(text) ? JSONValue.string(text).node : nil
    case .integer, .number, .boolean, .array, .object:
      guard let document = try? JSONDocument.parse(Array(text.utf8)) else { return nil }
      return holdsAlone(document.root, type) ? document.root : nil
    }
  }

  /// A value as one of `type`, which is not `url`; of a list each element, if the type is not a list
  /// itself. `nil` if it is none.
  package static func convert(_ node: JSONNode, to type: Extractor.ValueType) -> JSONNode? {
    if holds(node, type) { return node }
    guard node.kind == .array, type != .array else { return convertAlone(node, to: type) }
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for element in node.elements {
      guard let value = convertAlone(element, to: type) else { return nil }
      writer.value(value)
    }
    writer.endArray()
    return writer.document().root
  }

  /// A value as one of `type`, which is not `url`, where a list is only a list.
  package static func convertAlone(_ node: JSONNode, to type: Extractor.ValueType) -> JSONNode? {
    if holdsAlone(node, type) { return node }
    return node.string.flatMap { convert(wholly: $0, to: type) }
  }

  /// Converts a whole text. Unlike JSON, it allows no blanks around the value.
  package static func convert(wholly text: String, to type: Extractor.ValueType) -> JSONNode? {
    let isBlank = { (byte: UInt8?) in byte.map { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? true
    }
    if type != .string, isBlank(text.utf8.first) || isBlank(text.utf8.last) { return nil }
    return convert(text, to: type)
  }

  /// A text from a command line or an environment variable as a value of `type`.
  package static func convert(_ text: String, to type: Input.ValueType) -> JSONNode? {
    type.ofExtractors.flatMap { convert(text, to: $0) }
  }
}

extension Extractor.ValueType {
  /// With an article, for messages.
  package var article: String {
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
  package var article: String { ofExtractors?.article ?? rawValue }

  /// The same type of extractors, which have all of these.
  fileprivate var ofExtractors: Extractor.ValueType? { Extractor.ValueType(rawValue: rawValue) }
}
