import PipelineKit
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

@Suite struct OriginAliasTests {
  private let aliases = [
    OriginAlias("http://127.0.0.1:4275", alias: "http://sandbox.test")
  ]

  @Test(arguments: [
    ("http://127.0.0.1:4275/a?b", "http://sandbox.test/a?b"),
    ("{\"host\": \"127.0.0.1:4275\"}", "{\"host\": \"sandbox.test\"}"),
    ("see 127.0.0.1:4275.", "see sandbox.test."),
    ("a\\nhttp://127.0.0.1:4275", "a\\nhttp://sandbox.test"),
    (
      "<http://127.0.0.1:4275/x>, <http://127.0.0.1:4275/y>",
      "<http://sandbox.test/x>, <http://sandbox.test/y>"
    ),
  ])
  func anOriginAndItsHostHaveAnotherName(_ text: String, _ expected: String) {
    #expect(aliases.applied(to: text) == expected)
    #expect(aliases.undone(in: expected) == text)
  }

  @Test(arguments: [
    "http://127.0.0.1:42755/", "127.0.0.1:42755", "1127.0.0.1:4275", "x-127.0.0.1:4275",
  ])
  func aPartOfAnotherHostStays(_ text: String) { #expect(aliases.applied(to: text) == text) }
}
