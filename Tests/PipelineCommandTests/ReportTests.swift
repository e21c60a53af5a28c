import PipelineJSONText
import PipelineReports
import PipelineTestSupport
import SQLiteJournals
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reports of whole runs: while they go on, from their events, and from the store.
struct ReportTests {
  private let folder = TemporaryFolder()

  private func workflow(_ last: String = "/status/200") -> String {
    folder.write(
      """
      {"name": "shop", "defaults": {"baseURL": "sandbox:/"}, "limits": {"concurrency": 2}, "steps": [
        {"id": "list", "endpoint": "GET /reqres/users", "extract": {"ids": "$.data[*].id"}},
        {"id": "user", "forEach": "$.list.ids", "as": "id", "endpoint": "GET /reqres/users/{{id}}",
         "extract": {"name": "$.data.first_name"}},
        {"id": "no", "when": "$.list.ids[0] == 'x'", "endpoint": "GET /status/200"},
        {"id": "both", "dependsOn": ["user"], "forEach": [1, 2], "steps": [
          {"id": "inner", "endpoint": "GET /status/200"},
          {"id": "then", "dependsOn": ["inner"], "endpoint": "GET /status/204"}]},
        {"id": "last", "dependsOn": ["both"], "endpoint": "GET \(last)"}],
       "finally": [{"id": "end", "endpoint": "GET /status/200"}]}
      """, to: "shop.json")
  }

  private func text(_ arguments: [String]) async -> String {
    let result = await pipeline(["report"] + arguments)
    #expect(result.status == .success, "\(result.error)")
    return result.output
  }

