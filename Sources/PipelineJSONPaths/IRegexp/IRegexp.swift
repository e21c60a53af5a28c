/// An I-Regexp (RFC 9485), compiled once and matched in time linear in the text.
///
/// The pattern becomes a nondeterministic automaton of bounded size (Thompson's construction,
/// Pike's captures). All its states are followed at once, so no text makes it backtrack.
///
/// `^` and `$` outside brackets mean the start and the end of the text, as in the mappings of RFC
/// 9485 §5 and in JSONPath's compliance suite. `\\^` and `[$]` are the characters.
package struct IRegexp: Sendable {
  /// The pattern as its author wrote it.
  package let pattern: String
  let dialect: RegexpDialect
  /// How many groups in parentheses the pattern has.
  package let groupCount: Int
  let program: RegexpProgram

  /// The pattern compiled, or the first thing in it that is not in RFC 9485.
  package static func parse(_ pattern: String) -> Result<IRegexp, IRegexpError> {
    Result { () throws(IRegexpError) in
      var parser = RegexpParser(pattern)
      let tree = try parser.wholePattern()
      let program = try RegexpProgram(tree, patternLength: parser.bytes.count)
      return IRegexp(
        pattern: pattern, dialect: .iRegexp, groupCount: parser.groupCount, program: program)
    }
  }

  /// A compiled regular expression of ECMA-262 (with its flag `u`). Or the first error in it, or
  /// the first construct that no automaton can follow: a lookaround, a backreference.
  ///
  /// JSON Schema's `pattern` is one. Use `search` to match it.
  package static func parse(ecmaScript pattern: String) -> Result<IRegexp, IRegexpError> {
    Result { () throws(IRegexpError) in
      var parser = RegexpParser(pattern, dialect: .ecmaScript)
      let tree = try parser.wholePattern()
      if let unsupported = parser.unsupported { throw unsupported }
      let program = try RegexpProgram(tree, patternLength: parser.bytes.count)
      return IRegexp(
        pattern: pattern, dialect: .ecmaScript, groupCount: parser.groupCount, program: program)
    }
  }

  /// Whether a text is a regular expression of ECMA-262, even if `parse` could not follow it.
  package static func isECMAScript(_ pattern: String) -> Bool {
    var parser = RegexpParser(pattern, dialect: .ecmaScript)
    do throws(IRegexpError) {
      _ = try parser.wholePattern()
      return true
    } catch {
      return false
    }
  }

  /// Whether the pattern matches the UTF-8 text from end to end, as `match()` asks.
  ///
  /// - Complexity: The text's length times at most the pattern's size.
  package func matchesWhole(_ text: ArraySlice<UInt8>) -> Bool {
    var matcher = RegexpMatcher(program, .whole)
    return matcher.matches(text)
  }

  /// Whether the pattern matches some part of the text, as `search()` asks.
  ///
  /// - Complexity: the text's length times at most the pattern's size.
  package func search(_ text: String) -> Bool { search(Array(text.utf8)[...]) }

  /// Whether the pattern matches some part of the UTF-8 text.
  package func search(_ text: ArraySlice<UInt8>) -> Bool {
    var matcher = RegexpMatcher(program, .part)
    return matcher.matches(text)
  }

  /// `search` for one text after another: what one taught about the pattern serves the next.
  package struct Searcher {
    private var matcher: RegexpMatcher

    package init(_ pattern: IRegexp) { matcher = RegexpMatcher(pattern.program, .part) }

    package mutating func search(_ text: ArraySlice<UInt8>) -> Bool { matcher.matches(text) }
  }

  /// The text of the pattern's first group in the leftmost match, with greedy quantifiers. The
  /// whole match if the pattern has no group.
  ///
  /// `nil` if nothing matches, or if the match did not pass through the group.
  ///
  /// - Complexity: the pattern's size times the text's length.
  package func firstCapture(in text: String) -> String? {
    firstCapture(in: Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes that the pattern's first group holds in the leftmost match.
  package func firstCapture(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var capturer = RegexpCapturer(program)
    guard let capture = capturer.firstMatch(text) else { return nil }
    let range = groupCount == 0 ? capture.match : capture.group
    return range.map {
      text[text.startIndex + $0.lowerBound..<text.startIndex + $0.upperBound]
    }
  }

  /// The text with `replacement` in place of each match, from left to right. A match may be empty.
  ///
  /// - Complexity: the pattern's size times the text's length, if few matches are tried in vain.
  package func replacingMatches(in text: [UInt8], with replacement: [UInt8]) -> [UInt8] {
    var capturer = RegexpCapturer(program)
    var result: [UInt8] = []
    var start = 0
    while start <= text.count, let found = capturer.firstMatch(text[...], from: start)?.match {
      result += text[start..<found.lowerBound]
      result += replacement
      start = found.upperBound
      guard found.isEmpty else { continue }
      // The next match begins after the next scalar.
      guard start < text.count else { return result }
      let first = start
      _ = ScalarReader.scalar(in: text[...], at: &start)
      result += text[first..<start]
    }
    return result + text[min(start, text.count)...]
  }
}

extension IRegexp: Hashable {
  package static func == (left: IRegexp, right: IRegexp) -> Bool {
    left.dialect == right.dialect && left.pattern.utf8.elementsEqual(right.pattern.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
}

/// Why a text is not an I-Regexp.
package struct IRegexpError: Error, Sendable, Hashable {
  /// One phrase that names the thing and the way out.
  package let message: String
  /// UTF-8 offsets in the pattern.
  package let range: Range<Int>
  /// What `range` should say instead, if that is known.
  package let fix: String?
  private let change: Change

  /// What the fix may change.
  enum Change: Sendable {
    case nothing
    /// Where a match ends, or what its first group holds.
    case capture
    /// Which texts match.
    case match
  }

  init(
    _ message: String, _ range: Range<Int>, fix: String? = nil, changing change: Change = .nothing
  ) {
    self.message = message
    self.range = range
    self.fix = fix
    self.change = change
  }

  /// Whether the fix may match other texts than its author meant.
  package var isGuess: Bool { change == .match }

  /// Whether the fix may take another part of a text than its author meant.
  package var isGuessOfCapture: Bool { change != .nothing }
}
