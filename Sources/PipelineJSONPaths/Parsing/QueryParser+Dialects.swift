import PipelineByteText

// Expressions of other languages, such as other JSONPath dialects, jq and JSON Pointer. The errors
// show the form of RFC 9535. This file has queries. Expressions and references have their own
// files.

extension QueryParser {
  /// The error for a query that does not begin with `$`.
  func foreignStart() -> QuerySyntaxError {
    guard let first = byte else {
      return error("the query is empty; '$' selects the whole document", 0..<0, fix: "$")
    }
    if Self.isBlank(first) {
      let end = bytes.firstIndex { !Self.isBlank($0) } ?? bytes.count
      return error("a query must not begin with a blank", 0..<end, fix: "")
    }
    let first0 = scalarRange(at: 0)
    switch first {
    case UInt8(ascii: "@"):
      return error(
        "a query begins with '$'; '@' is the node that a filter or condition tests", first0)
    case UInt8(ascii: "{") where starts(with: "{{"):
      return error(
        "a query begins with '$'; a template can only replace a literal", 0..<2)
    case UInt8(ascii: "/"):
      if let query = Self.query(ofPointer: text) {
        return error(
          "a query begins with '$' and is not a JSON Pointer; write '\(query)'", 0..<bytes.count,
          fix: query)
      }
    default:
      // jq begins with a dot also before brackets.
      for fix in [text.hasPrefix(".[") ? "$" + text.dropFirst() : "$" + text, "$." + text] {
        if case .success = Query.parse(fix, in: mode) {
          return error("a query begins with '$'; write '\(fix)'", 0..<bytes.count, fix: fix)
        }
      }
    }
    return error("a query begins with '$'", first0)
  }

