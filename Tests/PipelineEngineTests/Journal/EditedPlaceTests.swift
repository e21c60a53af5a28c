import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

/// Requests that must not be sent twice inside blocks, branches and polls, in files that are edited
/// before the run goes on.
@Suite struct EditedPlaceTests {
  private static let api = "https://api.example"

  private static func server(price: String = "1") -> ScriptedTransport {
    ScriptedTransport { request in
      request.url.hasSuffix("/bad")
        ? .status(404) : .json(["id": .string(request.url), "price": .string(price), "done": true])
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

  private static func posts(_ transport: ScriptedTransport) -> [String] {
    transport.requests.filter { $0.method == "POST" }.map { String($0.url.dropFirst(api.count)) }
  }

  /// The names of the requests that wait for a person, and what the next run sends.
  private static func outcome(
    _ text: String, _ journal: MemoryJournal
  ) async throws -> (asked: [String], sent: [String]) {
    let transport = server()
    do {
      _ = try await run(text, journal, transport)
    } catch let error as RunInDoubt {
      #expect(transport.requests.isEmpty)
      return (error.requests.map(\.unit.name), [])
    }
    return ([], posts(transport))
  }

  // MARK: Blocks

  /// Boxes with lines: an order for each line.
  private static func boxes(
    _ list: String, extract: String = #"{"id": "$.id"}"#, last: String = "/good"
  ) -> String {
    """
    {"defaults": {"baseURL": "\(api)"}, "steps": [
      {"id": "box", "forEach": \(list), "as": "one", "steps": [
        {"id": "line", "forEach": "$.one.lines[*]", "as": "number",
         "endpoint": "POST /{{one.name}}/{{number}}", "extract": \(extract)}]},
      {"id": "last", "dependsOn": ["box"], "endpoint": "GET \(last)"}]}
    """
  }

  @Test(arguments: [
    (#"[{"name": "a", "lines": [1, 2]}, {"name": "b", "lines": [3]}]"#, [], []),
    (#"[{"name": "b", "lines": [3]}, {"name": "a", "lines": [1, 2]}]"#, [], []),
    (
      #"[{"name": "c", "lines": [9]}, {"name": "a", "lines": [1, 2]}, {"name": "b", "lines": [3]}]"#,
      [], ["/c/9"]
    ),
    // A box was edited, and with it the requests of its lines, or not.
    (
      #"[{"name": "x", "lines": [1, 2]}, {"name": "b", "lines": [3]}]"#,
      ["box.line[0][0]", "box.line[0][1]"], []
    ),
    (#"[{"name": "a", "lines": [1, 2], "note": 1}, {"name": "b", "lines": [3]}]"#, [], []),
  ])
  func itemsOfItemsAreKnown(list: String, asked: [String], sent: [String]) async throws {
    for extract in [#"{"id": "$.id"}"#, #"{"price": "$.price"}"#] {
      let journal = MemoryJournal()
      let first = #"[{"name": "a", "lines": [1, 2]}, {"name": "b", "lines": [3]}]"#
      _ = try await Self.run(Self.boxes(first, last: "/bad"), journal)
      let outcome = try await Self.outcome(Self.boxes(list, extract: extract), journal)
      #expect(outcome.asked.sorted() == asked, "\(list)")
      #expect(outcome.sent.sorted() == sent, "\(list)")
    }
  }

  /// Another step has the id of the one that sent the request.
  @Test(arguments: [
    #"{"id": "a", "steps": [{"id": "in", "endpoint": "POST /o", "extract": {"id": "$.id"}}]}"#,
    #"{"id": "a", "choose": [{"when": "1 == 1", "endpoint": "POST /o", "extract": {"id": "$.id"}}]}"#,
    #"{"id": "a", "values": {"v": 1}}, {"id": "b", "endpoint": "POST /o", "extract": {"id": "$.id"}}"#,
    #"{"id": "a", "endpoint": "GET /g"}, {"id": "b", "endpoint": "POST /o", "extract": {"id": "$.id"}}"#,
  ])
  func anIDThatAnotherStepHasHidesNothing(_ step: String) async throws {
    func text(_ steps: String) -> String {
      """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [\(steps),
       {"id": "last", "dependsOn": ["a"], "endpoint": "GET /bad"}]}
      """
    }
    let journal = MemoryJournal()
    let first = text(#"{"id": "a", "endpoint": "POST /o", "extract": {"id": "$.id"}}"#)
    _ = try await Self.run(first, journal)
    #expect(try await Self.outcome(text(step), journal).sent == [])
  }

  // MARK: Rows

  /// Rows that come, go and are mended. What is sent in between is sent.
  ///
  /// - Parameters:
  ///   - lists: The lists of each process; the last one is looked at.
  ///   - asked: The positions that a person is asked about.
  ///   - sent: The rows that are sent without a question.
  @Test(arguments: [
    // A row is added before the one that is mended, in the process before or at once.
    (["A1 B2 C3", "N9 A1 B2 C3", "N9 A1 G2 C3"], [2], []),
    (["A1 B2 C3", "N9 A1 B2 C3", "N9 A1 G7 C3"], [2], []),
    (["A1 B2 C3", "N9 A1 B5 C3"], [2], []), (["A1 B2 C3", "N9 A1 G5 C3"], [2], []),
    (["A1 B2 C3", "A1 N9 B5 C3"], [2], []), (["A1 B2 C3", "A1 B5 N9 C3"], [1], []),
    // The rows are in another order, and then one is mended where it stands.
    (["A1 B2 C3", "B2 A1 C3", "G2 A1 C3"], [0], []),
    // A row is taken out, and the next one is mended.
    (["A1 B2 C3", "G2 C3"], [0], []), (["A1 B2 C3", "A1 G5"], [1], []),
    // Rows are taken out, and others come.
    (["A1 B2 C3", "A1 C3 N8 N9"], [], ["N8", "N9"]),
    (["A1 B2 C3", "N8 N9 A1 B2 C3"], [], ["N8", "N9"]),
    (["A1 B2 C3", "A1 N7 B2 N8 C3 N9"], [], ["N7", "N8", "N9"]),
  ])
  func aMendedRowIsAskedAboutWhereverItStands(
    _ lists: [String], asked: [Int], sent: [String]
  ) async throws {
    func text(_ rows: String, last: String) -> String {
      let rows = rows.split(separator: " ").map {
        #"{"sku": "\#($0.prefix(1))", "qty": \#($0.dropFirst())}"#
      }
      return """
        {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
          {"id": "order", "forEach": [\(rows.joined(separator: ", "))], "as": "row",
           "endpoint": "POST /{{row.sku}}{{row.qty}}", "extract": {"id": "$.id"}},
          {"id": "last", "dependsOn": ["order"], "endpoint": "GET \(last)"}]}
        """
    }
    let journal = MemoryJournal()
    for list in lists.dropLast() { _ = try await Self.run(text(list, last: "/bad"), journal) }
    let outcome = try await Self.outcome(text(lists.last ?? "", last: "/good"), journal)
    #expect(outcome.asked == asked.map { "order[\($0)]" }, "\(lists)")
    if asked.isEmpty { #expect(outcome.sent.sorted() == sent.map { "/" + $0 }, "\(lists)") }
  }

  // MARK: Polls

  @Test func aPollWhoseConditionHoldsOfTheRecordedAnswerSendsNothing() async throws {
    let text = { (until: String, extract: String, last: String) in
      """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "job", "endpoint": "POST /job", "poll": {"until": "\(until)", "every": "1ms"},
         "extract": \(extract)},
        {"id": "last", "dependsOn": ["job"], "endpoint": "GET \(last)"}]}
      """
    }
    let journal = MemoryJournal()
    _ = try await Self.run(
      text("@.body.done == true", #"{"id": "$.id"}"#, "/bad"), journal)
    for until in ["@.body.done == true", "@.body.price == '1'"] {
      let outcome = try await Self.outcome(text(until, #"{"price": "$.price"}"#, "/bad"), journal)
      #expect(outcome.sent == [])
      #expect(outcome.asked == [])
    }
  }

  // MARK: Redirects

  @Test func aRedirectedRequestIsKnownByItsFirstURL() async throws {
    let server = {
      ScriptedTransport { request in
        if request.url.hasSuffix("/bad") { return .status(404) }
        return request.url.hasSuffix("/old")
          ? .status(303, headers: [HeaderField("Location", "/new")]) : .json(["ok": true])
      }
    }
    let text = { (extract: String, last: String) in
      """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "make", "endpoint": "POST /old", "extract": \(extract)},
        {"id": "last", "dependsOn": ["make"], "endpoint": "GET \(last)"}],
       "outputs": {"make": "{{make}}"}}
      """
    }
    let journal = MemoryJournal()
    _ = try await Self.run(text("{}", "/bad"), journal, server())
    let transport = server()
    let report = try await Self.run(
      text(#"{"url": {"url": true}, "ok": "$.ok"}"#, "/good"), journal, transport)
    #expect(transport.requests.map(\.method) == ["GET"])
    #expect(report.outputs.text == #"{"make":{"url":"https://api.example/new","ok":true}}"#)
  }

  // MARK: Failures beside it

  /// Orders that a failure cut off are carried out, those before it are read again.
  @Test func aFailureThatCancelsOthersLeavesNothingTwice() async throws {
    let text = { (extract: String) in
      """
      {"defaults": {"baseURL": "\(Self.api)"}, "steps": [
        {"id": "order", "forEach": [1, 2, 3, 4, 5, 6], "concurrency": 2,
         "endpoint": "POST /orders/{{item}}", "extract": \(extract)}]}
      """
    }
    let failing = ScriptedTransport { request in
      request.url.hasSuffix("/3") ? .status(500) : .json(["id": .string(request.url)])
    }
    let journal = MemoryJournal()
    #expect(try await Self.run(text(#"{"id": "$.id"}"#), journal, failing).status == .failed)
    let before = try journal.history().carriedOut().count
    for doubt in try journal.history().sendings { journal.settle(doubt, as: .again) }
    let again = try journal.history().carriedOut().count { $0.state == .again }
    let transport = Self.server()
    let report = try await Self.run(text(#"{"at": "$.id"}"#), journal, transport)
    #expect(report.status == .succeeded, "\(report.failures)")
    #expect(Self.posts(transport).count == 6 - before)
    // Consent is for one request.
    #expect(try journal.history().carriedOut().allSatisfy { $0.state == .done })
    #expect(again + before <= 6)
  }
}
