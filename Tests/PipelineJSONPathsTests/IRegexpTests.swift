import Testing

@testable import PipelineJSONPaths

@Suite struct IRegexpTests {
  struct Foreign: Sendable, CustomTestStringConvertible {
    let pattern: String
    let place: String
    let says: String
    let fix: String?

    init(_ pattern: String, _ place: String, _ says: String, fix: String? = nil) {
      self.pattern = pattern
      self.place = place
      self.says = says
      self.fix = fix
    }

    var testDescription: String { pattern }
  }

  static let foreign = [
    Foreign(#"\d+"#, #"\d"#, "write '[0-9]'", fix: "[0-9]"),
    Foreign(#"[\d]"#, #"\d"#, "write '0-9'", fix: "0-9"),
    Foreign(#"\w"#, #"\w"#, "not in RFC 9485", fix: "[A-Za-z0-9_]"),
    Foreign(#"\S"#, #"\S"#, "not in RFC 9485", fix: #"[^ \t\r\n]"#),
    Foreign(#"[\D]"#, #"\D"#, "list the characters"),
    Foreign(#"\bab"#, #"\b"#, "word boundary"),
    Foreign(#"(a)\1"#, #"\1"#, "backreference"),
    Foreign("(?:a)", "(?:", "write '('", fix: "("),
    Foreign("(?=a)", "(?=", "lookahead"),
    Foreign("(?<!a)", "(?<!", "lookbehind"),
    Foreign("(?<year>a)", "(?<year>", "no names", fix: "("),
    Foreign("(?i)a", "(?i", "[Aa]"),
    Foreign("a*?", "*?", "lazy", fix: "*"),
    Foreign("a{2,3}?", "{2,3}?", "lazy", fix: "{2,3}"),
    Foreign("a++", "++", "possessive", fix: "+"),
    Foreign("a**", "**", "second quantifier"),
    Foreign("a{,2}", "{,", "no lower bound", fix: "{0,"),
    Foreign("a{3,1}", "{3,1}", "wrong order", fix: "{1,3}"),
    Foreign("a{x}", "{", "number of repetitions", fix: #"\{"#),
    Foreign("*a", "*", "there is nothing before", fix: #"\*"#),
    Foreign("a)", ")", "closes no group", fix: #"\)"#),
    Foreign("(a", "(", "not closed"),
    Foreign("[a", "[", "not closed"),
    Foreign("[]", "[]", "empty"),
    Foreign("[z-a]", "z-a", "backwards"),
    Foreign("[[:alpha:]]", "[:alpha:]", "write", fix: #"\p{L}"#),
    Foreign("[a-z-[aeiou]]", "-[", "list the remaining characters"),
    Foreign(#"\p{IsLatin}"#, #"\p{IsLatin}"#, "is not a category"),
    Foreign(#"\p{Cs}"#, #"\p{Cs}"#, "is not a category"),
    Foreign(#"\/"#, #"\/"#, #"needs no '\'"#, fix: "/"),
    Foreign(#"\$"#, #"\$"#, "write '[$]'", fix: "[$]"),
    Foreign("a\\", "\\", "must not be last", fix: "\\\\"),
    Foreign(#"\Aa"#, #"\A"#, "write '^'", fix: "^"),
    Foreign(#"a\z"#, #"\z"#, "write '$'", fix: "$"),
    Foreign(#"\x41"#, #"\x"#, "write the character itself"),
    Foreign(#"\Qa"#, #"\Q"#, "is not in RFC 9485"),
    Foreign(#"\pL"#, #"\pL"#, "a category in braces"),
    Foreign(#"\p{L"#, #"\p{"#, "not closed"),
    Foreign("(?>a)", "(?>", "atomic", fix: "("),
    Foreign("(?#a)", "(?", "write '(' for a group"),
    Foreign("a]", "]", #"is written '\]'"#, fix: #"\]"#),
    Foreign("[a-b-c]", "-", #"is written '\-'"#, fix: #"\-"#),
    Foreign("[+-[b]]", "-[", "list the remaining characters"),
    Foreign("[a[b]", "[", #"is written '\['"#, fix: #"\["#),
    Foreign("(a{1000}){1000}", "(a{1000}){1000}", "more than 10000 parts"),
    Foreign("a{99999999999999999999}", "99999999999999999999", "too many"),
  ]

  @Test(arguments: foreign) func whatOtherDialectsHaveIsNamed(_ foreign: Foreign) {
    guard case .failure(let error) = IRegexp.parse(foreign.pattern) else {
      Issue.record("'\(foreign.pattern)' is not refused")
      return
    }
    #expect(error.message.contains(foreign.says))
    #expect(slice(foreign.pattern, error.range) == foreign.place)
    #expect(error.fix == foreign.fix)
  }

  /// A fix that may change the result is only a suggestion: where it is captured, or at all.
  @Test(arguments: [
    (#"\d"#, false, false), (#"\/"#, false, false), (#"\Aa"#, false, false),
    (#"a\z"#, false, false), ("a{x}", false, false), ("a]", false, false),
    ("(a)(?:b)", false, false), ("[[:digit:]]", false, false),
    ("(?:a)(b)", false, true), ("a*?", false, true), ("a{2,3}?", false, true),
    ("(?<k>a)(?<v>b)", false, true),
    ("(?>a*)a", true, true), ("a*+a", true, true), ("a{,2}", true, true), ("a{3,1}", true, true),
    ("a{2x}", true, true), ("*a", true, true), ("a)", true, true), ("a\\", true, true),
    (#"a\Z"#, true, true), (#"\y"#, true, true), ("[[:alpha:]]", true, true),
  ])
  func aFixIsSafeOnlyIfTheResultIsTheSame(
    _ pattern: String, _ isGuess: Bool, _ isGuessOfCapture: Bool
  ) {
    guard case .failure(let error) = IRegexp.parse(pattern) else {
      Issue.record("'\(pattern)' is not refused")
      return
    }
    #expect(error.fix != nil)
    #expect(error.isGuess == isGuess)
    #expect(error.isGuessOfCapture == isGuessOfCapture)
  }

  @Test(arguments: [
    ("a(?:b|c)+?", "a(b|c)+", nil), ("(a)(?:b)", "(a)(b)", "(a)(b)"),
    (#"id=(\d+)"#, "id=([0-9]+)", "id=([0-9]+)"), ("a*+b", nil, nil),
    ("(.*?)x", "(.*)x", #"([^x\n]*)x"#),
  ])
  func aForeignPatternIsReadByWhatIsMadeOfIt(_ text: String, _ match: String?, _ capture: String?) {
    #expect(IRegexp.meant(by: text) == match)
    #expect(IRegexp.meantCapture(by: text) == capture)
  }

  @Test func groupsAreBoundedInDepth() {
    let deep = String(repeating: "(", count: 100_000)
    guard case .failure(let error) = IRegexp.parse(deep) else {
      Issue.record("not refused")
      return
    }
    #expect(error.message.contains("64 deep"))
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a|ab", "ab", true), ("(a|ab)(c|bcd)", "abcd", true),
    ("a{2,3}", "a", false), ("a{2,3}", "aaa", true), ("a{2,3}", "aaaa", false),
    ("a{2,}", "aaaaa", true), ("a{2}", "aaa", false), ("(ab?)*", "aabab", true),
    ("[^a-c]+", "xyz", true), ("[^a-c]+", "xyb", false), ("[a-]+", "a-a", true),
    ("[-a]", "-", true), (#"[\]\^]+"#, "]^", true), (#"\p{Lu}\p{L}+"#, "Émile", true),
    (#"\P{L}+"#, "12-", true), (#"[\p{Nd}x]+"#, "1٣x", true), (".", "\u{2028}", true),
    (".", "\n", false), (".", "𝄞", true), ("..", "e\u{301}", true), (#"\n\t\r"#, "\n\t\r", true),
    ("^ab$", "ab", true), ("(^a|b)c", "bc", true), ("a^b", "a^b", false), (#"a\^b"#, "a^b", true),
    ("[$]", "$", true), ("()*", "", true), ("(|a)+", "aa", true), ("x{0}", "", true),
    ("[☺-☻]", "☺", true), (#"\-\.\?\|\{\}"#, "-.?|{}", true),
  ])
  func aPatternMatchesTheWholeText(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try IRegexp.parse(pattern).get().matchesWhole(Array(text.utf8)[...]) == expected)
  }

  @Test(arguments: [
    ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("", "abc", true),
    ("bc?d", "abd", true), ("aab", "aaab", true), ("$", "a", true), ("[0-9]{3}", "a12b345", true),
  ])
  func aPatternIsFoundInAText(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try IRegexp.parse(pattern).get().search(text) == expected)
  }

  @Test(arguments: [
    ("id=([0-9]+)", "x id=42; id=43", "42"), ("[0-9]+", "a12b345", "12"),
    ("(a|ab)(c|bcd)", "abcd", "a"), ("<(.*)>", "<a><b>", "a><b"), ("<([^>]*)>", "<a><b>", "a"),
    ("(a*)*", "aab", "aa"), ("x(y?)z", "xz", ""), ("(é+)", "caféé!", "éé"),
    ("token: ([A-Z]{3})$", "token: ABC", "ABC"), ("^(a+)", "aab", "aa"),
  ])
  func theFirstGroupOfTheLeftmostMatchIsCaptured(
    _ pattern: String, _ text: String, _ expected: String
  ) throws {
    #expect(try IRegexp.parse(pattern).get().firstCapture(in: text) == expected)
  }

  @Test func aGroupThatTookNoPartIsAbsent() throws {
    let regexp = try IRegexp.parse("a|(b)").get()
    #expect(regexp.groupCount == 1)
    #expect(regexp.firstCapture(in: "xa") == nil)
    #expect(regexp.firstCapture(in: "xb") == "b")
    #expect(regexp.firstCapture(in: "x") == nil)
  }

  /// More sets of states than are remembered come up on the way.
  @Test func whatIsForgottenIsWorkedOutAgain() throws {
    let regexp = try IRegexp.parse("(a|b)*a(a|b){9}").get()
    var matcher = RegexpMatcher(regexp.program, .whole)
    var state: UInt32 = 1
    var text: [UInt8] = []
    for _ in 0..<2_000 {
      state = state &* 1_664_525 &+ 1_013_904_223
      text.append(state >> 31 == 0 ? UInt8(ascii: "a") : UInt8(ascii: "b"))
      let expected = text.count >= 10 && text[text.count - 10] == UInt8(ascii: "a")
      let found = matcher.matches(text.suffix(40))
      #expect(found == expected)
    }
  }

  @Test func patternsAreEqualWhenTheirTextsAre() throws {
    let pattern = try IRegexp.parse("a+").get()
    #expect(pattern == (try IRegexp.parse("a+").get()))
    #expect(Set([pattern, try IRegexp.parse("a{1,}").get(), pattern]).count == 2)
  }

  /// Patterns that make backtracking engines take exponential or quadratic time.
  @Test(arguments: ["(a*)*b", "(a|aa)+b", "(a|a)*b", "(.*)(.*)(.*)(.*)b", "a{0,50}a{50}b"])
  func noTextTakesMoreThanLinearlyManySteps(_ pattern: String) throws {
    let program = try IRegexp.parse(pattern).get().program
    func steps(_ length: Int) -> Int {
      let text = Array(repeating: UInt8(ascii: "a"), count: length)
      var matcher = RegexpMatcher(program, .whole)
      var searcher = RegexpMatcher(program, .part)
      var capturer = RegexpCapturer(program)
      let found = matcher.matches(text[...]) || searcher.matches(text[...])
      let capture = capturer.firstMatch(text[...])
      #expect(!found && capture == nil)
      return matcher.steps + searcher.steps + capturer.steps
    }
    // Each scalar more costs the same, and at most each instruction of both programs once.
    let growth = steps(3_000) - steps(2_000)
    #expect(growth == steps(2_000) - steps(1_000))
    #expect(growth <= 1_000 * 6 * program.instructions.count)
  }
}
