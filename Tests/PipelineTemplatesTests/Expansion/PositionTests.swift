import PipelineTemplates
import Testing

/// language.md §4's table, for positions in texts.
struct PositionTests {
  @Test(arguments: [
    ("{{id}}", "7"), ("no {{big}}", "no 12345678901234567890"), ("{{ratio}}", "1.50"),
    ("{{yes}}!", "true!"), ("<{{empty}}>", "<>"), ("{{escaped}}", "a\"b\\c\ndé"),
    ("{{text}}{{id}}", "café ☕7"), ("{{user['first-name']}}", "Ada"), ("{{list[1]}}", "b"),
    ("{{list[-1]}}", nil), ("{{none}}", nil), ("{{gone}}", nil), ("{{list}}", nil),
    ("{{user}}", nil),
  ])
  func aTextTakesStringsNumbersAndBooleans(text: String, result: String?) throws {
    let scope = try Scope.sample()
    let template = Template.parse(text).template
    #expect((try? template.text(scope.resolve)) == result)
  }

  @Test(arguments: [
    ("gone", ExpansionError.Reason.absent, "'gone' is absent"), ("none", .null, "'none' is null"),
    ("list", .list, "'list' is a list"), ("user", .object, "such as 'user.id'"),
  ])
  func aValueThatIsNoScalarIsNamed(name: String, reason: ExpansionError.Reason, words: String)
    throws
  {
    let scope = try Scope.sample()
    for position in Position.allCases {
      let template = Template.parse("x{{\(name)}}").template
      let error = ExpansionError.caught { () throws(ExpansionError) in
        _ = try template.expand(at: position, scope.resolve)
      }
      #expect(error?.reason == reason)
      #expect(error?.message.contains(words) == true)
      #expect(error?.reference?.text == name)
    }
  }

  @Test(arguments: [
    (Position.header, "crlf", ExpansionError.Reason.controlCharacter),
    (.header, "escaped", .controlCharacter),
    (.cookie, "crlf", .controlCharacter), (.cookie, "semicolon", .separator),
  ])
  func whatEndsAHeaderIsRefused(position: Position, name: String, reason: ExpansionError.Reason)
    throws
  {
    let scope = try Scope.sample()
    let template = Template.parse("x {{\(name)}}").template
    let error = ExpansionError.caught { () throws(ExpansionError) in
      _ = try template.expand(at: position, scope.resolve)
    }
    #expect(error?.reason == reason)
  }

  @Test(arguments: (0..<0x20).filter { $0 != 0x09 })
  func everyControlCharacterIsRefusedInAHeader(code: Int) throws {
    let scope = try Scope("{\"x\": \"a\\u\(code < 16 ? "000" : "00")\(String(code, radix: 16))\"}")
    let template = Template.parse("{{x}}").template
    #expect(throws: ExpansionError.self) { try template.expand(at: .header, scope.resolve) }
  }

  @Test func deleteIsAControlCharacterAndC1IsText() throws {
    let template = Template.parse("{{x}}").template
    let delete = try Scope("{\"x\": \"\u{7F}\"}")
    #expect(throws: ExpansionError.self) { try template.expand(at: .header, delete.resolve) }
    // RFC 9110 §5.5 takes all bytes from 0x80 as text.
    for character in ["\u{80}", "\u{85}", "\u{9F}"] {
      let scope = try Scope("{\"x\": \"\(character)\"}")
      #expect(try template.expand(at: .header, scope.resolve) == character)
    }
  }

  @Test func aHeaderTakesOtherText() throws {
    let scope = try Scope.sample()
    let header = Template.parse("Bearer {{text}}; {{semicolon}}").template
    #expect(try header.expand(at: .header, scope.resolve) == "Bearer café ☕; a;b")
  }

  @Test func aMessageNeverShowsTheValue() throws {
    let secret = "s3cr3t-value"
    let scope = try Scope(
      "{\"a\": \"\(secret)\\n\", \"b\": \"\(secret) \", \"c\": \"\(secret)\", \"d\": \"..\"}")
    for text in ["{{a}}", "{{b}}/x", "{{c}}", "https://{{a}}/", "/{{d}}"] {
      let error = ExpansionError.caught { () throws(ExpansionError) in
        _ = try URLTemplate.parse(text).url.expand(base: "http://h", scope.resolve)
      }
      #expect(error != nil)
      #expect(error?.message.contains(secret) == false)
    }
  }

  @Test func aControlCharacterInTheAuthorsHeaderIsAProblem() {
    let template = Template.parse("a\r\nb {{id}}").template
    #expect(template.problems(at: .header).map(\.range) == [1..<2, 2..<3])
    #expect(template.problems(at: .text) == [])
    #expect(Template.parse("a;b").template.problems(at: .cookie).count == 1)
  }

  @Test func aPlusOutsideAPathIsAProblem() throws {
    let problem = try #require(Template.parse("x {{+id}}").problems.first)
    #expect(problem.code == .reserved)
    #expect(problem.fix == "{{id}}")
  }
}
