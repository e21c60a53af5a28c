import PipelineURIs
import Testing

/// RFC 3986 §5.4: the whole table of normal and abnormal examples.
struct URIResolutionTests {
  static let examples: [(reference: String, target: String)] = [
    ("g:h", "g:h"),
    ("g", "http://a/b/c/g"),
    ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"),
    ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ]

  @Test(arguments: examples)
  func aReferenceResolvesAsTheStandardShows(example: (reference: String, target: String)) throws {
    let base = try #require(URI.parse("http://a/b/c/d;p?q"))
    #expect(base.resolving(example.reference)?.description == example.target)
  }

  @Test func aBaseWithoutPathTakesTheReferenceUnderItsRoot() throws {
    let base = try #require(URI.parse("https://example.com"))
    #expect(base.resolving("users?page=2")?.description == "https://example.com/users?page=2")
  }

  @Test func aSandboxBaseResolvesLikeAnyOther() throws {
    let base = try #require(URI.parse("sandbox:/reqres/users?page=1"))
    #expect(base.resolving("/reqres/users?page=2")?.description == "sandbox:/reqres/users?page=2")
    #expect(base.resolving("?page=2")?.description == "sandbox:/reqres/users?page=2")
  }

  @Test(arguments: [
    ("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6"), ("", ""), ("/", "/"),
    ("..", ""), ("/..", "/"), ("/.", "/"), ("a/..", "/"), ("a/../b", "/b"), ("../../a", "a"),
    ("/a//..//b", "/a//b"), ("/a//../b", "/a/b"), ("/a/b/..", "/a/"), ("/...", "/..."),
  ])
  func dotSegmentsGoAsTheAlgorithmSays(path: String, result: String) throws {
    let base = try #require(URI.parse("x:"))
    // A rootless path keeps its way through resolution only behind a scheme.
    let resolved = try #require(base.resolving("x:" + path))
    #expect(resolved.path == result)
  }

  @Test func aPathThatBeginsWithTwoSlashesIsNoAuthority() throws {
    let base = try #require(URI.parse("a:/b"))
    #expect(base.resolving("/.//c")?.description == "a:/.//c")
  }

  @Test(arguments: ["a b", "http://[::1", "é", ":x", "http://h:99999/", "a\nb"])
  func whatIsNoReferenceResolvesToNothing(reference: String) throws {
    let base = try #require(URI.parse("http://a/b"))
    #expect(base.resolving(reference) == nil)
  }

  @Test func aRelativeBaseResolvesNothing() throws {
    let base = try #require(URI.parse("/a/b"))
    #expect(base.resolving("c") == nil)
  }
}
