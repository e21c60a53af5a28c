extension RecoveringParser {
  /// A closing bracket may fit, lack another before it, be of the wrong kind, or close nothing. The
  /// reading is taken after which the remaining brackets fit best.
  mutating func readClosing(_ byte: UInt8, isObject: Bool) {
    guard let container = open.last else { return }
    let range = position..<position + 1
    let isBrace = byte == JSONByte.closeBrace
    // Wrong brackets have been reported already.
    if isBrace == isObject || swapped.contains(container) {
      close(.end)
      position += 1
      return endValue()
    }
    let opening = opening(of: container)
    let closing = isObject ? "}" : "]"
    let found = Character(Unicode.Scalar(byte))
    switch reading(of: isBrace) {
    case .lacksOne:
      report(
        "'\(opening.bracket)' is not closed before this '\(found)'; add '\(closing)'", range,
        related: [.init("it is opened here", range: opening.range)],
        fix: insertion(closing, at: previousEnd))
      close(.impliedEnd)
    case .wrongOne:
      report(
        "'\(found)' does not close '\(opening.bracket)'; write '\(closing)'", range,
        related: [.init("it is opened here", range: opening.range)],
        fix: .init("write '\(closing)'", edits: [.init(range, closing)]))
      close(.end)
      position += 1
    case .oneTooMany:
      report("'\(found)' closes nothing here; remove it", range, fix: guessedRemoval(of: range))
      position += 1
    }
    endValue()
  }

  private mutating func endValue() {
    previousEnd = position
    expectation = .separator
  }

  private enum Reading { case lacksOne, wrongOne, oneTooMany }

  private func reading(of isBrace: Bool) -> Reading {
    let kinds = open.map { TapeElement(word: tape[$0]).isObject }
    var best = (Reading.wrongOne, misfits(from: position + 1, open: kinds.dropLast()))
    if let outer = kinds.dropLast().lastIndex(of: isBrace) {
      let missing = kinds.count - 2 - outer
      let count = misfits(from: position + 1, open: Array(kinds[..<outer])) + missing
      if count <= best.1 { best = (.lacksOne, count) }
    }
    let count = misfits(from: position + 1, open: kinds)
    return count < best.1 ? .oneTooMany : best.0
  }

  /// Whether the object with this `{` in place of a name was to be closed before it.
  mutating func closeBeforeBrace() -> Bool {
    let kinds = open.map { TapeElement(word: tape[$0]).isObject }
    let closed = misfits(from: position, open: kinds.dropLast())
    guard let container = open.last, kinds.count > 1, !kinds[kinds.count - 2],
      closed < misfits(from: position, open: kinds),
      closed <= misfits(from: position, open: kinds + [false])
    else { return false }
    let opening = opening(of: container)
    report(
      "'{' is not closed before the next '{'; add '}'", previousEnd..<previousEnd,
      related: [
        .init("it is opened here", range: opening.range),
        .init("this begins the next one", range: position..<position + 1),
      ],
      fix: insertion(commaAt == nil ? "}," : "}", at: previousEnd))
    close(.impliedEnd)
    commaAt = nil
    expectation = .next
    return true
  }

  /// Whether the object before this `{` and its comma was to be the first of a list. The following
  /// text is read as the rest of it, without a name.
  mutating func beginListBeforeBrace() -> Bool {
    let kinds = open.map { TapeElement(word: tape[$0]).isObject }
    guard let last = tape.last.map(TapeElement.init(word:)), last.isEnd,
      TapeElement(word: tape[last.span]).isObject,
      misfits(from: position, open: kinds + [false]) < misfits(from: position, open: kinds)
    else { return false }
    let place = opening(of: last.span).range
    report(
      "'[' is missing before this '{'; add it", place, fix: insertion("[", at: place.lowerBound))
    if isStopped { return true }
    append(.lenientString, offset: position, span: 0)
    begin(.array, isImplied: true)
    return true
  }

  func opening(of container: Int) -> (bracket: Character, range: Range<Int>) {
    let element = TapeElement(word: tape[container])
    let length = max(UTF8Sequence.length(in: bytes, at: element.offset), 1)
    return (
      element.isObject != swapped.contains(container) ? "{" : "[",
      element.offset..<element.offset + length
    )
  }

  /// The text ends in the midst of containers: one word, at the innermost.
  mutating func reportUnclosed() {
    guard let container = open.last else { return }
    let opening = opening(of: container)
    let closings = open.reversed().map { TapeElement(word: tape[$0]).isObject ? "}" : "]" }
    let message =
      closings.count == 1
      ? "the text ends before this '\(opening.bracket)' is closed; add '\(closings[0])'"
      : "the text ends before this '\(opening.bracket)' and the brackets around it are closed; add "
        + "'\(closings.prefix(20).joined())'"
    if !isCutOff {
      report(
        message, opening.range,
        related: [.init("the text ends here", range: bytes.count..<bytes.count)],
        fix: closings.count > 20 ? nil : ending(closings.joined()))
    }
    if expectation == .value { append(.null, offset: position, span: 0) }
    while !open.isEmpty { close(.impliedEnd) }
    expectation = .separator
  }

  /// The text with its missing end, and without the comma before it.
  private func ending(_ closings: String) -> JSONSyntaxError.Fix? {
    guard let last = bytes.lastIndex(where: { !JSONByte.isSpace($0) }), expectation != .value else {
      return nil
    }
    let isComma = bytes[last] == JSONByte.comma
    return .init(
      "add '\(closings)'",
      edits: [.init((isComma ? last : last + 1)..<last + 1, closings)], isGuess: true)
  }

  // MARK: Names and values in a list, values alone in an object

  /// Whether what was read last is a name: a string, and nothing between it and this colon.
  var isNameBefore: Bool {
    guard let container = open.last, tape.count > container + 1 else { return false }
    return TapeElement(word: tape[tape.count - 1]).isString && previousEnd <= position
  }

  /// At a colon after an element. The list was to be closed before it, or it is the name of an
  /// object that was not opened, or the whole list is an object in wrong brackets.
  mutating func beginObject() {
    guard let container = open.last else { return }
    let name = TapeElement(word: tape[tape.count - 1])
    let closing = closingBracket(from: position)
    let opening = opening(of: container).range
    if tape.count == container + 2, let closing, bytes[closing] == JSONByte.closeBracket {
      report(
        "names and values belong in '{' and '}', not in '[' and ']'", opening,
        fix: bracketing(opening, closing, "{", "}"))
      tape[container] = TapeElement(.object, offset: opening.lowerBound, span: 0).word
      swapped.insert(container)
    } else {
      let isQuoted = [JSONByte.quote, UInt8(ascii: "'"), UInt8(ascii: "`")]
        .contains(bytes[name.offset - 1])
      let start = isQuoted ? name.offset - 1 : name.offset
      guard closeBeforeName(start..<previousEnd) || beginImplied(start..<previousEnd) else {
        return
      }
    }
    position += 1
    expectation = .value
  }

  /// Whether the list that contains this name was to be closed before it.
  private mutating func closeBeforeName(_ name: Range<Int>) -> Bool {
    let kinds = open.map { TapeElement(word: tape[$0]).isObject }
    guard let container = open.last, kinds.count > 1, kinds[kinds.count - 2],
      misfits(from: position, open: kinds.dropLast())
        < misfits(from: position, open: kinds + [true])
    else { return false }
    report(
      "'[' is not closed before this name; add ']'", name,
      related: [.init("it is opened here", range: opening(of: container).range)],
      fix: comma(before: name.lowerBound).map { insertion("]", at: $0) })
    guard !isStopped, let word = tape.popLast() else { return false }
    let colon = position
    position = name.lowerBound
    close(.impliedEnd)
    position = colon
    tape.append(word)
    return true
  }

  /// The place of the comma before a name, if there is one.
  private func comma(before name: Int) -> Int? {
    guard let last = bytes[..<name].lastIndex(where: { !JSONByte.isSpace($0) }) else { return nil }
    return bytes[last] == JSONByte.comma ? last : nil
  }

  private mutating func beginImplied(_ name: Range<Int>) -> Bool {
    report(
      "'{' is missing before this name; add it", name, fix: insertion("{", at: name.lowerBound))
    guard !isStopped, open.count < depthLimit, let word = tape.popLast() else {
      stop()
      return false
    }
    open.append(tape.count)
    append(.object, offset: name.lowerBound, span: 0)
    tape.append(word)
    return true
  }

  /// At the first name of an object, which no colon follows: whether all of it are values, as in a
  /// list. Then it is read as one.
  mutating func isListInBraces() -> Bool {
    guard let container = open.last, tape.count == container + 2, byte == JSONByte.comma,
      let closing = closingBracket(from: position), bytes[closing] == JSONByte.closeBrace,
      !bytes[position..<closing].contains(JSONByte.colon)
    else { return false }
    let opening = opening(of: container).range
    report(
      "a list belongs in '[' and ']', not in '{' and '}'", opening,
      fix: bracketing(opening, closing, "[", "]"))
    tape[container] = TapeElement(.array, offset: opening.lowerBound, span: 0).word
    swapped.insert(container)
    previousEnd = position
    expectation = .separator
    return true
  }

  private func bracketing(
    _ opening: Range<Int>, _ closing: Int, _ first: String, _ last: String
  ) -> JSONSyntaxError.Fix {
    .init(
      "write '\(first)' and '\(last)'",
      edits: [.init(opening, first), .init(closing..<closing + 1, last)])
  }
}
