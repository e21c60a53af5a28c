import PipelineKit
import PipelineSourceText
import PipelineTesting
import Testing

@testable import PipelineEngine

@Suite struct FailedItemsTests {
  private func failure(
    _ message: String, path: [Int] = [], item: Int? = nil, body: String? = nil
  ) -> StepFailure {
    StepFailure(
      step: "user", path: path, item: item,
      failure: FailureReason(
        .status, message, request: .init(method: "GET", url: "http://a/1", attempts: 1),
        excerpt: body),
      stepRange: 0..<2, source: SourceFile(name: "w.json", bytes: Array("{}".utf8)))
  }

  @Test func failuresComeInTheOrderOfTheItems() {
    var failed = FailedItems(depth: 0)
    failed.append([failure("late", item: 7)])
    failed.append([failure("inner", path: [2]), failure("second", path: [2, 1], item: 9)])
    failed.append([failure("early", item: 0)])
    #expect(failed.count == 3)
    #expect(failed.failures.map(\.failure.message) == ["early", "inner", "second", "late"])
    #expect(failed.firsts.map(\.item) == [0, 2, 7])
    #expect(failed.firsts.map(\.failure.message) == ["early", "inner", "late"])
  }

  @Test func insideOfABlockTheItemIsTheStepsOwn() {
    var failed = FailedItems(depth: 1)
    failed.append([failure("b", path: [4], item: 3)])
    failed.append([failure("a", path: [4, 1])])
    #expect(failed.firsts.map(\.item) == [1, 3])
  }

  /// The order of the answers decides neither why a step failed nor what the block around it does.
  @Test(arguments: ["[404, 500]", "[500, 404]"])
  func itemsThatWereRecoveredFromAreNotWhyTheStepFailed(list: String) async throws {
    let transport = ScriptedTransport { request in
      .status(Int(request.url.suffix(3)) ?? 0)
    }
    let items = """
      {"id": "a", "forEach": \(list), "as": "c", "concurrency": 1,
       "endpoint": "GET https://api.example/{{c}}", "onError": {"recover": [404]}}
      """
    let alone = try await Pipeline(try plan(#"{"steps": [\#(items)]}"#), transport: transport).run()
      .result
    #expect(alone.report.failures.map(\.failure.status) == [500])
    let block = #"{"id": "b", "onError": {"recover": [500]}, "steps": [\#(items)]}"#
    let inside = try await Pipeline(try plan(#"{"steps": [\#(block)]}"#), transport: transport)
      .run()
      .result
    #expect(inside.status == .succeeded)
  }

  @Test func equalTextsAreCountedOnce() {
    let body = String(repeating: "x", count: 200)
    var failed = FailedItems(depth: 0)
    let first = failed.append([failure("answered 404", item: 0, body: body)])
    let second = failed.append([failure("answered 404", item: 1, body: body)])
    let third = failed.append([failure("answered 500", item: 2, body: "y")])
    #expect(first - second == "answered 404".utf8.count + body.utf8.count)
    #expect(third - second == "answered 500".utf8.count + 1)
    #expect(failed.held == first + second + third)
  }

  @Test func aFailureWithoutSecretsIsTheSameAfterTheSearch() {
    let failure = failure("answered 404", body: "token 123456789").failure
    #expect(failure.mapTexts { text, _ in text }.message == "answered 404")
    let masked = failure.mapTexts { text, _ in text.replacing("123456789", with: "•••") }
    #expect(masked.excerpt == "token •••")
    #expect(masked.request?.url == "http://a/1")
  }
}
