/// The parser that explains: it continues after mistakes, names each, and always makes a tape.
///
/// Only `StrictParser` decides which texts are valid. With `problemLimit` 1 this one finds the
/// message for the others. Never recursive. It stops at the problem limit and at the depth limit,
/// and then closes all open brackets.
struct RecoveringParser {
  let bytes: [UInt8]
  let depthLimit: Int
  let problemLimit: Int
  let lengthLimit: Int
  var reportsByteOrderMark = false

  var position = 0
  var tape: [UInt64] = []
  private(set) var problems: [JSONSyntaxError] = []
  private(set) var isStopped = false
  /// The containers that are open: indexes of the tape.
  var open: [Int] = []
  /// The containers whose brackets are of the other kind: lists in `{` and `}`, objects in `[` and
  /// `]`.
  var swapped: Set<Int> = []
  var previousEnd = 0
  /// Whether the first of two versions is read between which someone has to choose.
  var isInConflict = false
  /// Whether it was said that the text ends too early.
  var isCutOff = false
  var commaAt: Int?

  enum Expectation { case value, first, next, separator }

  init(
    _ bytes: [UInt8], depthLimit: Int, problemLimit: Int,
    lengthLimit: Int = TapeElement.offsetLimit
  ) {
    self.lengthLimit = lengthLimit
    self.bytes = bytes
    self.depthLimit = depthLimit
    self.problemLimit = problemLimit
  }

  mutating func parse() {
    parseDocument()
    closeEverything()
    if tape.isEmpty { append(.null, offset: min(position, TapeElement.offsetLimit), span: 0) }
  }

  private mutating func parseDocument() {
    guard bytes.count <= lengthLimit else {
      return report(
        "a JSON text of \(bytes.count) bytes is longer than the 4 GB that can be read", 0..<0,
        code: .tooLarge)
    }
    readByteOrderMark()
    if isStopped || isOtherFormat() { return }
    skipTrivia()
    guard let first = byte else {
      if isStopped { return }
      let message = bytes.isEmpty ? "the text is empty" : "the text contains no value"
      return report("\(message); write a JSON value", 0..<bytes.count, code: .empty)
    }
    if first == JSONByte.closeBrace || first == JSONByte.closeBracket || first == JSONByte.comma
      || first == JSONByte.colon
    {
      report(
        "a value is expected, not '\(Character(Unicode.Scalar(first)))'; remove it",
        position..<position + 1)
      position += 1
      skipTrivia()
    }
    guard isJSON() else { return stop() }
    readValue()
    while let container = open.last, !isStopped { step(in: container) }
    if !isStopped { readWhatFollows() }
  }

  // MARK: Structure

  var expectation = Expectation.value

  private mutating func step(in container: Int) {
    skipTrivia()
    if isStopped { return }
    let isObject = TapeElement(word: tape[container]).isObject
    guard let byte else { return reportUnclosed() }
    switch expectation {
    case .separator: readSeparator(byte, isObject: isObject)
    case .value: readValue()
    case .first, .next:
      if byte == JSONByte.closeBrace || byte == JSONByte.closeBracket {
        if expectation == .next, let commaAt {
          report(
            "a comma is not allowed before '\(Character(Unicode.Scalar(byte)))'; remove it",
            commaAt..<commaAt + 1, fix: removal(of: commaAt..<commaAt + 1, "remove the comma"))
        }
        readClosing(byte, isObject: isObject)
      } else if byte == JSONByte.comma {
        report(
          "a \(isObject ? "member" : "value") is missing before this ','; remove the comma",
          position..<position + 1,
          fix: removal(of: position..<position + 1, "remove the comma"))
        position += 1
      } else if isObject {
        readName(byte)
      } else {
        readValue()
      }
    }
  }

  private mutating func readSeparator(_ byte: UInt8, isObject: Bool) {
    switch byte {
    case JSONByte.comma:
      commaAt = position
      position += 1
      expectation = .next
    case JSONByte.closeBrace, JSONByte.closeBracket: readClosing(byte, isObject: isObject)
    case UInt8(ascii: ";"): readSemicolon(isObject: isObject)
    case JSONByte.colon where !isObject && isNameBefore: beginObject()
    case JSONByte.colon:
      let way = isObject ? "put ',' before the next name" : "write an object in '{' and '}'"
      report("':' is not allowed after a value; \(way)", position..<position + 1)
      position = bareText(inObject: isObject).end
    case JSONByte.openBrace where isObject && closeBeforeBrace(): break
    default: readMissingComma(isObject: isObject)
    }
  }

