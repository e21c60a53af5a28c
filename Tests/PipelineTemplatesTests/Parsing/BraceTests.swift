import PipelineTemplates
import Testing

/// language.md §4: which braces open a template.
struct BraceTests {
  /// The parts in brackets: `[text]` and `<reference>`.
  static func shape(_ template: Template) -> String {
    template.parts.map { part in
      switch part {
      case .text(let text): "[\(text)]"
      case .reference(let reference): "<\(reference.isReserved ? "+" : "")\(reference.text)>"
      }
    }.joined()
  }

  @Test(arguments: [
    ("", ""), ("plain", "[plain]"), ("{", "[{]"), ("a { b } c }}", "[a { b } c }}]"),
    ("{{id}}", "<id>"), ("{{ id }}", "<id>"), ("{{\tid\n}}", "<id>"),
    ("a{{id}}b", "[a]<id>[b]"), ("{{id}}{{name}}", "<id><name>"),
    ("{{{id}}}", "[{]<id>[}]"), ("{{{{", "[{{]"), ("{{{{id}}}}", "[{{id}}}}]"),
    ("{{{{{", "[{{{]"), ("{{{{{{id}}", "[{{]<id>"), ("{{{{{{{id}}", "[{{{]<id>"),
    ("{{{{{{{{", "[{{{{]"), ("{{{{{{{{{{id}}", "[{{{{]<id>"),
    ("{{id}}}}", "<id>[}}]"), ("{\"a\":{{id}}}", "[{\"a\":]<id>[}]"),
    ("{{user['first-name']}}", "<user['first-name']>"),
    ("{{user[\"a}}b\"]}}!", "<user[\"a}}b\"]>[!]"),
    ("{{user['a\\'}}b']}}!", "<user['a\\'}}b']>[!]"),
    ("{{list[0]}}", "<list[0]>"), ("{{list[-1].id}}", "<list[-1].id>"),
    ("é{{id}}☕", "[é]<id>[☕]"),
  ])
  func runsOfBracesAreReadInFours(text: String, parts: String) {
    let (template, problems) = Template.parse(text)
    #expect(problems == [])
    #expect(BraceTests.shape(template) == parts)
    #expect(template.text == text)
  }

  @Test func rangesAreOffsetsInTheDecodedText() throws {
    let (template, _) = Template.parse("é {{{{ {{  user.id }}")
    let reference = try #require(template.references.first)
    let bytes = Array(template.text.utf8)
    #expect(String(decoding: bytes[reference.range], as: UTF8.self) == "{{  user.id }}")
    #expect(String(decoding: bytes[reference.queryRange], as: UTF8.self) == "user.id")
  }

  @Test(arguments: [
    ("{{id", "{{id", "{{id}}"), ("/users/{{user.id/posts", "{{user.id", "{{user.id}}"),
    ("{{id}", "{{id}", "{{id}}"), ("a {{id} b", "{{id}", "{{id}}"),
    ("{{list[0]", "{{list[0]", "{{list[0]}}"), ("{{a {{b}}", "{{a", "{{a}}"),
    ("a {{ b", "{{", "{{{{"), ("{{", "{{", "{{{{"), ("{{}", "{{", "{{{{"),
    ("{{?x", "{{", "{{{{"),
  ])
  func anUnclosedTemplateIsFoundWithItsFix(text: String, at: String, fix: String) throws {
    let (_, problems) = Template.parse(text)
    let problem = try #require(problems.first)
    #expect(problem.code == .syntax)
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == at)
    #expect(problem.fix == fix)
    #expect(problems.count == 1)
  }

  @Test func whatIsRightAfterAMistakeIsStillRead() {
    let (template, problems) = Template.parse("{{a b}} {{ok}} {{c {{also}} {{}}")
    #expect(problems.count == 3)
    #expect(template.references.map(\.text) == ["ok", "also"])
  }

  @Test func aQuoteThatNothingClosesIsNoQuote() {
    let (template, problems) = Template.parse("{{user['a]}} and {{id}}")
    #expect(problems.count == 1)
    #expect(template.references.map(\.text) == ["id"])
  }

  @Test func literalAndWholeTellTheKind() {
    #expect(Template.parse("").template.literal == "")
    #expect(Template.parse("{{{{x}}").template.literal == "{{x}}")
    #expect(Template.parse("a{{x}}").template.literal == nil)
    #expect(Template.parse("{{x}}").template.whole?.text == "x")
    #expect(Template.parse(" {{x}}").template.whole == nil)
    #expect(Template(literal: "{{x}}").literal == "{{x}}")
    #expect(Template(literal: "{{x}}") != Template.parse("{{x}}").template)
  }
}
