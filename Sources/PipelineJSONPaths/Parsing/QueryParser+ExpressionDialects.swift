import PipelineByteText

// Filters and conditions of other dialects and languages.

extension QueryParser {
  // MARK: - Operators

  /// Throws if a logical operator of another language follows the blanks.
  func refuseForeignOperator() throws(QuerySyntaxError) {
    if let error = foreignOperator() { throw error }
  }

  /// Throws if a comparison operator of another language follows.
  func refuseForeignComparator() throws(QuerySyntaxError) {
    if starts(with: "=~") || starts(with: "!~") || starts(with: "~=") {
      throw error(
        "a pattern is matched with 'match(@.x, '…')', on the whole text, or 'search(@.x, '…')'",
        position..<position + 2)
    }
    let sign = bytes[position...].prefix(3).prefix { "=!<>".utf8.contains($0) }
    for length in stride(from: sign.count, to: 0, by: -1) {
      let foreign = String(decoding: sign.prefix(length), as: UTF8.self)
      guard let own = ForeignOperator(foreign)?.comparator else { continue }
      if own.utf8.elementsEqual(foreign.utf8) { return }
      throw error(
        "'\(foreign)' is written '\(own)'", position..<position + foreign.utf8.count, fix: own)
    }
    if let error = foreignOperator() { throw error }
  }

  private func foreignOperator() -> QuerySyntaxError? {
    guard let byte else { return nil }
    let range = scalarRange(at: position)
    switch byte {
    case UInt8(ascii: "&") where self.byte(after: 1) != byte:
      return error("'&' is written '&&'", range, fix: "&&")
    case UInt8(ascii: "|") where self.byte(after: 1) != byte:
      return error("'|' is written '||'", range, fix: "||")
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
      UInt8(ascii: "%"):
      return error("RFC 9535 has no arithmetic", range)
    case UInt8(ascii: "?"):
      return error("RFC 9535 has '?' only before a filter", range)
    case UInt8(ascii: "^"): return error("RFC 9535 has no parent operator", range)
    default: break
    }
    guard Self.isLetter(byte) else { return nil }
    var end = position
    while end < bytes.count, bytes[end].isNameByte { end += 1 }
    let word = position..<end
    switch text(word).lowercased() {
    case "and": return error("\(quoted(word)) is written '&&'", word, fix: "&&")
    case "or": return error("\(quoted(word)) is written '||'", word, fix: "||")
    default: break
    }
    guard let foreign = ForeignOperator(text(word)) else { return nil }
    if let own = foreign.comparator {
      return error("\(quoted(word)) is written '\(own)'", word, fix: own)
    }
    switch foreign {
    case .oneOf, .noneOf, .subset:
      return error(
        "\(quoted(word)) is not in RFC 9535; join comparisons with '||', or filter the list for "
          + "the value", word)
    default: return error(textFunctions(instead: quoted(word)), word)
    }
  }

  private func textFunctions(instead word: String) -> String {
    "\(word) is not in RFC 9535; write 'search(@.x, '…')', or 'match(@.x, '…')' for the whole text"
  }

  /// Throws if a comparison follows parentheses.
  mutating func refuseComparison(ofParentheses range: Range<Int>) throws(QuerySyntaxError) {
    let mark = position
    skipBlanks()
    if try takeComparator() != nil {
      throw error("write the sides of a comparison without parentheses", range)
    }
    position = mark
  }

