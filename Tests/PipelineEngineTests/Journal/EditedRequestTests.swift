import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

/// A request that must not be sent twice and was carried out is never sent again by itself,
/// whatever is edited before the run goes on.
@Suite struct EditedRequestTests {
  private static let api = "https://api.example"

  /// A step that orders for each item, and one that fails until it is mended.
  private static func orders(
    _ list: String = "[1, 2]", defaults: String = "", order: String = "", id: String = "order",
    extract: String = #"{"id": "$.id"}"#, body: String = #"{"user": "{{item}}"}"#,
    path: String = "/orders", last: String = "/good"
  ) -> String {
    """
    {"defaults": {"baseURL": "\(api)"\(defaults)}, "steps": [
      {"id": "\(id)", "forEach": \(list), "concurrency": 2, "endpoint": "POST \(path)",
       "body": {"json": \(body)}, "extract": \(extract)\(order)},
      {"id": "last", "dependsOn": ["\(id)"], "endpoint": "GET \(last)"}],
     "outputs": {"ids": "$.\(id)[*]"}}
    """
  }

  /// Answers with the body that it was sent.
  private static func server() -> ScriptedTransport {
    ScriptedTransport { request in
      if request.url.hasSuffix("/bad") { return .status(404) }
      var sent = "none"
      if case .bytes(let bytes) = request.body { sent = String(decoding: bytes, as: UTF8.self) }
      return .json(["id": .string(sent), "ok": true, "status": "new"])
    }
  }

  private static func run(
    _ text: String, _ journal: MemoryJournal, _ transport: ScriptedTransport = server()
  ) async throws -> RunReport {
    var options = RunOptions()
    options.journal = journal
    return try await Pipeline(try plan(text), transport: transport, options: options).run().result
      .report
  }

  private static func rehearse(_ text: String, _ journal: MemoryJournal) throws -> Rehearsal {
    var options = RunOptions()
    options.journal = journal
    return try Pipeline(try plan(text), transport: server(), options: options).rehearse()
  }

