extension RecoveringParser {
  /// Reads a number, a literal, or what is neither.
  mutating func readWord() {
    if readTypographic() { return }
    let range = wordRange()
    position = range.upperBound
    if isStopped { return append(.null, offset: range.lowerBound, span: 0) }
    let word = String(decoding: bytes[range], as: UTF8.self)
    let isNumber = NumberGrammar.length(of: bytes[range]) == range.count
    let literal = Self.otherLiterals[word.lowercased()]
    if isNumber || literal != nil || ["nan", "infinity", "inf"].contains(word.lowercased()) {
      if isWholeWord(range) { return append(word, range, literal, isNumber: isNumber) }
    } else if isNumberlike(word), isWholeWord(range), readNumberlike(word, range) {
      return
    }
    if ["f", "r", "b", "u", "rb", "br", "fr", "rf"].contains(word.lowercased()),
      byte == JSONByte.quote, let end = closingQuote(from: position + 1, JSONByte.quote),
      isValueEnd(end + 1)
    {
      report(
        "'\(word)' before a string has no meaning in JSON; remove it", range,
        fix: guessedRemoval(of: range))
      return readString()
    }
    position = range.lowerBound
    readBareText(inObject: isInObject)
  }

  private var isInObject: Bool { open.last.map { TapeElement(word: tape[$0]).isObject } ?? false }

  /// Whether the word is alone here, and not the beginning of a text without quotes.
  private func isWholeWord(_ range: Range<Int>) -> Bool {
    let next = afterSpaces(range.upperBound)
    if !isInObject || isValueEnd(range.upperBound) { return true }
    return isQuotedName(next) || isBareName(next)
  }

  private mutating func append(
    _ word: String, _ range: Range<Int>, _ literal: (text: String, kind: TapeElement.Kind)?,
    isNumber: Bool
  ) {
    if isNumber { return append(.number, offset: range.lowerBound, span: range.count) }
    guard let literal else {
      report("JSON has no '\(word)'; write null or a number", range, fix: writingNull(range))
      return append(.null, offset: range.lowerBound, span: range.count)
    }
    if literal.text != word {
      report(
        "'\(word)' is not valid JSON; write '\(literal.text)'", range,
        fix: .init("write '\(literal.text)'", edits: [.init(range, literal.text)]))
    }
    append(literal.kind, offset: range.lowerBound, span: range.count)
  }

  private func writingNull(_ range: Range<Int>) -> JSONSyntaxError.Fix {
    .init("write null", edits: [.init(range, "null")], isGuess: true)
  }

  static let otherLiterals: [String: (text: String, kind: TapeElement.Kind)] = [
    "true": ("true", .true), "yes": ("true", .true), "on": ("true", .true),
    "false": ("false", .false), "no": ("false", .false), "off": ("false", .false),
    "null": ("null", .null), "none": ("null", .null), "nil": ("null", .null),
    "undefined": ("null", .null),
  ]

  /// Text that begins like a number but is not one. If the number meant is obvious it is taken;
  /// otherwise this gives false.
  private mutating func readNumberlike(_ word: String, _ range: Range<Int>) -> Bool {
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
      report("JSON has no '\(word)'; write null or a number", range, fix: writingNull(range))
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
      return false
    }
    appendNumber(within: range)
    return true
  }

  /// The valid part of a wrong number, such as `12` of `012` and `+12`; else null.
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

  /// From here to the next byte with a special meaning, at least one character.
  mutating func wordRange() -> Range<Int> {
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
