import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

/// Numbers at the ends of what can be counted, from authors and from servers: they fail, or are
/// bounded, and never end the program.
@Suite struct BoundTests {
  private static let most = String(Int.max)
  private static let least = String(Int.min)

  private func report(_ steps: String, _ inputs: [String: JSONValue] = [:]) async throws
    -> RunReport
  {
    let plan = try plan(
      """
      {"inputs": {"to": {"type": "integer", "default": 1}}, "limits": {"items": 3},
       "steps": [\(steps)], "outputs": {"n": "$.a[*].n"}}
      """)
    let transport = ScriptedTransport { _ in .status(503) }
    return try await Pipeline(plan, transport: transport).run(inputs: inputs).result.report
  }

  @Test(arguments: [
    (1, Int.max, 1), (0, .max, 1), (-2, .max, 1), (0, .min, -1), (.max, .min, -1), (.min, .max, 1),
    (0, .min, .min), (.min, 0, .min), (1, .max, .max),
  ])
  func rangesAtTheEndsOfAllNumbers(_ range: (from: Int, to: Int, by: Int)) async throws {
    let report = try await report(
      """
      {"id": "a", "forEach": {"from": \(range.from), "to": "{{inputs.to}}", "by": \(range.by)},
       "values": {"n": "{{item}}"}}
      """, ["to": JSONValue(range.to)])
    let failure = report.failures.first?.failure
    #expect(
      failure == nil || failure?.kind == .limit
        || failure?.message == "the range is too long to count")
  }

  @Test func rangesCountBothWays() async throws {
    for (range, numbers) in [
      ("\"from\": 3, \"to\": 1, \"by\": -1", "[3,2,1]"), ("\"from\": 3, \"to\": 1", "[]"),
      ("\"from\": 1, \"to\": 1, \"by\": -7", "[1]"),
      ("\"from\": 1, \"to\": 6, \"by\": 2", "[1,3,5]"),
    ] {
      let report = try await report(
        "{\"id\": \"a\", \"forEach\": {\(range)}, \"values\": {\"n\": \"{{item}}\"}}")
      #expect(report.outputs.text == "{\"n\":\(numbers)}")
    }
  }

  @Test func aBatchMayBeOfAnySize() async throws {
    let report = try await report(
      """
      {"id": "a", "forEach": [1, 2, 3], "batch": \(Self.most), "values": {"n": "{{item}}"}}
      """)
    #expect(report.outputs.text == #"{"n":[[1,2,3]]}"#)
  }

  @Test(arguments: ["1e300", "1e18", "1"]) func pausesGrowToTheirLongestAndNoFurther(
    _ factor: String
  ) async throws {
    let report = try await report(
      """
      {"id": "a", "endpoint": "GET https://api.example/a",
       "retry": {"attempts": 4, "delay": "1ms", "factor": \(factor), "maxDelay": "2ms"}}
      """)
    #expect(report.failures.first?.failure.request?.attempts == 4)
    let polled = try await self.report(
      """
      {"id": "a", "endpoint": "GET https://api.example/a", "expect": {"status": 503},
       "poll": {"until": "@.status == 1", "every": "1ms", "factor": \(factor), "maxEvery": "2ms",
                "attempts": 3}}
      """)
    #expect(
      polled.failures.first?.failure.message == "'@.status == 1' did not hold after 3 requests")
  }
}
