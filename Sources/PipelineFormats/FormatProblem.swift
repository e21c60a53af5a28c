/// Why bytes are not of their format, and where.
package struct FormatProblem: Error, Hashable, Sendable {
  /// One phrase without a period, with the way out if there is one.
  package let message: String
  /// Counted from 1.
  package let line: Int
  /// Characters of the line, counted from 1.
  package let column: Int

  package init(_ message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }

  /// A problem at a byte of a text.
  ///
  /// - Parameter firstLine: The number of the text's first line.
  /// - Complexity: O(offset).
  init(
    _ message: String, at offset: Int, of text: UnsafeBufferPointer<UInt8>, firstLine: Int = 1
  ) {
    var line = firstLine
    var column = 1
    for index in 0..<min(offset, text.count) {
      if text[index] == Byte.lineFeed
        || text[index] == Byte.carriageReturn
          && !(index + 1 < text.count && text[index + 1] == Byte.lineFeed)
      {
        line += 1
        column = 1
      } else if text[index] & 0xC0 != 0x80, text[index] != Byte.carriageReturn {
        column += 1
      }
    }
    self.init(message, line: line, column: column)
  }
}

extension FormatProblem: CustomStringConvertible {
  /// The place and the message: `line 3, column 5: …`.
  package var description: String { "line \(line), column \(column): \(message)" }
}

/// The bytes that the formats give a meaning.
enum Byte {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")

  @inline(__always) static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
  @inline(__always) static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == lineFeed || byte == carriageReturn
  }
}
