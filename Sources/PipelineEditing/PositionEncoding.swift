/// What an editor counts the characters of a line in.
package enum PositionEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"

  /// The units of the scalar that a byte of UTF-8 begins; none for a byte that begins none.
  package func units(of byte: UInt8) -> Int {
    switch self {
    case .utf8: 1
    case .utf16: byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
    }
  }
}

/// A place in a text as editors count: lines and characters from 0.
package struct TextPosition: Sendable, Hashable, Comparable {
  package let line: Int
  package let character: Int

  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  package static func < (one: TextPosition, other: TextPosition) -> Bool {
    (one.line, one.character) < (other.line, other.character)
  }
}

/// A change of a text that is open in an editor.
package struct TextChange: Sendable {
  /// What is replaced; `nil` for the whole text.
  package let range: Range<TextPosition>?
  package let text: String

  package init(range: Range<TextPosition>?, text: String) {
    self.range = range
    self.text = text
  }
}
