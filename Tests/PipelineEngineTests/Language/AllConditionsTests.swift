import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

@testable import PipelineEngine
@testable import PipelineTransports

/// All conditions of `expect` that do not hold are reported (docs/language.md).
@Suite struct AllConditionsTests {
  private static let conditions = #"""
    "expect": {"where": ["@.PLACEn == 1", {"that": "@.PLACEn > 7", "message": "n is small"},
      "@.PLACEn == 3", "@.PLACEm == 'x'"]}
    """#

  private static let hints = [
    "@.PLACEn is 3", "and n is small", "@.PLACEn is 3",
    "and the condition '@.PLACEm == 'x'' does not hold", "@.PLACEm is absent",
  ]

  @Test(arguments: [
    (#""endpoint": "GET https://api.example/x""#, "body."), (#""values": {"n": 3, "m": null}"#, ""),
  ])
  func aFailureNamesEachConditionThatDoesNotHold(action: String, place: String) async throws {
    let conditions = Self.conditions.replacing("PLACE", with: place)
    let transport = ScriptedTransport { _ in .json(["n": 3]) }
    let report = try await Pipeline(
      try plan(#"{"steps": [{"id": "a", \#(action), \#(conditions)}]}"#), transport: transport
    ).run().result.report
    let failure = try #require(report.failures.first?.failure)
    #expect(failure.message == "the condition '@.\(place)n == 1' does not hold")
    var expected = Self.hints.map { $0.replacing("PLACE", with: place) }
    if place.isEmpty { expected[4] = "@.m is null" }
    #expect(failure.hints == expected)
  }
}
