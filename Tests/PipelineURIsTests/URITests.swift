import PipelineURIs
import Testing

struct URITests {
  @Test(arguments: [
    "ftp://ftp.is.co.za/rfc/rfc1808.txt", "http://www.ietf.org/rfc/rfc2396.txt",
    "ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com",
    "news:comp.infosystems.www.servers.unix", "tel:+1-816-555-1212", "telnet://192.0.2.16:80/",
    "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "http://h:/", "http://h?", "http://h#",
    "http://u:p%40@h:80/a?b#c", "//h/x", "/x", "x/y", "?a=b", "#f", "", "sandbox:/reqres",
    "http://h/a[b]|c?d[e]=f", "http://[::ffff:192.0.2.1]:8080/",
  ])
  func aURIComesBackByteForByte(text: String) throws {
    let uri = try #require(URI.parse(text))
    #expect(uri.description == text)
  }

  @Test func everyComponentIsFound() throws {
    let uri = try #require(URI.parse("https://jo:pw@Example.com:8042/over/there?name=ferret#nose"))
    #expect(uri.scheme == "https")
    #expect(uri.userinfo == "jo:pw")
    #expect(uri.host == "Example.com")
    #expect(uri.authority?.port == "8042")
    #expect(uri.path == "/over/there")
    #expect(uri.query == "name=ferret")
    #expect(uri.fragment == "nose")
    #expect(uri.isAbsolute)
  }

  @Test func emptyAndMissingPartsDiffer() throws {
    #expect(try #require(URI.parse("http://h?")).query == "")
    #expect(try #require(URI.parse("http://h")).query == nil)
    #expect(try #require(URI.parse("http:///p")).host == "")
    #expect(try #require(URI.parse("http:/p")).host == nil)
  }

  @Test(arguments: [
    "http://a b/", "http://ä/", "http://h/\u{7F}", "http://h/\u{0}", "http://a@b@c/",
    "http://good.com\\@evil.com/", "http://h:8x/", "http://h:65536/", "http://[::1]x/",
    "http://[1::2::3]/", "http://[1:2:3:4:5:6:7]/", "http://[1:2:3:4:5:6:7:8:9]/", "http://[g::]/",
    "http://[12345::]/", "http://[::1.2.3]/", "http://[::1.2.3.04]/", "http://[::256.0.0.1]/",
    "http://[1:2:3:4:5:6:7:8::]/", "http://[fe80::1%25eth0]/", "http://[]/", "http://[:]/",
    "http://h%/", "http://h%2/", "http://a:b:c/", "1http://h/", ":x", "a{b:c", "http://<h>/",
  ])
  func aMalformedURIIsRefused(text: String) {
    #expect(URI.parse(text) == nil)
  }

  @Test(arguments: [
    "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1::8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
    "fe80::1", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "ABCD:ef01::0",
  ])
  func anIPv6AddressIsAHost(address: String) throws {
    let uri = try #require(URI.parse("http://[\(address)]:1/"))
    #expect(uri.host == "[\(address)]")
  }

  @Test(arguments: [
    ("HTTP://Example.COM/x", "http://example.com"), ("http://h:80", "http://h"),
    ("https://h:443/", "https://h"), ("https://h:80/", "https://h:80"),
    ("http://h:/", "http://h"), ("http://u:p@h/", "http://h"),
    ("http://[::1]:99/", "http://[::1]:99"),
    ("http://a_b/", "http://a_b"), ("http://h:00080/", "http://h"),
  ])
  func anOriginIsSchemeHostAndEffectivePort(text: String, origin: String) throws {
    #expect(URI.parse(text)?.origin?.description == origin)
    #expect(Origin(of: text)?.description == origin)
    #expect(Origin(of: text) == URI.parse(text)?.origin)
  }

  @Test(arguments: [
    "sandbox:/x", "ftp://h/", "http:///x", "http:x", "/x", "http://h%41/", "http://a,b/", "", "x",
    "http://a.com\\@b.com/", "http://a.com\\.b.com/",
  ])
  func whatTwoReadersCouldTakeDifferentlyHasNoOrigin(text: String) {
    #expect(URI.parse(text)?.origin == nil)
    #expect(Origin(of: text) == nil)
  }

  @Test func percentEncodingKeepsTheUnreserved() {
    #expect(URI.percentEncode("AZaz09-._~") == "AZaz09-._~")
    #expect(URI.percentEncode("a b/c?d#e%f+é😀") == "a%20b%2Fc%3Fd%23e%25f%2B%C3%A9%F0%9F%98%80")
    #expect(URI.percentEncode("\u{0}\n\u{7F}") == "%00%0A%7F")
    #expect(URI.percentEncode("a/b?c", allowing: .path) == "a/b%3Fc")
  }

  @Test func percentDecodingIsItsInverse() {
    #expect(URI.percentDecode("a%20b%2fc%C3%A9") == "a b/cé")
    #expect(URI.percentDecode("plain") == "plain")
    #expect(URI.percentDecode("a+b") == "a+b")
    for malformed in ["%", "%2", "%zz", "%FF", "a%C3"] {
      #expect(URI.percentDecode(malformed) == nil)
    }
  }

  @Test func parametersAreDecodedAsServersDecodeThem() throws {
    let uri = try #require(URI.parse("https://h/?a=1&b=x+y%20z&c&=v&a=2&&bad=%zz&u=%FF"))
    let pairs = uri.parameters.map { "\($0.name)=\($0.text ?? "not UTF-8")" }
    #expect(pairs == ["a=1", "b=x y z", "c=", "=v", "a=2", "bad=%zz", "u=not UTF-8"])
    #expect(uri.parameter("a")?.text == "1")
    #expect(uri.parameter("none") == nil)
  }

  @Test(arguments: [
    ("http://h/x", "http://h/x?a=1%202&b%26=%3D"),
    ("http://h/x?y", "http://h/x?y&a=1%202&b%26=%3D"),
    ("http://h/x?", "http://h/x?a=1%202&b%26=%3D"),
    ("http://h/x#f", "http://h/x?a=1%202&b%26=%3D#f"),
    ("http://h/x?y=%7e&", "http://h/x?y=%7e&a=1%202&b%26=%3D"),
  ])
  func parametersAreAddedBeforeTheFragment(url: String, result: String) {
    let parameters = [(name: "a", value: "1 2"), (name: "b&", value: "=")]
    #expect(URI.adding(parameters, to: url) == result)
  }

  @Test func noParametersLeaveTheURLAlone() {
    #expect(URI.adding([(name: String, value: String)](), to: "http://h/x#f") == "http://h/x#f")
  }
}
