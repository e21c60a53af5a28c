import PipelineByteText
import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelinePlanning
import Synchronization
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

/// Rows of pages that are handed on page by page, and not kept.
struct PagedRowsTests {
  private struct Outcome {
    let rows: [String]
    let ends: [Bool]
    let outputs: String
    let report: RunReport
    let requests: [String]
  }

  /// Five pages of two rows each. Later ones are answered first.
  private static func server(_ clock: VirtualClock) -> ScriptedTransport {
    ScriptedTransport { request in
      let text = request.url.split(separator: "=").last.map(String.init) ?? ""
      let page = Int(text) ?? 1
      try? await clock.sleep(for: .milliseconds(100 - 10 * page))
      let next = page < 5 ? String(page + 1) : "null"
      return .text(
        """
        {"pages": 5, "next": \(next), "total": 10,
         "rows": [{"n": \(2 * page - 1)}, {"n": \(2 * page)}]}
        """, type: "application/json")
    }
  }

  private func run(
    _ workflow: String, _ sinks: [String], journal: (any Journal)? = nil,
    transport: (any Transport)? = nil
  ) async throws -> Outcome {
    let clock = VirtualClock()
    let server = Self.server(clock)
    let plan = try plan(workflow)
    let rows = Mutex<[String]>([])
    let ends = Mutex<[Bool]>([])
    var options = RunOptions()
    options.clock = clock
    options.journal = journal
    options.rowTaps = sinks.compactMap { name in
      plan.rowSource(named: name).flatMap { source in
        RowTap(of: source, in: plan) { event in
          switch event {
          case .row(let row): rows.withLock { $0.append(String(decoding: row, as: UTF8.self)) }
          case .end(let areWhole): ends.withLock { $0.append(areWhole) }
          }
        }
      }
    }
    let pipeline = Pipeline(plan, transport: transport ?? server, options: options)
    let result = try await pipeline.run().result
    return Outcome(
      rows: rows.withLock { $0 }, ends: ends.withLock { $0 }, outputs: result.outputs.text,
      report: result.report, requests: server.requests.map(\.url))
  }

