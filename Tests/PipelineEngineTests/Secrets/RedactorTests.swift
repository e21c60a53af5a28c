import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineEngine

struct RedactorTests {
  private func redactor(_ secrets: String...) -> Redactor {
    let redactor = Redactor()
    for secret in secrets { redactor.hide(secret) }
    return redactor
  }

  @Test(arguments: [
    ("correct-horse", "•••"), ("a correct-horse b", "a ••• b"),
    ("correct-horsecorrect-horse", "••••••"), ("correct-hors", "correct-hors"),
    // Hosts are lowercased, header names by some servers.
    ("CORRECT-HORSE", "•••"), ("ccorrect-horse", "c•••"), ("", ""), ("…", "…"),
    // The longest of those that begin alike.
    ("correct-horse-battery", "•••"), ("correct-horse-batter", "•••-batter"),
    ("Y29ycmVjdC1ob3JzZQ==", "•••=="), ("é correct-horse é", "é ••• é"),
    ("short", "short"),
  ])
  func aSecretIsMasked(_ text: String, _ expected: String) {
    let redactor = redactor("correct-horse", "correct-horse-battery", "short")
    #expect(redactor.redact(text) == expected)
  }

  /// Of two that overlap nothing is left.
  @Test func secretsThatOverlapAreMaskedTogether() {
    let redactor = redactor("abcdefghij", "ghijklmnop")
    #expect(redactor.redact("<abcdefghijklmnop>") == "<•••>")
  }

