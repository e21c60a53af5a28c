import PipelineTemplates
import Testing

/// No value of a run leads a request to another path, host or header than its author wrote.
struct URLSafetyTests {
  static func expand(_ text: String, _ value: String, base: String? = "https://h/api") throws
    -> String
  {
    let quoted = value.unicodeScalars.map { scalar in
      scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        ? "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : "\(scalar)"
    }.joined()
    return URLTemplateTests.expand(text, base: base, try Scope("{\"x\": \"\(quoted)\"}"))
  }

  @Test(arguments: [
    ("/{{x}}", ".", "dotSegment"), ("/{{x}}", "..", "dotSegment"), ("/{{x}}/a", "..", "dotSegment"),
    ("/a/{{x}}", "..", "dotSegment"), ("/a/.{{x}}", ".", "dotSegment"),
    ("/a/{{x}}./b", ".", "dotSegment"), ("/{{x}}{{x}}", ".", "dotSegment"),
    ("/a/%2e{{x}}", ".", "dotSegment"), ("/a/{{x}}%2E", ".", "dotSegment"),
    ("/a/{{x}};v=1/b", "..", "dotSegment"), ("/a/{{x}}?q=1", "..", "dotSegment"),
    ("/{{x}}", "", "empty"), ("/a/{{x}}/b", "", "empty"), ("/a-{{x}}", "", "empty"),
    ("https://o/{{x}}/b", "..", "dotSegment"), ("sandbox:/{{x}}/b", "..", "dotSegment"),
    ("users/{{x}}", "..", "dotSegment"), ("{{x}}", "..", "notURL"),
  ])
  func aValueNeverMakesADotSegment(text: String, value: String, reason: String) throws {
    #expect(try URLSafetyTests.expand(text, value) == "error: \(reason)")
  }

  @Test(arguments: [
    ("/{{x}}", "%2e%2e", "https://h/api/%252e%252e"),
    ("/{{x}}", "../../etc", "https://h/api/..%2F..%2Fetc"),
    ("/{{x}}", "..\\..", "https://h/api/..%5C.."), ("/{{x}}", "...", "https://h/api/..."),
    ("/{{x}}", "..;", "https://h/api/..%3B"), ("/a{{x}}", "..", "https://h/api/a.."),
    ("/{{x}}", "a\r\nHost: evil", "https://h/api/a%0D%0AHost%3A%20evil"),
    ("/{{x}}", "?admin=1", "https://h/api/%3Fadmin%3D1"), ("/{{x}}", "#", "https://h/api/%23"),
    ("/{{x}}", "@evil.com", "https://h/api/%40evil.com"),
    ("/{{x}}", "//evil.com", "https://h/api/%2F%2Fevil.com"),
    ("/a?b={{x}}", "1&admin=1#x", "https://h/api/a?b=1%26admin%3D1%23x"),
    ("/a?b={{x}}", "a+b c", "https://h/api/a?b=a%2Bb%20c"),
  ])
  func aValueStaysInItsPlace(text: String, value: String, url: String) throws {
    #expect(try URLSafetyTests.expand(text, value) == url)
  }

  @Test(arguments: [
    ("/f/{{+x}}", "a/b/c", "https://h/api/f/a/b/c"),
    ("/f/{{+x}}", "a b/c", "https://h/api/f/a%20b/c"),
    ("/f/{{+x}}", "a%20b", "https://h/api/f/a%2520b"),
    ("/f/{{+x}}", "50%", "https://h/api/f/50%25"),
    ("/f/{{+x}}", "a/..%2f..%2Fb", "https://h/api/f/a/..%252f..%252Fb"),
    ("/f/{{+x}}", "a?b#c[d]", "https://h/api/f/a%3Fb%23c%5Bd%5D"),
    ("/f/{{+x}}", "a;b=1,2@c:d!$&'()*+", "https://h/api/f/a;b=1,2@c:d!$&'()*+"),
    ("/f/{{+x}}/z", "é/ü", "https://h/api/f/%C3%A9/%C3%BC/z"),
    ("/f/{{+x}}", "a/b/", "https://h/api/f/a/b/"),
    ("/f/{{+x}}?q", "a/", "https://h/api/f/a/?q"), ("/f/p-{{+x}}", "/a", "https://h/api/f/p-/a"),
    ("/f/{{+x}}", "a/.../b", "https://h/api/f/a/.../b"),
    ("/f{{+x}}", "/a/b", "https://h/api/f/a/b"),
    ("/f/{{+x}}", "a%2Fb", "https://h/api/f/a%252Fb"),
  ])
  func aReservedExpansionKeepsSlashes(text: String, value: String, url: String) throws {
    #expect(try URLSafetyTests.expand(text, value) == url)
  }

