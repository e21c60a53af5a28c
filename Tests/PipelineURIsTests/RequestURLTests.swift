import Testing

@testable import PipelineURIs

/// A URL and its origin stay together.
@Suite struct RequestURLTests {
  @Test(arguments: [
    ("https://api.example/a", "https://api.example"),
    ("HTTP://API.example:8080?q", "http://api.example:8080"),
    ("https://user@[::1]/", "https://[::1]"),
  ])
  func theOriginIsThatOfTheText(_ text: String, _ origin: String) throws {
    let url = try #require(RequestURL(text))
    #expect(url.text == text)
    #expect(url.origin.description == origin)
  }

  @Test(arguments: ["", "/a", "api.example", "ftp://a/", "https:///a", "https://a%62c/"])
  func whatHasNoOriginIsNotAURL(_ text: String) {
    #expect(RequestURL(text) == nil)
  }

  @Test(arguments: [
    ("/b", "https://api.example:1/b"), ("?x", "https://api.example:1/a?x"),
    ("//other.example/b", "https://other.example/b"), ("http://api.example", "http://api.example"),
  ])
  func aReferenceKeepsOrReplacesTheOrigin(_ reference: String, _ expected: String) throws {
    let url = try #require(RequestURL("https://api.example:1/a"))
    let resolved = try #require(url.resolving(reference))
    #expect(resolved.text == expected)
    #expect(resolved.origin == Origin(of: expected))
  }

  @Test(arguments: ["mailto:a@b", "ftp://other/", "https://a%62c/", "https://a b/"])
  func aReferenceToSomethingElseIsRefused(_ reference: String) throws {
    #expect(try #require(RequestURL("https://api.example/a")).resolving(reference) == nil)
  }

  @Test func anotherQueryKeepsTheOrigin() throws {
    let url = try #require(RequestURL("https://api.example/a"))
    let changed = url.mapQuery { URI.adding([("n", "1")], to: $0) }
    #expect(changed == RequestURL("https://api.example/a?n=1"))
  }
}