  private static let all = (1...10).map { #"{"n":\#($0)}"# }

  private static func workflow(
    _ paginate: String, outputs: String, step: String = "", more: String = ""
  ) -> String {
    """
    {"steps": [{"id": "p", "endpoint": "GET https://api.example/rows", \(step)
      "paginate": \(paginate), "extract": {"rows": "$.rows[*]", "total": "$.total"}}\(more)],
     "outputs": \(outputs)}
    """
  }

  private static let forms = [
    #"{"page": "page", "pages": "$.pages"}"#, #"{"cursor": "$.next", "param": "page"}"#,
  ]

  @Test(
    arguments: forms,
    [#""{{p.rows}}""#, #""$.p.rows""#, #""$.p.rows[*]""#, #""$.p.rows[*].n""#])
  func rowsComeInTheOrderOfThePagesAndAreNotKept(paginate: String, output: String) async throws {
    let text = Self.workflow(
      paginate, outputs: #"{"rows": \#(output), "total": "{{p.total}}"}"#)
    let run = try await run(text, ["rows"])
    #expect(run.report.status == .succeeded, "\(run.report.failures)")
    let rows = output.contains("[*].n") ? (1...10).map(String.init) : Self.all
    #expect(run.rows == rows)
    #expect(run.ends == [true])
    #expect(run.outputs == #"{"total":10}"#)
    #expect(run.requests.count == 5)
  }

  @Test func rowsInTheItemsOfACollectionComeInTheirOrder() async throws {
    let run = try await run(
      """
      {"steps": [{"id": "p", "forEach": {"from": 1, "to": 5}, "as": "k",
        "endpoint": "GET https://api.example/rows?page={{k}}", "when": "$.k != 3",
        "extract": {"rows": "$.rows[*]"}}],
       "outputs": {"rows": "$.p[*].rows[*]", "numbers": "$.p[*].rows[*].n"}}
      """, ["rows", "numbers"])
    #expect(run.report.status == .succeeded, "\(run.report.failures)")
    let numbers = [1, 2, 3, 4, 7, 8, 9, 10]
    #expect(run.rows.filter { $0.hasPrefix("{") } == numbers.map { #"{"n":\#($0)}"# })
    #expect(run.rows.filter { !$0.hasPrefix("{") } == numbers.map(String.init))
    #expect(run.ends == [true, true])
  }

  @Test(arguments: [
    #", {"id": "s", "values": {"n": {"$count": "$.p.rows"}}}"#,
    #", {"id": "s", "values": {"n": "{{p}}"}}"#,
    #", {"id": "s", "steps": [{"id": "t", "forEach": "$.p.rows", "values": {"n": "{{item.n}}"}}]}"#,
  ])
  func rowsThatAStepReadsAreKept(more: String) async throws {
    let run = try await run(
      Self.workflow(Self.forms[0], outputs: #"{"rows": "{{p.rows}}"}"#, more: more), ["rows"])
    #expect(run.report.status == .succeeded, "\(run.report.failures)")
    #expect(run.rows.isEmpty && run.ends.isEmpty)
    #expect(run.outputs == #"{"rows":[\#(Self.all.joined(separator: ","))]}"#)
  }

  @Test func rowsThatAnotherOutputReadsAreKept() async throws {
    let run = try await run(
      Self.workflow(
        Self.forms[0], outputs: #"{"rows": "{{p.rows}}", "n": {"$count": "$.p.rows"}}"#), ["rows"])
    #expect(run.rows.isEmpty)
    #expect(run.outputs.contains(#""n":10"#) && run.outputs.contains(#"{"n":10}"#))
  }

  @Test func aStepThatReadsSomethingElseDoesNotKeepThem() async throws {
    let run = try await run(
      Self.workflow(
        Self.forms[1], outputs: #"{"rows": "{{p.rows}}"}"#,
        more: #", {"id": "s", "values": {"n": "{{p.total}}"}}"#), ["rows"])
    #expect(run.rows == Self.all)
    #expect(run.outputs == "{}")
  }

  @Test func pagesOfAStepThatRecoversHaveNoEnd() async throws {
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("=3")
        ? .status(500)
        : .json(["next": request.url.hasSuffix("=2") ? 3 : 2, "rows": [["n": 1]], "total": 1])
    }
    let run = try await run(
      Self.workflow(
        Self.forms[1], outputs: #"{"rows": "{{p.rows}}"}"#,
        step: #""retry": 1, "onError": "recover", "otherwise": {"rows": [{"n": 0}]},"#),
      ["rows"], transport: transport)
    #expect(run.report.status == .succeeded, "\(run.report.failures)")
    #expect(run.rows.count == 2 && run.ends.isEmpty)
    #expect(run.outputs == #"{"rows":[{"n":0}]}"#)
  }

  /// However far an earlier process came, all rows are handed on, and no page is asked for twice.
  @Test(arguments: forms) func aResumedRunHandsOnAllRows(paginate: String) async throws {
    let text = Self.workflow(
      paginate, outputs: #"{"rows": "{{p.rows}}"}"#,
      more: #", {"id": "z", "dependsOn": ["p"], "endpoint": "GET https://api.example/z?page=9"}"#)
    let whole = MemoryJournal()
    let first = try await run(text, ["rows"], journal: whole)
    #expect(first.rows == Self.all)
    #expect(whole.entries.count > 6)
    for count in 0...whole.entries.count {
      let journal = whole.prefix(count)
      let known = try journal.history().pages.count
      let run = try await run(text, ["rows"], journal: journal)
      #expect(run.rows == Self.all, "entry \(count)")
      #expect(run.ends == [true] && run.outputs == "{}", "entry \(count)")
      let pages = run.requests.filter { $0.contains("/rows") }
      #expect(pages.count == 5 - known, "entry \(count)")
    }
  }

  /// Only so many pages wait for a slow one before them.
  @Test func aSlowPageHoldsTheOthersBack() async throws {
    let clock = VirtualClock()
    let asked = Mutex<[Int]>([])
    let transport = ScriptedTransport { request in
      let page = request.url.split(separator: "=").last.flatMap { Int($0) } ?? 1
      asked.withLock { $0.append(page) }
      if page == 2 { try? await clock.sleep(for: .seconds(60)) }
      if page == 2 { #expect(asked.withLock { $0.count } <= 1 + 4 * 4) }
      return .json(["pages": 50, "rows": [["n": JSONValue(page)]], "total": 1])
    }
    var options = RunOptions()
    options.clock = clock
    options.concurrency = 4
    let pipeline = Pipeline(
      try plan(Self.workflow(Self.forms[0], outputs: #"{"n": "$.p.rows[*].n"}"#)),
      transport: transport, options: options)
    let result = try await pipeline.run().result
    #expect(result.outputs.text == #"{"n":[\#((1...50).map(String.init).joined(separator: ","))]}"#)
    #expect(asked.withLock { $0.count } == 50)
  }
}
