@testable import PipelineLanguage
@testable import PipelineLint
@testable import PipelinePlanning
import PipelineSourceText
import Testing

/// Findings of one kind are bounded, and so is what is looked for to advise on them.
@Suite struct FindingBoundTests {
  private func findings(_ code: String, of text: String) -> [Diagnostic] {
    Fixtures.lint(text).filter { $0.code == code }
  }

  @Test func aThousandFindingsOfAKindAreShownAndTheRestCounted() throws {
    let keys = (0..<2_500).map { "\"k\($0)\": 1" }.joined(separator: ",")
    let found = findings(
      "unknown-key",
      of: """
        {"steps": [{"id": "a", "endpoint": "GET https://a.example/", \(keys)}], "stepz": 1}
        """)
    #expect(found.count == 1_001)
    #expect(found.last?.message == "1501 more findings of this kind are not shown")
    #expect(found.last?.severity == .error)
  }

  /// Steps are decoded and judged in stretches: what is shown does not depend on how many there are.
  @Test func theFirstOfAKindAreAdvised() {
    let steps = (0..<1_002).map { number in
      "{\"id\": \"number\(number)\", \"values\": {\"v\": \"{{numebr\(number).v}}\"}}"
    }
    let found = findings(
      "unknown-reference", of: "{\"steps\": [\(steps.joined(separator: ","))]}")
    #expect(found.count == 1_001)
    #expect(found[0].message.hasSuffix("; did you mean 'number1'?"))
    #expect(found[99].message.contains("did you mean"))
    #expect(!found[100].message.contains("did you mean"))
    #expect(found[1_000].message == "2 more findings of this kind are not shown")
  }

  @Test func anOuterSilencingTakesWhatAnInnerOneWould() {
    let ignore = #""$lint": {"ignore": {"unused-step": "because"}}"#
    let text = """
      {"steps": [{"id": "a", \(ignore), "values": {"x": 1}}, {"id": "b", "values": {"x": 1}},
        {"id": "c", "endpoint": "GET https://a.example/", "extract": {"x": "$.x"}, \(ignore)}],
       \(ignore)}
      """
    #expect(
      Fixtures.lint(text).map(\.code)
        == ["unused-silencing", "unused-extractor", "unused-silencing"])
  }
}
