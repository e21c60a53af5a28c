// Patterns of ECMA-262: the parts that an automaton can follow; the others are named in errors.

extension RegexpParser {
  /// Whether `{2}`, `{2,}` or `{2,3}` begins here. Any other brace is an ordinary character.
  var isAtBounds: Bool {
    var distance = 1
    func digits() -> Int {
      let first = distance
      while let digit = peek(distance), isDigit(digit) { distance += 1 }
      return distance - first
    }
    guard peek() == UInt8(ascii: "{"), digits() > 0 else { return false }
    if peek(distance) == UInt8(ascii: ",") {
      distance += 1
      _ = digits()
    }
    return peek(distance) == UInt8(ascii: "}")
  }

  /// Goes past what makes a group more than one: `?:`, a name, a lookaround.
  mutating func passGroupSpecifier() throws(IRegexpError) {
    guard peek() == UInt8(ascii: "?") else { return }
    let start = position - 1
    let opening = text(start..<min(start + 4, bytes.count))
    if opening.hasPrefix("(?:") {
      position += 2
    } else if opening.hasPrefix("(?=") || opening.hasPrefix("(?!") {
      position += 2
      refuseToFollow("'\(opening.prefix(3))' (lookahead)", start..<position)
    } else if opening.hasPrefix("(?<=") || opening.hasPrefix("(?<!") {
      position += 3
      refuseToFollow("'\(opening)' (lookbehind)", start..<position)
    } else if opening.hasPrefix("(?<") {
      position += 2
      try groupName(from: start)
    } else {
      throw IRegexpError(
        "'(?' is followed by ':' or, for a name, by '<name>' in ECMAScript",
        start..<min(start + 3, bytes.count))
    }
  }

  private mutating func groupName(from start: Int) throws(IRegexpError) {
    let first = position
    while let byte = peek(), ScalarSet.asciiWord.contains(UInt32(byte)) || byte >= 0x80 {
      position += 1
    }
    guard position > first, !isDigit(bytes[first]), take(">") else {
      throw IRegexpError("a group's name is written '(?<name>'", start..<position)
    }
  }

  private mutating func refuseToFollow(_ what: String, _ range: Range<Int>) {
    guard unsupported == nil else { return }
    unsupported = IRegexpError(
      "\(what) is not supported, since patterns are matched in linear time", range)
  }
}

// MARK: - Escapes

extension RegexpParser {
  /// `AtomEscape`, or `\b` and `\B`.
  mutating func ecmaScriptEscape() throws(IRegexpError) -> RegexpSyntax {
    let start = position
    switch peek(1) {
    case UInt8(ascii: "b"), UInt8(ascii: "B"):
      position += 2
      refuseToFollow("'\(text(start..<position))' (word boundary)", start..<position)
      return .empty
    case let byte? where isDigit(byte) && byte != UInt8(ascii: "0"):
      position += 1
      while let digit = peek(), isDigit(digit) { position += 1 }
      refuseToFollow("'\(text(start..<position))' (backreference)", start..<position)
      return .empty
    case UInt8(ascii: "k"):
      position += 2
      guard take("<") else { throw unknownEscape(from: start) }
      try groupName(from: start)
      refuseToFollow("'\(text(start..<position))' (backreference)", start..<position)
      return .empty
    default: break
    }
    if let set = try ecmaScriptClassEscape() { return .scalars(set) }
    return .scalars(ScalarSet(try ecmaScriptCharacterEscape()))
  }

  /// `CharacterClassEscape`: `\d`, `\w`, `\s`, `\p{…}` and their opposites.
  private mutating func ecmaScriptClassEscape() throws(IRegexpError) -> ScalarSet? {
    guard let letter = peek(1) else { return nil }
    var set: ScalarSet
    switch letter | 0x20 {
    case UInt8(ascii: "d"): set = .asciiDigit
    case UInt8(ascii: "w"): set = .asciiWord
    case UInt8(ascii: "s"): set = .ecmaScriptSpace
    case UInt8(ascii: "p"): return try ecmaScriptProperty()
    default: return nil
    }
    position += 2
    if letter & 0x20 == 0 { set.negate() }
    return set
  }

  private mutating func ecmaScriptProperty() throws(IRegexpError) -> ScalarSet {
    let start = position
    guard peek(2) == UInt8(ascii: "{"),
      let close = bytes[start...].firstIndex(of: UInt8(ascii: "}"))
    else {
      throw IRegexpError(
        "'\(text(start..<start + 2))' is followed by a category in braces, as in '\\p{L}'",
        start..<min(start + 3, bytes.count))
    }
    let name = text(start + 3..<close)
    var set = ScalarSet()
    if let members = ScalarCategory.named(ecmaScript: name) {
      set.insert(category: members, negated: false)
    } else if let property = ScalarProperty(ecmaScript: name) {
      set.insert(property)
    } else if name == "ASCII" || name == "Any" {
      set.insert(0...(name == "Any" ? 0x10FFFF : 0x7F))
    } else {
      throw IRegexpError(
        "'\(name)' is not supported: '\\p{…}' takes Unicode's general categories, such as 'L' or 'Lu', "
          + "and properties, such as 'Alphabetic'", start..<close + 1)
    }
    position = close + 1
    if bytes[start + 1] == UInt8(ascii: "P") { set.negate() }
    return set
  }

