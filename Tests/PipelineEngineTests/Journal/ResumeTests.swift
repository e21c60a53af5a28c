import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Synchronization
import Testing

/// Runs that go on from a journal.
@Suite struct ResumeTests {
  private static let api = "https://api.example"

  /// A list in pages, an order for each row, a block with clean-up, polling, and a file's worth of
  /// steps that only compute.
  private static let workflow = """
    {"defaults": {"baseURL": "\(api)"}, "limits": {"concurrency": 3}, "steps": [
      {"id": "list", "endpoint": "GET /list?page=0",
       "paginate": {"next": "$.next"}, "extract": {"ids": "$.ids[*]"}},
      {"id": "order", "forEach": "$.list.ids[*]", "endpoint": "POST /orders",
       "body": {"json": {"user": "{{item}}"}}, "extract": {"id": "$.id"}},
      {"id": "total", "values": {"count": "{{order[0].id}}"}},
      {"id": "pack", "forEach": "$.order[*].id", "as": "parcel", "steps": [
        {"id": "box", "endpoint": "POST /boxes/{{parcel}}", "body": {"json": {}}, "extract": {"id": "$.id"}},
        {"id": "label", "endpoint": "GET /labels/{{box.id}}", "extract": {"text": "$.id"}}
       ],
       "finally": [{"id": "close", "endpoint": "POST /close/{{parcel}}", "body": {"json": {}}}],
       "outputs": {"label": "{{label.text}}"}},
      {"id": "job", "endpoint": "GET /job", "poll": {"until": "@.body.done == true", "every": "1ms"},
       "extract": {"result": "$.id"}}
     ],
     "finally": [{"id": "bye", "endpoint": "POST /bye", "body": {"json": {}}}],
     "outputs": {"orders": "$.order[*].id", "labels": "$.pack[*].label", "job": "{{job.result}}"}}
    """

  /// A server whose answers follow from the requests, and that remembers them.
  private static func server(polls: Int = 3) -> ScriptedTransport {
    let asked = Counter()
    return ScriptedTransport { request in
      let path = String(request.url.dropFirst(api.count))
      if path.hasPrefix("/list?page=") {
        let page = Int(path.dropFirst("/list?page=".count)) ?? 0
        let next = page < 2 ? "\"/list?page=\(page + 1)\"" : "null"
        return .text(
          "{\"ids\": [\(2 * page), \(2 * page + 1)], \"next\": \(next)}", type: "application/json")
      }
      if path == "/job" {
        let isDone = asked.next() % polls == 0
        return .json(["done": .boolean(isDone), "id": "job"])
      }
      return .json(["id": .string(name(of: request))])
    }
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  /// A request as the tests' lists have it.
  private static func name(of request: TransportRequest) -> String {
    var text =
      request.method + request.url.dropFirst(api.count).split(separator: "/").joined(separator: "-")
    if case .bytes(let bytes) = request.body { text += String(decoding: bytes, as: UTF8.self) }
    return text.filter { !"{}\":".contains($0) }
  }

  private static func run(
    _ text: String, _ journal: MemoryJournal, _ transport: any Transport = server()
  ) async throws -> RunReport {
    var options = RunOptions()
    options.journal = journal
    return try await Pipeline(try plan(text), transport: transport, options: options).run().result
      .report
  }

  // MARK: Ends at any moment

  @Test func aRunGoesOnFromEveryEntryOfItsJournal() async throws {
    let whole = MemoryJournal()
    let first = Self.server()
    let expected = try await Self.run(Self.workflow, whole, first)
    #expect(expected.status == .succeeded)
    let posts = first.requests.map(Self.name).filter { $0.hasPrefix("POST") }.sorted()
    #expect(posts.count == 19)
    for count in 0...whole.entries.count {
      let journal = whole.prefix(count)
      let history = try journal.history()
      var done = recordedRequests(journal)
      let doubts = history.sendings
      let transport = Self.server()
      if !doubts.isEmpty {
        await #expect(throws: RunInDoubt.self) {
          try await Self.run(Self.workflow, journal, transport)
        }
        #expect(transport.requests.isEmpty, "entry \(count)")
        // What a look at the server would show: it came, and was answered.
        for doubt in doubts { journal.settle(doubt, as: .again) }
      }
      let report = try await Self.run(Self.workflow, journal, transport)
      #expect(report.outputs.text == expected.outputs.text, "entry \(count)")
      done += transport.requests.map(Self.name)
      #expect(done.filter { $0.hasPrefix("POST") }.sorted() == posts, "entry \(count)")
      for page in history.pages {
        #expect(!transport.requests.contains { $0.url.hasSuffix("page=\(page.number)") })
      }
      #expect(report.counts.taken == takeable(journal, count), "entry \(count)")
    }
  }