  private mutating func readSemicolon(isObject: Bool) {
    let range = position..<position + 1
    position += 1
    let next = afterWhiteSpace(position)
    if next < bytes.count,
      bytes[next] == JSONByte.closeBrace || bytes[next] == JSONByte.closeBracket
    {
      return report(
        "';' is not allowed in JSON; remove it", range, fix: removal(of: range, "remove it"))
    }
    report(
      "',' separates \(isObject ? "members" : "elements"), not ';'", range,
      fix: .init("write ','", edits: [.init(range, ",")]))
    commaAt = range.lowerBound
    expectation = .next
  }

  /// After a value: the next one without a comma, or what is neither and is in its line.
  private mutating func readMissingComma(isObject: Bool) {
    if !isLineEnd(afterSpaces(previousEnd)), !isNextOne(isObject: isObject) {
      if byte == JSONByte.plus { return skipJoinedStrings() }
      let text = bareText(inObject: isObject)
      let shown = shortened(String(decoding: bytes[text.range], as: UTF8.self))
      report("'\(shown)' is not allowed after a value; remove it", text.range)
      position = text.end
      return
    }
    let gap = previousEnd..<previousEnd
    let next = position + max(UTF8Sequence.length(in: bytes, at: position), 1)
    report(
      "',' is missing between \(isObject ? "members" : "elements"); add it", gap,
      related: [.init("this begins the next one", range: position..<next)],
      fix: .init("add ','", edits: [.init(gap, ",")]))
    commaAt = nil
    expectation = .next
  }

  private mutating func skipJoinedStrings() {
    let start = position
    while byte == JSONByte.plus {
      position = afterWhiteSpace(position + 1)
      if byte == JSONByte.quote, let end = closingQuote(from: position + 1, JSONByte.quote) {
        position = end + 1
      } else {
        position = bareText(inObject: false).end
      }
      previousEnd = position
      if afterWhiteSpace(position) < bytes.count, bytes[afterWhiteSpace(position)] == JSONByte.plus
      {
        position = afterWhiteSpace(position)
      }
    }
    report("JSON does not join strings with '+'; write one string", start..<previousEnd)
  }

  /// Whether a member or an element begins here.
  private func isNextOne(isObject: Bool) -> Bool {
    if isObject { return isQuotedName(position) || isBareName(position) }
    guard let byte else { return false }
    return isValueNext || byte == UInt8(ascii: "'") || isWordByte(byte) || byte >= 0x80
  }

  var isValueNext: Bool {
    guard let byte else { return false }
    return byte == JSONByte.quote || byte == JSONByte.openBrace || byte == JSONByte.openBracket
      || byte == JSONByte.minus || JSONByte.isDigit(byte)
      || ["true", "false", "null"].contains { bytes[position...].starts(with: $0.utf8) }
  }

  private mutating func readValue() {
    if isNameInPlaceOfValue() { return }
    expectation = .separator
    switch byte {
    case JSONByte.openBrace where position + 1 < bytes.count && bytes[position + 1] == byte:
      readWord()
    case JSONByte.openBrace: begin(.object)
    case JSONByte.openBracket: begin(.array)
    case JSONByte.quote: readString()
    case UInt8(ascii: "'"): readForeignString(UInt8(ascii: "'"))
    case UInt8(ascii: "`"): readForeignString(UInt8(ascii: "`"))
    case JSONByte.colon:
      let range = position..<position + 1
      report(
        "this is a second ':'; remove it", range, fix: removal(of: range, "remove the ':'"))
      position += 1
      expectation = .value
      return
    case nil, JSONByte.comma, JSONByte.closeBrace, JSONByte.closeBracket:
      report("a value is missing here", previousEnd(or: position))
      append(.null, offset: position, span: 0)
    default: readWord()
    }
    previousEnd = position
  }

