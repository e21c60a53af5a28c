/// Reads the text of a query or condition by the grammar of RFC 9535.
///
/// Each part of the grammar is an extension in the file of the type that it parses. A parse ends at
/// the first error, which is reported with its place. If dialects differ, the message shows RFC
/// 9535's form (see `Dialects`).
struct QueryParser {
  /// How deep parentheses, filters and calls may nest together. Parsing and evaluating recurse.
  static let depthLimit = 32
  /// How many segments a query may have. Evaluating recurses on segments that select many nodes.
  static let segmentLimit = 128

  let text: String
  let bytes: [UInt8]
  let mode: Query.Mode
  var position = 0
  /// Inside a filter or condition more characters end a name, and `@` has a meaning.
  var isInExpression = false
  /// Inside of `{{…}}`, if no other template may be.
  var isInReference = false
  /// Where the query that is being read begins.
  var queryStart = 0
  var slotCount = 0
  private var depth = 0

  init(_ text: String, mode: Query.Mode) {
    self.text = text
    self.bytes = Array(text.utf8)
    self.mode = mode
  }

  // MARK: - Cursor

  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  func byte(after distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  func starts(with word: String) -> Bool {
    bytes[min(position, bytes.count)...].starts(with: word.utf8)
  }

  /// `S`: blanks; RFC 9535 has four.
  mutating func skipBlanks() {
    while let byte, Self.isBlank(byte) { position += 1 }
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isNameFirst(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  // MARK: - Text

  func text(_ range: Range<Int>) -> String {
    // The range is usually the whole text, which then needs no copy.
    range.count == bytes.count
      ? text : String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// The text of a range as messages quote it, cut if it is long.
  func quoted(_ range: Range<Int>) -> String {
    let text = text(range)
    return text.count <= 60 ? "'\(text)'" : "'\(text.prefix(57))…'"
  }

  /// The range of the scalar at an offset; empty at the end.
  func scalarRange(at offset: Int) -> Range<Int> {
    guard offset < bytes.count else { return bytes.count..<bytes.count }
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return offset..<end
  }

  /// The range from an offset to the position, without the blanks at its end.
  func range(from start: Int) -> Range<Int> {
    var end = position
    while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  func error(
    _ message: String, _ range: Range<Int>, fix: String? = nil, isGuess: Bool = false
  ) -> QuerySyntaxError {
    QuerySyntaxError(message: message, range: range, fix: fix, isGuess: isGuess)
  }

  /// A name as in brackets: quoted, and escaped if necessary.
  static func bracketed(_ name: String) -> String { "[" + NormalizedPath.quoted(name) + "]" }

  // MARK: - Nesting

  mutating func nested<Result>(
    _ body: (inout QueryParser) throws(QuerySyntaxError) -> Result
  ) throws(QuerySyntaxError) -> Result {
    guard depth < Self.depthLimit else {
      throw error("the query nests more than \(Self.depthLimit) deep", scalarRange(at: position))
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  /// A separate place in an evaluation's cache.
  mutating func newSlot() -> Int {
    defer { slotCount += 1 }
    return slotCount
  }
}
