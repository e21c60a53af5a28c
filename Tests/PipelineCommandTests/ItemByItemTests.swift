import PipelineHTTPServers
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Shards of a collection whose items are the rows of another one: each reads the rows of its own
/// items alone, if that is enough.
@Suite(.ownThreads, .enabled(if: hasSQLite, "SQLite is not installed")) struct ItemByItemTests {
  private let folder = TemporaryFolder()
  private var parts: String { folder.path + "/parts" }

  private func part(_ action: String, _ file: String, _ words: [String] = []) async -> Outcome {
    await pipeline(["part", action, file, "--folder", parts, "--quiet"] + words)
  }

  private func workflow(_ steps: String) -> String {
    folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}", "retry": {"attempts": 1}},
       "steps": [\(steps)],
       "outputs": {"a": "{{a}}", "b": "{{b}}", "c": "{{c}}"}}
      """, to: "w.json")
  }

  private static let a = #"""
    {"id": "a", "forEach": {"from": 1, "to": 10}, "endpoint": "GET /echo?n={{item}}", "extract": {"n": {"body": "$.query.n", "type": "integer"}}}
    """#
  private static let b = #"""
    {"id": "b", "forEach": "$.a", "endpoint": "POST /echo?b={{item.n}}", "extract": {"n": {"body": "$.query.b", "type": "integer"}}}
    """#
  private static let c = #"""
    {"id": "c", "forEach": "$.b", "as": "row", "indexAs": "i", "endpoint": "GET /echo?c={{row.n}}&i={{i}}", "extract": {"n": "$.query.c", "i": "$.query.i"}}
    """#

  private struct Chain: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: String
    /// The steps of which the shards of `c` read only their own items.
    let alone: Set<String>
    var testDescription: String { name }

    init(_ name: String, _ a: String, _ b: String, _ c: String, alone: Set<String> = []) {
      self.name = name
      steps = [a, b, c].joined(separator: ",")
      self.alone = alone
    }
  }

  private static let chains: [Chain] = [
    Chain("row by row", a, b, c, alone: ["a", "b"]),
    Chain(
      "items that are skipped", a,
      b.replacing("\"endpoint\"", with: "\"when\": \"$.item.n > 3\", \"endpoint\""), c,
      alone: ["a", "b"]),
    Chain(
      "a block", a,
      #"{"id": "b", "forEach": "$.a", "steps": [{"id": "x", "endpoint": "GET /echo?b={{item.n}}", "extract": {"n": "$.query.b"}}], "outputs": {"n": "{{x.n}}"}}"#,
      c, alone: ["a", "b"]),
    Chain("only waited for", a, b, c.replacing("\"$.b\"", with: "\"$.a\""), alone: ["a", "b"]),
    Chain(
      "waited for by name", a, b,
      c.replacing("\"$.b\"", with: "\"$.a\"").replacing(
        "\"endpoint\"", with: "\"dependsOn\": [\"b\"], \"endpoint\""), alone: ["a", "b"]),
    // What needs all rows.
    Chain("a query", a, b, c.replacing("\"$.b\"", with: "\"$.b[?@.n > 4]\"")),
    Chain(
      "a batch", a, b,
      c.replacing("\"as\"", with: "\"batch\": 3, \"as\"").replacing("row.n", with: "row[0].n")),
    Chain("each once", a, b, c.replacing("\"as\"", with: "\"distinct\": true, \"as\"")),
    Chain("another read", a, b, c.replacing("&i=", with: "&last={{a[9].n}}&i="), alone: ["b"]),
    Chain(
      "failed items", a.replacing("/echo?n=", with: "/status/{{item}}?n="),
      b.replacing("/echo?b=", with: "/echo?b="), c),
    Chain(
      "items that failed and were collected", a,
      b.replacing("\"$.a\"", with: #""$.a", "onItemError": "collect""#)
        .replacing("/echo?b=", with: "/status/20{{item.n}}?b="), c, alone: []),
    Chain(
      "a step that recovered", a,
      b.replacing("/echo?b=", with: "/status/20{{item.n}}?b=").replacing(
        "\"extract\"", with: #""onError": "recover", "otherwise": {"n": 0}, "extract""#), c),
  ]

  @Test(arguments: chains) private func outputsAreThoseOfOneProcess(_ chain: Chain) async throws {
    let file = workflow(chain.steps)
    let server = try SandboxServer.start()
    defer { server.stop() }
    let api = ["--set", "api=" + server.origin]
    let whole = await pipeline(["run", file, "--no-store", "--quiet"] + api)
    #expect(whole.status != .invalid, "\(whole.error)")
    let sent = server.records.requests.count
    server.records.reset()
    #expect(await part("begin", file, api).status == .success)
    for step in ["a", "b", "c"] {
      for shard in ["3/4", "1/4", "4/4", "2/4"] {
        _ = await part("run", file, ["--step", step, "--shard", shard])
      }
      if step == "b", whole.status == .success {
        // Rows are counted without reading any.
        let items = await part("items", file, ["--step", "c"])
        #expect(items.status == .success, "\(items.error)")
      }
    }
    let end = await part("finish", file)
    #expect(end.status == whole.status, "\(end.error)")
    #expect(end.output == whole.output)
    guard whole.status == .success else { return }
    #expect(end.error == whole.error)
    #expect(server.records.requests.count == sent)
  }

  /// A shard does not look at the files of others: they may hold anything.
  @Test(arguments: chains) private func onlyTheNeededFilesAreRead(_ chain: Chain) async throws {
    let file = workflow(chain.steps)
    let server = try SandboxServer.start()
    defer { server.stop() }
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    for step in ["a", "b"] {
      for shard in 1...4 {
        _ = await part("run", file, ["--step", step, "--shard", "\(shard)/4"])
      }
    }
    var needed: Set<String> = []
    for (step, shard) in [("a", 2), ("b", 3)] {
      let name = "parts/\(step)/units-1-of-4.ndjson"
      guard let units = folder.read(name) else { continue }
      folder.write("damaged", to: name)
      let outcome = await part("run", file, ["--step", "c", "--shard", "\(shard)/4"])
      if outcome.error.contains("'\(parts)/\(step)/units-1-of-4.ndjson' is damaged") {
        needed.insert(step)
      } else {
        #expect(outcome.status == .success, "\(outcome.error)")
      }
      folder.write(units, to: name)
    }
    #expect(Set(["a", "b"]).subtracting(needed) == chain.alone)
  }

  /// With another division, or after an edit, all rows are read.
  @Test func anotherDivisionReadsAllRows() async throws {
    let file = workflow([Self.a, Self.b, Self.c].joined(separator: ","))
    let server = try SandboxServer.start()
    defer { server.stop() }
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    for step in ["a", "b"] {
      for shard in 1...3 {
        let outcome = await part("run", file, ["--step", step, "--shard", "\(shard)/3"])
        #expect(outcome.status == .success, "\(outcome.error)")
      }
    }
    for shard in 1...2 {
      let outcome = await part("run", file, ["--step", "c", "--shard", "\(shard)/2"])
      #expect(outcome.status == .success, "\(outcome.error)")
    }
    let end = await part("finish", file)
    #expect(end.status == .success, "\(end.error)")
    #expect(server.records.requests.count == 30)
    let whole = await pipeline(
      ["run", file, "--no-store", "--quiet", "--set", "api=" + server.origin])
    #expect(end.output == whole.output)
  }
}
