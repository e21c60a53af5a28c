import PipelineSourceText
import Testing

struct SpellingTests {
  @Test(arguments: [
    ("tokn", ["user", "token"], "token"),
    ("tokne", ["tokens", "token"], "token"),
    ("TOKEN", ["tokes", "token"], "token"),
    ("Url", ["url", "urL"], "url"),
    ("ab", ["ba"], "ba"),
    ("retyr", ["retry", "redirects"], "retry"),
    ("größe", ["grösse", "größer"], "größer"),
  ])
  func theNearestNameIsFound(name: String, names: [String], expected: String) {
    #expect(Spelling.nearest(to: name, among: names) == expected)
  }

  @Test(arguments: [
    ("", ["a"]), ("a", ["b"]), ("user", ["token", "login"]), ("x", [String]()),
    (String(repeating: "a", count: 200), [String(repeating: "a", count: 200)]),
  ])
  func nothingIsProposedThatIsNotNear(name: String, names: [String]) {
    #expect(Spelling.nearest(to: name, among: names) == nil)
  }

  @Test func amongEqualsTheFirstIsProposed() {
    #expect(Spelling.nearest(to: "usr", among: ["user", "usrs"]) == "user")
    #expect(Spelling.didYouMean("usr", among: ["user"]) == "; did you mean 'user'?")
    #expect(Spelling.didYouMean("usr", among: ["token"]) == "")
  }
}
