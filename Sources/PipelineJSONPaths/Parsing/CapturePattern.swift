internal import PipelineByteText

/// A pattern of another dialect, taken apart so that one of RFC 9485 can take the same part of a
/// text.
///
/// RFC 9485 has no lazy quantifiers, and no groups that capture nothing.
struct CapturePattern {
  private enum Token: Equatable {
    /// A character, an escape, a class or a dot.
    case atom(String)
    case open(String)
    case close
    case bar
    case quantifier(String, isLazy: Bool)
  }

  private var tokens: [Token] = []

  /// The pattern, changed as far as it takes the same part of each text; `nil` if that cannot be
  /// said.
  static func translated(_ pattern: String) -> String? {
    var capture = CapturePattern(pattern)
    guard capture.openGroups(), capture.replaceLazyQuantifiers() else { return nil }
    return capture.text
  }

  private init(_ pattern: String) {
    var rest = pattern[...]
    while let first = rest.unicodeScalars.first {
      let count: Int
      switch first {
      case "\\": count = Self.escapeLength(rest)
      case "[": count = Self.classLength(rest)
      case "(": count = Self.openingLength(rest)
      case "{": count = rest.firstIndex(ascii: "}").map { rest[...$0].utf8.count } ?? 1
      default: count = String(first).utf8.count
      }
      let word = String(Substring(rest.utf8.prefix(count)))
      rest = rest.dropFirst(bytes: word.utf8.count)
      switch first {
      case "(": tokens.append(.open(word))
      case ")": tokens.append(.close)
      case "|": tokens.append(.bar)
      case "*", "+", "?", "{":
        let isLazy = rest.hasPrefix(bytes: "?")
        if isLazy { rest = rest.dropFirst(bytes: 1) }
        tokens.append(.quantifier(word, isLazy: isLazy))
      default: tokens.append(.atom(word))
      }
    }
  }

  /// `\d`, or `\p{Lu}` as a whole.
  private static func escapeLength(_ text: Substring) -> Int {
    let hasBraces = ["\\p{", "\\P{", "\\x{", "\\u{"].contains { text.hasPrefix(bytes: $0) }
    if hasBraces, let end = text.firstIndex(ascii: "}") { return text[...end].utf8.count }
    return 1 + (text.unicodeScalars.dropFirst().first.map { String($0).utf8.count } ?? 0)
  }

  private static func classLength(_ text: Substring) -> Int {
    let bytes = Array(text.utf8)
    var index = 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "^") { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "]") { index += 1 }
    while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  /// `(`, `(?:` or the name of a group.
  private static func openingLength(_ text: Substring) -> Int {
    if text.hasPrefix(bytes: "(?:") { return 3 }
    for start in ["(?P<", "(?<"] where text.hasPrefix(bytes: start) {
      let isLook = ["=", "!"].contains { text.hasPrefix(bytes: start + $0) }
      if !isLook, let end = text.firstIndex(ascii: ">") { return text[...end].utf8.count }
    }
    return 1
  }

  private var text: String {
    tokens.map { token in
      switch token {
      case .atom(let text): text
      case .open(let text): text
      case .close: ")"
      case .bar: "|"
      case .quantifier(let text, let isLazy): text + (isLazy ? "?" : "")
      }
    }.joined()
  }

  // MARK: Groups

  /// Makes plain groups of those with names, and takes away those before the first group that
  /// capture nothing; `false` if one of them has to stay.
  private mutating func openGroups() -> Bool {
    var index = 0
    while index < tokens.count {
      guard case .open(let word) = tokens[index] else {
        index += 1
        continue
      }
      if !word.equals(bytes: "(?:") {
        tokens[index] = .open("(")
        // Later groups may be plain ones, because only the first is read.
        tokens = tokens.enumerated().map { number, token in
          if number > index, case .open = token { .open("(") } else { token }
        }
        return true
      }
      guard let end = closing(of: index) else { return false }
      let inside = tokens[(index + 1)..<end]
      let isRepeated = end + 1 < tokens.count && isQuantifier(tokens[end + 1])
      guard !inside.contains(.bar), !isRepeated || inside.count == 1 else { return false }
      tokens.remove(at: end)
      tokens.remove(at: index)
    }
    return true
  }

  private func isQuantifier(_ token: Token) -> Bool {
    if case .quantifier = token { true } else { false }
  }

  private func closing(of open: Int) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      if case .open = tokens[index] { depth += 1 }
      if tokens[index] == .close { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  // MARK: Lazy quantifiers

  /// Replaces lazy quantifiers by greedy ones that end at the same place; `false` if there is one
  /// of which that is not known.
  private mutating func replaceLazyQuantifiers() -> Bool {
    var index = 0
    while index < tokens.count {
      guard case .quantifier(let word, true) = tokens[index] else {
        index += 1
        continue
      }
      guard index > 0, case .atom(let atom) = tokens[index - 1],
        let new = replacement(of: atom, word, at: index)
      else { return false }
      tokens.replaceSubrange((index - 1)...index, with: new)
      index += new.count - 1
    }
    return true
  }

  private func replacement(of atom: String, _ quantifier: String, at index: Int) -> [Token]? {
    var next = index + 1
    while next < tokens.count, tokens[next] == .close { next += 1 }
    // Nothing follows: the fewest repetitions are taken.
    guard next < tokens.count else {
      guard !tokens.contains(.bar) else { return nil }
      switch quantifier {
      case "*", "?": return []
      case "+": return [.atom(atom)]
      default:
        let least = quantifier.dropFirst(bytes: 1).prefix { !",}".contains($0) }
        return [.atom(atom), .quantifier("{\(least)}", isLazy: false)]
      }
    }
    guard case .atom(let end) = tokens[next], let character = Self.character(of: end),
      next + 1 == tokens.count || !isQuantifier(tokens[next + 1])
    else { return nil }
    // A repetition that cannot pass the character ends there, lazy or not.
    if Self.excludes(atom, character) {
      return [.atom(atom), .quantifier(quantifier, isLazy: false)]
    }
    let isLast = tokens[(next + 1)...].allSatisfy { $0 == .close }
    guard atom.equals(bytes: "."), isLast, !tokens.contains(.bar) else { return nil }
    let others = "[^\(end)\\n]"
    switch quantifier {
    case "*": return [.atom(others), .quantifier("*", isLazy: false)]
    case "+": return [.atom("[^\\n]"), .atom(others), .quantifier("*", isLazy: false)]
    default: return nil
    }
  }

  /// The character that an atom matches; `nil` if it matches several.
  private static func character(of atom: String) -> Unicode.Scalar? {
    let scalars = Array(atom.unicodeScalars)
    let marks: Set<Unicode.Scalar> = [".", "^", "$", "[", "]", "\\", "-"]
    if scalars.count == 1 { return marks.contains(scalars[0]) ? nil : scalars[0] }
    let isEscaped =
      scalars.count == 2 && scalars[0] == "\\" && scalars[1].isASCII
      && !ASCIISet.letters.union(.digits).contains(UInt8(scalars[1].value))
    return isEscaped ? scalars[1] : nil
  }

  private static func excludes(_ atom: String, _ character: Unicode.Scalar) -> Bool {
    if atom.equals(bytes: ".") { return false }
    guard let own = IRegexp.meant(by: atom), case .success(let pattern) = IRegexp.parse(own) else {
      return false
    }
    return !pattern.matchesWhole(Array(String(character).utf8)[...])
  }
}
