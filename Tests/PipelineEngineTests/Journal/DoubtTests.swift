import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Synchronization
import Testing

/// Which requests are in doubt after a run has failed, and which never are.
@Suite(.timeLimit(.minutes(5))) struct DoubtTests {
  private static let api = "https://api.example"

  private func run(
    _ text: String, _ journal: MemoryJournal, _ transport: ScriptedTransport,
    inputs: [String: JSONValue] = [:], on clock: any RunClock = VirtualClock(),
    tokens: SharedTokens? = nil
  ) async throws -> RunReport {
    var options = RunOptions()
    options.journal = journal
    options.clock = clock
    options.tokens = tokens
    return try await Pipeline(try plan(text), transport: transport, options: options)
      .run(inputs: inputs).result.report
  }

  /// The requests in doubt, as in `POST /a unanswered`.
  private func doubts(_ journal: MemoryJournal) throws -> [String] {
    try journal.history().sendings.map { sending in
      let state =
        switch sending.state {
        case .unanswered: "unanswered"
        case .answered(let status): "answered \(status)"
        case .secret: "secret"
        case .done, .again, .settled, .changed: "known"
        }
      return "\(sending.method) \(sending.url.dropFirst(Self.api.count)) \(state)"
    }
  }

  // MARK: Tokens

  private static let token = """
    {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c", "clientSecret": "{{inputs.key}}"}}
    """

  private static func signedIn(_ method: String, _ rest: String = "") -> String {
    """
    {"inputs": {"key": {"secret": true}}, "defaults": {"baseURL": "\(api)", "auth": \(token)},
     "steps": [{"id": "a", "endpoint": "\(method) /a"\(rest)}]}
    """
  }

  @Test(arguments: ["GET", "POST"], [false, true])
  func aTokenRequestIsNeverInDoubt(_ method: String, _ isShared: Bool) async throws {
    let journal = MemoryJournal()
    let lost = ScriptedTransport { _ in .failure(TransportError(.interrupted, "reset")) }
    let report = try await run(
      Self.signedIn(method), journal, lost, inputs: ["key": "k-5529"],
      tokens: isShared ? SharedTokens() : nil)
    #expect(report.status == .failed)
    #expect(lost.requests.map(\.url) == ["https://id.example/token"])
    #expect(report.counts.inDoubt == 0)
    #expect(try doubts(journal).isEmpty)
  }

  @Test func noEntryOfTheJournalAnnouncesAToken() async throws {
    let journal = MemoryJournal()
    let granted = ScriptedTransport { request in
      request.url.hasSuffix("token") ? .json(["access_token": "granted-1"]) : .json([:])
    }
    _ = try await run(Self.signedIn("POST"), journal, granted, inputs: ["key": "k-5529"])
    let announced = journal.entries.compactMap { entry -> String? in
      if case .sending(let sending) = entry { sending.url } else { nil }
    }
    #expect(announced == ["\(Self.api)/a"])
    // A process that ended at any moment fetches a token again.
    for count in 0...journal.entries.count {
      let part = journal.prefix(count)
      for doubt in try part.history().sendings { part.settle(doubt, as: .again) }
      let report = try await run(Self.signedIn("POST"), part, granted, inputs: ["key": "k-5529"])
      #expect(report.status == .succeeded, "entry \(count)")
    }
  }

  @Test func aRequestWithARenewedTokenIsWrittenDownAgain() async throws {
    let journal = MemoryJournal()
    let count = Atomic<Int>(0)
    let refusing = ScriptedTransport { request in
      if request.url.hasSuffix("token") { return .json(["access_token": "granted-1"]) }
      return count.add(1, ordering: .relaxed).newValue == 1
        ? .status(401) : .failure(TransportError(.interrupted, "reset"))
    }
    let report = try await run(Self.signedIn("POST"), journal, refusing, inputs: ["key": "k-5529"])
    #expect(report.counts.inDoubt == 1)
    #expect(try doubts(journal) == ["POST /a unanswered"])
  }

  // MARK: Redirects

  /// A server that redirects along a chain, as in `307 /b`; the last one is a status, or `lost`.
  private static func chain(_ text: String) -> ScriptedTransport {
    let hops = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
    let count = Atomic<Int>(0)
    return ScriptedTransport { _ in
      let hop = hops[min(count.add(1, ordering: .relaxed).oldValue, hops.count - 1)]
      let words = hop.split(separator: " ").map(String.init)
      guard let status = Int(words[0]) else {
        return .failure(
          TransportError(words[0] == "refused" ? .refusedAddress : .interrupted, words[0]))
      }
      guard words.count > 1 else { return .status(status) }
      return .response(
        TransportResponse(status: status, headers: [HeaderField("Location", words[1])]))
    }
  }

  @Test(
    arguments: [
      // The server has said that it did not do it, and nobody else was asked.
      ("307 http://api.example/b", []), ("308 http://api.example/b", []),
      ("307 ftp://api.example/b", []), ("308 /b, refused", []), ("307 /b, 500", []),
      ("307 /b, 409", []), ("307 /b, 308 /c, 400", []), ("307 /b", []), ("307 /b, 308 /c", []),
      // The last hop is in doubt, by its own URL.
      ("307 /b, lost", ["POST /b unanswered"]), ("308 /b, 307 /c, lost", ["POST /c unanswered"]),
      // The request was carried out, and what follows it is another.
      ("303 /b, 404", ["POST /a answered 303"]), ("303 /b, lost", ["POST /a answered 303"]),
      ("302 http://api.example/b", ["POST /a answered 302"]),
      ("301 /b, refused", ["POST /a answered 301"]),
      ("307 /b, 303 /c, 500", ["POST /b answered 303"]),
      ("307 /b, 302 /c, 307 /d, 404", ["POST /b answered 302"]),
      ("lost", ["POST /a unanswered"]), ("refused", []),
    ] as [(String, [String])])
  func aRedirectedRequestIsInDoubtOnlyWhereItMayHaveBeenCarriedOut(
    _ answers: String, _ expected: [String]
  ) async throws {
    let journal = MemoryJournal()
    let text = """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "a", "endpoint": "POST /a", "body": {"json": {"n": 1}}}]}
      """
    let report = try await run(text, journal, Self.chain(answers))
    #expect(report.status == .failed)
    #expect(try doubts(journal) == expected, "\(answers)")
    #expect(report.counts.inDoubt == expected.count { $0.hasSuffix("unanswered") }, "\(answers)")
    if expected.isEmpty {
      #expect(try await run(text, journal, Self.chain("200")).status == .succeeded, "\(answers)")
    }
  }

  @Test func aRedirectThatIsHandedBackIsInNoDoubt() async throws {
    let journal = MemoryJournal()
    let text = """
      {"steps": [{"id": "a", "endpoint": "POST \(Self.api)/a", "redirects": 0,
        "expect": {"status": 200}}]}
      """
    _ = try await run(text, journal, Self.chain("307 /b"))
    #expect(try doubts(journal).isEmpty)
    _ = try await run(text, journal, Self.chain("303 /b"))
    #expect(try doubts(journal).isEmpty)
    // It was carried out, and its answer is read again.
    let later = Self.chain("200")
    _ = try await run(text, journal, later)
    #expect(later.requests.isEmpty)
  }

  @Test func aRedirectedRequestThatSucceedsLeavesNothing() async throws {
    for answers in ["307 /b, 200", "303 /b, 200", "307 /b, 303 /c, 200"] {
      let journal = MemoryJournal()
      let text = #"{"steps": [{"id": "a", "endpoint": "POST https://api.example/a"}]}"#
      #expect(try await run(text, journal, Self.chain(answers)).status == .succeeded)
      #expect(try doubts(journal).isEmpty, "\(answers)")
    }
  }

  @Test func whileARedirectIsFollowedTheJournalKnowsTheAnswer() async throws {
    let journal = MemoryJournal()
    let text = #"{"steps": [{"id": "a", "endpoint": "POST https://api.example/a"}]}"#
    let seen = Mutex<[String]>([])
    let transport = ScriptedTransport { request in
      let doubts = (try? self.doubts(journal)) ?? []
      seen.withLock { $0 += doubts }
      guard request.method == "POST" else { return .status(200) }
      return .response(TransportResponse(status: 303, headers: [HeaderField("Location", "/b")]))
    }
    _ = try await run(text, journal, transport)
    #expect(seen.withLock { $0 } == ["POST /a unanswered", "POST /a answered 303"])
  }

  @Test func aRequestWhoseAnswerDidNotFitWasAnswered() async throws {
    let journal = MemoryJournal()
    let text = """
      {"limits": {"memory": "1MB"}, "steps": [
        {"id": "a", "endpoint": "POST \(Self.api)/a", "extract": {"id": "$.id"}}]}
      """
    let large = ScriptedTransport { _ in
      .response(TransportResponse(status: 201, body: Array(repeating: 32, count: 2 << 20)))
    }
    #expect(try await run(text, journal, large).status == .failed)
    #expect(try doubts(journal) == ["POST /a answered 201"])
  }

  // MARK: Requests under way when the run stops

  /// A server that fails the first order at once, and answers the others later.
  private static func slow(_ seconds: Int) -> ScriptedTransport {
    ScriptedTransport(
      [
        "POST \(api)/orders/0": [.status(500)],
        "POST \(api)/orders/*": [.json(["id": 7]).after(.seconds(seconds))],
        "GET \(api)/*": [.json([:]).after(.seconds(60))],
      ])
  }

  private static func orders(_ rest: String = "", limits: String = "") -> String {
    """
    {"defaults": {"baseURL": "\(api)"}, "limits": {"concurrency": 70\(limits)}, "steps": [
      {"id": "order", "forEach": {"from": 0, "to": 63}, "endpoint": "POST /orders/{{item}}",
       "extract": {"id": "$.id"}\(rest)},
      {"id": "read", "endpoint": "GET /read"}]}
    """
  }

  @Test func oneFailureLeavesNoOtherRequestInDoubt() async throws {
    let (journal, clock) = (MemoryJournal(), VirtualClock())
    let report = try await run(Self.orders(), journal, Self.slow(3), on: clock)
    #expect(report.status == .failed)
    #expect(report.counts.inDoubt == 0)
    #expect(try doubts(journal).isEmpty)
    // The others were let end, the GET was not.
    #expect(clock.elapsed == .seconds(3))
    let second = ScriptedTransport { _ in .json(["id": 7]) }
    let resumed = try await run(Self.orders(), journal, second)
    #expect(resumed.status == .succeeded)
    #expect(second.requests.map(\.url).sorted() == ["\(Self.api)/orders/0", "\(Self.api)/read"])
  }

  @Test func theTimeToEndIsBounded() async throws {
    let (journal, clock) = (MemoryJournal(), VirtualClock())
    let report = try await run(Self.orders(), journal, Self.slow(60), on: clock)
    #expect(clock.elapsed == .seconds(10))
    #expect(report.counts.inDoubt == 63)
    #expect(try doubts(journal).count == 63)
  }

  @Test func aRequestThatMayBeSentAgainIsNotWaitedFor() async throws {
    let clock = VirtualClock()
    let report = try await run(
      Self.orders(#", "retry": {"attempts": 1, "unsafe": true}"#), MemoryJournal(), Self.slow(60),
      on: clock)
    #expect(report.status == .failed)
    #expect(clock.elapsed == .zero)
  }

  @Test func aDeadlineLetsItEnd() async throws {
    let (journal, clock) = (MemoryJournal(), VirtualClock())
    let text = Self.orders(limits: #", "deadline": "2s""#).replacing(
      #""from": 0"#, with: #""from": 1"#)
    let report = try await run(text, journal, Self.slow(5), on: clock)
    #expect(report.stopReason?.kind == .limit)
    #expect(clock.elapsed == .seconds(5))
    #expect(try doubts(journal).isEmpty)
  }

  @Test func cancellingLetsItEndAndSendsNothingMore() async throws {
    let (journal, clock) = (MemoryJournal(), ManualClock())
    var options = RunOptions()
    options.journal = journal
    options.clock = clock
    let text = """
      {"defaults": {"baseURL": "\(Self.api)"}, "limits": {"concurrency": 2}, "steps": [
        {"id": "order", "forEach": [1, 2, 3, 4], "endpoint": "POST /orders/{{item}}",
         "extract": {"id": "$.id"}}]}
      """
    let transport = Self.slow(5)
    let run = Pipeline(try plan(text), transport: transport, options: options).run().start()
    await clock.waitForSleepers(2)
    run.cancel()
    // The limit of each.
    await clock.waitForSleepers(4)
    clock.advance(by: .seconds(5))
    let report = try await run.result.report
    #expect(report.status == .cancelled)
    #expect(transport.requests.count == 2)
    #expect(try doubts(journal).isEmpty)
    let done = journal.entries.count { entry in
      if case .unit(let unit) = entry, case .values = unit.outcome { true } else { false }
    }
    #expect(done == 2)
  }

  @Test func aRedirectAfterItIsFollowedToTheEnd() async throws {
    let (journal, clock) = (MemoryJournal(), VirtualClock())
    let script = ScriptedTransport(
      [
        "POST \(Self.api)/orders/0": [.status(500)],
        "POST \(Self.api)/orders/1": [
          ScriptedTransport.Answer.response(
            TransportResponse(status: 303, headers: [HeaderField("Location", "/made")])
          ).after(.seconds(1))
        ],
        "POST \(Self.api)/orders/2": [
          ScriptedTransport.Answer.response(
            TransportResponse(status: 307, headers: [HeaderField("Location", "/orders/9")])
          ).after(.seconds(1))
        ],
        "GET \(Self.api)/made": [.json(["id": 7]).after(.seconds(3))],
      ])
    let text = """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "order", "forEach": [0, 1, 2], "endpoint": "POST /orders/{{item}}",
         "extract": {"id": "$.id"}}]}
      """
    _ = try await run(text, journal, script, on: clock)
    #expect(clock.elapsed == .seconds(4))
    #expect(try doubts(journal).isEmpty)
    // What the server had not done is not begun elsewhere.
    #expect(!script.requests.contains { $0.url.hasSuffix("/9") })
  }

  @Test func aStepThatStopsAloneLetsItEnd() async throws {
    let (journal, clock) = (MemoryJournal(), VirtualClock())
    let text = Self.orders(#", "onError": "continue""#).replacing(
      #"{"id": "read", "endpoint": "GET /read"}"#, with: #"{"id": "v", "values": {"n": 1}}"#)
    let report = try await run(text, journal, Self.slow(3), on: clock)
    #expect(report.status == .failed)
    #expect(clock.elapsed == .seconds(3))
    #expect(try doubts(journal).isEmpty)
  }

  @Test func pagesThatAreFetchedTogetherAreLetEnd() async throws {
    let (journal, clock) = (MemoryJournal(), VirtualClock())
    let transport = ScriptedTransport { request in
      if request.url.hasSuffix("=1") { return .json(["pages": 4, "ids": .array([1])]) }
      if request.url.hasSuffix("=2") { return .status(500) }
      return ScriptedTransport.Answer.json(["pages": 4, "ids": .array([2])]).after(.seconds(2))
    }
    let text = """
      {"steps": [{"id": "list", "endpoint": "POST \(Self.api)/search?page=1",
        "paginate": {"page": "page", "pages": "$.pages"}, "extract": {"ids": "$.ids[*]"}}]}
      """
    _ = try await run(text, journal, transport, on: clock)
    #expect(transport.requests.count == 4)
    #expect(clock.elapsed == .seconds(2))
    #expect(try journal.history().pages.count == 3)
  }
}
