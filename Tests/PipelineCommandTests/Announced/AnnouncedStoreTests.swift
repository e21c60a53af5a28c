import PipelineKit
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Limits that a real server announces, as a user meets them.
@Suite(.ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"))
struct AnnouncedStoreTests {
  private let folder = TemporaryFolder()

  private func write(
    _ dialect: String, limit: Int, window: Int, items: Int, name: String = "w", more: String = ""
  ) -> String {
    folder.write(
      """
      {"name": "\(name)", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"concurrency": 4\(more)},
       "steps": [{"id": "each", "forEach": {"from": 1, "to": \(items)}, "as": "n", "retry": 4,
         "endpoint": "GET /limited/announced/\(dialect)?limit=\(limit)&window=\(window)&n={{n}}"}],
       "outputs": {"count": {"$count": "$.each"}}}
      """, to: name + ".json")
  }

  private func run(_ path: String, _ server: SandboxServer, _ options: [String] = []) async
    -> Outcome
  {
    await pipeline(
      ["run", path, "--set", "api=" + server.origin, "--store", folder.path + "/store"] + options)
  }

  private func refused(_ events: String) -> Int {
    let text = String(decoding: readFile(folder.path + "/" + events) ?? [], as: UTF8.self)
    return text.split(separator: "\n").count { $0.contains(#""status":429"#) }
  }

  @Test func aServerIsNotMadeToRefuse() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = write("milliseconds", limit: 20, window: 1500, items: 50)
    let result = await run(path, server, ["-v", "--events", folder.path + "/e"])
    #expect(result.status == .success, "\(result.error)")
    #expect(server.records.requestCount == 50)
    #expect(refused("e") == 0)
    #expect(result.error.contains("announced limit of \(server.origin)"), "\(result.error)")
    let events = String(decoding: try #require(readFile(folder.path + "/e")), as: UTF8.self)
    #expect(events.contains(#""announced":"#))
  }

  @Test func runsAtTheSameTimeShareALimit() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let outcomes = await withTaskGroup(of: Outcome.self) { group in
      for name in ["a", "b", "c"] {
        let path = write("milliseconds", limit: 40, window: 1200, items: 40, name: name)
        group.addTask { await run(path, server, ["--events", folder.path + "/" + name + ".e"]) }
      }
      var outcomes: [Outcome] = []
      for await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
    #expect(outcomes.allSatisfy { $0.status == .success })
    #expect(server.records.requestCount == 120)
    #expect(["a", "b", "c"].reduce(0) { $0 + refused($1 + ".e") } == 0)
  }

  @Test func aLaterRunKnowsThatALimitIsUsedUp() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    // Longer than any machine takes for what follows.
    let path = write("milliseconds", limit: 5, window: 600_000, items: 5)
    #expect(await run(path, server).status == .success)
    let plan = await pipeline(
      ["plan", path, "--set", "api=" + server.origin, "--store", folder.path + "/store"])
    #expect(plan.output.contains("\(server.origin)  takes no request before"), "\(plan.output)")
    // Nothing is left of a run that has ended.
    let kept = String(decoding: readFile(folder.path + "/store/limits.json") ?? [], as: UTF8.self)
    #expect(kept.contains(StoredOrigin.name(server.origin)), "\(kept)")
    #expect(!kept.contains("[1,") && !kept.contains("[2,"), "\(kept)")
  }

  /// All requests of such a run leave before it knows of a limit.
  @Test func runsOfOneRequestShareALimit() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = write("milliseconds", limit: 3, window: 600_000, items: 1)
    for _ in 0..<3 { #expect(await run(path, server).status == .success) }
    let plan = await pipeline(
      ["plan", path, "--set", "api=" + server.origin, "--store", folder.path + "/store"])
    #expect(plan.output.contains("\(server.origin)  takes no request before"), "\(plan.output)")
  }

  @Test func whereManyAreLeftNothingIsWritten() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = write("github", limit: 5000, window: 60_000, items: 30)
    #expect(await run(path, server).status == .success)
    #expect((readFile(folder.path + "/store/limits.json") ?? []).isEmpty)
  }

  @Test func whatTheStoreHasIsNoCondition() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    for content in ["{", "[]", #"{"format": 1, "limits": [{"origin": 7}, null]}"#] {
      _ = folder.write(content, to: "store/limits.json")
      let path = write("milliseconds", limit: 10, window: 200, items: 12)
      #expect(await run(path, server).status == .success)
    }
    let path = write(
      "milliseconds", limit: 5, window: 500, items: 8, more: #", "announced": false"#)
    let result = await run(path, server, ["--events", folder.path + "/e"])
    #expect(result.status == .success, "\(result.error)")
    #expect(refused("e") > 0)
  }
}
