import PipelineJSONText
import PipelineTemplates
import PipelineTestSupport
import PipelineURIs
import Testing

/// What must hold of every endpoint and every value, on seeded random ones.
struct URLPropertyTests {
  /// Texts put together from what is dangerous in URLs and templates.
  struct Generator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func text(of parts: [String], upTo length: Int) -> String {
      (0...Int(next() % UInt64(length))).map { _ in parts[Int(next() % UInt64(parts.count))] }
        .joined()
    }

    private mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state >> 11
    }
  }

  static let endpointParts = [
    "/", "{{x}}", "{{+x}}", ".", "..", "%2e", "a", "?", "&", "=", "#", ":", "//", "https://", "@",
    "{", "}", "{{", "}}", "{{{{", "$", "<", ">", "é", " ", "GET ", "%", "[", "]", "'", "|", "x",
    "{{x['a']}}", "{{x", "\\", ";", "80",
  ]
  static let valueParts = [
    "/", "\\", ".", "..", "%2e", "%2F", "%5c", "%", "?", "#", "@", ":", "//", "https://h", "a", "é",
    " ", "\n", "\0", ";", "[", "\u{7F}", "\u{2028}", "evil.com",
  ]

  @Test(arguments: 1...20)
  func noValueLeadsElsewhere(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    var expanded = 0
    for _ in 0..<400 {
      let text = generator.text(of: URLPropertyTests.endpointParts, upTo: 8)
      let (url, problems) = URLTemplate.parse(text)
      for problem in problems {
        #expect(problem.range.lowerBound >= 0 && problem.range.upperBound <= text.utf8.count)
      }
      guard problems.isEmpty, url.isRelative else { continue }
      for _ in 0..<4 {
        let value = JSONValue.string(generator.text(of: URLPropertyTests.valueParts, upTo: 6))
          .document.root
        guard let result = try? url.expand(base: "https://h.example/api", { _ in value }) else {
          continue
        }
        expanded += 1
        let uri = try #require(URI.parse(result), "\(text) with \(value.text)")
        #expect(uri.origin?.description == "https://h.example", "\(text) with \(value.text)")
        #expect(uri.path.hasPrefix("/api/"), "\(text) with \(value.text)")
        #expect(uri.resolving(result)?.path == uri.path, "\(text) with \(value.text)")
        #expect(uri.fragment == nil, "\(text) with \(value.text)")
        #expect((uri.query != nil) == text.contains("?"), "\(text) with \(value.text)")
      }
    }
    #expect(expanded > 20)
  }

  @Test(arguments: 1...20)
  func aFixIsAStepForward(seed: UInt64) {
    var generator = Generator(seed: seed)
    for _ in 0..<300 {
      var text = generator.text(of: URLPropertyTests.endpointParts, upTo: 6)
      // Applying one fix after another comes to an end.
      for _ in 0..<60 {
        let fixable = Endpoint.parse(text).problems.first { $0.fix != nil }
        guard let problem = fixable, let fix = problem.fix else { break }
        var bytes = Array(text.utf8)
        bytes.replaceSubrange(problem.range, with: fix.utf8)
        let fixed = String(decoding: bytes, as: UTF8.self)
        #expect(fixed != text, "the fix of '\(problem.message)' changes nothing")
        text = fixed
      }
      #expect(
        Endpoint.parse(text).problems.allSatisfy { $0.fix == nil }, "fixes do not end at \(text)")
    }
  }

  /// Quadratic would be a minute.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "{ ", "{{", "{{['", "{{[\"", "${", "<", ":a/", "/:", "{{a}}", "%", " ", "{id}", "${{a}}",
    ])
  func anyTextIsReadInLinearTime(part: String) {
    let text = String(
      repeating: part, count: LongTests.count(20_000, long: 60_000) / part.utf8.count)
    let template = Template.parse(text).template
    #expect(template.text == text && template.foreignTemplates.allSatisfy { !$0.range.isEmpty })
    #expect(Endpoint.parse(text).endpoint.text == text)
  }
}
