import Testing

@testable import PipelineJSONPaths

/// A pattern of another dialect takes the same part of a text, or is refused.
struct CapturePatternTests {
  @Test(arguments: [
    ("id=(.*?);", "id=([^;\\n]*);", "id=12;id=345;", "12"),
    ("id=(.+?);", "id=([^\\n][^;\\n]*);", "id=;2;", ";2"),
    ("\"([^\"]+?)\" x", "\"([^\"]+)\" x", "\"a\" x \"b\" x", "a"),
    ("=([0-9]+?);x", "=([0-9]+);x", "=1;=23;x", "23"), ("id=([0-9]+?)", "id=([0-9])", "id=12", "1"),
    ("id=([0-9]{2,3}?)", "id=([0-9]{2})", "id=1234", "12"), ("a(b*?)", "a()", "abb", ""),
    ("(?:id)=([0-9]+)", "id=([0-9]+)", "id=12", "12"),
    ("(?:a)*=([0-9]+)", "a*=([0-9]+)", "aa=12", "12"),
    ("(?P<n>[a-z]+)=(?:x|y)", "([a-z]+)=(x|y)", "id=y", "id"),
    ("(?<n>[a-z]+)=", "([a-z]+)=", "id=y", "id"), ("([a-z])(?:b|c)", "([a-z])(b|c)", "ab", "a"),
    ("(\\d+?):", "([0-9]+):", "12:3", "12"), ("[(](.*?)\\)", "[(]([^\\)\\n]*)\\)", "(a)b)", "a"),
  ])
  func aPatternTakesTheSamePart(
    foreign: String, own: String, text: String, part: String
  ) throws {
    let pattern = try #require(IRegexp.meantCapture(by: foreign))
    #expect(pattern == own)
    #expect(try IRegexp.parse(pattern).get().firstCapture(in: text) == part)
  }

  @Test(arguments: [
    "(?:id|x)=([0-9]+)", "<b>(.*?)</b>", "(.*?);x", "(?:ab)*=(c)", "(a|b.*?);", "(?i)a(b)",
    "(a+?)(b|c)", "((?:ab)+?)c", "a(?=b)(c)", "(.*?)b*",
  ])
  func aPatternWithoutCounterpartIsRefused(foreign: String) {
    #expect(IRegexp.meantCapture(by: foreign) == nil)
  }
}