  /// `$.a[0]` for the JSON Pointer `/a/0` (RFC 6901).
  private static func query(ofPointer pointer: String) -> String? {
    var query = "$"
    for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let first = part.utf8.first else { return nil }
      if part.utf8.allSatisfy(isDigit) {
        query += "[\(part)]"
      } else if isNameFirst(first), part.utf8.allSatisfy(\.isNameByte) {
        query += ".\(part)"
      } else {
        query += bracketed(String(part))
      }
    }
    if case .success = Query.parse(query) { return query }
    return nil
  }

  /// The error for text after a whole query.
  func foreignRest(after query: Query) -> QuerySyntaxError {
    var start = position
    while start < bytes.count, Self.isBlank(bytes[start]) { start += 1 }
    guard start < bytes.count else {
      return error("nothing may follow the query; drop the blanks", position..<start, fix: "")
    }
    let range = scalarRange(at: start)
    if query.segments.isEmpty, start == position, Self.isNameFirst(bytes[start]) {
      return error("write '.' between '$' and a name", 0..<1, fix: "$.")
    }
    if start > position, Self.isNameFirst(bytes[start]), let last = query.segments.last,
      last.reach == .child, bytes[last.range.lowerBound] == UInt8(ascii: ".")
    {
      var end = start
      while end < bytes.count, bytes[end].isNameByte || Self.isBlank(bytes[end]) { end += 1 }
      while Self.isBlank(bytes[end - 1]) { end -= 1 }
      let fix = Self.bracketed(text(last.range.lowerBound + 1..<end))
      return error(
        "a name with blanks is written '\(fix)'", last.range.lowerBound..<end, fix: fix)
    }
    switch bytes[start] {
    case UInt8(ascii: "{"):
      return error("a query begins '$.' or '$['; braces are for templates, '{{…}}'", range)
    case UInt8(ascii: "^"):
      return error("RFC 9535 has no parent operator; filter the parent's children instead", range)
    case UInt8(ascii: "~"): return error("RFC 9535 cannot select member names", range)
    case UInt8(ascii: "|"):
      return error("a query ends here; it is not followed by pipes or alternatives", range)
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "&"):
      return error(
        "a query selects and a condition compares; a comparison belongs in '[?…]'", range)
    case UInt8(ascii: "]"), UInt8(ascii: ")"):
      return error("\(quoted(range)) closes nothing; drop it", range, fix: "")
    default:
      // `$[*]id`
      if start == position, start > 0, bytes[start - 1] == UInt8(ascii: "]"),
        Self.isNameFirst(bytes[start])
      {
        var end = start
        while end < bytes.count, bytes[end].isNameByte { end += 1 }
        let name = text(start..<end)
        return error("a '.' is missing before '\(name)'", start..<end, fix: ".\(name)")
      }
      return error("a query's next segment begins with '.' or '[', not \(quoted(range))", range)
    }
  }

  // MARK: - Names

  /// The error if the dots are not followed by a name or `*`.
  mutating func foreignAfterDot(from dots: Int, reach: Segment.Reach) -> QuerySyntaxError {
    let start = position
    let whole = { (end: Int) in (reach == .child ? dots : start)..<end }
    let dot = text(dots..<start)
    guard let byte, !Self.isBlank(byte) else {
      return error("a name or '*' follows '\(dot)'", dots..<start)
    }
    switch byte {
    case UInt8(ascii: "."):
      return error("'...' is not a segment; write '.' or '..'", dots..<start + 1)
    case UInt8(ascii: "["):
      return error("write no '.' before '['", dots..<start, fix: "")
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      guard let name = try? quotedString() else { break }
      let fix = Self.bracketed(name)
      return error("a quoted name belongs in brackets; write '\(fix)'", whole(position), fix: fix)
    case UInt8(ascii: "{") where starts(with: "{{"):
      return error(
        "a template cannot replace a name; it can only replace a literal, as in "
          + "'[?@.id == {{x}}]'", start..<start + 2)
    default:
      let end = endOfForeignName(from: start)
      guard end > start else { break }
      let name = text(start..<end)
      if name.utf8.allSatisfy(Self.isDigit) {
        return error("an index is written '[\(name)]'", whole(end), fix: "[\(name)]")
      }
      let fix = Self.bracketed(name)
      return error(
        "\(quoted(start..<end)) is written '\(fix)'", whole(end), fix: fix)
    }
    return error("a name or '*' follows '\(dot)'", dots..<scalarRange(at: start).upperBound)
  }

  /// Throws if a name is followed by a character that other dialects allow in names, or by a call.
  mutating func refuseForeignEndOfName(
    from start: Int, dots: Int, reach: Segment.Reach
  ) throws(QuerySyntaxError) {
    guard let byte else { return }
    switch byte {
    case UInt8(ascii: "("): throw methodCall(name: start..<position, dots: dots)
    case UInt8(ascii: "{") where starts(with: "{{"):
      throw error(
        "a template cannot be part of a name; it can only replace a literal",
        position..<position + 2)
    case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "%"):
      if isInExpression { return }
    case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"),
      UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "\\"), UInt8(ascii: "`"):
      break
    default: return
    }
    let end = endOfForeignName(from: start)
    let fix = Self.bracketed(text(start..<end))
    throw error(
      "\(quoted(position..<position + 1)) is not allowed in a name after a dot; write '\(fix)'",
      (reach == .child ? dots : start)..<end, fix: fix)
  }

  /// Where a name would end if it held whatever other dialects let it hold.
  private func endOfForeignName(from start: Int) -> Int {
    var end = start
    while end < bytes.count, !Self.endsForeignName(bytes[end]) { end += 1 }
    return end
  }

  private static func endsForeignName(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte < 0x20 || ".[](){}=!<>&|,'\"*?^~".utf8.contains(byte)
  }

  private func methodCall(name: Range<Int>, dots: Int) -> QuerySyntaxError {
    let method = text(name)
    let call = dots..<position + (starts(with: "()") ? 2 : 1)
    let subject = text(queryStart..<dots)
    if let pattern = Self.pattern(method) {
      if isInExpression, let (literal, end) = plainArgument {
        let sought = pattern.example.replacing(bytes: "x", with: literal)
        let way = "\(pattern.function)(\(subject), '\(sought)')"
        return error(
          "queries have no methods; write '\(way)'", queryStart..<end, fix: way, isGuess: true)
      }
      return error(
        "queries have no methods; write '\(pattern.function)(\(subject), '\(pattern.example)')'"
          + " in a condition", call)
    }
    guard let function = Self.functions[method] else {
      return error("'.\(method)(…)' is not in RFC 9535: queries have no methods", call)
    }
    let way = "\(function)(\(subject))"
    guard starts(with: "()"), isInExpression else {
      return error(
        "queries have no methods; '\(way)' is allowed in a filter or condition", call)
    }
    return error(
      "queries have no methods; write '\(way)'", queryStart..<call.upperBound, fix: way)
  }

  /// The quoted word of letters, digits, blanks and `_` in the parentheses that open here, and their
  /// end.
  private var plainArgument: (String, Int)? {
    let inner = position + 1
    guard bytes.indices.contains(inner), "'\"".utf8.contains(bytes[inner]) else { return nil }
    let word = bytes[(inner + 1)...].prefix {
      ASCIISet.letters.union(.digits).contains($0) || $0 == UInt8(ascii: "_") || $0 == 0x20
    }
    guard !word.isEmpty, bytes[word.endIndex...].starts(with: [bytes[inner], UInt8(ascii: ")")])
    else { return nil }
    return (String(decoding: word, as: UTF8.self), word.endIndex + 2)
  }

  private static let functions = [
    "length": "length", "size": "length", "len": "length", "count": "count", "value": "value",
  ]

  /// What methods of other languages look for, as a function and a pattern.
  private static func pattern(_ method: String) -> (function: String, example: String)? {
    switch ForeignOperator(method) {
    case .begins, .matches: ("match", "x.*")
    case .ends: ("match", ".*x")
    case .contains: ("search", "x")
    default: nil
    }
  }

  // MARK: - Brackets

  /// The error if no selector begins in the brackets that open at `bracket`.
  func foreignSelector(in bracket: Int) -> QuerySyntaxError {
    let range = scalarRange(at: position)
    guard let byte else { return error("'[' is not closed", bracket..<bracket + 1) }
    switch byte {
    case UInt8(ascii: "("): return script(in: bracket)
    case UInt8(ascii: "@"), UInt8(ascii: "!"):
      return error("a filter begins with '?'", range, fix: "?" + text(range))
    case UInt8(ascii: "{") where starts(with: "{{"):
      return error(
        isInReference
          ? "a template cannot hold another; compute the key in a query, as in '$.list[{{key}}]'"
          : "this query must not contain a template", position..<position + 2)
    case UInt8(ascii: ","): return error("a selector is missing before ','", range)
    case UInt8(ascii: "$"):
      return error("a query is allowed in brackets only in a filter, '[?…]'", range)
    default: break
    }
    if let quotes = typographicQuote { return quotes }
    let end = endOfForeignName(from: position)
    let word = text(position..<end)
    guard end > position, Self.isNameFirst(byte) else {
      return error(
        "brackets contain a quoted name, an index, a slice, '*' or a filter '?…', not "
          + quoted(range), range)
    }
    if word == "last" {
      return error("the last element is written '[-1]'", position..<end, fix: "-1")
    }
    let fix = NormalizedPath.quoted(word)
    let isClosed = bytes[end...].contains(UInt8(ascii: "]"))
    return error(
      "a name in brackets is quoted; write '[\(fix)]'", position..<end,
      fix: isClosed ? fix : fix + "]")
  }

  /// `[(@.length-1)]`
  private func script(in bracket: Int) -> QuerySyntaxError {
    let message = "script expressions are not in RFC 9535"
    guard let close = bytes[position...].firstIndex(of: UInt8(ascii: "]")) else {
      return error(message, position..<position + 1)
    }
    let script = text(position..<close).filter { $0 != " " }
    if script.hasPrefix("(@.length-"), script.hasSuffix(")"),
      let distance = Int(script.dropFirst(10).dropLast()), distance > 0
    {
      return error(
        "\(message); counted from the end it is '[-\(distance)]'", bracket..<close + 1,
        fix: "[-\(distance)]")
    }
    return error("\(message); a filter begins with '?'", position..<close)
  }

  /// The error for text after a selector, in the brackets that open at `bracket`.
  func foreignInBrackets(from bracket: Int) -> QuerySyntaxError {
    guard let byte else { return error("'[' is not closed", bracket..<bracket + 1) }
    let range = scalarRange(at: position)
    if byte == UInt8(ascii: "-") || starts(with: "..") {
      return error("a slice is written with ':', as in '[0:3]'", range)
    }
    if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") {
      return error("']' is missing before \(quoted(range))", range, fix: "]" + text(range))
    }
    if byte == UInt8(ascii: ")") { return error("')' closes nothing; drop it", range, fix: "") }
    return error("',' or ']' follows a selector, not \(quoted(range))", range)
  }

  /// The error for a typographic quotation mark or a backtick in place of a quote.
  var typographicQuote: QuerySyntaxError? {
    let opening = scalarRange(at: position)
    guard let close = Self.closingQuotes[text(opening)] else { return nil }
    var end = opening.upperBound
    while end < bytes.count {
      let scalar = scalarRange(at: end)
      guard !close.contains(text(scalar)) else {
        let content = text(opening.upperBound..<end)
        let fix = NormalizedPath.quoted(content)
        return error(
          "a text needs straight quotes; write \(fix)", opening.lowerBound..<scalar.upperBound,
          fix: fix)
      }
      end = scalar.upperBound
    }
    return error("a text needs straight quotes, '…'", opening)
  }

  private static let closingQuotes: [String: [String]] = [
    "‘": ["’", "‘"], "’": ["’"], "‚": ["’", "‘"], "“": ["”", "“"], "”": ["”"], "„": ["“", "”"],
    "«": ["»"], "»": ["«", "»"], "`": ["`"], "´": ["´"],
  ]
}
