internal import PipelineByteText

/// A member of a list or dictionary of structured fields (RFC 9651), as far as limits need it:
/// strings, tokens and numbers, as text.
struct StructuredMember: Hashable {
  /// The item, or a dictionary's key. Quotes are taken off.
  let name: String
  /// A dictionary's value; `nil` for a member of a list.
  let value: String?
  let parameters: [String: String]

  /// The members of a field's value, up to the first malformed one. Linear in its length.
  static func list(_ text: String) -> [StructuredMember] {
    var reader = StructuredReader(bytes: Array(text.utf8))
    var members: [StructuredMember] = []
    while members.count < 64, let member = reader.member() { members.append(member) }
    return members
  }
}

private struct StructuredReader {
  let bytes: [UInt8]
  var index = 0

  mutating func member() -> StructuredMember? {
    skipBlanks()
    if index > 0 {
      guard take(",") else { return nil }
      skipBlanks()
    }
    guard let name = item() else { return nil }
    var value: String?
    if take("=") {
      guard let item = item() else { return nil }
      value = item
    }
    var parameters: [String: String] = [:]
    while take(";") {
      skipBlanks()
      guard let key = item() else { return nil }
      // A parameter without a value is true.
      var value = "?1"
      if take("=") {
        guard let item = item() else { return nil }
        value = item
      }
      parameters[key] = value
    }
    return StructuredMember(name: name, value: value, parameters: parameters)
  }

  private mutating func item() -> String? {
    guard index < bytes.count else { return nil }
    if take("\"") {
      var text: [UInt8] = []
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
        if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
        text.append(bytes[index])
        index += 1
      }
      return take("\"") ? String(decoding: text, as: UTF8.self) : nil
    }
    let start = index
    while index < bytes.count, !Self.separators.contains(bytes[index]) { index += 1 }
    return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
  }

  private static let separators = ASCIISet(" \t,;=\"")

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while index < bytes.count, FieldValue.isBlank(bytes[index]) { index += 1 }
  }
}
