import PipelineReports
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

/// Files in whose place somebody has put others: numbers that no arithmetic expects, and pipes that
/// never give a byte. Each must end in a message, and none may end the process.
@Suite(.ownThreads, .enabled(if: hasSQLite, "SQLite is not installed")) struct ExtremeNumberTests {
  private static let extremes = [
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e300", "-1e300",
    "4611686018427387904", "-1", "0", "0.5",
  ]

  private static let workflow = """
    {"name": "w", "limits": {"rate": "1000/1s"}, "inputs": {"api": {}},
     "defaults": {"baseURL": "{{inputs.api}}", "cache": "1h"}, "steps": [
      {"id": "list", "endpoint": "GET /pages/numbered?per_page=10&page=1",
       "paginate": {"page": "page", "items": "$.data"}, "extract": {"ids": "$.data[*].id"}},
      {"id": "order", "forEach": [1, 2, 3], "endpoint": "POST /slow/{{item}}?ms=1",
       "body": {"json": {"n": 1}}, "extract": {"id": "$.id"}},
      {"id": "bad", "endpoint": "GET /status/503", "retry": {"attempts": 2, "delay": "1ms"},
       "dependsOn": ["order"]}]}
    """

  private let folder = TemporaryFolder()

  /// The text with each name's numbers replaced by an extreme one, one name after the other. A name
  /// gets one of the extremes, or all with `LONG_TESTS=1`.
  private func variants(_ text: String) -> [String] {
    let names = Set(text.matches(of: #/"(\w+)": ?-?\d/#).map { String($0.1) }).sorted()
    return names.enumerated().flatMap { number, name -> [String] in
      guard let pattern = try? Regex("(\"\(name)\": ?)-?[0-9][0-9.eE+-]*") else { return [] }
      return LongTests.share(Self.extremes, step: 9, part: number).map { extreme in
        text.replacing(pattern) { match in
          (match.output[1].substring.map(String.init) ?? "") + extreme
        }
      }
    }
  }

  /// A run that failed, in the store, with its events and its recording.
  private func failedRun(_ server: SandboxServer) async -> String {
    let file = folder.write(Self.workflow, to: "w.json")
    let outcome = await pipeline([
      "run", file, "--set", "api=" + server.origin, "--store", folder.path + "/store",
      "--events", folder.path + "/e.jsonl", "--record", folder.path + "/r.har",
    ])
    #expect(outcome.status == .failure, "\(outcome.error)")
    return RunStore(path: folder.path + "/store/runs").runs().first?.id ?? ""
  }

  @Test func eventsAndRecordingsWithExtremeNumbersAreRead() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    _ = await failedRun(server)
    let events = try #require(folder.read("e.jsonl"))
    for text in variants(events) {
      let path = folder.write(text, to: "f.jsonl")
      for kind in ["har", "otlp", "html", "markdown", "tap", "junit", "github"] {
        let outcome = await pipeline(["report", path, kind])
        #expect(!outcome.output.isEmpty || !outcome.error.isEmpty, "\(kind)")
      }
    }
    let recording = try #require(folder.read("r.har"))
    for text in variants(recording) {
      let path = folder.write(text, to: "f.har")
      let outcome = await pipeline([
        "run", folder.path + "/w.json", "--set", "api=" + server.origin, "--replay", path,
        "--no-store", "--quiet",
      ])
      #expect(outcome.status != .success)
    }
  }

  @Test func storedFilesWithExtremeNumbersAreRead() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let id = await failedRun(server)
    let place = "store/runs/\(id)/"
    let runs = RunStore(path: folder.path + "/store/runs")
    // As a version before logs kept it.
    let trace = try #require(runs.runTrace(of: id)?.json())
    unlink(runs.traceLogPath(of: id))
    folder.write(trace, to: place + "trace.json")
    for name in ["run.json", "trace.json"] {
      let whole = try #require(folder.read(place + name))
      for text in variants(whole) {
        folder.write(text, to: place + name)
        for words in [
          ["runs"], ["runs", "show", id], ["report", id, "html"], ["report", id, "otlp"],
        ] {
          let outcome = await pipeline(words + ["--store", folder.path + "/store"])
          #expect(!outcome.output.isEmpty || !outcome.error.isEmpty)
        }
      }
      folder.write(whole, to: place + name)
    }
  }

  @Test(arguments: [
    "UPDATE run SET value = 'X' WHERE name = 'startedAt'", "UPDATE processes SET requests = X",
    "UPDATE processes SET duration = X", "UPDATE processes SET began = X",
    "UPDATE units SET took = X", "UPDATE units SET began = X", "UPDATE units SET item = X",
    "UPDATE units SET id = X WHERE id = 1", "UPDATE steps SET id = X WHERE id = 1",
    "UPDATE sendings SET id = X WHERE id = 1", "UPDATE sendings SET time = X",
    "UPDATE sendings SET status = X",
    "UPDATE pages SET number = X", "UPDATE pages SET count = X",
    "UPDATE processes SET report = '{\"taken\":X,\"failures\":X,\"cached\":X,\"inDoubt\":X}'",
  ])
  func journalsWithExtremeNumbersAreRead(_ change: String) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let id = await failedRun(server)
    let place = folder.path + "/store/runs/\(id)/"
    let whole = try #require(readFile(place + "journal.sqlite"))
    for extreme in [
      "9223372036854775807", "-9223372036854775808", "9e999", "-9e999", "1e300", "-1",
    ] {
      folder.write(whole, to: "store/runs/\(id)/journal.sqlite")
      do {
        let database = try SQLiteDatabase(path: place + "journal.sqlite")
        try database.run(
          """
          INSERT INTO processes (began, status, duration, requests, report)
          SELECT began, status, duration, requests, report FROM processes
          """)
        // SQLite refuses some, such as a fraction in an id.
        do {
          try database.run(change.replacing("X", with: extreme))
        } catch {
          continue
        }
      }
      unlink(place + "run.json")
      for words in [
        ["runs"], ["runs", "show", id], ["resume", id, "--plan"], ["resume", id, "-q"],
      ] {
        let outcome = await pipeline(words + ["--store", folder.path + "/store"])
        #expect(!outcome.output.isEmpty || !outcome.error.isEmpty, "\(words) \(change) \(extreme)")
      }
    }
  }

  @Test func workflowsWithExtremeNumbersAreJudged() async throws {
    let text = """
      {"limits": {"concurrency": 7, "items": 5000, "requests": 4000}, "steps": [
        {"id": "a", "forEach": {"from": 1, "to": 5, "by": 2}, "batch": 2, "concurrency": 3,
         "values": {"a": "{{item}}"}},
        {"id": "b", "endpoint": "GET sandbox:/status/200", "redirects": 3,
         "retry": {"attempts": 2, "factor": 2}},
        {"id": "p", "endpoint": "GET sandbox:/pages/numbered?page=1&per_page=50",
         "paginate": {"page": "page", "items": "$.data", "maxPages": 4},
         "extract": {"i": "$.data[*].id"}}]}
      """
    for variant in variants(text) {
      let path = folder.write(variant, to: "x.json")
      for command in ["lint", "plan"] {
        let outcome = await pipeline([command, path])
        #expect(!outcome.output.isEmpty || !outcome.error.isEmpty || outcome.status == .success)
      }
    }
  }

  // MARK: Pipes

  /// A pipe that nobody writes to.
  private func pipe(_ name: String) -> String {
    let path = folder.path + "/" + name
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    return path
  }

  @Test func aPipeInPlaceOfAStoredFileHangsNobody() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let id = await failedRun(server)
    let store = ["--store", folder.path + "/store"]
    for name in ["run.json", "trace.log", "trace.json", "lock", "journal.sqlite"] {
      _ = pipe("store/runs/\(id)/\(name)")
      for words in [["runs"], ["runs", "show", id], ["report", id, "html"], ["resume", id]] {
        let outcome = await pipeline(words + store)
        #expect(!outcome.output.isEmpty || !outcome.error.isEmpty, "\(words) \(name)")
      }
    }
  }

  @Test func aPipeInPlaceOfANamedFileIsRefused() async throws {
    let har = pipe("r.har")
    let file = folder.write(#"{"steps": [{"id": "a", "values": {"n": 1}}]}"#, to: "v.json")
    let replayed = await pipeline(["run", file, "--replay", har, "--no-store"])
    #expect(replayed.error.contains("it is a pipe or a device, not a file"), "\(replayed.error)")
    let caller = folder.write(#"{"steps": [{"id": "a", "workflow": "./p.json"}]}"#, to: "c.json")
    _ = pipe("p.json")
    let called = await pipeline(["run", caller, "--no-store"])
    #expect(called.error.contains("it is a pipe or a device, not a file"), "\(called.error)")
  }

  @Test func aPipeInAFolderOfPartsHangsNobody() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
        {"id": "order", "forEach": [1, 2], "endpoint": "POST /slow/{{item}}?ms=1"}]}
      """, to: "w.json")
    let parts = folder.path + "/parts"
    func part(_ action: String, _ words: [String] = []) async -> Outcome {
      await pipeline(["part", action, file, "--folder", parts, "--quiet"] + words)
    }
    #expect(await part("begin", ["--set", "api=" + server.origin]).status == .success)
    #expect(await part("run", ["--step", "order", "--shard", "1/1"]).status == .success)
    let files = try FileSystem.system.names(parts + "/order")
    #expect(files.contains { $0.contains("units-") })
    for name in files where name.hasSuffix("json") {
      let whole = try #require(readFile(parts + "/order/" + name))
      _ = pipe("parts/order/" + name)
      let outcome = await part("finish")
      #expect(outcome.status != .success || !name.contains("units-"), "\(name) \(outcome.error)")
      unlink(parts + "/order/" + name)
      folder.write(whole, to: "parts/order/" + name)
    }
  }
}