  @Test(
    .enabled(if: hasSQLite, "SQLite is not installed"), arguments: ["/status/200", "/status/500"])
  func theRunItsEventsAndTheStoreGiveTheSameReport(last: String) async throws {
    let store = ["--store", folder.path + "/store"]
    let kinds = ["html", "junit", "tap", "markdown", "github", "har", "otlp"]
    let files = kinds.map { "\($0)=\(folder.path)/run.\($0)" }.joined(separator: ",")
    let run = await pipeline(
      ["run", workflow(last), "--report", files, "--events", folder.path + "/e.jsonl", "-q"] + store
    )
    #expect(run.status == (last == "/status/200" ? .success : .failure))
    let list = await pipeline(["runs", "--json"] + store)
    let id = try #require(
      try JSONDocument.parse(Array(list.output.utf8)).root.elements.first { _ in true }?["id"]?
        .string)
    for kind in kinds {
      let written = try #require(folder.read("run." + kind))
      #expect(written.isEmpty == (kind == "github" && last == "/status/200"))
      #expect(await text([folder.path + "/e.jsonl", kind]) == written)
      #expect(await text([id, kind] + store) == written)
    }
    let output = await pipeline(
      ["report", id, "tap", "-o", folder.path + "/again"] + store)
    #expect(output.output.isEmpty && folder.read("again") == folder.read("run.tap"))
    let deleted = await pipeline(["runs", "delete", id] + store)
    #expect(deleted.status == .success, "\(deleted.error)")
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func callsThatNestAsDeepAsTheyMayAreReported() async throws {
    let store = ["--store", folder.path + "/store"]
    for number in 0..<31 {
      folder.write(
        #"{"name": "w\#(number)", "steps": [{"id": "s", "workflow": "./f\#(number + 1).json"}]}"#,
        to: "f\(number).json")
    }
    folder.write(
      #"{"defaults": {"baseURL": "sandbox:/"}, "steps": [{"id": "s", "endpoint": "GET /status/500"}]}"#,
      to: "f31.json")
    let events = folder.path + "/e.jsonl"
    let run = await pipeline(
      ["run", folder.path + "/f0.json", "-q", "--events", events] + store)
    #expect(run.status == .failure, "\(run.error)")
    func expectAllLevels(_ report: String) {
      for depth in 1...32 {
        let step = Array(repeating: "s", count: depth).joined(separator: ".")
        // The cause is counted once: the steps around are skipped.
        let mark = depth == 32 ? "not ok 32 - \(step)\n" : "ok \(depth) - \(step) # SKIP "
        #expect(report.contains("\n" + mark), "\(depth) deep")
      }
    }
    let report = await text([events, "tap"])
    expectAllLevels(report)
    let kept = await pipeline(["runs", "--json"] + store)
    let id = try #require(
      try JSONDocument.parse(Array(kept.output.utf8)).root.elements.first { _ in true }?["id"]?
        .string)
    #expect(await text([id, "tap"] + store) == report)
    let resumed = await pipeline(
      ["resume", id, "-q", "--report", "tap=\(folder.path)/t"] + store)
    #expect(resumed.status == .failure, "\(resumed.error)")
    expectAllLevels(try #require(folder.read("t")))
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func aTraceOfAnEarlierVersionIsRead() async throws {
    let store = ["--store", folder.path + "/store"]
    _ = await pipeline(["run", workflow(), "-q"] + store)
    let runs = RunStore(path: folder.path + "/store/runs")
    let id = try #require(runs.runs().first?.id)
    let report = await text([id, "tap"] + store)
    let trace = try #require(runs.runTrace(of: id)?.json())
    unlink(runs.traceLogPath(of: id))
    let rest = [UInt8](repeating: UInt8(ascii: " "), count: 17 << 20) + trace.dropFirst()
    folder.write([UInt8(ascii: "{")] + rest, to: "store/runs/\(id)/trace.json")
    #expect(await text([id, "tap"] + store) == report)
    // A process that goes on with the run begins a log.
    _ = await pipeline(["resume", id, "-q"] + store)
    #expect(runs.runTrace(of: id)?.processes.count == 2)
  }

  /// How many rounds there are shows only when the last one has ended.
  @Test func roundsAreCountedAsItems() async throws {
    let path = folder.write(
      """
      {"steps": [{"id": "poll", "repeat": {
          "carry": {"n": {"default": 1, "next": {"$sum": ["{{n}}", 1]}}}, "until": "@.n == 3",
          "maxRounds": 5},
        "steps": [{"id": "get", "endpoint": "GET sandbox:/status/200"}],
        "outputs": {"n": "{{n}}"}}]}
      """, to: "poll.json")
    let report = folder.path + "/run.md"
    let result = await pipeline([
      "run", path, "--no-store", "--report", "markdown=\(report)",
    ])
    #expect(result.status == .success, "\(result.error)")
    let text = try #require(folder.read("run.md"))
    #expect(text.contains("· 3 requests · 3 items ·"))
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| poll |") })
    #expect(row.split(separator: "|").contains(" 3 "), "\(row)")
  }

  /// For programs, rounds are items. For people, they are rounds.
  @Test func everyKindOfReportNamesRounds() async throws {
    func workflow(_ next: Int) -> String {
      folder.write(
        """
        {"steps": [{"id": "rounds", "repeat": {
            "carry": {"status": {"default": 200, "next": \(next)}, "n": {"default": 1, "next": {"$sum": ["{{n}}", 1]}}},
            "until": "{{n}} >= 3", "maxRounds": 5},
          "steps": [{"id": "all", "forEach": [1, 2], "as": "item",
            "endpoint": "GET sandbox:/status/{{status}}?n={{item}}"}],
          "outputs": {"n": "{{n}}"}}]}
        """, to: "rounds.json")
    }
    let kinds = ["html", "junit", "otlp", "tap"]
    let words = kinds.flatMap { ["--report", "\($0)=\(folder.path)/\($0)"] }
    let good = await pipeline(["run", workflow(201), "--no-store", "-q"] + words)
    #expect(good.status == .success, "\(good.error)")
    let html = try #require(folder.read("html"))
    #expect(html.contains("<small>3 rounds</small>") && !html.contains("3 items<"))
    let otlp = try #require(folder.read("otlp"))
    #expect(otlp.contains(#"{"key":"pipeline.items","value":{"intValue":"3"}}"#), "\(otlp)")
    #expect(otlp.contains(#"{"key":"pipeline.items","value":{"intValue":"6"}}"#))
    // A case for the block and one for its step, however many rounds there are.
    #expect(try #require(folder.read("junit")).contains(#"tests="2" failures="0""#))
    let bad = await pipeline(["run", workflow(500), "--no-store", "-q"] + words)
    #expect(bad.status == .failure)
    let junit = try #require(folder.read("junit"))
    #expect(junit.contains("round 1, item "), "\(junit)")
    #expect(try #require(folder.read("tap")).contains("round 1, item "))
  }

  @Test func stepsAreCases() async throws {
    let path = folder.path
    _ = await pipeline(
      [
        "run", workflow("/status/500"), "-q", "--no-store", "--report",
        "tap=\(path)/t,junit=\(path)/j",
      ])
    let lines = try #require(folder.read("t")).split(separator: "\n").filter {
      $0.hasPrefix("ok") || $0.hasPrefix("not ok")
    }
    #expect(
      lines == [
        "ok 1 - list", "ok 2 - user", "ok 3 - no # SKIP its 'when' does not hold",
        "ok 4 - both", "ok 5 - both.inner", "ok 6 - both.then",
        "not ok 7 - last", "ok 8 - end",
      ])
    let junit = try #require(folder.read("j"))
    #expect(junit.contains(#"tests="8" failures="1" errors="0" skipped="1""#))
    #expect(junit.contains(#"classname="shop.both" name="then""#))
    #expect(junit.contains(#"<failure type="status" message="answered 500"#))
    #expect(junit.contains("shop.json:9:"))
  }

  @Test func annotationsGoToStderr() async throws {
    let result = await pipeline(
      ["run", workflow("/status/500"), "-q", "--no-store", "--report", "github"])
    let lines = result.error.split(separator: "\n").filter { $0.hasPrefix("::error ") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("shop.json,line=9,col=") == true, "\(lines)")
    #expect(lines.first?.contains("title=last::answered 500") == true, "\(lines)")
  }

  @Test func aSummaryOfAJobIsMadeOfAllThatItsCommandsSay() async throws {
    let summary = folder.write("# before\n", to: "summary.md")
    let other = folder.write("# before\n", to: "other.md")
    let run = await pipeline(
      [
        "run", workflow(), "-q", "--no-store", "--report", "markdown=\(summary)", "--report",
        "markdown=\(other)",
      ],
      environment: ["GITHUB_STEP_SUMMARY": summary])
    #expect(run.status == .success, "\(run.error)")
    #expect(folder.read("summary.md")?.hasPrefix("# before\n## ✅ shop: succeeded\n") == true)
    #expect(folder.read("other.md")?.hasPrefix("## ✅ shop: succeeded\n") == true)
  }

  @Test func whatCannotBeReportedIsSaid() async throws {
    let none = await pipeline(["report", folder.write("{}\n", to: "e"), "tap"])
    #expect(none.status == .failure && none.error.contains("holds no events"))
    let kind = await pipeline(["run", workflow(), "--report", "junut=x"])
    #expect(kind.status == .usage && kind.error.contains("did you mean 'junit'?"), "\(kind.error)")
    let file = await pipeline(["run", workflow(), "--report", "junit"])
    #expect(file.status == .usage && file.error.contains("--report junit=FILE"))
    let place = await pipeline(["run", workflow(), "--report", "tap=\(folder.path)/no/such"])
    #expect(place.status == .usage && place.error.contains("no such folder"))
    let run = await pipeline(["report", "nothing", "tap", "--store", folder.path + "/s"])
    #expect(run.status == .failure && run.error.contains("does not exist"))
  }

  @Test func pathsMayHaveCommas() async throws {
    let path = folder.path
    let run = await pipeline(
      ["run", workflow(), "-q", "--no-store", "--report", "tap=\(path)/a,b,markdown=\(path)/c"])
    #expect(run.status == .success && folder.read("a,b") != nil && folder.read("c") != nil)
  }
}
