import PipelineHTTPServers
import PipelineSandboxServers
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `cache` as a user meets it: what one run keeps, the next one need not fetch.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct CacheCommandTests {
  private static func workflow(_ cache: String) -> String {
    """
    {"name": "pictures", "defaults": {"baseURL": "sandbox:/"}, "steps": [
      {"id": "list", "endpoint": "GET /images", "cache": \(cache),
       "extract": {"ids": "$.images[0:3].id"}},
      {"id": "image", "forEach": "$.list.ids", "endpoint": "GET /images/{{item}}", "cache": true,
       "extract": {"type": {"header": "Content-Type"}}}],
     "outputs": {"types": "$.image[*].type"}}
    """
  }

  @Test func theSecondRunFetchesNothingTwice() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("\"1h\""), to: "w.json")
    let arguments = [
      "run", path, "--store", folder.path + "/store", "--events", folder.path + "/events.jsonl",
    ]
    let first = await pipeline(arguments)
    #expect(first.status == .success, "\(first.error)")
    #expect(!first.error.contains("cached") && !first.error.contains("validated"))
    let second = await pipeline(arguments)
    #expect(second.output == first.output)
    #expect(second.error.contains("3 requests · 1 cached · 3 validated"), "\(second.error)")
    let events = folder.read("events.jsonl") ?? ""
    #expect(events.contains("\"cached\":1,\"validated\":3"))
    #expect(events.contains("\"cache\":\"fresh\""))
  }

  @Test func withoutAStoreNothingIsKept() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("true"), to: "w.json")
    for _ in 0..<2 {
      let outcome = await pipeline(["run", path, "--no-store"])
      #expect(outcome.status == .success, "\(outcome.error)")
      #expect(!outcome.error.contains("validated"))
    }
  }

  /// A run that only changes something drops what an earlier run has kept.
  @Test(arguments: [[], ["--record", "r.har"], ["--show", "change"]])
  func aRunThatOnlyChangesDropsWhatIsKept(_ options: [String]) async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    func write(_ name: String, _ steps: String) -> String {
      folder.write(
        "{\"defaults\": {\"baseURL\": \"\(server.origin)\", \"cache\": \"30d\"}, \"steps\": [\(steps)]}",
        to: name)
    }
    let get = write("get.json", #"{"id": "read", "endpoint": "GET /echo"}"#)
    let put = write("put.json", #"{"id": "change", "endpoint": "PUT /echo", "body": {"json": {}}}"#)
    let more = options.map { $0.hasSuffix(".har") ? folder.path + "/" + $0 : $0 }
    for words in [[put], [get], [get], [put] + more, [get]] {
      let outcome = await pipeline(["run"] + words + ["--store", folder.path + "/store"])
      #expect(outcome.status == .success, "\(outcome.error)")
    }
    #expect(server.records.requests.map(\.method) == ["PUT", "GET", "PUT", "GET"])
  }

  /// A part and a single request drop what runs have kept in the store of the environment. They
  /// keep nothing there, and begin no cache.
  @Test(arguments: ["part", "try"])
  func whatHasNoStoreOfItsOwnDropsWhatIsKept(_ command: String) async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    func write(_ name: String, _ step: String) -> String {
      folder.write(
        "{\"defaults\": {\"baseURL\": \"\(server.origin)\", \"cache\": \"30d\"}, \"steps\": [\(step)]}",
        to: name)
    }
    let get = write("get.json", #"{"id": "read", "endpoint": "GET /echo"}"#)
    let put = write("put.json", #"{"id": "change", "endpoint": "PUT /echo", "body": {"json": {}}}"#)
    func perform(_ commands: [[String]]) async {
      for words in commands {
        let outcome = await pipeline(
          words, environment: ["PIPELINE_STORE": folder.path + "/store"])
        #expect(outcome.status == .success, "\(outcome.error)")
      }
    }
    func commands(_ file: String, _ step: String, number: Int) -> [[String]] {
      let place = ["--folder", folder.path + "/parts-\(number)"]
      return [["part", "begin", file] + place, ["part", "run", file, "--step", step] + place]
    }
    func change(_ number: Int) -> [[String]] {
      command == "part"
        ? commands(put, "change", number: number)
        : [["try", "PUT \(server.origin)/echo", "--json", "{}"]]
    }
    await perform(change(1))
    #expect(!folder.names.contains("store"))
    await perform([["run", get], ["run", get]] + change(2) + [["run", get], ["run", get]])
    // What is kept answers no request of a part.
    if command == "part" { await perform(commands(get, "read", number: 3)) }
    #expect(
      server.records.requests.map(\.method)
        == ["PUT", "GET", "PUT", "GET"] + (command == "part" ? ["GET"] : []))
  }

  @Test func aCacheThatCannotBeOpenedIsOneNote() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("true"), to: "w.json")
    _ = folder.write("{}", to: "store/cache.sqlite/file")
    let outcome = await pipeline(["run", path, "--store", folder.path + "/store"])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(outcome.error.contains("note: no response is kept for later runs: the cache '"))
  }

  @Test func thePlanSaysWhatIsKept() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("\"90m\""), to: "w.json")
    let outcome = await pipeline(["plan", path])
    #expect(outcome.output.contains("cache  for 90m"), "\(outcome.output)")
    #expect(outcome.output.contains("cache  as each response says"))
  }
}
