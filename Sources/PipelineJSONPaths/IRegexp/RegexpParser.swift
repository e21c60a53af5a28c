/// Reads a pattern by the grammar of RFC 9485 §3 and names the constructs of other dialects. As an
/// option, it reads the constructs that ECMAScript and the automaton share.
struct RegexpParser {
  /// How deep groups may nest. Parsing and compiling recurse.
  static let depthLimit = 64
  /// The largest number in `{…}`. No program within its limit needs a larger one.
  static let repetitionLimit = RegexpProgram.instructionLimit

  let bytes: [UInt8]
  let dialect: RegexpDialect
  var position = 0
  private(set) var groupCount = 0
  private var depth = 0

  /// The first thing that the dialect has and no automaton can follow.
  var unsupported: IRegexpError?

  init(_ pattern: String, dialect: RegexpDialect = .iRegexp) {
    bytes = Array(pattern.utf8)
    self.dialect = dialect
  }

  mutating func wholePattern() throws(IRegexpError) -> RegexpSyntax {
    let tree = try choice()
    if position < bytes.count {
      throw IRegexpError(
        "')' closes no group; write '\\)' for the character", position..<position + 1, fix: "\\)",
        changing: .match)
    }
    return tree
  }

  // MARK: - Grammar

  /// `i-regexp = branch *( "|" branch )`
  private mutating func choice() throws(IRegexpError) -> RegexpSyntax {
    var branches = [try branch()]
    while take("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  /// `branch = *piece`
  private mutating func branch() throws(IRegexpError) -> RegexpSyntax {
    var pieces: [RegexpSyntax] = []
    while let byte = peek(), byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      pieces.append(try piece())
    }
    switch pieces.count {
    case 0: return .empty
    case 1: return pieces[0]
    default: return .sequence(pieces)
    }
  }

  /// `piece = atom [ quantifier ]`
  private mutating func piece() throws(IRegexpError) -> RegexpSyntax {
    let atom = try atom()
    let start = position
    let repetition: RegexpSyntax
    if take("*") {
      repetition = .repetition(atom, least: 0, most: nil)
    } else if take("+") {
      repetition = .repetition(atom, least: 1, most: nil)
    } else if take("?") {
      repetition = .repetition(atom, least: 0, most: 1)
    } else if peek() == UInt8(ascii: "{"), dialect == .iRegexp || isAtBounds {
      let (least, most) = try bounds()
      repetition = .repetition(atom, least: least, most: most)
    } else {
      return atom
    }
    // Whether a quantifier is lazy decides what is captured, never what matches.
    if dialect == .ecmaScript, take("?") { return repetition }
    try refuseSecondQuantifier(after: start)
    return repetition
  }

  /// `"{" QuantExact [ "," [ QuantExact ] ] "}"`
  private mutating func bounds() throws(IRegexpError) -> (least: Int, most: Int?) {
    let start = position
    position += 1
    if peek() == UInt8(ascii: ","), let digit = peek(1), isDigit(digit) {
      throw IRegexpError(
        "'{,…}' has no lower bound; write '{0,…}'", start..<position + 1, fix: "{0,",
        changing: .match)
    }
    let least = try number(from: start)
    var most: Int? = least
    if take(",") { most = peek() == UInt8(ascii: "}") ? nil : try number(from: start) }
    guard take("}") else { throw notABound(from: start) }
    if let most, most < least {
      throw IRegexpError(
        "'{\(least),\(most)}' has its numbers in the wrong order", start..<position,
        fix: "{\(most),\(least)}", changing: .match)
    }
    return (least, most)
  }

  private mutating func number(from start: Int) throws(IRegexpError) -> Int {
    var value = 0
    let first = position
    while let digit = peek(), isDigit(digit) {
      value = min(value * 10 + Int(digit - UInt8(ascii: "0")), Self.repetitionLimit + 1)
      position += 1
    }
    guard position > first else { throw notABound(from: start) }
    guard value <= Self.repetitionLimit else {
      throw IRegexpError(
        "\(text(first..<position)) repetitions are too many; the maximum is"
          + " \(Self.repetitionLimit)",
        first..<position)
    }
    return value
  }

  private func notABound(from start: Int) -> IRegexpError {
    let isNumber =
      start + 1 < bytes.count && (isDigit(bytes[start + 1]) || bytes[start + 1] == 0x20)
    return IRegexpError(
      "'{' begins a number of repetitions as in '{2,3}'; write '\\{' for the character",
      start..<start + 1, fix: "\\{", changing: isNumber ? .match : .nothing)
  }

  /// `atom = NormalChar / charClass / ( "(" i-regexp ")" )`. Also an anchor, and in ECMAScript
  /// (ECMA-262 §22.2.1) its escapes.
  private mutating func atom() throws(IRegexpError) -> RegexpSyntax {
    let isECMAScript = dialect == .ecmaScript
    let start = position
    switch peek() {
    case UInt8(ascii: "("): return try group()
    case UInt8(ascii: "["):
      return .scalars(try isECMAScript ? ecmaScriptClass() : bracketClass())
    case UInt8(ascii: "\\"):
      return try isECMAScript ? ecmaScriptEscape() : .scalars(escape())
    case UInt8(ascii: "."):
      position += 1
      return .scalars(isECMAScript ? .ecmaScriptDot : .dot)
    case UInt8(ascii: "^"):
      position += 1
      return .textStart
    case UInt8(ascii: "$"):
      position += 1
      return .textEnd
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): throw nothingToRepeat()
    case UInt8(ascii: "{") where isECMAScript && isAtBounds: throw nothingToRepeat()
    case let byte? where !isECMAScript && "{}]".utf8.contains(byte):
      let character = text(start..<start + 1)
      throw IRegexpError(
        "'\(character)' is written '\\\(character)'", start..<start + 1, fix: "\\" + character)
    default: return .scalars(ScalarSet(scalar()))
    }
  }

