internal import PipelineByteText
internal import PipelineJSONPaths

/// A place in a statement of JavaScript, and readers of what comes there.
struct ScriptCursor {
  private(set) var rest: Substring

  init(_ text: some StringProtocol) { rest = Substring(text) }

  private mutating func skipBlanks() { rest = rest.drop { $0.isWhitespace } }

  var isAtEnd: Bool { rest.allSatisfy { $0.isWhitespace } }

  /// Takes a text if it comes next.
  mutating func take(_ text: String) -> Bool {
    skipBlanks()
    guard rest.hasPrefix(bytes: text) else { return false }
    rest = rest.dropFirst(bytes: text.utf8.count)
    return true
  }

  /// Takes the first of some texts that comes next.
  mutating func takeAny(_ texts: [String]) -> String? {
    for text in texts where take(text) { return text }
    return nil
  }

  /// Takes a sign that compares: `===`, `<=`.
  mutating func takeSign() -> ForeignOperator? {
    skipBlanks()
    let end = rest.utf8.firstIndex { !"=!<>".utf8.contains($0) } ?? rest.endIndex
    guard let found = ForeignOperator(rest[..<end]) else { return nil }
    rest = rest[end...]
    return found
  }

  mutating func takeName() -> String? {
    skipBlanks()
    let end = rest.utf8.firstIndex { !Self.isOfName($0) } ?? rest.endIndex
    guard end > rest.startIndex, let first = rest.utf8.first, !ASCIISet.digits.contains(first)
    else {
      return nil
    }
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }

  private static let names = ASCIISet.letters.union(.digits).union(ASCIISet("_$"))

  private static func isOfName(_ byte: UInt8) -> Bool { names.contains(byte) }

  /// Takes a string, without its quotes and escapes.
  mutating func takeString() -> String? {
    skipBlanks()
    guard let quote = rest.unicodeScalars.first, ["\"", "'", "`"].contains(quote) else {
      return nil
    }
    var text = ""
    var scalars = rest.unicodeScalars.dropFirst()
    while let scalar = scalars.popFirst() {
      if scalar == quote {
        rest = Substring(scalars)
        return quote == "`" && text.contains(bytes: "${") ? nil : text
      }
      if scalar == "\\" {
        guard let escaped = ScriptEscape.take(&scalars) else { return nil }
        text += escaped
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return nil
  }

  /// Takes a pattern between slashes or quotes, and gives it as a literal of a query.
  mutating func takePattern() -> String? { takePatternText().map(Self.quoted) }

  mutating func takePatternText() -> String? {
    skipBlanks()
    guard rest.hasPrefix(bytes: "/") else { return takeString() }
    var pattern = ""
    var scalars = rest.unicodeScalars.dropFirst()
    while let scalar = scalars.popFirst(), scalar != "\n" {
      if scalar == "/" {
        rest = Substring(scalars)
        return pattern
      }
      pattern.unicodeScalars.append(scalar)
      if scalar == "\\", let escaped = scalars.popFirst() {
        if escaped == "/" { pattern.unicodeScalars.removeLast() }
        pattern.unicodeScalars.append(escaped)
      }
    }
    return nil
  }

  /// Takes a string, a number, `true`, `false` or `null`, and gives it as a literal of a query.
  mutating func takeLiteral() -> String? {
    if let text = takeString() { return Self.quoted(text) }
    if let word = takeAny(["true", "false", "null"]) { return word }
    skipBlanks()
    let end =
      rest.utf8.firstIndex { !ASCIISet.digits.contains($0) && $0 != 0x2D && $0 != 0x2E }
      ?? rest.endIndex
    guard Double(rest[..<end]) != nil else { return nil }
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }

  /// The members and positions that come next, as a part of a query.
  mutating func takePath() -> String? {
    var path = ""
    while true {
      if take("?.") || take(".") {
        guard let name = takeName() else { return nil }
        path += "." + name
      } else if take("[") {
        if let name = takeString() {
          path += "[" + Self.quoted(name) + "]"
        } else {
          let digits = rest.prefix { $0.isASCII && $0.isNumber }
          guard !digits.isEmpty, digits.utf8.count < 10 else { return nil }
          rest = rest[digits.endIndex...]
          path += "[" + digits + "]"
        }
        guard take("]") else { return nil }
      } else {
        return path
      }
    }
  }

  /// A text as a literal of a query (RFC 9535 §2.3.1.1).
  static func quoted(_ text: String) -> String {
    var literal = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "'": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        literal += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "'"
  }
}
