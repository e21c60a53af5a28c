import PipelineTestTraits
import Testing

@testable import PipelineImports

struct TextReplacementsTests {
  private func replacements(_ texts: KeyValuePairs<String, String>) -> TextReplacements {
    TextReplacements(texts.map { (text: $0.key, replacement: $0.value) })
  }

  @Test(arguments: [
    ("", ""), ("nothing", "nothing"), ("abcdef", "1"), ("abcabcdef", "21"), ("xabcx", "x2x"),
    ("abcde", "2de"), ("ab", "ab"), ("äabcö", "ä2ö"),
  ]) func theLongestTextThatIsThereIsReplaced(_ text: String, _ expected: String) {
    let replacements = replacements(["abcdef": "1", "abc": "2"])
    #expect(replacements.replaced(in: text) == expected)
    #expect(replacements.occur(in: text) == (text != expected))
  }

  @Test func aReplacementIsNotReplacedAgain() {
    #expect(replacements(["one": "two", "two": "one"]).replaced(in: "one two") == "two one")
  }

  @Test func oneByteIsFound() {
    #expect(replacements(["7": "x", "12345678": "y"]).replaced(in: "7 12345678 77") == "x y xx")
  }

  @Test func furtherTextsAreReplacedOutsideOfTheFirstOnes() {
    let replacements = replacements(["aaaa17bbbb": "fresh"])
    let text = replacements.replaced(in: "aaaa17bbbb/17", and: [(text: "17", replacement: "731")])
    #expect(text == "fresh/731")
    #expect(
      TextReplacements([]).replaced(in: "17", and: [(text: "17", replacement: "731")]) == "731")
  }
}