  /// Where a name follows a colon, a brace was forgotten, or with the end of the line the value.
  private mutating func isNameInPlaceOfValue() -> Bool {
    guard let container = open.last, TapeElement(word: tape[container]).isObject,
      isQuotedName(position)
    else { return false }
    let kinds = open.map { TapeElement(word: tape[$0]).isObject }
    if misfits(from: position, open: kinds + [true]) < misfits(from: position, open: kinds) {
      report(
        "'{' is missing before this name; add it", position..<position + 1,
        fix: insertion("{", at: position))
      if !isStopped { begin(.object, isImplied: true) }
      return true
    }
    guard bytes[previousEnd..<position].contains(0x0A) else { return false }
    report("a value is missing here", previousEnd - 1..<previousEnd)
    append(.null, offset: position, span: 0)
    commaAt = nil
    expectation = .next
    return true
  }

  /// From the last thing read up to here, so that a missing value is shown at its expected place.
  private func previousEnd(or position: Int) -> Range<Int> {
    position..<min(position + 1, bytes.count)
  }

  /// - Parameter isImplied: Whether the text lacks the bracket.
  mutating func begin(_ kind: TapeElement.Kind, isImplied: Bool = false) {
    guard open.count < depthLimit else {
      report(
        "arrays and objects nest deeper than the limit of \(depthLimit)", position..<position + 1,
        code: .depth)
      append(.null, offset: position, span: 0)
      return stop()
    }
    open.append(tape.count)
    append(kind, offset: position, span: 0)
    if !isImplied { position += 1 }
    expectation = .first
  }

  mutating func close(_ kind: TapeElement.Kind) {
    guard let container = open.popLast() else { return }
    let opening = TapeElement(word: tape[container])
    tape[container] =
      TapeElement(opening.kind, offset: opening.offset, span: tape.count).word
    append(kind, offset: position, span: container)
  }

  private mutating func closeEverything() {
    if expectation == .value, let container = open.last,
      TapeElement(word: tape[container]).isObject
    {
      append(.null, offset: min(position, bytes.count), span: 0)
    }
    while !open.isEmpty { close(.impliedEnd) }
  }

  private mutating func readWhatFollows() {
    skipTrivia()
    guard !isStopped, let byte else { return }
    let range = position..<bytes.count
    if byte == JSONByte.closeBrace || byte == JSONByte.closeBracket {
      report(
        "'\(Character(Unicode.Scalar(byte)))' closes nothing; remove it", position..<position + 1,
        fix: guessedRemoval(of: position..<position + 1))
    } else if byte == JSONByte.openBrace || byte == JSONByte.openBracket {
      report("a second value follows; a JSON text holds one, so put them into a list", range)
    } else {
      report(
        "the text continues after its value; remove what follows", range,
        fix: guessedRemoval(of: range))
    }
    stop()
  }

  // MARK: What the readers share

  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func append(_ kind: TapeElement.Kind, offset: Int, span: Int) {
    if tape.count > TapeElement.spanLimit || (span > TapeElement.spanLimit) {
      report(
        tape.count > TapeElement.spanLimit
          ? "the text holds more than 268 million values and names"
          : "a string or number is longer than 256 MB",
        offset..<offset, code: .tooLarge)
      tape.removeAll()
      open.removeAll()
      return stop()
    }
    tape.append(TapeElement(kind, offset: offset, span: span).word)
  }

  mutating func report(
    _ message: String, _ range: Range<Int>, code: JSONSyntaxError.Code = .syntax,
    related: [JSONSyntaxError.Related] = [], fix: JSONSyntaxError.Fix? = nil
  ) {
    guard problems.count < problemLimit else { return }
    problems.append(
      JSONSyntaxError(message, range: range, code: code, related: related, fix: fix))
    if problems.count == problemLimit { stop() }
  }

  mutating func stop() { isStopped = true }

  /// A guess that a text is missing at a place.
  func insertion(_ text: String, at place: Int) -> JSONSyntaxError.Fix {
    .init("add '\(text)'", edits: [.init(place..<place, text)], isGuess: true)
  }

  /// A guess that a text is to go.
  func guessedRemoval(of range: Range<Int>) -> JSONSyntaxError.Fix {
    .init("remove it", edits: [.init(range, "")], isGuess: true)
  }

  func removal(of range: Range<Int>, _ message: String) -> JSONSyntaxError.Fix {
    .init(message, edits: [.init(range, "")])
  }
}
