package import PipelineJSONText

/// A value written out in a query: `'text'`, `10`, `true`, `null`.
package struct Literal: Sendable, Hashable {
  package enum Value: Sendable, Hashable {
    case string(String)
    /// The digits as written.
    case number(String)
    case boolean(Bool)
    case null
  }

  package let value: Value
  /// UTF-8 offsets in the parsed text, with the quotes of a string.
  package let range: Range<Int>
  /// The value in a separate document, so that every comparison is between two nodes. A string's
  /// bytes are in it unescaped.
  let node: JSONNode

  init(_ value: Value, range: Range<Int>) {
    self.value = value
    self.range = range
    switch value {
    case .string(let text): node = Self.node("\"" + text + "\"", .string, content: 1)
    case .number(let digits): node = Self.node(digits, .number, content: 0)
    case .boolean(true): node = Self.node("true", .true, content: 0)
    case .boolean(false): node = Self.node("false", .false, content: 0)
    case .null: node = Self.node("null", .null, content: 0)
    }
  }

  private static func node(
    _ text: String, _ kind: TapeElement.Kind, content: Int
  ) -> JSONNode {
    let bytes = Array(text.utf8)
    let element = TapeElement(kind, offset: content, span: bytes.count - 2 * content)
    return JSONDocument(bytes: bytes, tape: [element.word]).root
  }

  package static func == (left: Literal, right: Literal) -> Bool {
    left.kind == right.kind && left.node.document.bytes == right.node.document.bytes
      && left.range == right.range
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(node.document.bytes)
    hasher.combine(range)
  }

  /// The JSON type of the value.
  package var kind: JSONKind {
    switch value {
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    case .null: .null
    }
  }
}
