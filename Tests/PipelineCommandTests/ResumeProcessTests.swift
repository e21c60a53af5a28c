import JSONText
import SandboxServers
import TestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Processes that are killed at random moments, and others that go on with their runs.
///
/// `KILLS` sets how many are killed; 1,000 take about a quarter of an hour.
@Suite(.serialized, .enabled(if: hasSQLite, "SQLite is not installed"))
struct ResumeProcessTests {
  private static let kills = getenv("KILLS").flatMap { Int(String(cString: $0)) } ?? 12

  /// Pages, a request and an order for each record, a block with clean-up, and clean-up of the run.
  private static func workflow(_ origin: String) -> String {
    """
    {"defaults": {"baseURL": "\(origin)"}, "limits": {"concurrency": 4}, "steps": [
      {"id": "list", "endpoint": "GET /pages/numbered?per_page=10&page=1",
       "paginate": {"page": "page", "items": "$.data"}, "extract": {"ids": "$.data[*].id"}},
      {"id": "read", "forEach": "$.list.ids[*]", "endpoint": "GET /slow/{{item}}?ms=3", "extract": {"id": "$.id"}},
      {"id": "order", "forEach": "$.read[*].id", "endpoint": "POST /slow/order-{{item}}?ms=3",
       "body": {"json": {"user": "{{item}}"}}, "extract": {"id": "$.id"}},
      {"id": "pack", "forEach": [1, 2, 3], "as": "parcel", "steps": [
        {"id": "box", "endpoint": "POST /slow/box-{{parcel}}?ms=3", "body": {"json": {}}, "extract": {"id": "$.id"}},
        {"id": "look", "endpoint": "GET /slow/look-{{box.id}}?ms=3", "extract": {"id": "$.id"}}],
       "finally": [{"id": "close", "endpoint": "POST /slow/close-{{parcel}}?ms=3", "body": {"json": {}}}],
       "outputs": {"id": "{{look.id}}"}}],
     "finally": [{"id": "bye", "endpoint": "POST /slow/bye?ms=3", "body": {"json": {}}}],
     "outputs": {"orders": "$.order[*].id", "packs": "$.pack[*].id"}}
    """
  }

  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func aRunSurvivesAnyNumberOfKills() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow(server.origin), to: "w.json")
    var store = ["--store", folder.path + "/store", "--quiet"]
    let undisturbed = try #require(ChildProcess(["run", path] + store)).wait()
    try #require(undisturbed.status == 0, "\(undisturbed.error)")
    let posts = Self.posts(server)
    #expect(Set(posts).count == posts.count)
    var random = SeededGenerator(seed: 20)
    var killed = 0
    while killed < Self.kills {
      server.records.reset()
      // Of its own: a process that is killed after its outputs leaves a run that nobody goes on with.
      store[1] = folder.path + "/store-\(killed)"
      var child = try #require(ChildProcess(["run", path] + store))
      var doubts: Set<String> = []
      var outcome = (status: Int32(0), output: "", error: "")
      var processes = 0
      while true {
        processes += 1
        try #require(processes < 100, "\(outcome.error)")
        if killed < Self.kills, Bool.random(using: &random) {
          usleep(useconds_t.random(in: 0..<160_000, using: &random))
          child.send(SIGKILL)
          killed += 1
        }
        outcome = child.wait()
        // It may have been killed between its outputs and its end.
        if outcome.status == 0 || outcome.output == undisturbed.output { break }
        // Each request in doubt is looked up in the server's log, as a person would do it.
        var settle: [String] = []
        if outcome.status == 3 {
          for line in outcome.error.split(separator: "\n")
          where line.hasPrefix("  ") && line.contains("  POST ") {
            let name = line.dropFirst(2).prefix { $0 != " " }
            let url = line.split(separator: " ").first { $0.hasPrefix("http") } ?? ""
            doubts.insert(String(name))
            let target = String(url.dropFirst(server.origin.count))
            let hasCome = Self.posts(server).contains(target)
            let id = target.dropFirst("/slow/".count).prefix { $0 != "?" }
            settle = [
              "--settle", "\(name)=" + (hasCome ? "done" : "again"), "--values",
              "{\"id\": \"\(id)\"}",
            ]
            break
          }
          #expect(!settle.isEmpty, "\(outcome.error)")
        }
        // A process that died before it began has left no run.
        let isKept = outcome.status == 3 || !outcome.error.contains("has no run to go on with")
        child = try #require(
          ChildProcess((isKept ? ["resume"] + settle : ["run", path]) + store))
      }
      #expect(outcome.output == undisturbed.output)
      let sent = Self.posts(server)
      #expect(sent.sorted() == posts.sorted(), "in doubt: \(doubts.sorted())")
    }
  }

  private static func posts(_ server: SandboxServer) -> [String] {
    server.records.requests.filter { $0.method == "POST" }.map(\.target)
  }
}
