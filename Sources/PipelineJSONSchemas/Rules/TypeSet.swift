import PipelineJSONText

/// The kinds of value that `type` allows; `integer` is a number without a fraction, also `1.0`.
struct TypeSet: Sendable, Hashable {
  private var members: UInt8 = 0

  static let names = ["string", "number", "integer", "boolean", "object", "array", "null"]

  /// - Returns: Whether there is a type of that name.
  mutating func insert(named name: String) -> Bool {
    guard let position = Self.names.firstIndex(of: name) else { return false }
    members |= 1 << UInt8(position)
    return true
  }

  func contains(_ name: String) -> Bool {
    Self.names.firstIndex(of: name).map { members >> UInt8($0) & 1 != 0 } ?? false
  }

  func allows(valueAt index: Int, in document: JSONDocument) -> Bool {
    let bit: UInt8
    switch document.kind(at: index) {
    case .string: bit = 1
    case .number: bit = 1 << 1
    case .boolean: bit = 1 << 3
    case .object: bit = 1 << 4
    case .array: bit = 1 << 5
    case .null: bit = 1 << 6
    }
    if members & bit != 0 { return true }
    guard bit == 1 << 1, members & 1 << 2 != 0 else { return false }
    return document.shortInteger(at: index) != nil
      || JSONNode(document: document, index: index).number?.isInteger ?? false
  }

  /// `a string or null`.
  var phrase: String {
    let nouns = zip(
      Self.names,
      ["a string", "a number", "an integer", "a boolean", "an object", "an array", "null"])
    return joined(nouns.filter { contains($0.0) }.map(\.1), by: "or")
  }
}

/// `a`, `a or b`, `a, b or c`.
func joined(_ parts: [String], by word: String) -> String {
  guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
  return parts.dropLast().joined(separator: ", ") + " \(word) " + last
}