  /// `CharacterEscape` (§22.2.1): control letters, `\cX`, `\0`, `\xHH`, `\uHHHH`, `\u{…}`, and
  /// punctuation, which stands for itself.
  private mutating func ecmaScriptCharacterEscape() throws(IRegexpError) -> UInt32 {
    let start = position
    guard let byte = peek(1) else {
      throw IRegexpError(
        "'\\' must not be last; write '\\\\' for the character", start..<start + 1, fix: "\\\\")
    }
    position += 2
    switch byte {
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "0"):
      guard let digit = peek(), isDigit(digit) else { return 0 }
    case UInt8(ascii: "c"):
      if let letter = peek(), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20) {
        position += 1
        return UInt32(letter & 0x1F)
      }
    case UInt8(ascii: "x"):
      if let value = hexadecimal(digits: 2) { return value }
    case UInt8(ascii: "u"):
      if let value = unicodeEscape() { return value }
    default:
      let isWord = ScalarSet.asciiWord.contains(UInt32(byte)) && byte != UInt8(ascii: "_")
      if byte < 0x80 && !isWord { return UInt32(byte) }
    }
    throw unknownEscape(from: start)
  }

  private func unknownEscape(from start: Int) -> IRegexpError {
    let range = start..<end(ofScalarAt: min(start + 1, bytes.count))
    return IRegexpError(
      "'\(text(range))' is not an escape in ECMAScript; write '\\\\' for a backslash", range)
  }

  /// The digits after `\u`: `HHHH`, a pair of them for one character, or `{H…}`.
  private mutating func unicodeEscape() -> UInt32? {
    if take("{") {
      var value: UInt32 = 0
      let first = position
      while let digit = peek().flatMap(Self.hexadecimalValue) {
        value = min(value << 4 | digit, 0x110000)
        position += 1
      }
      guard position > first, value <= 0x10FFFF, take("}") else { return nil }
      return value
    }
    guard let unit = hexadecimal(digits: 4) else { return nil }
    let afterUnit = position
    guard (0xD800..<0xDC00).contains(unit), take("\\"), take("u"),
      let low = hexadecimal(digits: 4), (0xDC00..<0xE000).contains(low)
    else {
      position = afterUnit
      return unit
    }
    return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hexadecimal(digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for distance in 0..<digits {
      guard let digit = peek(distance).flatMap(Self.hexadecimalValue) else { return nil }
      value = value << 4 | digit
    }
    position += digits
    return value
  }

  private static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
    Unicode.Scalar(byte).properties.isASCIIHexDigit
      ? UInt32(byte & 0xF) + (byte > UInt8(ascii: "9") ? 9 : 0) : nil
  }
}

// MARK: - Classes

extension RegexpParser {
  /// `CharacterClass`. `[]` holds no character and `[^]` all.
  mutating func ecmaScriptClass() throws(IRegexpError) -> ScalarSet {
    let start = position
    position += 1
    let isNegated = take("^")
    var set = ScalarSet()
    while !take("]") {
      let first = position
      let low = try ecmaScriptClassAtom(into: &set, from: start)
      guard peek() == UInt8(ascii: "-"), let after = peek(1), after != UInt8(ascii: "]") else {
        if let low { set.insert(low...low) }
        continue
      }
      position += 1
      let high = try ecmaScriptClassAtom(into: &set, from: start)
      guard let low, let high else {
        // Beside a class the hyphen is one, as Annex B has it.
        for scalar in [low, high, 0x2D] { if let scalar { set.insert(scalar...scalar) } }
        continue
      }
      guard low <= high else {
        throw IRegexpError(
          "the range '\(text(first..<position))' runs backwards", first..<position)
      }
      set.insert(low...high)
    }
    if isNegated { set.negate() }
    return set
  }

  /// One character; `nil` if a class stood there, which is in the set then.
  private mutating func ecmaScriptClassAtom(
    into set: inout ScalarSet, from start: Int
  ) throws(IRegexpError) -> UInt32? {
    guard let byte = peek() else {
      throw IRegexpError("'[' is not closed; write '\\[' for the character", start..<start + 1)
    }
    guard byte == UInt8(ascii: "\\") else { return scalar() }
    if peek(1) == UInt8(ascii: "b") {
      position += 2
      return 0x08
    }
    if let members = try ecmaScriptClassEscape() {
      set.insert(members)
      return nil
    }
    return try ecmaScriptCharacterEscape()
  }
}