  @Test(arguments: [PageRecord.Next.cursor("{"), .link("nowhere")])
  func aPageThatTheJournalCannotNameIsNotTheLast(_ next: PageRecord.Next) async throws {
    let whole = MemoryJournal()
    #expect(try await Self.run(Self.workflow, whole).status == .succeeded)
    let journal = MemoryJournal()
    for entry in whole.entries {
      guard case .page(let page) = entry else {
        journal.append(entry)
        continue
      }
      journal.append(
        .page(
          PageRecord(
            unit: page.unit, number: page.number, values: page.values, next: next,
            count: page.count)))
      break
    }
    let report = try await Self.run(Self.workflow, journal)
    #expect(report.status == .failed)
    #expect(
      report.failures.first?.failure.message.contains("of the next page; start a new run") == true)
  }

  /// The POSTs that were answered.
  private func recordedRequests(_ journal: MemoryJournal) -> [String] {
    // The server answers with the name of the request.
    journal.entries.flatMap(\.answers).compactMap { answer in
      answer.body.flatMap { ScopeValue(text: $0).node["id"]?.string }
    }
  }

  private func takeable(_ journal: MemoryJournal, _ count: Int) -> Int {
    journal.entries.prefix(count).count { entry in
      if case .unit(let unit) = entry, case .values = unit.outcome { true } else { false }
    }
  }

  // MARK: Edited files

  private static func orders(
    _ ids: String, extract: String = #"{"id": "$.id"}"#, body: String = "{{item}}"
  ) -> String {
    """
    {"defaults": {"baseURL": "\(api)"}, "steps": [
      {"id": "order", "forEach": \(ids), "concurrency": 1, "endpoint": "POST /orders",
       "body": {"json": {"user": "\(body)"}}, "extract": \(extract)},
      {"id": "read", "forEach": "$.order[*].id", "endpoint": "GET /read/{{item}}", "extract": {"id": "$.id"}}],
     "outputs": {"ids": "$.read[*].id"}}
    """
  }

  @Test func aLongerListSendsOnlyWhatIsNew() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.orders("[1, 2]"), journal)
    let second = Self.server()
    let report = try await Self.run(Self.orders("[0, 1, 2, 3]"), journal, second)
    let sent = second.requests.map(Self.name).sorted()
    #expect(
      sent == [
        "GETread-POSTordersuser0", "GETread-POSTordersuser3", "POSTordersuser0", "POSTordersuser3",
      ])
    #expect(report.counts.taken == 4)
  }

  @Test func equalItemsAreAsManyAsTheyWere() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.orders("[1, 1]"), journal)
    let second = Self.server()
    _ = try await Self.run(Self.orders("[1, 1, 1]"), journal, second)
    #expect(second.requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test func whatHasNotChangedIsTaken() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.orders("[1, 2]"), journal)
    // Neither words for people nor what decides when a step runs change what it does.
    let same = Self.orders("[1, 2]").replacing(
      #""id": "order","#,
      with: #""description": "Orders", "retry": 2, "id": "order", "priority": 1,"#)
    let second = Self.server()
    _ = try await Self.run(same, journal, second)
    #expect(second.requests.isEmpty)
    // What may be sent twice is sent again once it has changed.
    let third = Self.server()
    let changed = Self.orders("[1, 2]").replacing("GET /read/", with: "GET /look/")
    _ = try await Self.run(changed, journal, third)
    #expect(third.requests.map(\.method) == ["GET", "GET"])
  }

  @Test func aBranchIsTakenUnlessItHasChanged() async throws {
    func text(_ body: String, _ when: String = "$.n == 2") -> String {
      """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "order", "forEach": [1, 2, 3], "as": "n", "concurrency": 1, "until": "@.id == 'none'",
         "choose": [
           {"when": "\(when)", "endpoint": "POST /orders", "body": {"json": {"user": "\(body)"}},
            "extract": {"id": "$.id"}},
           {"endpoint": "POST /boxes/{{n}}", "body": {"json": {}}, "extract": {"id": "$.id"}}]}],
       "outputs": {"ids": "$.order[*].id"}}
      """
    }
    let journal = MemoryJournal()
    let first = Self.server()
    let expected = try await Self.run(text("u{{n}}"), journal, first)
    #expect(first.requests.count == 3)
    let second = Self.server()
    let again = try await Self.run(text("u{{n}}"), journal, second)
    #expect(second.requests.isEmpty)
    #expect(again.outputs.text == expected.outputs.text)
    let third = Self.server()
    let error = await #expect(throws: RunInDoubt.self) {
      try await Self.run(text("v{{n}}"), journal, third)
    }
    #expect(third.requests.isEmpty)
    journal.settle(try #require(error?.requests.first), as: .again)
    _ = try await Self.run(text("v{{n}}"), journal, third)
    #expect(third.requests.map(Self.name) == ["POSTordersuserv2"])
    // Another item is now chosen for the branch.
    let fourth = Self.server()
    _ = try await Self.run(text("v{{n}}", "$.n >= 2"), journal, fourth)
    #expect(fourth.requests.map(Self.name) == ["POSTordersuserv3"])
  }

  @Test func aChangedDefaultIsAChangeOfEachStep() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.orders("[1]"), journal)
    journal.append(.again(step: "order"))
    let second = Self.server()
    let changed = Self.orders("[1]").replacing(
      #""defaults": {"#, with: #""defaults": {"headers": {"X-Team": "a"}, "#)
    _ = try await Self.run(changed, journal, second)
    #expect(second.requests.count == 2)
  }

  @Test func aRehearsalSendsNothingAndSaysWhatWouldBeSent() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.orders("[1, 2]"), journal)
    let before = journal.entries.count
    var options = RunOptions()
    options.journal = journal
    let transport = Self.server()
    let changed = Self.orders("[1, 2, 3]", extract: #"{"id": "$.id", "more": "$.id"}"#)
    let rehearsal = try Pipeline(try plan(changed), transport: transport, options: options)
      .rehearse()
    #expect(transport.requests.isEmpty)
    #expect(journal.entries.count == before)
    let order = try #require(rehearsal.steps.first)
    #expect(order.id == "order")
    #expect(order.taken == 0)
    #expect(order.readAgain == 2)
    #expect(order.carriedOut == [.unfinished: 1])
  }

  @Test func aStepCanBeCarriedOutAgain() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.orders("[1, 2]"), journal)
    journal.append(.again(step: "read"))
    let second = Self.server()
    _ = try await Self.run(Self.orders("[1, 2]"), journal, second)
    #expect(second.requests.map(\.method) == ["GET", "GET"])
  }

  // MARK: Requests in doubt

  private static func one(_ rest: String = "") -> String {
    """
    {"steps": [{"id": "pay", "endpoint": "POST \(api)/pay", "body": {"json": {"sum": 3}},
      "extract": {"id": "$.id"}\(rest)}], "outputs": {"id": "{{pay.id}}"}}
    """
  }

  @Test func aRequestWithoutAnAnswerIsInDoubt() async throws {
    let journal = MemoryJournal()
    let broken = ScriptedTransport { _ in
      .failure(TransportError(.connection, "the connection was reset"))
    }
    let report = try await Self.run(Self.one(), journal, broken)
    #expect(report.status == .failed)
    #expect(report.counts.inDoubt == 1)
    let doubt = try #require(try journal.history().sendings.first)
    #expect(doubt.unit.name == "pay")
    #expect(doubt.state == .unanswered)
    journal.settle(doubt, as: .done(values: Array(#"{"id":"7"}"#.utf8)))
    let second = Self.server()
    let resumed = try await Self.run(Self.one(), journal, second)
    #expect(second.requests.isEmpty)
    #expect(resumed.outputs.text == #"{"id":"7"}"#)
  }

  @Test func aSettledRequestMayBeLeftOut() async throws {
    let journal = MemoryJournal()
    let broken = ScriptedTransport { _ in
      .failure(TransportError(.connection, "the connection was reset"))
    }
    _ = try await Self.run(Self.one(), journal, broken)
    journal.settle(try #require(try journal.history().sendings.first), as: .skip)
    let second = Self.server()
    let resumed = try await Self.run(Self.one(), journal, second)
    #expect(second.requests.isEmpty)
    #expect(resumed.counts.skipped == 1)
  }

  /// A server that never answers the order of user 2.
  private static func losing() -> ScriptedTransport {
    ScriptedTransport { request in
      name(of: request) == "POSTordersuser2"
        ? .failure(TransportError(.connection, "the connection was reset"))
        : .json(["id": .string(name(of: request))])
    }
  }

  /// The list was edited before the run goes on: another item may stand where the settled one did.
  @Test(
    arguments: [
      ("[9, 1, 2]", "POSTordersuser9,settled"), ("[2, 1]", "settled"),
      ("[1, 3]", "POSTordersuser3"),
      ("[1, 2, 2]", "settled,POSTordersuser2"),
    ])
  func whatWasSettledBelongsToItsItem(list: String, expected: String) async throws {
    for extract in [#"{"id": "$.id"}"#, #"{"id": "$.id", "more": {"status": true}}"#] {
      let journal = MemoryJournal()
      _ = try await Self.run(Self.orders("[1, 2]"), journal, Self.losing())
      let doubt = try #require(try journal.history().sendings.first)
      #expect(doubt.unit.name == "order[1]")
      journal.settle(
        doubt, as: .done(values: Array(#"{"id": "settled", "more": 201}"#.utf8)))
      let second = Self.server()
      let report = try await Self.run(Self.orders(list, extract: extract), journal, second)
      let users = second.requests.map(Self.name).filter { $0.hasPrefix("POST") }
      let sent = expected.split(separator: ",").map(String.init).filter { $0 != "settled" }
      #expect(users == sent, "\(list) \(extract)")
      let isUsed = report.outputs.text.contains("GETread-settled")
      #expect(isUsed == expected.contains("settled"), "\(list) \(report.outputs.text)")
    }
  }

  /// An order keeps its key when the list or the extractors change.
  @Test(
    arguments: [
      ("[9, 1, 2]", #"{"id": "$.id"}"#), ("[2, 1]", #"{"id": "$.id"}"#),
      ("[1, 2]", #"{"id": "$.id", "more": {"status": true}}"#),
    ])
  func anIdempotencyKeyBelongsToItsItem(list: String, extract: String) async throws {
    func text(_ list: String, _ extract: String) -> String {
      Self.orders(list, extract: extract).replacing(
        #""id": "order","#, with: #""id": "order", "retry": {"attempts": 1, "unsafe": true},"#)
    }
    func key(_ transport: ScriptedTransport) -> [String] {
      transport.requests.filter { Self.name(of: $0) == "POSTordersuser2" }.map { request in
        request.headers.first { $0.name == "Idempotency-Key" }?.value ?? "none"
      }
    }
    let journal = MemoryJournal()
    let first = Self.losing()
    _ = try await Self.run(text("[1, 2]", #"{"id": "$.id"}"#), journal, first)
    let second = Self.server()
    _ = try await Self.run(text(list, extract), journal, second)
    #expect(key(first).count == 1)
    #expect(key(second) == key(first))
  }

  @Test func aRequestThatNeverLeftIsInNoDoubt() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(
      Self.orders("[1, 2]").replacing(
        #""defaults""#, with: #""limits": {"requests": 1}, "defaults""#),
      journal, Self.server())
    #expect(try journal.history().sendings.isEmpty)
  }

  @Test func aServerThatRefusesIsAskedAgain() async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.one(), journal, ScriptedTransport { _ in .status(500) })
    #expect(try journal.history().sendings.isEmpty)
    let second = Self.server()
    let resumed = try await Self.run(Self.one(), journal, second)
    #expect(resumed.status == .succeeded)
    #expect(second.requests.count == 1)
  }

  @Test func aServerThatAcceptedIsNotAskedAgainByItself() async throws {
    let journal = MemoryJournal()
    let report = try await Self.run(
      Self.one().replacing("$.id", with: "$.number"), journal, Self.server())
    #expect(report.status == .failed)
    #expect(report.counts.inDoubt == 0)
    #expect(try journal.history().sendings.isEmpty)
    let request = try #require(try journal.history().carriedOut().first)
    #expect(request.state == .answered(status: 200))
    #expect(!request.isInDoubt)
    // The extractor is mended, and still nothing is ordered twice.
    let second = Self.server()
    let resumed = try await Self.run(Self.one(), journal, second)
    #expect(resumed.status == .succeeded)
    #expect(second.requests.isEmpty)
  }

  @Test func aKeyIsKept() async throws {
    let journal = MemoryJournal()
    let text = Self.one(#", "retry": {"attempts": 2, "unsafe": true, "delay": "1ms"}"#)
    let broken = ScriptedTransport { _ in
      .failure(TransportError(.connection, "the connection was reset"))
    }
    _ = try await Self.run(text, journal, broken)
    let second = Self.server()
    let resumed = try await Self.run(text, journal, second)
    #expect(resumed.status == .succeeded)
    let keys = Set(
      (broken.requests + second.requests).map { request in
        request.headers.first { $0.name == "Idempotency-Key" }?.value
      })
    #expect(keys.count == 1)
    #expect(keys.first != .some(nil))
    #expect(try journal.history().sendings.isEmpty)
  }

  /// The attempt before may have been carried out, so the next process sends the same key.
  @Test(arguments: [503, 409]) func aKeyOutlivesARefusalAfterALostAttempt(
    _ status: Int
  ) async throws {
    let journal = MemoryJournal()
    let text = Self.one(
      #", "retry": {"attempts": 2, "unsafe": true, "delay": "1ms", "on": ["network", 503]}"#)
    let attempts = Atomic<Int>(0)
    let broken = ScriptedTransport { _ in
      attempts.add(1, ordering: .relaxed).newValue == 1
        ? .failure(TransportError(.connection, "the connection was reset")) : .status(status)
    }
    #expect(try await Self.run(text, journal, broken).status == .failed)
    // So does the process after one that was only refused.
    let refusing = ScriptedTransport { _ in .status(409) }
    #expect(try await Self.run(text, journal, refusing).status == .failed)
    let last = Self.server()
    #expect(try await Self.run(text, journal, last).status == .succeeded)
    let keys = (broken.requests + refusing.requests + last.requests).map { request in
      request.headers.first { $0.name == "Idempotency-Key" }?.value
    }
    #expect(keys.count == 4 && Set(keys).count == 1 && keys[0] != nil, "\(keys)")
    #expect(try journal.history().sendings.isEmpty)
  }

  /// The first attempt may have been carried out. The second one did not leave, whether in the same
  /// process or in the next one.
  @Test(arguments: [1, 2]) func aKeyOutlivesAnAttemptThatDoesNotLeave(
    _ processes: Int
  ) async throws {
    let journal = MemoryJournal()
    let text = Self.one(
      """
      , "retry": {"attempts": 2, "unsafe": true, "delay": "1ms",
        "on": ["\(processes == 1 ? "network" : "timeout")"]}
      """)
    let broken = FallingServer()
    for _ in 0..<processes { #expect(try await Self.run(text, journal, broken).status == .failed) }
    #expect(broken.keys.count == 2)
    let second = Self.server()
    #expect(try await Self.run(text, journal, second).status == .succeeded)
    let key = second.requests.first?.headers.first { $0.name == "Idempotency-Key" }?.value
    #expect(Set(broken.keys + [key]).count == 1 && key != nil, "\(broken.keys)")
    #expect(try journal.history().sendings.isEmpty)
  }

  /// A server that takes one request, does not answer, and is gone then.
  private final class FallingServer: MeteredTransport {
    private let seen = Mutex<[String?]>([])

    /// The Idempotency-Key of each request.
    var keys: [String?] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try await send(request, FreeMeter())
    }

    func send(
      _ request: TransportRequest, _ meter: any RequestMeter
    ) async throws(TransportError) -> TransportResponse {
      let key = request.headers.first { $0.name == "Idempotency-Key" }?.value
      let count = seen.withLock { seen in
        seen.append(key)
        return seen.count
      }
      if count == 1 {
        _ = meter.begin()
        throw TransportError(.connection, "the connection was closed")
      }
      throw TransportError(.connection, "no connection was made")
    }
  }

  @Test func aJournalThatCannotBeWrittenStopsWhatMustNotBeSentTwice() async throws {
    let transport = Self.server()
    var options = RunOptions()
    options.journal = FullJournal()
    let report = try await Pipeline(
      try plan(Self.orders("[1]")), transport: transport, options: options
    )
    .run().result.report
    #expect(transport.requests.isEmpty)
    #expect(report.failures.first?.failure.message.contains("disk is full") == true)
    let reads = Self.server()
    let get = try plan(#"{"steps": [{"id": "a", "endpoint": "GET https://api.example/a"}]}"#)
    let second = try await Pipeline(get, transport: reads, options: options).run().result.report
    #expect(second.status == .succeeded)
    #expect(second.journalProblem?.message.contains("disk is full") == true)
  }

  private struct FullJournal: Journal {
    private static let problem = JournalError("the disk is full")
    func history() throws(JournalError) -> any JournalHistory { try MemoryJournal().history() }
    func append(_ entry: JournalEntry) {}
    func commit(_ entry: JournalEntry, surviving survival: JournalSurvival)
      async throws(JournalError)
    {
      throw Self.problem
    }
    func finish() async -> JournalError? { Self.problem }
  }

  // MARK: Secrets

  private static let login = """
    {"inputs": {"password": {"secret": true}}, "defaults": {"baseURL": "\(api)"}, "steps": [
      {"id": "login", "endpoint": "POST /login", "body": {"json": {"password": "{{inputs.password}}"}},
       "extract": {"token": {"body": "$.token", "secret": true}}},
      {"id": "me", "endpoint": "GET /me", "auth": {"bearer": "{{login.token}}"}, "extract": {"id": "$.id"}}],
     "outputs": {"id": "{{me.id}}"}}
    """

  private static func loginServer() -> ScriptedTransport {
    ScriptedTransport { request in
      request.url.hasSuffix("login") ? .json(["token": "tok-5f2c9a"]) : .json(["id": "me"])
    }
  }

  @Test func aCredentialIsFetchedAgainAndNeverWritten() async throws {
    let journal = MemoryJournal()
    var options = RunOptions()
    options.journal = journal
    let first = try await Pipeline(
      try plan(Self.login), transport: Self.loginServer(), options: options
    )
    .run(inputs: ["password": "hunter-2222"]).result
    #expect(first.status == .succeeded)
    let text = "\(journal.entries)"
    #expect(!text.contains("tok-5f2c9a"))
    #expect(!text.contains("hunter-2222"))
    for bytes in journal.entries.compactMap(Self.bytes) {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("tok-5f2c9a"))
    }
    let transport = Self.loginServer()
    let second = try await Pipeline(try plan(Self.login), transport: transport, options: options)
      .run(inputs: ["password": "another-333"]).result
    #expect(second.status == .succeeded)
    #expect(transport.requests.map(\.method) == ["POST"])
    // A secret input is given anew.
    await #expect(throws: InputError.self) {
      try await Pipeline(try plan(Self.login), transport: transport, options: options).run().result
    }
  }

  private static func bytes(_ entry: JournalEntry) -> [UInt8]? {
    if case .unit(let unit) = entry, case .values(let values) = unit.outcome { values } else { nil }
  }

  @Test func aSecretThatIsNoCredentialIsNotFetchedTwice() async throws {
    let journal = MemoryJournal()
    let text = """
      {"steps": [
        {"id": "pay", "endpoint": "POST \(Self.api)/pay", "body": {"json": {}},
         "extract": {"secret": {"body": "$.token", "secret": true}}},
        {"id": "confirm", "endpoint": "POST \(Self.api)/confirm",
         "body": {"json": {"secret": "{{pay.secret}}"}}}]}
      """
    let transport = ScriptedTransport { _ in .json(["token": "tok-5f2c9a"]) }
    #expect(try await Self.run(text, journal, transport).status == .succeeded)
    let doubt = try #require(try journal.history().sendings.first)
    #expect(doubt.state == .secret)
    #expect(doubt.unit.name == "pay")
    await #expect(throws: RunInDoubt.self) { try await Self.run(text, journal, transport) }
  }

  /// A login gives nothing else that is read. What gives an id has made something.
  @Test(arguments: [
    #"{"id": "get", "endpoint": "GET https://api.example/o/{{o.id}}", "headers": {"X-Pin": "{{o.pin}}"}}"#,
    #"{"id": "get", "endpoint": "GET https://api.example/o/{{o.id}}"}"#,
    #"{"id": "get", "endpoint": "PUT https://api.example/o", "body": {"json": {"id": "{{o.id}}"}}}"#,
  ])
  func whatGivesMoreThanASecretIsNotSentAgain(_ next: String) async throws {
    let journal = MemoryJournal()
    let text = """
      {"steps": [
        {"id": "o", "endpoint": "POST https://api.example/o", "body": {"json": {}},
         "extract": {"pin": {"body": "$.pin", "secret": true}, "id": "$.id"}},
        \(next), {"id": "last", "dependsOn": ["get"], "endpoint": "GET https://api.example/bad"}]}
      """
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("/bad") ? .status(404) : .json(["pin": "pin-5f2c9a", "id": 7])
    }
    #expect(try await Self.run(text, journal, transport).status == .failed)
    let asked = await #expect(throws: RunInDoubt.self) {
      try await Self.run(text, journal, transport)
    }
    #expect(asked?.requests.map(\.unit.name) == ["o"])
    #expect(transport.requests.count { $0.method == "POST" } == 1)
  }

  // MARK: The same run

  @Test func theRunKeepsItsIdItsStartAndItsInputs() async throws {
    let journal = MemoryJournal()
    var options = RunOptions()
    options.journal = journal
    let text = """
      {"inputs": {"since": {"type": "datetime", "default": "now-1d"}, "n": {"type": "integer"}},
       "steps": [{"id": "a", "values": {"id": "{{run.id}}", "at": "{{run.startedAt}}",
         "since": "{{inputs.since}}", "n": "{{inputs.n}}"}}],
       "outputs": {"a": "{{a}}"}}
      """
    let clock = ManualClock()
    options.clock = clock
    let pipeline = Pipeline(try plan(text), transport: Self.server(), options: options)
    let first = try await pipeline.run(inputs: ["n": 4]).result.outputs.text
    var later = pipeline
    later.options.clock = ManualClock(wallTime: clock.wallTime + 90_000)
    #expect(try await later.run().result.outputs.text == first)
  }
}
