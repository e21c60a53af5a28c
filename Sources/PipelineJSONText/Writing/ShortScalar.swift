/// The JSON text of a scalar of at most 15 bytes. It is kept inline, so that reading the value
/// touches no other memory.
@usableFromInline package struct ShortScalar: Sendable {
  /// The bytes of the text, and in the last one how many they are.
  @usableFromInline var words: (UInt64, UInt64) = (0, 0)

  /// No text, which stands for no value.
  package static let empty = ShortScalar()

  private init() {}

  /// `nil` if the node is not a scalar, or a longer one.
  package init?(_ node: JSONNode) {
    guard !node.document.element(at: node.index).isContainer, node.range.count <= Self.limit
    else { return nil }
    var writer = JSONWriter()
    writer.value(node)
    self.init(endOf: writer.bytes, from: 0)
  }

  /// The value at the end of a text that our own writer wrote from `start` on; `nil` if it is not a
  /// scalar, or a longer one.
  init?(endOf text: [UInt8], from start: Int) {
    let count = text.count - start
    guard (1...Self.limit).contains(count), text[start] != JSONByte.openBrace,
      text[start] != JSONByte.openBracket
    else { return nil }
    withUnsafeMutableBytes(of: &words) { bytes in
      bytes.copyBytes(from: text[start...])
      bytes[Self.limit] = UInt8(count)
    }
  }

  private static var limit: Int { 15 }

  /// Whether it holds no value.
  @inlinable package var isEmpty: Bool { words == (0, 0) }

  func append(to text: inout [UInt8]) {
    withUnsafeBytes(of: words) { bytes in
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<Int(bytes[Self.limit])]))
    }
  }
}
