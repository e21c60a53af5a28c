import PipelineJSONText
import PipelineReports
import PipelineHTTPServers
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import SQLiteJournals
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reports of runs that several processes carried out.
@Suite(.ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"))
struct ResumedReportTests {
  private let folder = TemporaryFolder()
  private static let kinds = ["html", "junit", "tap", "markdown", "github", "har", "otlp"]

  private var store: RunStore { RunStore(path: folder.path + "/store/runs") }
  private var options: [String] { ["--store", folder.path + "/store"] }

  private var files: String {
    Self.kinds.map { "\($0)=\(folder.path)/run.\($0)" }.joined(separator: ",")
  }

  private func workflow(_ more: String) -> String {
    folder.write(
      """
      {"name": "shop", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"concurrency": 1}, "steps": [
        {"id": "list", "endpoint": "GET /slow/list?ms=5"},
        {"id": "each", "dependsOn": ["list"], "forEach": {"from": 1, "to": 8},
         "endpoint": "GET /slow/{{item}}?ms=5", "extract": {"id": "$.id"}},
        {"id": "both", "dependsOn": ["each"], "forEach": [1, 2], "steps": [
          {"id": "inner", "endpoint": "GET /slow/inner?ms=5"}]},
        \(more)],
       "outputs": {"ids": "$.each[*].id"}}
      """, to: "shop.json")
  }

  /// The trace of the only run, as it is kept now.
  private var keptTrace: RunTrace? {
    store.runs().first.flatMap { store.runTrace(of: $0.id) }
  }

  /// Whether the journal of the only run has as many units of a step that are done.
  private func hasJournal(of path: String, _ units: Int) -> Bool {
    store.runs().first?.steps.contains { $0.path == path && $0.done == units } ?? false
  }

  private func trace() throws -> RunTrace { try #require(keptTrace) }

  private func step(_ id: String, _ trace: RunTrace) throws -> RunTrace.Step {
    try #require(trace.steps.first { $0.id == id })
  }

  /// The parts of the critical path follow each other from the start to the end.
  private func expectWholePath(_ trace: RunTrace) {
    var time = 0
    for part in trace.path {
      #expect(part.start == time && part.uses.reduce(0) { $0 + $1.time } == part.end - part.start)
      time = part.end
    }
    #expect(time == trace.duration)
    #expect(trace.processes.reduce(0) { $0 + $1.duration } == trace.duration)
  }

  /// `pipeline report` gives what the process that ended last wrote.
  private func expectSameReports() async throws {
    let id = try #require(store.runs().first?.id)
    for kind in Self.kinds {
      let report = await pipeline(["report", id, kind] + options)
      #expect(report.status == .success && report.output == folder.read("run." + kind), "\(kind)")
    }
  }

  @Test(
    .enabled(if: ChildProcess.executable != nil, "the program is not built"),
    .timeLimit(.minutes(5)))
  func aRunThatWasKilledIsReportedAsAWhole() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    func holding(_ milliseconds: Int) -> String {
      workflow(
        """
        {"id": "hold", "dependsOn": ["both"], "endpoint": "GET /slow/hold?ms=\(milliseconds)"},
        {"id": "last", "dependsOn": ["hold"], "endpoint": "GET /slow/last?ms=5"}
        """)
    }
    let path = holding(600_000)
    let child = try #require(
      ChildProcess(["run", path, "--set", "api=\(server.origin)", "-q"] + options))
    // The run waits in 'hold'. The trace may be ahead of the journal, which writes groups of units.
    #expect(
      Waiting.until { keptTrace?.counts.requests == 11 && hasJournal(of: "both.inner", 2) })
    child.send(SIGKILL)
    #expect(child.wait().status == 137)
    let killed = try trace()
    #expect(killed.status == "unfinished" && killed.processes.count == 1)
    #expect(try step("hold", killed).outcome == .unfinished)
    let id = try #require(store.runs().first?.id)
    let junit = await pipeline(["report", id, "junit"] + options)
    #expect(junit.output.contains(#"<error type="unfinished""#), "\(junit.output)")

    _ = holding(50)
    let resumed = await pipeline(["resume", id, "-q", "--report", files] + options)
    #expect(resumed.status == .success, "\(resumed.error)")
    try await expectSameReports()
    let trace = try trace()
    #expect(trace.status == "succeeded" && trace.failures.isEmpty && trace.problem == nil)
    #expect(trace.processes.map(\.status) == ["unfinished", "succeeded"])
    #expect(trace.processes.map(\.requests) == [11, 2])
    #expect(trace.processes[1].taken == 11 && trace.counts.taken == 0)
    #expect(trace.counts.requests == 13 && trace.requests.count == 13)
    #expect(server.records.requestCount == 14)
    expectWholePath(trace)
    let between = trace.processes[1].start
    // What was taken is shown as it was carried out.
    for id in ["list", "each", "both", "both.inner"] {
      let step = try step(id, trace)
      let end = try #require(step.end)
      #expect(end <= between && step.outcome == .succeeded, "\(id)")
    }
    for id in ["hold", "last"] {
      let end = try #require(try step(id, trace).end)
      #expect(end > between, "\(id)")
    }
    let each = try step("each", trace)
    #expect(each.items == 8 && each.requests == 8 && each.latency.count == 8)
    #expect(each.density?.good.reduce(0, +) == 8)
    #expect(try step("both", trace).density?.good.reduce(0, +) == 2)
    #expect(try step("both.inner", trace).began == 2)
    try expectReports(of: trace)
  }

  private func expectReports(of trace: RunTrace) throws {
    let junit = try #require(folder.read("run.junit"))
    #expect(junit.contains(#"tests="6" failures="0" errors="0" skipped="0""#))
    #expect(junit.contains(#"<property name="processes" value="2"/>"#))
    #expect(junit.contains("Its duration is the sum of theirs"))
    let tap = try #require(folder.read("run.tap"))
    #expect(tap.contains("# processes: 2\n# duration: "))
    let markdown = try #require(folder.read("run.markdown"))
    #expect(markdown.contains("2 processes carried the run out."))
    #expect(markdown.contains(" | ⏸️ unfinished |\n| 2 | ") && markdown.contains(":milestone, "))
    let html = try #require(folder.read("run.html"))
    #expect(html.contains("<section id=\"processes\">") && html.contains("<span class=\"gap\""))
    #expect(html.contains("the sum of 2 processes"))
    // Each request is at the time of day at which it was sent.
    let harText = try #require(folder.read("run.har"))
    let har = try JSONDocument.parse(Array(harText.utf8)).root
    let times = try #require(har["log"]?["entries"]).elements.compactMap {
      $0["startedDateTime"]?.string
    }
    #expect(times.count == 13 && times == times.sorted())
    let otlpText = try #require(folder.read("run.otlp"))
    let otlp = try JSONDocument.parse(Array(otlpText.utf8)).root
    let spans = try #require(
      otlp["resourceSpans"]?.element(0)?["scopeSpans"]?.element(0)?["spans"])
    func time(_ span: JSONNode, _ name: String) -> Double {
      span[name]?.string.flatMap(Double.init).map { $0 / 1e9 } ?? 0
    }
    let run = try #require(spans.elements.first { $0["name"]?.string == "RUN shop" })
    let (start, end) = (time(run, "startTimeUnixNano"), time(run, "endTimeUnixNano"))
    let second = trace.processes[1]
    #expect(abs(start - trace.processes[0].startedAt) < 0.001)
    #expect(abs(end - second.startedAt - Double(second.duration) / 1e6) < 0.001)
    let hold = try #require(
      spans.elements.first {
        $0["name"]?.string == "GET" && $0.text.contains("/slow/hold")
      })
    #expect(time(hold, "startTimeUnixNano") >= second.startedAt)
    #expect(Set(spans.elements.compactMap { $0["spanId"]?.string }).count == spans.count)
  }

  @Test func aFailureThatALaterProcessMadeGoodIsNoneOfTheRun() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = workflow(
      """
      {"id": "flaky", "dependsOn": ["both"], "endpoint": "GET /flaky/k?fail=2",
       "retry": {"attempts": 1}},
      {"id": "last", "dependsOn": ["flaky"], "endpoint": "GET /slow/last?ms=5"}
      """)
    let run = await pipeline(["run", path, "--set", "api=\(server.origin)", "-q"] + options)
    #expect(run.status == .failure)
    let first = try trace()
    #expect(first.failures.count == 1 && first.counts.failed == 1)
    let id = try #require(store.runs().first?.id)
    #expect(await pipeline(["resume", id, "-q"] + options).status == .failure)
    let second = try trace()
    #expect(second.failures.count == 1 && second.failureCount == 1)
    #expect(second.processes.map(\.status) == ["failed", "failed"])
    // The file is edited: a step goes, and one comes.
    _ = workflow(
      """
      {"id": "flaky", "dependsOn": ["both"], "endpoint": "GET /flaky/k?fail=2",
       "retry": {"attempts": 1}},
      {"id": "new", "dependsOn": ["flaky"], "endpoint": "GET /slow/new?ms=5"}
      """)
    let resumed = await pipeline(["resume", id, "-q", "--report", files] + options)
    #expect(resumed.status == .success, "\(resumed.error)")
    try await expectSameReports()
    let trace = try trace()
    #expect(trace.status == "succeeded" && trace.failures.isEmpty && trace.failureCount == 0)
    #expect(trace.processes.map(\.requests) == [12, 1, 2])
    #expect(trace.counts.requests == 15 && trace.counts.succeeded == 5)
    let flaky = try step("flaky", trace)
    #expect(flaky.requests == 3 && flaky.outcome == .succeeded && flaky.failure == nil)
    expectWholePath(trace)
    let junit = try #require(folder.read("run.junit"))
    #expect(junit.contains(#"failures="0" errors="0""#) && !junit.contains("<failure"))
  }

  /// As when each process wrote events of its own, and somebody joined the files.
  @Test func eventsOfSeveralProcessesMayStandInOneFile() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = workflow(
      """
      {"id": "flaky", "dependsOn": ["both"], "endpoint": "GET /flaky/k?fail=1",
       "retry": {"attempts": 1}}
      """)
    let events = { (number: Int) in ["--events", folder.path + "/\(number).jsonl"] }
    _ = await pipeline(
      ["run", path, "--set", "api=\(server.origin)", "-q"] + options + events(1))
    let resumed = await pipeline(["resume", "-q", "--report", files] + options + events(2))
    #expect(resumed.status == .success, "\(resumed.error)")
    let first = try #require(folder.read("1.jsonl"))
    let second = try #require(folder.read("2.jsonl"))
    let file = folder.write(first + second, to: "joined.jsonl")
    let report = await pipeline(["report", file, "html"])
    #expect(report.output == folder.read("run.html"))
  }
}
