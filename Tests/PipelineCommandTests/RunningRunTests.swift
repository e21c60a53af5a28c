import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs that go on: what others see of them, and what becomes of them when their store is removed.
@Suite(
  .ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"),
  .enabled(if: ChildProcess.executable != nil, "the program is not built"))
struct RunningRunTests {
  private let folder = TemporaryFolder()
  private var store: [String] { ["--store", folder.path + "/store"] }

  private func start(
    _ steps: String, _ server: SandboxServer, _ environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let path = folder.write(
      """
      {"name": "long", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [\(steps)]}
      """, to: "w.json")
    return try #require(
      ChildProcess(
        ["run", path, "--set", "api=" + server.origin, "-q"] + store, environment: environment))
  }

  private func wait(for count: Int, _ server: SandboxServer) {
    Waiting.until { server.records.requestCount >= count }
  }

  private func runs() async throws -> [JSONNode] {
    let list = await pipeline(["runs", "--json"] + store)
    return Array(try JSONDocument.parse(Array(list.output.utf8)).root.elements)
  }

  @Test func aRunningRunIsShown() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let child = try start(
      """
      {"id": "read", "forEach": [1, 2, 3], "endpoint": "GET /slow/{{item}}?ms=1"},
      {"id": "bad", "endpoint": "GET /status/404", "onError": {"recover": [404]}},
      {"id": "hold", "dependsOn": ["read", "bad"], "endpoint": "GET /slow/hold?ms=600000"}
      """, server)
    wait(for: 5, server)
    var shown: JSONNode?
    // The counts follow within a second.
    for _ in 0..<400 where shown?["steps"]?.elements.count(where: { _ in true }) != 2 {
      let outcome = await pipeline(["runs", "show", "--json"] + store)
      try #require(outcome.status == .success, "\(outcome.error)")
      shown = try JSONDocument.parse(Array(outcome.output.utf8)).root
      Waiting.moment(10_000)
    }
    let steps = Array(try #require(shown?["steps"]?.elements))
    let read = try #require(steps.first { $0["step"]?.string == "read" })
    let bad = try #require(steps.first { $0["step"]?.string == "bad" })
    #expect(read["done"]?.number?.int == 3 && read["failed"]?.number?.int == 0)
    #expect(bad["done"]?.number?.int == 0 && bad["failed"]?.number?.int == 1)
    #expect(shown?["status"]?.string == "running")
    #expect(try #require(shown?["requests"]?.number?.int) >= 4)
    let listed = try #require(try await runs().first)
    #expect(listed["status"]?.string == "running")
    #expect(listed["durationSeconds"] != nil && listed["requests"]?.number?.int ?? 0 >= 4)
    let text = await pipeline(["runs", "show"] + store)
    #expect(text.output.contains("running") && text.output.contains("carried out by  process "))

    let id = try #require(listed["id"]?.string)
    for kind in ["markdown", "html", "junit", "tap", "github"] {
      let report = await pipeline(["report", id, kind] + store)
      #expect(report.status == .success, "\(report.error)")
      #expect(!report.output.contains("process ended"), "\(kind): \(report.output)")
      #expect(!report.output.contains("end of a process"), "\(kind): \(report.output)")
    }
    let markdown = await pipeline(["report", id, "markdown"] + store)
    #expect(markdown.output.contains("long: running"), "\(markdown.output)")
    child.send(SIGKILL)
    _ = child.wait()
    #expect(try await runs().first?["status"]?.string == "interrupted")
    let ended = await pipeline(["report", id, "markdown"] + store)
    #expect(ended.output.contains("the process ended before the run did"))
  }

  /// Whatever the first request is, a run is known before it leaves.
  @Test(arguments: ["GET", "POST"])
  func aRunIsListedFromItsFirstRequestOn(_ method: String) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let child = try start(#"{"id": "a", "endpoint": "\#(method) /slow/a?ms=600000"}"#, server)
    wait(for: 1, server)
    child.send(SIGKILL)
    _ = child.wait()
    let run = try #require(try await runs().first)
    #expect(run["status"]?.string == "interrupted")
    #expect(run["workflow"]?.string == "long")
    let plan = await pipeline(["resume", folder.path + "/w.json", "--plan"] + store)
    #expect(plan.status == (method == "GET" ? .success : .inDoubt), "\(plan.error)")
  }

  #if os(Linux)
    /// The clock of a new machine is set while the process works. How long it works does not change.
    @Test(.enabled(if: Shim.compiler != nil, "no C compiler is installed"))
    func aDurationDoesNotFollowTheTimeOfDay() async throws {
      let server = try SandboxServer.start()
      defer { server.stop() }
      let library = try #require(Shim.clock.library(in: folder))
      let child = try start(
        """
        {"id": "a", "endpoint": "GET /slow/a?ms=200"},
        {"id": "b", "dependsOn": ["a"], "endpoint": "POST /slow/b?ms=600000"}
        """, server, ["LD_PRELOAD": library, "CLOCK_JUMP": folder.path + "/jump"])
      wait(for: 1, server)
      folder.write("", to: "jump")
      // What is written down of it comes after the jump.
      wait(for: 2, server)
      child.send(SIGKILL)
      _ = child.wait()
      let run = try #require(try await runs().first)
      let duration = try #require(run["durationSeconds"]?.number.flatMap { Double($0.text) })
      #expect(duration < 3600)
    }
  #endif

  // MARK: A store that is removed

  @Test func nothingUnsafeLeavesWithoutAJournal() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let child = try start(
      """
      {"id": "first", "endpoint": "POST /slow/first?ms=300"},
      {"id": "second", "dependsOn": ["first"], "endpoint": "POST /slow/second?ms=1"}
      """, server)
    wait(for: 1, server)
    TemporaryFolder.remove(folder.path + "/store")
    let outcome = child.wait()
    #expect(outcome.status == 1, "\(outcome.error)")
    #expect(server.records.requests.map(\.target) == ["/slow/first?ms=300"])
    #expect(
      outcome.error.contains("journal.sqlite' was removed or replaced during the run"),
      "\(outcome.error)")
    #expect(outcome.error.contains("so the request was not sent"), "\(outcome.error)")
    #expect(!outcome.error.contains("resume: "), "\(outcome.error)")
  }

  @Test func aRunWithoutUnsafeRequestsEndsWithANote() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let child = try start(
      """
      {"id": "first", "endpoint": "GET /slow/first?ms=300"},
      {"id": "second", "dependsOn": ["first"], "endpoint": "GET /slow/second?ms=1"}
      """, server)
    wait(for: 1, server)
    TemporaryFolder.remove(folder.path + "/store")
    let outcome = child.wait()
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(server.records.requestCount == 2)
    #expect(
      outcome.error.hasPrefix("note: not all of this run is kept: the journal '"),
      "\(outcome.error)")
    #expect(outcome.error.hasSuffix("was removed or replaced during the run\n"))
  }
}