  /// The error for text after a whole expression or argument. `message` says what is then missing.
  func foreignRestOfExpression(_ message: String?, opening: Range<Int>) -> QuerySyntaxError {
    if let error = foreignOperator() { return error }
    guard let byte else { return error(message ?? "the condition is incomplete", opening) }
    let range = scalarRange(at: position)
    if let quotes = typographicQuote { return quotes }
    if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") {
      return error("\(quoted(range)) closes nothing", range)
    }
    return error(
      "'&&', '||' or the end follows an expression, not \(quoted(wordRange))", wordRange)
  }

  private var wordRange: Range<Int> {
    var end = position
    while end < bytes.count, bytes[end].isNameByte { end += 1 }
    return end > position ? position..<end : scalarRange(at: position)
  }

  // MARK: - Operands

  /// The error for a word that is not a literal, a query or a function.
  func foreignWord() -> QuerySyntaxError {
    let range = wordRange
    let word = text(range)
    var next = range.upperBound
    while next < bytes.count, Self.isBlank(bytes[next]) { next += 1 }
    if next < bytes.count, bytes[next] == UInt8(ascii: "("),
      FunctionCall.Function(rawValue: word) != nil
    {
      return error("write no blank before '('", range.upperBound..<next, fix: "")
    }
    switch word {
    case "True", "TRUE": return error("'\(word)' is written 'true'", range, fix: "true")
    case "False", "FALSE": return error("'\(word)' is written 'false'", range, fix: "false")
    case "None", "Null", "NULL", "nil":
      return error("'\(word)' is written 'null'", range, fix: "null")
    case "undefined":
      return error("test for an absent value without a comparison, as in '!@.x'", range)
    case "not", "NOT":
      return error("'\(word)' is written '!'", range.lowerBound..<next, fix: "!")
    case "NaN", "Infinity": return error("JSON has no '\(word)'", range)
    default:
      // Text that continues like a query is taken for one.
      if range.upperBound < bytes.count,
        bytes[range.upperBound] == UInt8(ascii: ".") || bytes[range.upperBound] == UInt8(ascii: "[")
      {
        let rest = bytes[range.upperBound...].prefix {
          !Self.isBlank($0) && !")=!<>&|,".utf8.contains($0)
        }
        let path = word + String(decoding: rest, as: UTF8.self)
        // A step can have such a name, but a part of the response is read far more often.
        let start = ["body", "status", "headers"].contains(word) ? "@" : "$"
        return error(
          "'\(path)' is not a query; write '\(start).\(path)'", range, fix: "\(start).\(word)",
          isGuess: true)
      }
      // What something is compared with is a text more often than not.
      let before = bytes[..<range.lowerBound].last { !Self.isBlank($0) }
      let isCompared = before.map { "=<>".utf8.contains($0) } ?? false
      return error(
        "'\(word)' is neither text nor query; write '\(word)' in single quotes for the text, or"
          + " '@.\(word)' or '$.\(word)' for a query", range,
        fix: isCompared ? "'\(word)'" : nil, isGuess: true)
    }
  }

  /// The error if no operand begins.
  func foreignOperand() -> QuerySyntaxError {
    let expected = "a literal, a query or a function"
    guard let byte else {
      return error("\(expected) is missing at the end", bytes.count..<bytes.count)
    }
    let range = scalarRange(at: position)
    if let quotes = typographicQuote { return quotes }
    switch byte {
    case UInt8(ascii: "[") where self.byte(after: 1) == UInt8(ascii: "]"):
      return error(
        "lists are not literals in RFC 9535; a list is empty if 'count(@.list[*]) == 0'",
        position..<position + 2)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      return error(
        "lists and objects are not literals in RFC 9535; compare with each value and join with"
          + " '||'",
        range)
    case UInt8(ascii: "/"):
      return error(
        "use a pattern in a function: 'match(@.x, '…')' for the whole text, or 'search(@.x, '…')'",
        range)
    case UInt8(ascii: "."):
      if let next = self.byte(after: 1), Self.isDigit(next) {
        return error("a number needs a digit before '.'", range, fix: "0.")
      }
      return error("a query begins with '$' or '@'", range, fix: "@.")
    case UInt8(ascii: "+"): return error("a number has no '+'", range, fix: "")
    case UInt8(ascii: "?"):
      return error("'?' is allowed only before a filter in brackets", range)
    case UInt8(ascii: "*"): return error("'*' is allowed only after '.' or in brackets", range)
    default:
      return error("\(expected) is missing before \(quoted(range))", range)
    }
  }

  /// The error for a call of a function that RFC 9535 does not have.
  func foreignFunction(_ name: Range<Int>) -> QuerySyntaxError {
    let word = text(name)
    let known = FunctionCall.Function.allCases.map(\.rawValue)
    if known.contains(word.lowercased()) {
      return error(
        "functions are in small letters; write '\(word.lowercased())'", name,
        fix: word.lowercased())
    }
    switch word.lowercased() {
    case "not": return error("'not(…)' is written '!(…)'", name, fix: "!")
    case "size", "len", "strlen":
      return error("'\(word)' is written 'length'", name, fix: "length")
    case "date", "timestamp", "todate", "todatetime", "parsedate", "moment":
      return error("'\(word)' is written 'datetime'", name, fix: "datetime")
    case "exists", "defined", "has":
      return error("a query alone tests whether there is anything; drop '\(word)'", name)
    case "empty":
      return error("'empty(…)' is not in RFC 9535; write 'length(…) == 0'", name)
    default:
      switch ForeignOperator(word) {
      case .matches: return error("'\(word)' is written 'match'", name, fix: "match")
      case .contains, .begins, .ends: return error(textFunctions(instead: "'\(word)'"), name)
      default: break
      }
      return error(
        "'\(word)' is not a function here; there are 'length', 'count', 'match', 'search', 'value' and "
          + "'datetime'", name)
    }
  }
}