  private func nothingToRepeat() -> IRegexpError {
    let character = text(position..<position + 1)
    return IRegexpError(
      "there is nothing before '\(character)' to repeat; write '\\\(character)' for the character",
      position..<position + 1, fix: "\\" + character, changing: .match)
  }

  mutating func group() throws(IRegexpError) -> RegexpSyntax {
    let start = position
    if dialect == .iRegexp { try refuseForeignGroup() }
    guard depth < Self.depthLimit else {
      throw IRegexpError("groups nest more than \(Self.depthLimit) deep", start..<start + 1)
    }
    position += 1
    if dialect == .ecmaScript { try passGroupSpecifier() }
    groupCount += 1
    depth += 1
    let number = groupCount
    let inner = try choice()
    depth -= 1
    guard take(")") else {
      throw IRegexpError(
        "'(' is not closed; write '\\(' for the character", start..<start + 1)
    }
    return .group(inner, number: number)
  }

  private mutating func refuseSecondQuantifier(after start: Int) throws(IRegexpError) {
    let first = text(start..<position)
    switch peek() {
    case UInt8(ascii: "?"):
      throw IRegexpError(
        "'\(first)?' (lazy) is not in RFC 9485; drop the '?', or repeat only the characters that"
          + " may occur, as in '[^,]*'",
        start..<position + 1, fix: first, changing: .capture)
    case UInt8(ascii: "+"):
      throw IRegexpError(
        "'\(first)+' (possessive) is not in \(dialect.name); drop the '+'", start..<position + 1,
        fix: first, changing: .match)
    case UInt8(ascii: "*"), UInt8(ascii: "{"):
      throw IRegexpError(
        "a second quantifier follows '\(first)'; put the repeated part in parentheses",
        start..<position + 1)
    default: break
    }
  }
}

// MARK: - Cursor

extension RegexpParser {
  func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// The end of the scalar that begins at an offset.
  func end(ofScalarAt offset: Int) -> Int {
    var end = min(offset + 1, bytes.count)
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }

  /// The scalar at the position, which it moves past. The pattern is well-formed UTF-8.
  mutating func scalar() -> UInt32 {
    let end = end(ofScalarAt: position)
    let scalar = text(position..<end).unicodeScalars.first?.value ?? 0xFFFD
    position = end
    return scalar
  }
}
