// Sets of characters: `[a-z]`, `\p{L}`, `\n` (RFC 9485 §3, charClass).

extension RegexpParser {
  /// `"[" [ "^" ] ( "-" / CCE1 ) *CCE1 [ "-" ] "]"`
  mutating func bracketClass() throws(IRegexpError) -> ScalarSet {
    let start = position
    position += 1
    let isNegated = take("^")
    var set = ScalarSet()
    if take("-") { set.insert(0x2D...0x2D) } else { try classItem(into: &set, from: start) }
    while true {
      if take("]") { break }
      if peek() == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "]") {
        set.insert(0x2D...0x2D)
        position += 2
        break
      }
      try classItem(into: &set, from: start)
    }
    if isNegated { set.negate() }
    return set
  }

  /// `CCE1 = ( CCchar [ "-" CCchar ] ) / charClassEsc`
  private mutating func classItem(
    into set: inout ScalarSet, from start: Int
  ) throws(IRegexpError) {
    let first = position
    if let category = try categoryEscape() {
      set.insert(category: category.members, negated: category.isNegated)
      return
    }
    let low = try classCharacter(from: start)
    guard peek() == UInt8(ascii: "-"), let after = peek(1), after != UInt8(ascii: "]") else {
      set.insert(low...low)
      return
    }
    position += 1
    if after == UInt8(ascii: "[") {
      throw IRegexpError(
        "class subtraction is not in RFC 9485; list the remaining characters",
        position - 1..<position + 1)
    }
    let high = try classCharacter(from: start)
    guard low <= high else {
      throw IRegexpError(
        "the range '\(text(first..<position))' runs backwards", first..<position)
    }
    set.insert(low...high)
  }

  private mutating func classCharacter(from start: Int) throws(IRegexpError) -> UInt32 {
    switch peek() {
    case nil:
      throw IRegexpError("'[' is not closed; write '\\[' for the character", start..<start + 1)
    case UInt8(ascii: "\\"): return try classEscape()
    case UInt8(ascii: "]"):
      throw IRegexpError(
        "the class is empty; write '\\]' for the character", start..<position + 1)
    case UInt8(ascii: "["): throw openingInClass()
    case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "["):
      throw IRegexpError(
        "class subtraction is not in RFC 9485; list the remaining characters",
        position..<position + 2)
    case UInt8(ascii: "-"):
      throw IRegexpError(
        "'-' within a class is written '\\-'", position..<position + 1, fix: "\\-")
    default: return scalar()
    }
  }

  private func openingInClass() -> IRegexpError {
    let rest = text(position..<min(position + 12, bytes.count))
    let posix = [
      "alpha": "\\p{L}", "digit": "0-9", "alnum": "\\p{L}\\p{Nd}", "upper": "\\p{Lu}",
      "lower": "\\p{Ll}", "space": " \\t\\r\\n", "punct": "\\p{P}", "xdigit": "0-9A-Fa-f",
    ]
    for (name, fix) in posix where rest.hasPrefix("[:\(name):]") {
      let end = position + name.utf8.count + 4
      return IRegexpError(
        "'[:\(name):]' is not in RFC 9485; write '\(fix)'", position..<end, fix: fix,
        // Categories have more than ASCII.
        changing: fix.hasPrefix("\\p") ? .match : .nothing)
    }
    return IRegexpError(
      "'[' within a class is written '\\['", position..<position + 1, fix: "\\[")
  }

  /// An escape outside of brackets.
  mutating func escape() throws(IRegexpError) -> ScalarSet {
    if let category = try categoryEscape() {
      var set = ScalarSet()
      set.insert(category: category.members, negated: category.isNegated)
      return set
    }
    if let scalar = singleCharacterEscape() { return ScalarSet(scalar) }
    throw foreignEscape(inClass: false)
  }

  private mutating func classEscape() throws(IRegexpError) -> UInt32 {
    if let scalar = singleCharacterEscape() { return scalar }
    throw foreignEscape(inClass: true)
  }

  /// `SingleCharEsc`; `nil` if the escape is none of them.
  private mutating func singleCharacterEscape() -> UInt32? {
    guard let byte = peek(1) else { return nil }
    let scalar: UInt32
    switch byte {
    case UInt8(ascii: "n"): scalar = 0x0A
    case UInt8(ascii: "r"): scalar = 0x0D
    case UInt8(ascii: "t"): scalar = 0x09
    case 0x28...0x2B, 0x2D, 0x2E, 0x3F, 0x5B...0x5E, 0x7B...0x7D: scalar = UInt32(byte)
    default: return nil
    }
    position += 2
    return scalar
  }

  /// `\p{…}` or `\P{…}`; `nil` if no such escape begins.
  private mutating func categoryEscape() throws(IRegexpError) -> (
    members: Set<Unicode.GeneralCategory>, isNegated: Bool
  )? {
    guard peek() == UInt8(ascii: "\\"), let letter = peek(1),
      letter == UInt8(ascii: "p") || letter == UInt8(ascii: "P")
    else { return nil }
    let start = position
    guard peek(2) == UInt8(ascii: "{") else {
      throw IRegexpError(
        "'\\\(text(start + 1..<start + 2))' is followed by a category in braces, as in '\\p{L}'",
        start..<end(ofScalarAt: min(start + 2, bytes.count)))
    }
    guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "}")) else {
      throw IRegexpError("'{' is not closed", start..<start + 3)
    }
    let name = text(start + 3..<close)
    guard let members = ScalarCategory.named(name) else {
      let known = "RFC 9485 knows Unicode's general categories, such as 'L', 'Lu', 'Nd', 'P'"
      throw IRegexpError("'\(name)' is not a category; \(known)", start..<close + 1)
    }
    position = close + 1
    return (members, letter == UInt8(ascii: "P"))
  }
}