  /// A run that has ordered, and then failed.
  private static func ordered(_ text: String = orders(last: "/bad")) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    let transport = server()
    let report = try await run(text, journal, transport)
    #expect(report.status == .failed)
    #expect(transport.requests.contains { $0.method == "POST" })
    return journal
  }

  private static func posts(_ transport: ScriptedTransport) -> [String] {
    transport.requests.filter { $0.method == "POST" }.map { request in
      guard case .bytes(let bytes) = request.body else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  // MARK: What is read again

  /// Edits that leave the request as it is: the recorded answer is read with them.
  @Test(arguments: [
    orders(extract: #"{"id": "$.id", "ok": "$.ok"}"#),
    orders(extract: #"{"other": "$.status"}"#),
    orders(order: #", "expect": {"status": [200, 201]}"#),
    orders(order: #", "expect": {"where": ["@.body.ok == true"]}"#),
    orders(order: #", "onError": "continue""#, extract: #"{"id": {"text": true}}"#),
    orders(order: #", "retry": 3"#, extract: #"{"id": "$.id", "code": {"status": true}}"#),
    orders(defaults: #", "expect": {"status": 200}"#),
    orders(extract: #"{"type": {"header": "Content-Type"}}"#),
    orders(extract: #"{"url": {"url": true}}"#),
    orders("[2, 1]", extract: #"{"id": "$.id", "ok": "$.ok"}"#),
    orders(body: #"{ "user" : "{{ item }}" }"#),
    orders("[{\"n\": 1}, {\"n\": 2}]", body: #"{"user": "{{item.n}}"}"#),
    orders(id: "renamed"), orders(id: "renamed", extract: #"{"ok": "$.ok"}"#),
  ])
  func nothingIsSentIfTheRequestIsTheSame(edited: String) async throws {
    let journal = try await Self.ordered()
    let rehearsal = try Self.rehearse(edited, journal)
    #expect(rehearsal.steps.first?.readAgain == 2)
    #expect(rehearsal.changed.isEmpty)
    for _ in 0..<2 {
      let transport = Self.server()
      let report = try await Self.run(edited, journal, transport)
      #expect(report.status == .succeeded, "\(report.failures)")
      #expect(Self.posts(transport) == [])
    }
    // From now on the unit is known as it is now.
    let third = try await Self.run(edited, journal)
    #expect(third.counts.taken >= 2)
  }

  @Test func theValuesOfARecordedAnswerAreThoseOfTheServer() async throws {
    let journal = try await Self.ordered()
    let edited = Self.orders(extract: #"{"status": "$.status", "code": {"status": true}}"#)
    let report = try await Self.run(edited, journal)
    #expect(
      report.outputs.text
        == #"{"ids":[{"status":"new","code":200},{"status":"new","code":200}]}"#)
  }

  @Test func aMovedStepKeepsItsAnswers() async throws {
    let journal = try await Self.ordered()
    let moved = """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "all", "forEach": [1, 2], "as": "n", "steps": [
          {"id": "order", "endpoint": "POST /orders", "body": {"json": {"user": "{{n}}"}},
           "extract": {"ok": "$.ok"}}]}]}
      """
    let transport = Self.server()
    let report = try await Self.run(moved, journal, transport)
    #expect(report.status == .succeeded)
    #expect(transport.requests.isEmpty)
  }

  @Test func aSavedBodyComesFromTheRecordedAnswer() async throws {
    let journal = try await Self.ordered(Self.orders("[1]", last: "/bad"))
    var options = RunOptions()
    options.journal = journal
    let files = MemoryFiles()
    options.files = files
    let edited = Self.orders("[1]", order: #", "save": "order-{{item}}.json""#)
    let transport = Self.server()
    let report = try await Pipeline(try plan(edited), transport: transport, options: options)
      .run().result.report
    #expect(report.status == .succeeded, "\(report.failures)")
    #expect(Self.posts(transport) == [])
    #expect(try files.read("order-1.json").starts(with: Array(#"{"id""#.utf8)))
  }

  /// The author mends an extractor, and is not asked.
  @Test func anAnswerThatCouldNotBeReadIsReadAgain() async throws {
    let journal = MemoryJournal()
    let wrong = Self.orders(extract: #"{"id": "$.number"}"#)
    #expect(try await Self.run(wrong, journal).status == .failed)
    for text in [wrong, Self.orders(extract: #"{"id": "$.nr"}"#)] {
      let transport = Self.server()
      let report = try await Self.run(text, journal, transport)
      #expect(report.status == .failed)
      #expect(report.failures.first?.failure.kind == .extract)
      #expect(Self.posts(transport).count <= 1, "what had not been sent may be")
    }
    let transport = Self.server()
    let report = try await Self.run(Self.orders(), journal, transport)
    #expect(report.status == .succeeded)
    let all = Self.posts(transport)
    #expect(Set(all).count == all.count)
  }

  @Test func anExpectedRefusalIsCarriedOut() async throws {
    let server = { ScriptedTransport { $0.method == "GET" ? .status(404) : .status(409) } }
    let text = { (extract: String) in
      """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "make", "endpoint": "POST /make", "expect": {"status": [201, 409]}\(extract)},
        {"id": "last", "dependsOn": ["make"], "endpoint": "GET /last"}]}
      """
    }
    let journal = MemoryJournal()
    _ = try await Self.run(text(""), journal, server())
    let transport = server()
    _ = try await Self.run(text(#", "extract": {"code": {"status": true}}"#), journal, transport)
    #expect(transport.requests.map(\.method) == ["GET"])
  }

  @Test func pagesAreReadAgainEachByItself() async throws {
    let pages = { (extract: String) in
      """
      {"steps": [{"id": "find", "endpoint": "POST \(Self.api)/find",
        "body": {"json": {"cursor": "0"}},
        "paginate": {"cursor": "$.next", "param": "cursor", "in": "body"}, "extract": \(extract)},
       {"id": "last", "dependsOn": ["find"], "endpoint": "GET \(Self.api)/bad"}]}
      """
    }
    let server = {
      ScriptedTransport { request in
        guard case .bytes(let bytes) = request.body else { return .status(404) }
        let cursor = Int(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)) ?? 0
        return .json([
          "rows": [.string("\(cursor)")], "more": [.string("\(cursor + 10)")],
          "next": cursor < 2 ? .string("\(cursor + 1)") : .null,
        ])
      }
    }
    let journal = MemoryJournal()
    let first = server()
    _ = try await Self.run(pages(#"{"rows": "$.rows[*]"}"#), journal, first)
    #expect(Self.posts(first).count == 3)
    let transport = server()
    _ = try await Self.run(pages(#"{"more": "$.more[*]"}"#), journal, transport)
    #expect(Self.posts(transport) == [])
    let third = try await Self.run(pages(#"{"more": "$.more[*]"}"#), journal, transport)
    #expect(third.counts.taken == 1)
  }

  // MARK: What waits for a person

  /// Edits that change the request: it is listed with both forms, and nothing at all is sent.
  @Test(arguments: [
    orders(defaults: #", "headers": {"X-Team": "a"}"#), orders(body: #"{"user": "u{{item}}"}"#),
    orders(path: "/v2/orders"), orders(order: #", "query": {"v": 2}"#),
    orders("[3, 4]"), orders(defaults: #", "headers": {"X-Team": "a"}"#, id: "renamed"),
    orders(order: #", "cookies": {"tenant": "b"}"#),
  ])
  func aChangedRequestIsListedAndNothingIsSent(edited: String) async throws {
    let journal = try await Self.ordered()
    let count = journal.entries.count
    let transport = Self.server()
    let error = await #expect(throws: RunInDoubt.self) {
      try await Self.run(edited, journal, transport)
    }
    #expect(transport.requests.isEmpty)
    #expect(journal.entries.count == count)
    let requests = error?.requests ?? []
    #expect(requests.map(\.unit.place) == [[0], [1]])
    #expect(requests.allSatisfy { $0.isInDoubt && $0.kept == .whole })
    guard case .changed(let change)? = requests.first?.state else {
      Issue.record("no change is told")
      return
    }
    #expect(change.unit == "order[0]")
    #expect(change.body == #"{"user":1}"#)
    #expect(change.url == Self.api + "/orders")
    #expect(try Self.rehearse(edited, journal).steps.first?.waiting == 2)
    // What the person says is done, one by one.
    journal.settle(try #require(requests.first), as: .again)
    journal.settle(try #require(requests.last), as: .answered)
    let second = Self.server()
    let report = try await Self.run(edited, journal, second)
    #expect(report.status == .succeeded, "\(report.failures)")
    #expect(Self.posts(second).count == 1)
    let third = Self.server()
    _ = try await Self.run(edited, journal, third)
    #expect(third.requests.isEmpty)
  }

  @Test func anEditThatIsTakenBackNeedsNoAnswer() async throws {
    let journal = try await Self.ordered()
    let edited = Self.orders(path: "/v2/orders")
    await #expect(throws: RunInDoubt.self) { try await Self.run(edited, journal) }
    let transport = Self.server()
    let report = try await Self.run(Self.orders(), journal, transport)
    #expect(report.status == .succeeded)
    #expect(Self.posts(transport) == [])
  }

  /// Lists: what is new is sent, what is gone is left, and what was edited is asked about.
  @Test(arguments: [
    ("[1, 2, 3]", 1, 0), ("[0, 1, 2]", 1, 0), ("[2]", 0, 0), ("[2, 1]", 0, 0), ("[1, 9, 2]", 1, 0),
    ("[1, 3]", 0, 1), ("[3, 2]", 0, 1), ("[2, 3]", 1, 0), ("[2, 1, 3, 4]", 2, 0),
    ("[1, 1, 2]", 1, 0),
  ])
  func anItemIsKnownByItsContent(list: String, sent: Int, asked: Int) async throws {
    for extract in [#"{"id": "$.id"}"#, #"{"ok": "$.ok"}"#] {
      let journal = try await Self.ordered()
      let edited = Self.orders(list, extract: extract)
      let rehearsal = try Self.rehearse(edited, journal)
      #expect(rehearsal.changed.count == asked, "\(list) \(extract)")
      #expect(rehearsal.steps.first?.carriedOut[.unfinished] ?? 0 == sent, "\(list) \(extract)")
      guard asked == 0 else { continue }
      let transport = Self.server()
      let report = try await Self.run(edited, journal, transport)
      #expect(report.status == .succeeded)
      #expect(Self.posts(transport).count == sent, "\(list) \(extract)")
    }
  }

  /// With one item after the other, the items that follow are known, though they have not begun.
  @Test func aListThatIsTakenOneByOneIsKnownAsAWhole() async throws {
    let one = { (list: String, extract: String, last: String) in
      Self.orders(list, extract: extract, last: last).replacing(
        #""concurrency": 2"#, with: #""concurrency": 1"#)
    }
    let journal = try await Self.ordered(one("[1, 2]", #"{"id": "$.id"}"#, "/bad"))
    let transport = Self.server()
    let report = try await Self.run(
      one("[0, 1, 2]", #"{"ok": "$.ok"}"#, "/good"), journal, transport)
    #expect(report.status == .succeeded)
    #expect(Self.posts(transport) == [#"{"user":0}"#])
  }

  /// What a request reads came out differently in this process.
  @Test func aRequestWhoseValueCameOutDifferentlyIsNotSent() async throws {
    let text = """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "price", "endpoint": "GET /price", "extract": {"n": "$.n"}},
        {"id": "pay", "endpoint": "POST /pay", "body": {"json": {"sum": "{{price.n}}"}}},
        {"id": "last", "dependsOn": ["pay"], "endpoint": "GET /last"}]}
      """
    let server = { (price: Int) in
      ScriptedTransport { request in
        request.url.hasSuffix("/last") ? .status(404) : .json(["n": .string("\(price)")])
      }
    }
    let journal = MemoryJournal()
    _ = try await Self.run(text, journal, server(5))
    journal.append(.again(step: "price"))
    let transport = server(6)
    let report = try await Self.run(text, journal, transport)
    #expect(Self.posts(transport) == [])
    #expect(report.status == .failed)
    #expect(report.counts.inDoubt == 1)
    #expect(report.changedRequests.map(\.unit.name) == ["pay"])
    #expect(report.changedRequests.first?.body == #"{"sum":"6"}"#)
    // The price is known now, so the next process asks before it sends anything.
    let second = server(6)
    let error = await #expect(throws: RunInDoubt.self) { try await Self.run(text, journal, second) }
    #expect(second.requests.isEmpty)
    journal.settle(try #require(error?.requests.first), as: .again)
    let third = server(6)
    _ = try await Self.run(text, journal, third)
    #expect(Self.posts(third) == [#"{"sum":"6"}"#])
  }

  @Test func whatWasSaidCanBeSaidInAnotherWay() async throws {
    let journal = try await Self.ordered(Self.orders("[1]", last: "/bad"))
    let edited = Self.orders("[1]", path: "/v2/orders")
    let error = await #expect(throws: RunInDoubt.self) { try await Self.run(edited, journal) }
    let request = try #require(error?.requests.first)
    journal.settle(request, as: .skip)
    let settled = try #require(
      try journal.history().carriedOut().first { $0.state == .settled })
    journal.settle(settled, as: .done(values: Array(#"{"id":"7"}"#.utf8)))
    let transport = Self.server()
    let report = try await Self.run(edited, journal, transport)
    #expect(Self.posts(transport) == [])
    #expect(report.outputs.text == #"{"ids":[{"id":"7"}]}"#)
    journal.settle(
      try #require(try journal.history().carriedOut().first { $0.state == .settled }), as: .again)
    let second = Self.server()
    _ = try await Self.run(edited, journal, second)
    #expect(Self.posts(second).count == 1)
  }

  @Test func againIsConsent() async throws {
    let journal = try await Self.ordered()
    journal.append(.again(step: "order"))
    let transport = Self.server()
    let report = try await Self.run(Self.orders(path: "/v2/orders"), journal, transport)
    #expect(report.status == .succeeded)
    #expect(Self.posts(transport).count == 2)
  }

  @Test func unsafeIsConsentForAnotherRequestAndNotForTheSame() async throws {
    let keyed = #", "retry": {"attempts": 2, "unsafe": true}"#
    let journal = try await Self.ordered(Self.orders(order: keyed, last: "/bad"))
    let same = Self.server()
    _ = try await Self.run(
      Self.orders(order: keyed, extract: #"{"ok": "$.ok"}"#, last: "/bad"), journal, same)
    #expect(Self.posts(same) == [])
    let other = Self.server()
    _ = try await Self.run(Self.orders(order: keyed, path: "/v2/orders"), journal, other)
    #expect(Self.posts(other).count == 2)
  }

  // MARK: Secrets

  @Test func anAnswerWithASecretIsNotKept() async throws {
    let text = { (path: String, extract: String) in
      """
      {"inputs": {"key": {"secret": true}}, "defaults": {"baseURL": "\(Self.api)",
        "auth": {"bearer": "{{inputs.key}}"}}, "steps": [
        {"id": "pay", "endpoint": "POST /pay?n=1", "body": {"json": {"sum": 1}},
         "extract": {"ok": "$.ok"\(extract)}},
        {"id": "last", "dependsOn": ["pay"], "endpoint": "GET \(path)"}]}
      """
    }
    let server = {
      ScriptedTransport { request in
        if request.url.hasSuffix("/bad") { return .status(404) }
        let echo = request.headers.first { $0.name == "Authorization" }?.value ?? ""
        return .json(["ok": true, "echo": .string(echo)])
      }
    }
    var options = RunOptions()
    let journal = MemoryJournal()
    options.journal = journal
    _ = try await Pipeline(try plan(text("/bad", "")), transport: server(), options: options)
      .run(inputs: ["key": "sesame-1234"]).result
    #expect(journal.entries.flatMap(\.answers).isEmpty)
    // Another key changes nothing; another extractor has no answer to read.
    let same = server()
    _ = try await Pipeline(try plan(text("/good", "")), transport: same, options: options)
      .run(inputs: ["key": "open-567890"]).result
    #expect(Self.posts(same) == [])
    let error = await #expect(throws: RunInDoubt.self) {
      try await Pipeline(
        try plan(text("/good", #", "more": "$.ok""#)), transport: server(), options: options
      )
      .run(inputs: ["key": "open-567890"]).result
    }
    guard case .changed(let change)? = error?.requests.first?.state else {
      Issue.record("no change is told")
      return
    }
    #expect(change.isSameRequest)
  }

  @Test func cookiesOfAnAnswerAreNotKept() async throws {
    let journal = MemoryJournal()
    let transport = ScriptedTransport { _ in
      .response(
        TransportResponse(
          status: 200,
          headers: [
            HeaderField("Set-Cookie", "sid=abcdef"),
            HeaderField("Content-Type", "application/json"),
          ], body: Array("{}".utf8)))
    }
    _ = try await Self.run(
      #"{"steps": [{"id": "a", "endpoint": "POST https://api.example/a"}]}"#, journal, transport)
    let id = try #require(try journal.history().carriedOut().first?.id)
    let answer = try #require(try journal.history().answer(of: id))
    #expect(answer.headers.map(\.name) == ["Content-Type"])
  }

  // MARK: Clean-up

  /// Clean-up belongs to what it cleans up: it is repeated if that is carried out.
  @Test func cleanUpIsRepeatedWithWhatItCleansUp() async throws {
    let text = { (last: String, extract: String) in
      """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "order", "endpoint": "POST /orders", "extract": \(extract)},
        {"id": "last", "dependsOn": ["order"], "endpoint": "GET \(last)"}],
       "finally": [{"id": "bye", "endpoint": "POST /bye", "body": {"json": {"bye": 1}}}]}
      """
    }
    let journal = MemoryJournal()
    _ = try await Self.run(text("/bad", #"{"id": "$.id"}"#), journal)
    let transport = Self.server()
    _ = try await Self.run(text("/good", #"{"id": "$.id"}"#), journal, transport)
    #expect(Self.posts(transport) == [#"{"bye":1}"#])
    // Reading an answer again leaves nothing to clean up.
    let second = Self.server()
    _ = try await Self.run(text("/good", #"{"ok": "$.ok"}"#), journal, second)
    #expect(second.requests.isEmpty)
  }

  @Test func anItemInShortTellsRequestsApart() async throws {
    let journal = MemoryJournal()
    let lost = ScriptedTransport { _ in .failure(TransportError(.connection, "reset")) }
    let text = Self.orders(
      #"[{"customer": "ann", "lines": [1]}]"#, body: #"{"user": "{{item.customer}}"}"#)
    _ = try await Self.run(text, journal, lost)
    let doubt = try #require(try journal.history().sendings.first)
    #expect(doubt.item == "customer: ann")
    #expect(doubt.body == #"{"user":"ann"}"#)
    #expect(doubt.process == 1)
  }
}
