import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineRecordings
import PipelineReports
import PipelineTesting
import Synchronization
import Testing

/// Why each request of a run was sent, and its place: in events, traces, spans and recordings.
@Suite(.timeLimit(.minutes(5))) struct RequestCauseTests {
  /// A workflow's one step, the answers to its requests, and the expected place and cause of each.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let step: String
    let answers: [ScriptedTransport.Answer]
    let expected: [String]

    var testDescription: String { name }
  }

  private static let lost: ScriptedTransport.Answer = {
    var error = TransportError(.interrupted, "the connection ended")
    error.loss = .unanswered
    return .failure(error)
  }()

  private static func status(_ status: Int, _ headers: [HeaderField] = [], _ body: String = "{}")
    -> ScriptedTransport.Answer
  {
    .response(TransportResponse(status: status, headers: headers, body: Array(body.utf8)))
  }

  private static let retry = #""retry": {"attempts": 3, "delay": "1s"}"#
  private static let auth = """
    "auth": {"oauth2": {
      "tokenURL": "https://api.example/token", "clientId": "c", "clientSecret": "s"}}
    """
  private static let token = ScriptedTransport.Answer.json(["access_token": "granted-token"])
  private static let ok = ScriptedTransport.Answer.json([:])

  static let cases = [
    Case(name: "first", step: #""endpoint": "GET /a""#, answers: [ok], expected: ["GET /a first"]),
    Case(
      name: "items", step: #""endpoint": "GET /{{item}}", "forEach": [7, 8], "concurrency": 1"#,
      answers: [ok, ok], expected: ["GET /7 item 0 first", "GET /8 item 1 first"]),
    Case(
      name: "status", step: #""endpoint": "GET /a", \#(retry)"#,
      answers: [status(503), status(502), ok],
      expected: ["GET /a first", "GET /a status", "GET /a status"]),
    Case(
      name: "error, then status", step: #""endpoint": "GET /a", \#(retry)"#,
      answers: [.refused, status(503), ok],
      expected: ["GET /a first", "GET /a error", "GET /a status"]),
    Case(
      name: "condition",
      step: """
        "endpoint": "GET /a", "retry": {"attempts": 2, "delay": "1s", "when": "@.body.busy"}
        """,
      answers: [.json(["busy": true]), ok], expected: ["GET /a first", "GET /a condition"]),
    Case(
      name: "lost connection", step: #""endpoint": "GET /a""#, answers: [lost, ok],
      expected: ["GET /a first", "GET /a lostConnection"]),
    Case(
      name: "refused token", step: #""endpoint": "GET /a", \#(auth)"#,
      answers: [token, status(401), token, ok],
      expected: [
        "POST /token token first", "GET /a first", "POST /token token refusedToken",
        "GET /a refusedToken",
      ]),
    Case(
      name: "retry of a token", step: #""endpoint": "GET /a", \#(auth), \#(retry)"#,
      answers: [status(503), token, ok],
      expected: ["POST /token token first", "POST /token token status", "GET /a first"]),
    Case(
      name: "redirect, and a failure after it", step: #""endpoint": "GET /a", \#(retry)"#,
      answers: [
        status(302, [HeaderField("Location", "/b")]), .refused,
        status(302, [HeaderField("Location", "/c")]), ok,
      ],
      expected: ["GET /a first", "GET /b redirect", "GET /a error", "GET /c redirect"]),
    Case(
      name: "poll, and a retry in it",
      step:
        """
        "endpoint": "GET /a", "poll": {"until": "@.body.done", "every": "1s", "within": "1m"},
        \(retry)
        """,
      answers: [ok, status(503), ok, .json(["done": true])],
      expected: [
        "GET /a poll 0 first", "GET /a poll 1 poll", "GET /a poll 1 status", "GET /a poll 2 poll",
      ]),
    Case(
      name: "page",
      step: """
        "endpoint": "GET /a", "paginate": {"link": "next"}, "extract": {"v": "$[*]"}
        """,
      answers: [
        status(
          200,
          [
            HeaderField("Content-Type", "application/json"),
            HeaderField("Link", "</a?page=2>; rel=\"next\""),
          ], "[1]"),
        status(200, [HeaderField("Content-Type", "application/json")], "[2]"),
      ], expected: ["GET /a page 0 first", "GET /a?page=2 page 1 page"]),
  ]

  private func run(
    _ text: String, _ answers: [ScriptedTransport.Answer], cache: MemoryResponseCache? = nil
  ) async throws -> [RunEvent] {
    let events = Mutex<[RunEvent]>([])
    let left = Mutex(answers)
    var options = RunOptions()
    options.clock = VirtualClock()
    options.random = { 0 }
    options.cache = cache
    options.observer = { event in events.withLock { $0.append(event) } }
    let transport = ScriptedTransport { _ in
      left.withLock { $0.isEmpty ? .status(500) : $0.removeFirst() }
    }
    let result = try await Pipeline(plan(text), transport: transport, options: options)
      .run(inputs: [:]).result
    #expect(result.status == .succeeded, "\(result.report.failures)")
    #expect(left.withLock { $0.isEmpty })
    return events.withLock { $0 }
  }

  private func workflow(_ step: String) -> String {
    """
    {"defaults": {"baseURL": "https://api.example"}, "steps": [{"id": "a", \(step)}]}
    """
  }

  private static func text(_ request: RunEvent.RequestFinished) -> String {
    var parts = ["\(request.method) \(request.url.dropFirst("https://api.example".count))"]
    if let item = request.item { parts.append("item \(item)") }
    if let page = request.page { parts.append("page \(page)") }
    if let poll = request.poll { parts.append("poll \(poll)") }
    if request.isForToken { parts.append("token") }
    return (parts + [request.cause.rawValue]).joined(separator: " ")
  }

  private static func requests(_ events: [RunEvent]) -> [RunEvent.RequestFinished] {
    events.compactMap { event in
      if case .requestFinished(let request) = event.kind { request } else { nil }
    }
  }

  @Test(arguments: cases) func everyRequestHasACause(_ row: Case) async throws {
    let events = try await run(workflow(row.step), row.answers)
    let requests = Self.requests(events)
    #expect(requests.map(Self.text) == row.expected)

    // A trace of the events, and one of their lines, count the same repeats.
    var builder = TraceBuilder()
    var reader = EventsReader()
    for event in events {
      builder.receive(event)
      var writer = JSONWriter(style: .compact)
      event.write(to: &writer)
      reader.read(writer.bytes + [0x0A])
    }
    let trace = builder.finish()
    let finished = reader.finish()
    let read = try #require(finished)
    for cause in RequestCause.allCases where cause != .first {
      let count = requests.count { $0.cause == cause }
      #expect((trace.counts.repeats ?? RunTrace.Repeats())[cause] == count)
      #expect((trace.steps[0].repeats ?? RunTrace.Repeats())[cause] == count)
    }
    #expect(read.counts.repeats == trace.counts.repeats)
    #expect(trace.requests.map(\.causeName) == requests.map(\.cause.rawValue))
    #expect(trace.requests.map(\.place) == requests.map(\.place))
    #expect(read.requests.map(\.place) == requests.map(\.place))
    let kept = try RunTrace(json: trace.json())
    #expect(kept.counts.repeats == trace.counts.repeats)
    #expect(kept.requests.map(\.place) == requests.map(\.place))
    let spans = OTLPReport.text(of: trace, version: "1")
    for cause in Set(requests.map(\.cause.rawValue)) {
      #expect(
        spans.contains("{\"key\":\"pipeline.cause\",\"value\":{\"stringValue\":\"\(cause)\"}}"))
    }
    let markdown = MarkdownReport.text(of: trace)
    let html = HTMLReport.text(of: trace)
    for text in trace.counts.repeats?.texts ?? [] {
      #expect(markdown.contains(" · \(text) · ") && html.contains(text))
    }
  }

  @Test func aStaleResponseIsValidatedAndAsksAgainIfAnotherIsConfirmed() async throws {
    let cache = MemoryResponseCache()
    let text = """
      {"defaults": {"baseURL": "https://api.example", "cache": true},
       "steps": [{"id": "a", "endpoint": "GET /a"}]}
      """
    let kept = Self.status(
      200, [HeaderField("ETag", "\"x\""), HeaderField("Cache-Control", "no-cache")])
    let events = try await run(text, [kept], cache: cache)
    #expect(Self.requests(events).map(Self.text) == ["GET /a first"])
    let same = try await run(text, [Self.status(304)], cache: cache)
    #expect(Self.requests(same).map(Self.text) == ["GET /a validation"])
    let other = try await run(
      text, [Self.status(304, [HeaderField("ETag", "\"y\"")]), Self.ok], cache: cache)
    #expect(
      Self.requests(other).map(Self.text) == ["GET /a validation", "GET /a validation"])
  }

  @Test func aTraceOfAnEarlierVersionShowsItsRetries() throws {
    let none: RunTrace.Repeats? = nil
    #expect(none.texts(retries: 2) == ["2 tried again"])
    #expect(none.texts(retries: 0) == [])
  }
}
