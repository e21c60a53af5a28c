extension RecoveringParser {
  /// Reads a name without quotes, or whatever stands in its place.
  mutating func readBareName() {
    let range = wordRange()
    let word = String(decoding: bytes[range], as: UTF8.self)
    let isName = word.utf8.allSatisfy { $0 >= 0x21 && $0 != JSONByte.backslash }
    position = range.upperBound
    let typographic: Set<Character> = ["“", "”", "„", "«", "»", "‘", "’"]
    if word.count > 2, let first = word.first, let last = word.last, typographic.contains(first),
      typographic.contains(last)
    {
      let inner = word.dropFirst().dropLast()
      report(
        "'\(first)' and '\(last)' are no quotes of JSON; write \"\(inner)\"", range,
        fix: .init("use double quotes", edits: [.init(range, "\"\(inner)\"")]))
      let length = (range.count - inner.utf8.count) / 2
      append(.lenientString, offset: range.lowerBound + length, span: inner.utf8.count)
      return
    }
    report(
      "a name stands in double quotes: \"\(word)\"", range,
      fix: isName ? quoting(range) : nil)
    append(.lenientString, offset: range.lowerBound, span: range.count)
  }

  /// Reads a number, a literal, or a word that is neither.
  mutating func readWord() {
    let range = wordRange()
    if isStopped {
      return append(.null, offset: range.lowerBound, span: 0)
    }
    let word = String(decoding: bytes[range], as: UTF8.self)
    position = range.upperBound
    switch word {
    case "true": return append(.true, offset: range.lowerBound, span: 4)
    case "false": return append(.false, offset: range.lowerBound, span: 5)
    case "null": return append(.null, offset: range.lowerBound, span: 4)
    default: break
    }
    if NumberGrammar.length(of: bytes[range]) == range.count {
      return append(.number, offset: range.lowerBound, span: range.count)
    }
    if let literal = Self.otherLiterals[word.lowercased()] {
      report(
        "'\(word)' is no JSON; write '\(literal.text)'", range,
        fix: .init("write '\(literal.text)'", edits: [.init(range, literal.text)]))
      return append(literal.kind, offset: range.lowerBound, span: range.count)
    }
    if let first = word.utf8.first,
      JSONByte.isDigit(first) || word.utf8.count > 1 && "+-.".utf8.contains(first)
        || "∞".utf8.elementsEqual(word.utf8)
    {
      return readNumberlike(word, range)
    }
    if ["nan", "infinity", "inf"].contains(word.lowercased()) {
      report("JSON has no '\(word)'; write null or a number", range)
      return append(.null, offset: range.lowerBound, span: range.count)
    }
    report(
      "'\(word)' is no JSON value; a string stands in double quotes: \"\(word)\"", range,
      fix: word.utf8.allSatisfy { $0 >= 0x21 && $0 != JSONByte.backslash } ? quoting(range) : nil)
    append(.lenientString, offset: range.lowerBound, span: range.count)
  }

  private static let otherLiterals: [String: (text: String, kind: TapeElement.Kind)] = [
    "true": ("true", .true), "yes": ("true", .true), "on": ("true", .true),
    "false": ("false", .false), "no": ("false", .false), "off": ("false", .false),
    "null": ("null", .null), "none": ("null", .null), "nil": ("null", .null),
    "undefined": ("null", .null),
  ]

  private func quoting(_ range: Range<Int>) -> JSONSyntaxError.Fix {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    return .init(
      "add double quotes", edits: [.init(lower..<lower, "\""), .init(upper..<upper, "\"")])
  }

  /// What begins like a number and is none. Where the number meant is plain it is taken.
  private mutating func readNumberlike(_ word: String, _ range: Range<Int>) {
    var meant = Substring(word)
    var sign = ""
    if meant.first == "+" || meant.first == "-" {
      sign = meant.first == "-" ? "-" : ""
      meant = meant.dropFirst()
    }
    func accept(_ text: String, _ message: String) {
      let text = sign + text
      report(
        "\(message); write \(text)", range,
        fix: .init("write \(text)", edits: [.init(range, text)]))
    }
    let lower = meant.lowercased()
    if ["nan", "infinity", "inf"].contains(lower) {
      report("JSON has no '\(word)'; write null or a number", range)
    } else if lower.hasPrefix("0x"), let value = UInt64(lower.dropFirst(2), radix: 16) {
      accept(String(value), "JSON has no hexadecimal numbers")
    } else if meant.contains("_"), let plain = number(meant.filter { $0 != "_" }) {
      accept(plain, "a number has no '_'")
    } else if meant.first == "0", let plain = number(dropZeros(meant)) {
      accept(plain, "a number has no leading zeros")
    } else if meant.first == ".", let plain = number("0" + meant) {
      accept(plain, "a number has a digit before its point")
    } else if meant.last == ".", let plain = number(meant + "0") {
      accept(plain, "a number has a digit after its point")
    } else if word.first == "+", let plain = number(String(meant)) {
      accept(plain, "a number has no '+'")
    } else {
      report(
        "'\(word)' is no number; a string stands in double quotes: \"\(word)\"", range,
        fix: word.utf8.allSatisfy { $0 >= 0x21 && $0 != JSONByte.backslash } ? quoting(range) : nil)
      return append(.lenientString, offset: range.lowerBound, span: range.count)
    }
    appendNumber(within: range)
  }

  /// The part of a wrong number that is a right one: `12` of `012` and `+12`; else null.
  private mutating func appendNumber(within range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      if NumberGrammar.length(of: bytes[start..<range.upperBound]) == range.upperBound - start {
        return append(.number, offset: start, span: range.upperBound - start)
      }
      guard bytes[start] == JSONByte.plus || bytes[start] == 0x30 else { break }
      start += 1
    }
    append(.null, offset: range.lowerBound, span: range.count)
  }

  private func number(_ text: String) -> String? { JSONNumber(text).map(\.text) }

  private func dropZeros(_ text: Substring) -> String {
    let rest = text.drop { $0 == "0" }
    return rest.first.map { $0.isNumber } == true ? String(rest) : "0" + rest
  }

  /// From here to the next byte with a meaning of its own; at least one character.
  private mutating func wordRange() -> Range<Int> {
    let start = position
    while let byte, !isStopped {
      switch byte {
      case JSONByte.quote, JSONByte.comma, JSONByte.colon, JSONByte.openBrace, JSONByte.closeBrace,
        JSONByte.openBracket, JSONByte.closeBracket, UInt8(ascii: ";"), UInt8(ascii: "="),
        UInt8(ascii: "'"), UInt8(ascii: "`"), 0x00...0x20:
        if position > start { return start..<position }
        position += 1
        return start..<position
      case UInt8(ascii: "/")
      where position > start && position + 1 < bytes.count
        && [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(bytes[position + 1]):
        return start..<position
      case 0x80...: _ = readSequence()
      default: position += 1
      }
    }
    return start..<position
  }
}