  @Test(arguments: [
    ("/f/{{+x}}", "..", "dotSegment"), ("/f/{{+x}}", "a/../b", "dotSegment"),
    ("/f/{{+x}}", "../a", "dotSegment"), ("/f/{{+x}}", "a/..", "dotSegment"),
    ("/f/{{+x}}", "./a", "dotSegment"), ("/f/{{+x}}", "%2e%2e/a", "dotSegment"),
    ("/f/{{+x}}", "a/%2E%2e", "dotSegment"), ("/f/{{+x}}", "..\\b", "dotSegment"),
    ("/f/{{+x}}", "a/..;v=1/b", "dotSegment"),
    ("/f/.{{+x}}", "./a", "dotSegment"), ("/f/{{+x}}.", "a/.", "dotSegment"),
    ("/f/{{+x}}", "/a", "emptySegment"), ("/f/{{+x}}", "a//b", "emptySegment"),
    ("/f/{{+x}}/b", "a/", "emptySegment"), ("/f/{{+x}}", "//evil.com", "emptySegment"),
    ("/f/{{+x}}", "", "empty"), ("/f/{{+x}}", "/", "emptySegment"),
    ("/f/{{+x}}{{+x}}", "/", "emptySegment"),
  ])
  func aReservedExpansionNeverLeavesItsFolder(text: String, value: String, reason: String) throws {
    #expect(try URLSafetyTests.expand(text, value) == "error: \(reason)")
  }

  @Test(arguments: [
    "evil.com/", "evil.com?", "evil.com#", "a@evil.com", "evil.com:80", "a b", "a\\b", "é.com",
    "a%2e",
    "[::1]", "a_b", "a,b",
  ])
  func aValueInTheHostIsLettersDigitsDotsAndDashes(value: String) throws {
    #expect(try URLSafetyTests.expand("https://{{x}}/", value) == "error: authority")
    #expect(try URLSafetyTests.expand("https://{{x}}.example.com/", value) == "error: authority")
    #expect(try URLSafetyTests.expand("https://h:{{x}}/", value) == "error: authority")
  }

  @Test(arguments: [
    ("https://{{x}}/", "", "empty"), ("https://h:{{x}}/", "80a", "authority"),
    ("https://h:{{x}}/", "99999", "authority"), ("https://h:{{x}}", "a.evil.com", "authority"),
  ])
  func aHostThatNoURLHasIsRefused(text: String, value: String, reason: String) throws {
    #expect(try URLSafetyTests.expand(text, value) == "error: \(reason)")
  }

  @Test(arguments: [
    "", "/users", "users", "//h/x", "ftp://h/", "file:///etc/passwd", "javascript:alert(1)",
    "https://", "https:///x", "http:x", "https://h/a b", " https://h/", "https://h/\n",
    "https://ü.de/",
    "https://a@b@c/", "https://good.com\\@evil.com/", "gopher://h", "https://h:99999/",
  ])
  func aStartIsAnAbsoluteURL(value: String) throws {
    #expect(try URLSafetyTests.expand("{{x}}", value) == "error: notURL")
  }

  @Test(arguments: [
    ("{{x}}/users", "https://h/?a"), ("{{x}}/users", "https://h#a"), ("{{x}}?a=1", "https://h/?b"),
    ("{{x}}?a=1", "https://h/#b"), ("{{x}}&a=1", "https://h/"), ("{{x}}&a=1", "https://h/?b#c"),
  ])
  func aStartThatCannotBeContinuedIsRefused(text: String, value: String) throws {
    #expect(try URLSafetyTests.expand(text, value) == "error: notURL")
  }

  @Test func aNumberIsNoURL() throws {
    let scope = try Scope.sample()
    for name in ["id", "yes", "none", "list", "user", "gone"] {
      #expect(URLTemplateTests.expand("{{\(name)}}", scope).hasPrefix("error: "))
    }
  }
}
