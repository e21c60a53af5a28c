import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand
@testable import SQLiteJournals

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a store knows of its runs when files in it are damaged, and when processes were killed.
@Suite(.ownThreads, .enabled(if: hasSQLite, "SQLite is not installed")) struct KeptRunTests {
  private let folder = TemporaryFolder()
  private var store: [String] { ["--store", folder.path + "/store"] }

  private static let failing = """
    {"name": "export", "defaults": {"baseURL": "sandbox:/"}, "steps": [
      {"id": "user", "forEach": [1, 2, 3], "endpoint": "GET /reqres/users/{{item}}",
       "extract": {"email": "$.data.email"}},
      {"id": "report", "dependsOn": ["user"], "endpoint": "GET /status/500"}]}
    """

  /// Runs a workflow that fails. Returns the run's id.
  private func failedRun() async throws -> String {
    let path = folder.write(Self.failing, to: "w.json")
    #expect(await pipeline(["run", path] + store).status == .failure)
    return try #require(try await runs().first?["id"]?.string)
  }

  private func runs() async throws -> [JSONNode] {
    let list = await pipeline(["runs", "--json"] + store)
    #expect(list.error.isEmpty, "\(list.error)")
    return Array(try JSONDocument.parse(Array(list.output.utf8)).root.elements)
  }

  private func shown(_ id: String) async throws -> JSONNode {
    let shown = await pipeline(["runs", "show", id, "--json"] + store)
    try #require(shown.status == .success, "\(shown.error)")
    return try JSONDocument.parse(Array(shown.output.utf8)).root
  }

  // MARK: Lost summaries

  @Test(arguments: [nil, "", "{", "{}", "[1]", #"{"id": "x", "startedAt": "#])
  func aLostSummaryDoesNotHideAnIntactJournal(_ damage: String?) async throws {
    let id = try await failedRun()
    let name = "store/runs/\(id)/run.json"
    let (summary, list) = (folder.read(name), try await runs().map(\.text))
    for command in [["runs", "show", id], ["resume", id, "--plan"], ["resume", "--plan"]] {
      let expected = await pipeline(command + store)
      if let damage {
        _ = folder.write(damage, to: name)
      } else {
        unlink(folder.path + "/" + name)
      }
      let outcome = await pipeline(command + store)
      #expect(outcome.status == .success, "\(command): \(outcome.error)")
      #expect(outcome.output == expected.output)
      // What ended the run is in the journal, to the last digit.
      #expect(folder.read(name) == summary)
      #expect(try await runs().map(\.text) == list)
    }
  }

  @Test func aRunOfWhichNothingCanBeReadIsNamedAndMayBeDeleted() async throws {
    let id = try await failedRun()
    for (name, text) in [
      ("run.json", "{"), ("journal.sqlite", String(repeating: "no database ", count: 100)),
      ("journal.sqlite-wal", ""),
    ] {
      _ = folder.write(text, to: "store/runs/\(id)/\(name)")
    }
    let list = await pipeline(["runs"] + store)
    #expect(list.status == .success)
    #expect(
      list.error.hasPrefix("note: run '\(id)' is not listed: its summary is lost, and the journal"),
      "\(list.error)")
    for command in [["runs", "show", id], ["resume", String(id.prefix(6))]] {
      let outcome = await pipeline(command + store)
      #expect(outcome.status == .failure)
      #expect(
        outcome.error.hasPrefix(
          "pipeline: run '\(id)' cannot be read: its summary is lost, and the journal '"),
        "\(outcome.error)")
      #expect(outcome.error.hasSuffix("removes it\n"), "\(outcome.error)")
    }
    #expect(await pipeline(["runs", "delete", String(id.prefix(6))] + store).status == .success)
    #expect(try await runs().isEmpty)
  }

  /// `settle` finds out itself what became of a request, so nothing asks a person about it.
  @Test(arguments: [false, true]) func aRequestThatIsLookedUpIsNotAskedAbout(
    isLookedUp: Bool
  ) async throws {
    let settle = #""settle": {"endpoint": "GET /reqres/users/1", "done": "@.status == 200"}, "#
    let path = folder.write(
      """
      {"defaults": {"baseURL": "sandbox:/"}, "steps": [
        {"id": "order", "endpoint": "POST /reqres/users", \(isLookedUp ? settle : "")
         "body": {"json": {"name": "Ada"}}},
        {"id": "end", "dependsOn": ["order"], "endpoint": "GET /status/500"}]}
      """, to: "order.json")
    #expect(await pipeline(["run", path] + store).status == .failure)
    let id = try #require(try await runs().first?["id"]?.string)
    let place = folder.path + "/store/runs/\(id)/"
    do {
      let database = try SQLiteDatabase(path: place + "journal.sqlite")
      try database.run("DELETE FROM units")
      try database.run("UPDATE sendings SET state = 'unanswered', status = NULL")
      try database.run("UPDATE processes SET status = NULL, report = NULL")
    }
    unlink(place + "run.json")
    let text = await pipeline(["runs", "show", id] + store).output
    #expect(text.contains("--settle") != isLookedUp, "\(text)")
    #expect(text.contains("'resume' looks up what became of 1 request") == isLookedUp, "\(text)")
    let shown = try await shown(id)
    #expect(shown["inDoubt"]?.count == (isLookedUp ? 0 : 1))
    #expect((shown["settle"] == nil) == isLookedUp)
  }

  @Test func aRunThatNeverBeganIsNotListed() async throws {
    let id = try await failedRun()
    for name in ["run.json", "journal.sqlite", "journal.sqlite-wal"] {
      _ = folder.write("", to: "store/runs/\(id)/\(name)")
    }
    #expect(try await runs().isEmpty)
    let outcome = await pipeline(["resume", id] + store)
    #expect(outcome.status == .failure)
    #expect(outcome.error.contains("has lost its beginning"), "\(outcome.error)")
    #expect(await pipeline(["runs", "delete", id, id] + store).status == .success)
  }

  /// Those that list runs read the journal of one whose process died. Whoever goes on with it waits
  /// for them.
  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func whoReadsARunDoesNotKeepItFromGoingOn() async throws {
    let id = try await failedRun()
    for _ in 0..<5 {
      _ = folder.write("", to: "store/runs/\(id)/run.json")
      let lists = try (0..<4).map { _ in try #require(ChildProcess(["runs", "--json"] + store)) }
      let resume = try #require(ChildProcess(["resume", id, "--plan"] + store))
      let outcome = resume.wait()
      #expect(outcome.status == 0, "\(outcome.error)")
      for list in lists { #expect(list.wait().status == 0) }
    }
  }

  // MARK: Other mishaps

  @Test func anEmptyIdNamesNoRun() async throws {
    let id = try await failedRun()
    for command in [
      ["runs", "delete", ""], ["runs", "show", ""], ["resume", ""], ["report", "", "markdown"],
    ] {
      let outcome = await pipeline(command + store)
      #expect(outcome.status == .failure, "\(command)")
      #expect(outcome.error.contains("the run's id is empty"), "\(outcome.error)")
    }
    #expect(try await runs().map { $0["id"]?.string } == [id])
  }

  @Test func aStoreThatIsNoFolderIsSaid() async throws {
    _ = folder.write("", to: "file")
    for command in [["runs"], ["resume"], ["runs", "show"], ["report", "k3f9", "markdown"]] {
      let outcome = await pipeline(command + ["--store", folder.path + "/file"])
      #expect(outcome.status == .failure, "\(command)")
      #expect(outcome.error.contains("/file/runs' cannot be read: "), "\(outcome.error)")
    }
    let off = await pipeline(["resume"], environment: ["PIPELINE_STORE": "off"])
    #expect(off.status == .usage)
    #expect(
      off.error
        == "pipeline: PIPELINE_STORE is 'off', so nothing is kept; --store names a folder\n")
  }

  @Test func aPlanJudgesInputsAsARunDoes() async throws {
    let text = Self.failing.replacing(
      "\"steps\"", with: "\"inputs\": {\"n\": {\"type\": \"integer\", \"default\": 1}}, \"steps\"")
    let path = folder.write(text, to: "w.json")
    #expect(await pipeline(["run", path] + store).status == .failure)
    for plan in [[], ["--plan"]] {
      let outcome = await pipeline(["resume", "--set", "n=x"] + plan + store)
      #expect(outcome.status == .invalid, "\(plan)")
      #expect(
        outcome.error.contains("input 'n' must be a whole number, but is \"x\""),
        "\(outcome.error)")
    }
  }

  /// The requests of a workflow are known again wherever its file is.
  @Test func aMovedWorkflowIsNamed() async throws {
    let id = try await failedRun()
    let old = folder.path + "/w.json"
    let mended = Self.failing.replacing("/status/500", with: "/status/200")
    let moved = folder.write(mended, to: "other.json")
    unlink(old)
    let lost = await pipeline(["resume", id] + store)
    #expect(lost.status == .invalid)
    #expect(lost.error.contains("is not at '\(old)'; name its file with --file"), "\(lost.error)")
    let plan = await pipeline(["resume", id, "--plan", "--file", moved] + store)
    #expect(plan.output.contains("user    3 taken"), "\(plan.output)")
    // A plan keeps nothing, and a run does.
    #expect(await pipeline(["resume", id, "--plan"] + store).status == .invalid)
    let resumed = await pipeline(["resume", id, "--file", moved] + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(resumed.error.contains("3 taken"), "\(resumed.error)")
    #expect(await pipeline(["resume", id, "--plan"] + store).status == .success)
  }

  // MARK: Several processes

  /// The figures of a run are those of all its processes, and agree with the server's log.
  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func theFiguresOfARunCoverAllItsProcesses() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    func write(pause: Int, end: String) -> String {
      folder.write(
        """
        {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
          {"id": "read", "forEach": [1, 2, 3], "endpoint": "GET /slow/{{item}}?ms=20",
           "extract": {"id": "$.id"}},
          {"id": "order", "dependsOn": ["read"], "endpoint": "POST /slow/order?ms=\(pause)",
           "body": {"json": {}}},
          {"id": "end", "dependsOn": ["order"], "endpoint": "GET \(end)", "retry": {"attempts": 1}}]}
        """, to: "w.json")
    }
    let path = write(pause: 600_000, end: "/status/500")
    let child = try #require(
      ChildProcess(["run", path, "--set", "api=" + server.origin, "--quiet"] + store))
    Waiting.until { server.records.requestCount >= 4 }
    child.send(SIGKILL)
    _ = child.wait()

    let killed = try #require(try await runs().first)
    let id = try #require(killed["id"]?.string)
    #expect(killed["status"]?.string == "interrupted")
    #expect(killed["requests"]?.number?.int == 4)
    #expect(killed["inDoubt"]?.number?.int == 1)
    let first = try #require(killed["durationSeconds"]?.number.flatMap { Double($0.text) })
    #expect(first >= 0.02)

    _ = write(pause: 20, end: "/status/500")
    let failed = await pipeline(
      ["resume", id, "--quiet", "--settle", "order=again"] + store)
    #expect(failed.status == .failure)
    #expect(try await shown(id)["requests"]?.number?.int == server.records.requests.count)
    _ = write(pause: 20, end: "/status/200")
    #expect(await pipeline(["resume", id, "--quiet"] + store).status == .success)

    let run = try await shown(id)
    #expect(run["requests"]?.number?.int == 7)
    #expect(server.records.requests.count == 7)
    #expect(run["processes"]?.number?.int == 3)
    let whole = try #require(run["durationSeconds"]?.number.flatMap { Double($0.text) })
    #expect(whole >= first + 0.02)
    // Of each unit the time that ended it, whichever process that was.
    let steps = Array(try #require(run["steps"]?.elements))
    #expect(steps.map { $0["done"]?.number?.int } == [3, 1, 1])
    #expect(try #require(steps.first?["p50Milliseconds"]?.number?.int) >= 20)
    #expect(try await runs().first?["requests"]?.number?.int == 7)
  }

  /// A page that fails late does not cost the pages before it.
  @Test func aFailedPageIsGoneOnFrom() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = folder.write(
      """
      {"inputs": {"api": {}, "end": {}}, "steps": [
        {"id": "list", "endpoint": "GET {{inputs.api}}/pages/numbered?per_page=10&page=1",
         "paginate": {"page": "page", "items": "$.data"}, "extract": {"ids": "$.data[*].id"}}],
       "limits": {"requests": 3}, "outputs": {"ids": "$.list.ids[*]"}}
      """, to: "w.json")
    let set = ["--set", "api=" + server.origin, "--set", "end=1"]
    #expect(await pipeline(["run", path, "--quiet"] + set + store).status == .failure)
    #expect(server.records.requests.count == 3)
    _ = await pipeline(["resume", "--quiet"] + store)
    let targets = server.records.requests.map(\.target)
    #expect(targets.count > 3)
    #expect(Set(targets).count == targets.count, "\(targets)")
  }
}
