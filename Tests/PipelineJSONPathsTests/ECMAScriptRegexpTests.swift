import Testing

@testable import PipelineJSONPaths

/// The second dialect of the engine: what JSON Schema's `pattern` is written in.
struct ECMAScriptRegexpTests {
  @Test(arguments: [
    ("^\\d{3}-\\w+$", "123-ab_9", true), ("^\\d$", "৪", false), ("^[\\w.-]+@", "a.b-c@d", true),
    ("^[\\D]$", "4", false), ("^[^\\S\\n]$", "\n", false), ("^[^\\S\\n]$", " ", true),
    ("^(?:ab|c)+?$", "abcab", true), ("(?<year>\\d{4})-", "in 2024-05", true),
    ("^[]$", "", false), ("^[^]$", "x", true), ("^{x}]$", "{x}]", true), ("^a{2}$", "aa", true),
    ("^\\u00e9\\xe9\\u{1F432}\\ud83d\\udc32$", "éé🐲🐲", true), ("^\\cJ\\0$", "\n\0", true),
    ("^[a-\\d]$", "-", true), ("^[\\-\\]/]+$", "]-/", true), ("^\\/\\@$", "/@", true),
    ("^\\p{Lu}\\p{Letter}\\P{L}$", "Éa1", true), ("^\\p{gc=Nd}$", "৪", true),
    ("^\\p{Alphabetic}+$", "aé৪", false), ("^\\p{Alpha}+$", "aéⅣ", true),
    ("^[\\p{Upper}\\P{White_Space}]$", "\u{3000}", false), ("\\p{Emoji}", "a🐲", true),
    ("^.$", "\u{2028}", false), ("^\\s$", "\u{FEFF}", true), ("$^", "", true),
  ])
  func aPatternMatches(_ pattern: String, _ text: String, _ expected: Bool) throws {
    let regexp = try IRegexp.parse(ecmaScript: pattern).get()
    #expect(regexp.search(text) == expected)
  }

  @Test(arguments: [
    ("a(?=b)", "'(?=' (lookahead) is not supported, since patterns are matched in linear time"),
    ("(?<!a)b", "'(?<!' (lookbehind) is not supported, since patterns are matched in linear time"),
    ("\\ba", "'\\b' (word boundary) is not supported, since patterns are matched in linear time"),
    ("(a)\\1", "'\\1' (backreference) is not supported, since patterns are matched in linear time"),
    (
      "(?<n>a)\\k<n>",
      "'\\k<n>' (backreference) is not supported, since patterns are matched in linear time"
    ),
  ])
  func whatNoAutomatonFollowsIsRefusedByName(_ pattern: String, _ message: String) {
    #expect(IRegexp.isECMAScript(pattern))
    guard case .failure(let error) = IRegexp.parse(ecmaScript: pattern) else {
      Issue.record("\(pattern) is accepted")
      return
    }
    #expect(error.message == message)
  }

  @Test(arguments: [
    "(abc", "a)", "[a", "\\a", "(?i)a", "(?P<n>a)", "(?#c)", "*a", "a**", "\\", "\\u12",
    "\\p{Foo}", "\\p{Script=Greek}", "[z-a]", "{2}", "(?<1>a)",
  ])
  func whatIsNoPatternIsRefused(_ pattern: String) {
    #expect(!IRegexp.isECMAScript(pattern))
  }

  @Test func theDialectsAreDifferentPatterns() throws {
    #expect(try IRegexp.parse("a").get() != IRegexp.parse(ecmaScript: "a").get())
  }
}
