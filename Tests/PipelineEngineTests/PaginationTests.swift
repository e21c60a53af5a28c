import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

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
          TransportResponse(
            status: 200,
            headers: [HeaderField("Link", "<\(api)/p?n=2>; rel=\"next\", <x>; rel=last")],
            body: Array(#"{"data":[1]}"#.utf8)))
      ],
      "GET \(api)/p?n=2": [.json(["data": [2]])],
    ])
    let result = try await outputs("{\"link\": \"next\"}", transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,2]}}"#)
  }

  private func page(_ body: String, _ headers: [HeaderField]) -> ScriptedTransport.Answer {
    .response(TransportResponse(status: 200, headers: headers, body: Array(body.utf8)))
  }

  @Test func anEmptyPageEndsLinksToo() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [page(#"{"data":[1]}"#, [HeaderField("Link", "</p?n=2>; rel=next")])],
      "GET \(api)/p?n=2": [page(#"{"data":[]}"#, [HeaderField("Link", "</p?n=3>; rel=next")])],
    ])
    let result = try await outputs("{\"link\": \"next\", \"items\": \"$.data\"}", transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1]}}"#)
    #expect(transport.requests.count == 2)
  }

  @Test func headersThatAreTakenAsListsAreJoined() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [
        page(
          #"{"next":"/p?n=2"}"#,
          [HeaderField("X-Id", "a"), HeaderField("X-Id", "b"), HeaderField("X-N", "1")])
      ],
      "GET \(api)/p?n=2": [page(#"{"next":"/p?n=3"}"#, [HeaderField("X-N", "2")])],
      "GET \(api)/p?n=3": [page("{}", [HeaderField("X-Id", "c")])],
    ])
    let extract = """
      "ids": {"header": "X-Id", "all": true, "optional": true}, "n": {"header": "X-N"}
      """
    // The second page has none, which 'optional' allows; the third has no 'X-N', which it needs.
    let failed = try await outputs("{\"next\": \"$.next\"}", extract: extract, transport)
    #expect(failed.report.failures.first?.failure.message.contains("found no header 'X-N'") == true)
    let result = try await outputs(
      "{\"next\": \"$.next\"}",
      extract: extract.replacing("\"X-N\"}", with: "\"X-N\", \"optional\": true}"), transport)
    #expect(result.outputs.text == #"{"p":{"ids":["a","b","c"],"n":"1"}}"#)
  }

  @Test(arguments: ["9223372036854775807", "1e18", "99999999999999999999"])
  func aTotalBeyondAllBoundsIsNoCrash(_ total: String) async throws {
    let transport = ScriptedTransport { _ in
      .text("{\"data\": [1], \"total\": \(total)}", type: "application/json")
    }
    let result = try await outputs(
      "{\"offset\": \"offset\", \"by\": 100, \"total\": \"$.total\"}", transport)
    #expect(result.report.status == .failed)
    #expect(transport.requests.count == 1)
  }

  @Test func numbersOfPagesBeyondAllBoundsAreNoCrash() async throws {
    let transport = ScriptedTransport { _ in .json(["data": [1]]) }
    let result = try await outputs(
      "{\"page\": \"p\", \"from\": \(Int.max), \"items\": \"$.data\"}", transport)
    #expect(result.report.failures.first?.failure.kind == .limit)
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

  static let ends: [ScriptedTransport.Answer] = [
    .status(204), .text("", status: 200, type: "application/json"), .text("Not found", status: 404),
    .text("<html>", status: 404, type: "text/html"), .json(["data": []]), .json([:]), .json(nil),
    .json(["error": "no such page"], status: 404),
  ]

  @Test(
    arguments: ends,
    [#"{"page": "n", "items": "$.data"}"#, #"{"offset": "n", "by": 1, "items": "$.data"}"#])
  func aBodyWithoutRecordsEndsThePages(
    _ end: ScriptedTransport.Answer, _ paginate: String
  ) async throws {
    let transport = ScriptedTransport { request in
      request.url.hasSuffix(paginate.contains("page") ? "=3" : "=2")
        ? end : .json(["data": [1], "total": 7])
    }
    let result = try await outputs(
      paginate, extract: #""ids": "$.data[*]", "total": {"body": "$.total", "optional": true}"#,
      rest: #", "expect": {"status": ["2xx", 404]}"#, transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,1],"total":7}}"#)
    #expect(transport.requests.count == 3)
  }

  @Test func aPageThatIsNotJSONEndsThePagesOrFails() async throws {
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("=2")
        ? .text("<html>sign in</html>", type: "text/html") : .json(["data": [1]])
    }
    let paginate = #"{"page": "n", "items": "$.data"}"#
    let lost = try await outputs(paginate, transport)
    #expect(lost.report.failures.first?.failure.kind == .extract)
    let kept = try await outputs(
      paginate, extract: #""ids": {"body": "$.data[*]", "optional": true}"#, transport)
    #expect(kept.outputs.text == #"{"p":{"ids":[1]}}"#)
  }

  @Test(arguments: [
    #"{"page": "n", "items": "$.data"}"#, #"{"page": "n", "pages": "$.pages"}"#,
    #"{"offset": "n", "by": 1, "total": "$.total"}"#, #"{"next": "$.next"}"#,
    #"{"cursor": "$.next", "param": "n"}"#,
  ])
  func aFirstPageWithoutABodyIsAnEmptyList(_ paginate: String) async throws {
    let transport = ScriptedTransport { _ in .status(204) }
    let empty = try await outputs(paginate, transport)
    #expect(empty.outputs.text == #"{"p":{"ids":[]}}"#)
    #expect(transport.requests.count == 1)
    let missing = try await outputs(
      paginate, extract: #""ids": "$.data[*]", "total": "$.total""#, transport)
    #expect(missing.report.failures.first?.failure.kind == .extract)
  }

  @Test func aNextPageIsNotFetchedWithoutTLS() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [.json(["data": [1], "next": "http://api.example/p?c=2"])]
    ])
    let result = try await outputs("{\"next\": \"$.next\"}", transport)
    #expect(transport.requests.count == 1)
    #expect(
      result.report.failures.first?.failure.message
        == "the next page would be fetched without TLS, from 'http://api.example/p?c=2'")
  }

  /// The operation's text declares the variable, so the cursor is one whatever else is written.
  @Test(arguments: [
    #"{"query": "{ a }"}"#, #"{"query": "{ a }", "variables": {"after": null}}"#,
    #"{"query": "{ a }", "variables": {"n": 5}}"#,
  ])
  func theCursorOfGraphQLIsAVariable(_ body: String) async throws {
    for place in ["", #", "in": "body""#] {
      let transport = ScriptedTransport { request in
        guard case .bytes(let bytes) = request.body,
          let after = try? JSONDocument.parse(bytes).root["variables"]?["after"]?.string
        else { return .json(["data": [1], "next": "x"]) }
        return .json(["data": [2], "next": nil, "after": .string(after)])
      }
      let pipeline = try Pipeline(
        """
        {"steps": [{"id": "p", "endpoint": "POST \(api)/g", "body": {"graphql": \(body)},
           "paginate": {"cursor": "$.next", "param": "after"\(place)},
           "extract": {"n": "$.data[*]"}}],
         "outputs": {"n": "{{p.n}}"}}
        """, transport: transport)
      #expect(try await pipeline.run().result.output("n", as: [Int].self) == [1, 2])
      #expect(transport.requests.allSatisfy { $0.url == "\(api)/g" })
      guard case .bytes(let last)? = transport.requests.last?.body else { return }
      #expect(try JSONDocument.parse(last).root["after"] == nil)
    }
  }

  /// The identifier of a scroll stays the same, and a queue is asked again with the same request.
  @Test func equalRequestsAreAllowedWithWhile() async throws {
    let transport = ScriptedTransport([
      "GET \(api)/p": [.json(["data": [1], "next": "s", "more": true])],
      "GET \(api)/p?c=s": [
        .json(["data": [2], "next": "s", "more": true]),
        .json(["data": [3], "next": "s", "more": true]),
        .json(["data": [4], "next": "s", "more": false]),
      ],
    ])
    let paginate = #"{"cursor": "$.next", "param": "c", "while": "@.body.more == true"}"#
    let result = try await outputs(paginate, transport)
    #expect(result.outputs.text == #"{"p":{"ids":[1,2,3,4]}}"#)
    let endless = ScriptedTransport { _ in .json(["data": [1], "next": "s", "more": true]) }
    let failed = try await outputs(
      paginate.replacing("}", with: ", \"maxPages\": 5}"), endless)
    #expect(failed.report.failures.first?.failure.kind == .limit)
    #expect(endless.requests.count == 5)
  }

  @Test func pagesThatGoInACircleFail() async throws {
    let transport = ScriptedTransport(["GET \(api)/p": [.json(["data": [1], "next": "/p"])]])
    let result = try await outputs("{\"next\": \"$.next\"}", transport)
    #expect(
      result.report.failures.first?.failure.message
        == "the pages repeat: '\(api)/p' was fetched before")
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

  @Test func aRequestThatStallsDoesNotOutlastPolling() async throws {
    let plan = try plan(
      """
      {"steps": [{"id": "job", "endpoint": "GET \(api)/job", "timeout": "30s", "retry": 3,
        "poll": {"until": "@.body.status == 'done'", "every": "2s", "within": "5s"}}]}
      """)
    let clock = ManualClock()
    let transport = ScriptedTransport { request in
      guard clock.elapsed > .zero else { return .json(["status": "queued"]) }
      // As a transport does: no answer within the request's own time.
      try? await clock.sleep(for: request.timeout ?? .seconds(3600))
      return .failure(TransportError(.timeout, "no complete answer"))
    }
    var options = RunOptions()
    options.clock = clock
    let run = Pipeline(plan, transport: OwnLimits(transport), options: options).run()
    async let result = run.result
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    await clock.waitForSleepers(2)
    #expect(clock.nextWake == .seconds(3))
    clock.advance(by: .seconds(3))
    let failure = try #require(try await result.report.failures.first?.failure)
    #expect(failure.kind == .timeout)
    #expect(
      failure.message
        == "'@.body.status == 'done'' did not hold within 5s, and the last request was not answered"
        + " in that time")
    #expect(transport.requests.map(\.timeout) == [.seconds(5), .seconds(3)])
  }

  @Test func aRetryDoesNotOutlastPolling() async throws {
    let plan = try plan(
      """
      {"steps": [{"id": "job", "endpoint": "GET \(api)/job",
        "retry": {"attempts": 9, "delay": "10s", "jitter": false},
        "poll": {"until": "@.body.status == 'done'", "within": "5s"}}]}
      """)
    let transport = ScriptedTransport(["GET \(api)/job": [.status(503)]])
    let report = try await Pipeline(plan, transport: transport).run().result.report
    #expect(report.failures.first?.failure.message == "answered 503 Service Unavailable")
    #expect(transport.requests.count == 1)
  }

  @Test func aLimitThatHoldsARequestBackDoesNotOutlastPolling() async throws {
    let plan = try plan(
      """
      {"limits": {"rate": "1/1h"}, "steps": [{"id": "job", "endpoint": "GET \(api)/job",
        "poll": {"until": "@.body.status == 'done'", "every": "1s", "within": "5s"}}]}
      """)
    let clock = ManualClock()
    let transport = ScriptedTransport(["GET \(api)/job": [.json(["status": "queued"])]])
    var options = RunOptions()
    options.clock = clock
    let run = Pipeline(plan, transport: transport, options: options).run()
    async let result = run.result
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    // The run's deadline, the limit, and the end of polling.
    await clock.waitForSleepers(3)
    #expect(clock.nextWake == .seconds(4))
    clock.advance(by: .seconds(4))
    #expect(try await result.report.failures.first?.failure.kind == .timeout)
    #expect(transport.requests.count == 1)
  }

  @Test func redirectsShareTheTimeOfAnAttempt() async throws {
    let plan = try plan(
      steps: #"{"id": "a", "endpoint": "GET \#(api)/a", "timeout": "10s"}"#)
    let clock = ManualClock()
    let transport = ScriptedTransport { request in
      guard request.url.hasSuffix("/a") else { return .json([:]) }
      clock.advance(by: .seconds(4))
      return .status(302, headers: [HeaderField("Location", "/b")])
    }
    var options = RunOptions()
    options.clock = clock
    let report = try await Pipeline(plan, transport: transport, options: options)
      .run().result.report
    #expect(report.status == .succeeded)
    #expect(transport.requests.map(\.timeout) == [.seconds(10), .seconds(6)])
  }
}
