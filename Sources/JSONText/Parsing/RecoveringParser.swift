/// The parser that knows why: it goes on after mistakes, names each, and always makes a tape.
///
/// `StrictParser` decides alone about texts that are right; with `problemLimit` 1 this one finds the
/// message for those it refuses. Never recursive; stops at the problem limit and at the depth limit,
/// and then closes what is open.
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
  private var open: [Int] = []
  private var previousEnd = 0
  private var commaAt: Int?

  private enum Expectation { case value, first, next, separator }

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
    skipTrivia()
    guard let first = byte else {
      if isStopped { return }
      let message = bytes.isEmpty ? "the text is empty" : "the text holds no value"
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
    readValue()
    while let container = open.last, !isStopped { step(in: container) }
    if !isStopped { readWhatFollows() }
  }

  // MARK: Structure

  private var expectation = Expectation.value

  private mutating func step(in container: Int) {
    skipTrivia()
    if isStopped { return }
    let isObject = TapeElement(word: tape[container]).isObject
    guard let byte else { return reportUnclosed(container) }
    switch expectation {
    case .separator: readSeparator(byte, isObject: isObject)
    case .value: readValue()
    case .first, .next:
      if byte == JSONByte.closeBrace || byte == JSONByte.closeBracket {
        if expectation == .next, let commaAt {
          report(
            "a comma stands before '\(Character(Unicode.Scalar(byte)))'; remove it",
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
    case UInt8(ascii: ";"):
      let range = position..<position + 1
      report(
        "',' separates \(isObject ? "members" : "elements"), not ';'", range,
        fix: .init("write ','", edits: [.init(range, ",")]))
      commaAt = position
      position += 1
      expectation = .next
    case JSONByte.colon:
      let way = isObject ? "put ',' before the next name" : "write an object in '{' and '}'"
      report("':' has no place after a value; \(way)", position..<position + 1)
      position += 1
    default:
      let gap = previousEnd..<previousEnd
      let next = position + max(UTF8Sequence.length(in: bytes, at: position), 1)
      report(
        "',' is missing between \(isObject ? "members" : "elements"); add it", gap,
        related: [.init("this begins the next one", range: position..<next)],
        fix: .init("add ','", edits: [.init(gap, ",")]))
      commaAt = nil
      expectation = .next
    }
  }

  private mutating func readClosing(_ byte: UInt8, isObject: Bool) {
    let range = position..<position + 1
    if (byte == JSONByte.closeBrace) == isObject {
      close(.end)
      position += 1
      previousEnd = position
      expectation = .separator
      return
    }
    let isOpenOutside = open.dropLast().contains {
      TapeElement(word: tape[$0]).isObject == (byte == JSONByte.closeBrace)
    }
    guard let container = open.last else { return }
    let opening = opening(of: container)
    let closing = isObject ? "}" : "]"
    let found = Character(Unicode.Scalar(byte))
    if isOpenOutside {
      report(
        "'\(opening.bracket)' is not closed before this '\(found)'; add '\(closing)'", range,
        related: [.init("it is opened here", range: opening.range)])
      close(.impliedEnd)
    } else {
      report(
        "'\(found)' does not close '\(opening.bracket)'; write '\(closing)'", range,
        related: [.init("it is opened here", range: opening.range)],
        fix: .init("write '\(closing)'", edits: [.init(range, closing)]))
      close(.end)
      position += 1
    }
    previousEnd = position
    expectation = .separator
  }

  private mutating func readName(_ byte: UInt8) {
    let start = position
    switch byte {
    case JSONByte.quote: readString()
    case UInt8(ascii: "'"), UInt8(ascii: "`"): readForeignString(byte)
    case JSONByte.openBrace, JSONByte.openBracket, JSONByte.colon:
      report(
        "a name in double quotes is expected before '\(Character(Unicode.Scalar(byte)))'",
        position..<position + 1)
      append(.lenientString, offset: position, span: 0)
    default: readBareName()
    }
    if isStopped { return dropNameWithoutValue() }
    let nameEnd = position
    skipTrivia()
    if isStopped { return dropNameWithoutValue() }
    if self.byte == JSONByte.colon {
      position += 1
    } else if self.byte == UInt8(ascii: "=") {
      let length = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: ">") ? 2 : 1
      let range = position..<position + length
      report(
        "':' stands between a name and its value, not '='", range,
        fix: .init("write ':'", edits: [.init(range, ":")]))
      position += length
    } else {
      let gap = nameEnd..<nameEnd
      report(
        "':' and a value are missing after this name", start..<nameEnd,
        fix: isValueNext ? .init("add ':'", edits: [.init(gap, ":")]) : nil)
    }
    expectation = .value
    if isStopped { dropNameWithoutValue() }
  }

  /// Keeps the tape's order: in an object every name has a value.
  private mutating func dropNameWithoutValue() {
    expectation = .separator
    guard let container = open.last, tape.count > container + 1,
      TapeElement(word: tape[tape.count - 1]).isString
    else { return }
    tape.removeLast()
  }

  private var isValueNext: Bool {
    guard let byte else { return false }
    return byte == JSONByte.quote || byte == JSONByte.openBrace || byte == JSONByte.openBracket
      || byte == JSONByte.minus || JSONByte.isDigit(byte)
  }

  private mutating func readValue() {
    expectation = .separator
    switch byte {
    case JSONByte.openBrace: begin(.object)
    case JSONByte.openBracket: begin(.array)
    case JSONByte.quote: readString()
    case UInt8(ascii: "'"): readForeignString(UInt8(ascii: "'"))
    case UInt8(ascii: "`"): readForeignString(UInt8(ascii: "`"))
    case nil, JSONByte.comma, JSONByte.closeBrace, JSONByte.closeBracket:
      report("a value is missing here", previousEnd(or: position))
      append(.null, offset: position, span: 0)
    default: readWord()
    }
    previousEnd = position
  }

  /// From the last thing read up to here, so that a missing value is shown where it should stand.
  private func previousEnd(or position: Int) -> Range<Int> {
    position..<min(position + 1, bytes.count)
  }

  private mutating func begin(_ kind: TapeElement.Kind) {
    guard open.count < depthLimit else {
      report(
        "arrays and objects nest deeper than the limit of \(depthLimit)", position..<position + 1,
        code: .depth)
      append(.null, offset: position, span: 0)
      return stop()
    }
    open.append(tape.count)
    append(kind, offset: position, span: 0)
    position += 1
    expectation = .first
  }

  private mutating func close(_ kind: TapeElement.Kind) {
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

  private func opening(of container: Int) -> (bracket: Character, range: Range<Int>) {
    let element = TapeElement(word: tape[container])
    return (element.isObject ? "{" : "[", element.offset..<element.offset + 1)
  }

  private mutating func reportUnclosed(_ container: Int) {
    let opening = opening(of: container)
    let closing = TapeElement(word: tape[container]).isObject ? "}" : "]"
    report(
      "the text ends before this '\(opening.bracket)' is closed; add '\(closing)'", opening.range,
      related: [.init("the text ends here", range: bytes.count..<bytes.count)])
    if expectation == .value { append(.null, offset: position, span: 0) }
    close(.impliedEnd)
    expectation = .separator
  }

  private mutating func readWhatFollows() {
    skipTrivia()
    guard !isStopped, let byte else { return }
    let range = position..<bytes.count
    if byte == JSONByte.closeBrace || byte == JSONByte.closeBracket {
      report(
        "'\(Character(Unicode.Scalar(byte)))' closes nothing; remove it", position..<position + 1)
    } else if byte == JSONByte.openBrace || byte == JSONByte.openBracket {
      report("a second value follows; a JSON text holds one, so put them into a list", range)
    } else {
      report("the text goes on after its value; remove what follows", range)
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

  func removal(of range: Range<Int>, _ message: String) -> JSONSyntaxError.Fix {
    .init(message, edits: [.init(range, "")])
  }
}
