internal import PipelineByteText

/// A tag of HTML with its attributes, whatever their order and their quotes.
struct HTMLTag {
  struct Attribute {
    /// In lower case.
    let name: String
    let value: String
    /// The bytes of the attribute, with its quotes, and of the value in it.
    let range: Range<Int>
    let valueRange: Range<Int>
    /// `"` or `'`; `nil` if the value is not quoted.
    let quote: UInt8?
  }

  private(set) var attributes: [Attribute] = []
  private let bytes: [UInt8]

  /// - Parameter text: What follows a `<`: the name of the tag, its attributes, and any text.
  init(_ text: Substring) {
    bytes = Array(text.utf8)
    var position = bytes.firstIndex { Self.isBlank($0) || $0 == UInt8(ascii: ">") } ?? bytes.count
    while let attribute = attribute(&position) { attributes.append(attribute) }
  }

  subscript(name: String) -> Attribute? { attributes.first { $0.name.equals(bytes: name) } }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// The next attribute, which begins at `position`; `nil` at the end of the tag.
  private func attribute(_ position: inout Int) -> Attribute? {
    func skipBlanks() { position = end(from: position) { Self.isBlank($0) } }
    position = end(from: position) { Self.isBlank($0) || $0 == UInt8(ascii: "/") }
    let start = position
    guard start < bytes.count, bytes[start] != UInt8(ascii: ">") else { return nil }
    // A name may begin with any character.
    position = end(from: start + 1) { !Self.isBlank($0) && !"=/>".utf8.contains($0) }
    let name = String(decoding: bytes[start..<position], as: UTF8.self).lowercasedASCII
    let nameEnd = position
    skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      position = nameEnd
      return Attribute(
        name: name, value: "", range: start..<nameEnd, valueRange: nameEnd..<nameEnd, quote: nil)
    }
    position += 1
    skipBlanks()
    let quote =
      position < bytes.count && "\"'".utf8.contains(bytes[position]) ? bytes[position] : nil
    if quote != nil { position += 1 }
    let first = position
    position = end(from: first) { byte in
      quote.map { byte != $0 } ?? !(Self.isBlank(byte) || byte == UInt8(ascii: ">"))
    }
    let value = first..<position
    if quote != nil, position < bytes.count { position += 1 }
    return Attribute(
      name: name, value: String(decoding: bytes[value], as: UTF8.self), range: start..<position,
      valueRange: value, quote: quote)
  }

  private func end(from start: Int, while isPart: (UInt8) -> Bool) -> Int {
    bytes[min(start, bytes.count)...].firstIndex { !isPart($0) } ?? bytes.count
  }

  /// A pattern whose first group is the value of an attribute, in a tag with another attribute.
  func pattern(of value: Attribute, beside other: Attribute) -> String {
    let group =
      switch value.quote {
      case UInt8(ascii: "'"): "([^']*)"
      case nil: "([^ \\t\\r\\n\"'>]+)"
      default: "([^\"]*)"
      }
    func text(_ range: Range<Int>) -> String {
      LiteralPattern.escaped(String(decoding: bytes[range], as: UTF8.self))
    }
    guard other.range.lowerBound > value.range.lowerBound else {
      return text(other.range.lowerBound..<value.valueRange.lowerBound) + group
    }
    return text(value.range.lowerBound..<value.valueRange.lowerBound) + group
      + text(value.valueRange.upperBound..<other.range.upperBound)
  }
}
