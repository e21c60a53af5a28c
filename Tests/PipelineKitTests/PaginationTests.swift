import JSONText
import PipelineKit
import Testing
import Workflows

/// Pages and polling, over a scripted transport.
@Suite struct PaginationTests {
  private let api = "https://api.example"

  private func outputs(
    _ paginate: String, extract: String = "\"ids\": \"$.data[*]\"", rest: String = "",
    _ transport: ScriptedTransport
  ) async throws -> RunResult {
    let plan = try plan(
      """
      {"steps": [{"id": "p", "endpoint": "GET \(api)/p", "paginate": \(paginate),
        "extract": {\(extract)}\(rest)}], "outputs": {"p": "{{p}}"}}
      """)
    return try await Pipeline(plan, transport: transport).run().result
  }

  @Test func nextFollowsTheURLInTheBody() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [.json(["data": [1, 2], "next": "/p?c=2"])],
      "GET \(api)/p?c=2": [.json(["data": [3], "next": nil])],
    ])
    let result = try await outputs("{\"next\": \"$.next\"}", transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,2,3]}}"#)
  }

  @Test func linkFollowsTheHeader() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [
        .response(
          HTTPResponse(
            status: 200,
            headers: [HTTPField("Link", "<\(api)/p?n=2>; rel=\"next\", <x>; rel=last")],
            body: Array(#"{"data":[1]}"#.utf8)))
      ],
      "GET \(api)/p?n=2": [.json(["data": [2]])],
    ])
    let result = try await outputs("{\"link\": \"next\"}", transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,2]}}"#)
  }

  @Test func aCursorIsSentAsAParameter() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [.json(["data": [1], "meta": ["next": "a b"]])],
      "GET \(api)/p?cursor=a%20b": [.json(["data": [2], "meta": ["next": ""]])],
    ])
    let result = try await outputs(
      "{\"cursor\": \"$.meta.next\", \"param\": \"cursor\"}", transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,2]}}"#)
  }

  @Test func numberedPagesAreJoinedInTheirOrder() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p?page=1": [.json(["data": [1], "pages": 3])],
      "GET \(api)/p?page=2": [.json(["data": [2], "pages": 3])],
      "GET \(api)/p?page=3": [.json(["data": [3], "pages": 3])],
    ])
    let result = try await outputs(
      "{\"page\": \"page\", \"from\": 1, \"pages\": \"$.pages\"}",
      extract: "\"ids\": \"$.data[*]\", \"pages\": \"$.pages\"", transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,2,3],"pages":3}}"#)
  }

  @Test func aShortPageEndsAnOffset() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p?offset=0": [.json(["data": [1, 2]])],
      "GET \(api)/p?offset=2": [.json(["data": [3]])],
    ])
    let result = try await outputs(
      "{\"offset\": \"offset\", \"by\": 2, \"items\": \"$.data[*]\"}", transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,2,3]}}"#)
  }

  @Test func pagesThatGoInACircleFail() async throws {
    let transport = ScriptedTransport(["GET \(api)/p": [.json(["data": [1], "next": "/p"])]])
    let result = try await outputs("{\"next\": \"$.next\"}", transport)
    #expect(
      result.report.failures.first?.failure.message
        == "the pages go round in a circle: '\(api)/p' was fetched before")
  }

  @Test func morePagesThanAllowedFail() async throws {
    let transport = ScriptedTransport { request in
      let number = Int(request.url.split(separator: "=").last ?? "") ?? 0
      return .json(["data": [1], "next": .string("/p?n=\(number + 1)")])
    }
    let result = try await outputs("{\"next\": \"$.next\", \"maxPages\": 3}", transport)
    #expect(transport.requests.count == 3)
    #expect(result.report.failures.first?.failure.kind == .limit)
  }

  @Test func aListUnderASingularQueryProposesTheStar() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [.json(["data": [1], "next": "/p?c=2"])],
      "GET \(api)/p?c=2": [.json(["data": [3]])],
    ])
    let result = try await outputs(
      "{\"next\": \"$.next\"}", extract: "\"ids\": \"$.data\"", transport)
    #expect(
      result.report.failures.first?.failure.message
        == "extractor 'ids' finds a list on each page; '$.data[*]' joins the elements of all pages")
  }

  @Test func pollingGoesOnUntilTheConditionHolds() async throws {
    let plan = try plan(
      """
      {"steps": [{"id": "job", "endpoint": "GET \(api)/job",
        "poll": {"until": "@.body.status == 'done'", "every": "2s", "within": "1m"},
        "extract": {"result": "$.result"}}], "outputs": {"result": "{{job.result}}"}}
      """)
    let transport = ScriptedTransport([
      "GET \(api)/job": [
        .json(["status": "queued"]), .json(["status": "running"]),
        .json(["status": "done", "result": 42]),
      ]
    ])
    let clock = ManualClock()
    var options = RunOptions()
    options.clock = clock
    let run = Pipeline(plan, transport: transport, options: options).run()
    async let result = run.result
    for _ in 0..<2 {
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(2))
    }
    #expect(try await result.outputs.text == #"{"result":42}"#)
  }

  @Test func pollingGivesUpInTime() async throws {
    let plan = try plan(
      """
      {"steps": [{"id": "job", "endpoint": "GET \(api)/job",
        "poll": {"until": "@.body.status == 'done'", "every": "2s", "within": "1s"}}]}
      """)
    let transport = ScriptedTransport(["GET \(api)/job": [.json(["status": "queued"])]])
    let result = try await Pipeline(plan, transport: transport).run().result
    let failure = try #require(result.report.failures.first?.failure)
    #expect(failure.kind == .timeout)
    #expect(failure.message == "'@.body.status == 'done'' did not hold within 1s")
    #expect(failure.hints == ["@.body.status is \"queued\""])
  }
}