  /// Most of them begin alike, as tokens of one server do.
  @Test func eachOfManySecretsIsMasked() {
    let redactor = Redactor()
    let secrets = (0..<400).map { "token_\($0 * 7919)_" + String($0 * 104_729, radix: 36) }
    for secret in secrets { redactor.hide(secret) }
    for secret in secrets { #expect(redactor.redact("<\(secret)>") == "<•••>") }
    #expect(redactor.redact("token_1_none") == "token_1_none")
  }

  /// As JSON writers, languages, URLs, forms and pages write `pä/s "w+<&>\` and a line break.
  @Test(arguments: [
    #"p\u00e4\/s \"w+\u003c\u0026\u003e\\\n"#,
    #"p\u00E4/s \u0022w\u002B\u003C\u0026\u003E\u005C\u000A"#,
    #"p\xe4/s "w+<&>\\\n"#, #"p\xC3\xA4/s \"w+<&>\\\x0a"#, #"p\303\244/s \"w+<&>\\\012"#,
    #"p\u{e4}/s \"w+<&>\\\n"#, #"p\U000000e4/s \"w+<&>\\\n"#,
    "p%C3%A4%2Fs%20%22w%2B%3C%26%3E%5C%0A", "p%c3%a4/s+%22w%2b%3c%26%3e%5c%0a",
    "%70%C3%A4%2F%73%20%22%77%2B%3C%26%3E%5C%0A", "p%E4/s%20%22w+%3C%26%3E%5C%0A",
    "p%u00E4/s%20%22w+%3C%26%3E%5C%0A",
    "p%25C3%25A4%252Fs%2520%2522w%252B%253C%2526%253E%255C%250A",
    "p&#228;/s &quot;w+&lt;&amp;&gt;&#92;&#10;", "p&#xE4;&sol;s &#34;w&plus;&lt;&amp;&gt;\\\n",
    "cMOkL3MgIncrPCY+XAo=", "cMOkL3MgIncrPCY-XAo", "cMOkL3Mg\nIncrPCY+\r\nXAo=",
    "eHDDpC9zICJ3KzwmPlwK", "eHlww6QvcyAidys8Jj5cCg==", "cMOkL3MgIncrPCY%2BXAo%3D",
    #"cMOkL3MgIncrPCY\u002bXAo="#,
    // Base64 of its JSON, and of its percent-encoding.
    "eyJhIjogInBcdTAwZTQvcyBcIncrPCY+XFxcbiJ9", "cCVDMyVBNCUyRnMlMjAlMjJ3JTJCJTNDJTI2JTNFJTVDJTBB",
  ])
  func anEchoIsDecodedBeforeItIsCompared(_ echo: String) {
    let secret = "pä/s \"w+<&>\\\n"
    let redactor = redactor(secret)
    for text in [echo, "{\"x\":\"\(echo)\"}", "https://a.example/x?q=\(echo)&r=1"] {
      #expect(redactor.redact(text).contains(Redactor.mask), "\(text)")
      #expect(!redactor.redact(text).contains(echo.dropFirst(9)), "\(text)")
    }
  }

  /// What looks like an escape in a secret stays one of its letters.
  @Test(arguments: [
    #"abc%41\u0042\def"#, #"50%20off\new&amp;"#, #"\\server\share%2Fx"#, #"abcdef\"#,
  ])
  func aSecretMayHoldEscapes(_ secret: String) {
    let redactor = redactor(secret)
    var writer = JSONWriter(style: .compact)
    writer.string(secret)
    let json = String(decoding: writer.bytes, as: UTF8.self)
    writer.reset()
    writer.string(json)
    let twice = String(decoding: writer.bytes, as: UTF8.self)
    let percent = secret.utf8.map { "%" + String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    for text in [secret, json, twice, percent, json.replacing("/", with: "\\/")] {
      #expect(redactor.redact("<\(text)>").contains(Redactor.mask), "\(text)")
      #expect(redactor.redact("<\(text)>").utf8.count < 20, "\(text)")
    }
  }

  @Test func latin1IsNoWayPastTheSearch() {
    let redactor = redactor("pässwörter")
    let latin1: [UInt8] = [0x70, 0xE4] + Array("ssw".utf8) + [0xF6] + Array("rter".utf8)
    let bytes = [0x3C] + latin1 + [0x3E]
    #expect(redactor.places(in: bytes).masked(bytes) == Array("<•••>".utf8))
    #expect(redactor.redact(String(decoding: latin1, as: UTF8.self)) == "•••")
  }

  @Test(arguments: [
    "12345678.50", "12345678.5", "1.23456785e7", "1.23456785E+07", "123456785e-1", "12,345,678.50",
    "12_345_678.5", "0012345678.5",
  ])
  func aNumberIsComparedByItsValue(_ text: String) {
    let redactor = redactor("12345678.50")
    #expect(redactor.redact("[1,\(text)]") == "[1,•••]" || text.contains(","))
    #expect(redactor.redact("{\"a\":1,\"b\":\(text)}") == "{\"a\":1,\"b\":•••}")
    #expect(redactor.redact("it is \(text) now") == "it is ••• now")
    #expect(redactor.redact("[12345678,1234567850]") == "[12345678,1234567850]")
  }

  @Test func aNumberThatAProgramRoundedIsFound() {
    let redactor = redactor("12345678901234567890")
    #expect(redactor.redact(#"{"id":12345678901234567000}"#) == #"{"id":•••}"#)
  }

  @Test func whatIsNotSecretKeepsItsEscapes() {
    let redactor = redactor("correct-horse")
    let text = #"{"a":"\u00e9\/","b":"c\u006frrect-horse\n","correct-horse":[1.0,"correct-horse"]}"#
    #expect(
      String(decoding: redactor.redact(json: Array(text.utf8)), as: UTF8.self)
        == #"{"a":"\u00e9\/","b":"•••\n","•••":[1.0,"•••"]}"#)
  }

  /// What was cut before it came here shows no beginning of a secret either.
  @Test func aBeginningBeforeAnEllipsisIsMasked() {
    let redactor = redactor(String(repeating: "0123456789", count: 200))
    let cut = "012345678901234567…"
    let text = String(repeating: "…", count: 30_000)
    #expect(redactor.redactingBeginnings(in: "found '\(cut)'") == "found '•••…'")
    #expect(redactor.redactingBeginnings(in: text + cut + text) == text + "•••…" + text)
    #expect(redactor.redactingBeginnings(in: "012345 and 01234…") == "•••…")
    #expect(redactor.redactingBeginnings(in: "01234…") == "01234…")
  }

  /// A server that gives tokens of all lengths, and a text that begins like one of them at each byte.
  @Test func alikeSecretsDoNotMakeTheSearchLong() {
    let redactor = Redactor()
    for length in 6..<1_000 { redactor.hide(String(repeating: "a", count: length) + "b") }
    let text = String(repeating: "a", count: 100_000)
    // Without a bound this takes a hundred million steps for each kilobyte.
    #expect(redactor.redact(text + "b").hasSuffix(Redactor.mask))
  }
}
