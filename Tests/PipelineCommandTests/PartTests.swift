import PipelineHTTPServers
import PipelineByteText
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

/// A run that several processes carry out, part by part.
@Suite(.ownThreads, .enabled(if: hasSQLite, "SQLite is not installed")) struct PartTests {
  private let folder = TemporaryFolder()
  private var parts: String { folder.path + "/parts" }

  /// One of the commands.
  private func part(
    _ action: String, _ file: String, _ words: [String] = [], environment: [String: String] = [:]
  ) async -> Outcome {
    await pipeline(
      ["part", action, file, "--folder", parts, "--quiet"] + words, environment: environment)
  }

  // MARK: Samples

  /// What a sample needs, for one process or for several.
  private static func arguments(_ sample: String, _ path: String) -> [String] {
    switch sample {
    case "parts/account.json": ["--set", "user=7"]
    case "export.json", "months.json": ["--state", path + "/state.json"]
    default: []
    }
  }

  /// The base URL of a sample's input `api`, on a server, as options; none: it has no such input.
  private static func api(_ sample: String, _ server: SandboxServer) -> [String] {
    let text = String(
      decoding: readFile(SampleTests.folder + "/" + sample) ?? [], as: UTF8.self)
    if text.contains("bank.json") { return ["--set", "api=" + server.origin + "/bank"] }
    guard text.contains("\"api\":") else { return [] }
    let path = text.firstRange(of: "\"sandbox:").map {
      text[$0.upperBound...].prefix { $0 != "\"" }
    }
    return ["--set", "api=" + server.origin + (path == "/" ? "" : path ?? "")]
  }

  /// Methods and targets of what was sent, without tokens, which each process fetches for itself.
  private static func requests(_ server: SandboxServer) -> [String] {
    // A signature holds the time.
    server.records.requests.map { "\($0.method) \($0.target.split(separator: "&timestamp=")[0])" }
      .filter { !$0.contains("/oauth/token") && !$0.contains("/oauth/installations") }.sorted()
  }

  /// A part waits for nobody, so the sample that asks a person is left out.
  @Test(arguments: SampleTests.samples.filter { $0 != "approve.json" })
  func aSampleInPartsGivesTheSame(_ sample: String) async throws {
    var random = SeededGenerator(seed: 21)
    let path = SampleTests.folder + "/" + sample
    let whole = try SandboxServer.start()
    defer { whole.stop() }
    let expected = await pipeline(
      [
        "run", path, "--no-store", "--quiet", "--output-dir", folder.path + "/out",
      ] + Self.api(sample, whole) + Self.arguments(sample, folder.path))
    try #require(expected.status == .success, "\(expected.error)")
    for order in 0..<LongTests.count(2, long: 20) {
      let server = try SandboxServer.start()
      defer { server.stop() }
      let folder = TemporaryFolder()
      let test = PartFolderTest(file: path, folder: folder.path + "/parts")
      let own = Self.arguments(sample, folder.path)
      let state = own.first == "--state" ? own : []
      let output = state + ["--output-dir", folder.path + "/out"]
      let begun = await test.run(
        "begin", own + Self.api(sample, server))
      try #require(begun.status == .success, "\(begun.error)")
      var open =
        try JSONDocument.parse(Array(begun.output.utf8)).root["parts"].map {
          Array($0.elements)
        } ?? []
      var done: Set<String> = []
      while !open.isEmpty {
        let ready = open.indices.filter { index in
          open[index]["follows"]?.elements.allSatisfy { done.contains($0.string ?? "") } ?? true
        }
        let part = open.remove(at: try #require(ready.randomElement(using: &random)))
        let step = try #require(part["step"]?.string)
        let shards = part["shards"]?.text == "true" ? Int.random(in: 1...3, using: &random) : 1
        for index in (1...shards).shuffled(using: &random) {
          let outcome = await test.run(
            "run", ["--step", step, "--shard", "\(index)/\(shards)"] + output)
          #expect(outcome.status == .success, "order \(order), \(step): \(outcome.error)")
        }
        done.insert(step)
      }
      let end = await test.run("finish", output)
      #expect(end.status == .success, "order \(order): \(end.error)")
      #expect(
        end.output.replacing(server.origin, with: whole.origin) == expected.output,
        "order \(order)")
      #expect(Self.requests(server) == Self.requests(whole), "order \(order)")
    }
  }

  /// The commands on one folder.
  private struct PartFolderTest {
    let file: String
    let folder: String

    func run(_ action: String, _ words: [String]) async -> Outcome {
      await pipeline(["part", action, file, "--folder", folder, "--quiet"] + words)
    }
  }

  // MARK: Steps that fail, are skipped, recover

  /// In parts as in one process, whatever becomes of the steps.
  @Test(arguments: [
    // A step fails, and what follows it is not carried out.
    #"{"id": "a", "endpoint": "GET /status/500"}, {"id": "b", "dependsOn": ["a"], "endpoint": "GET /echo"}"#,
    // An item fails.
    #"{"id": "a", "forEach": [200, 500, 200], "endpoint": "GET /status/{{item}}"}, {"id": "b", "dependsOn": ["a"], "endpoint": "GET /echo"}"#,
    // Failed items are collected.
    #"{"id": "a", "forEach": [200, 404, 500], "onItemError": "collect", "endpoint": "GET /status/{{item}}", "extract": {"status": "$.status"}}, {"id": "b", "dependsOn": ["a"], "values": {"all": "{{a}}"}}"#,
    // A step recovers and says what went wrong.
    #"{"id": "a", "endpoint": "GET /status/500", "onError": "recover", "otherwise": {"why": "none"}, "extract": {"why": "$.none"}}, {"id": "b", "values": {"why": "{{a.why}}", "kind": "{{a.error.kind}}", "message": "{{a.error.message}}", "body": "{{a.error.body}}"}}"#,
    // A step is skipped, and another reads what is absent.
    #"{"id": "a", "when": "1 == 2", "endpoint": "GET /echo", "extract": {"path": "$.path"}}, {"id": "b", "values": {"path": "{{a.path}}"}}"#,
    // A step is skipped because of what it follows, and another follows it.
    #"{"id": "a", "when": "1 == 2", "endpoint": "GET /echo", "extract": {"path": "$.path"}}, {"id": "b", "endpoint": "GET /echo?x={{a.path}}", "onError": "continue"}"#,
    // A step fails, and what follows goes on.
    #"{"id": "a", "endpoint": "GET /status/500", "onError": "continue", "extract": {"x": "$.x"}}, {"id": "b", "dependsOn": ["a"], "endpoint": "GET /echo", "extract": {"path": "$.path"}}"#,
    // A collection of nothing.
    #"{"id": "a", "forEach": [], "endpoint": "GET /status/{{item}}", "extract": {"status": "$.status"}}, {"id": "b", "values": {"all": "{{a}}"}}"#,
  ])
  func whatBecomesOfStepsIsTheSame(_ steps: String) async throws {
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [\(steps)],
       "finally": [{"id": "end", "endpoint": "POST /echo", "body": {"json": {"ok": "{{run.ok}}", "errors": "{{run.errors}}"}}, "extract": {"sent": "$.json"}}],
       "outputs": {"end": "{{end.sent}}", "b": "{{b}}"}}
      """, to: "w.json")
    let server = try SandboxServer.start()
    defer { server.stop() }
    let api = ["--set", "api=" + server.origin]
    let whole = await pipeline(["run", file, "--no-store", "--quiet"] + api)
    let sent = Self.requests(server)
    server.records.reset()
    let begun = await part("begin", file, api)
    guard begun.status == .success else {
      // What lint refuses is refused in both.
      #expect(whole.status == begun.status, "\(begun.error)")
      Issue.record("\(begun.error)")
      return
    }
    for step in ["a", "b"] {
      let isCollection = step == "a" && steps.contains("forEach")
      for shard in isCollection ? ["2/2", "1/2"] : ["1/1"] {
        let outcome = await part("run", file, ["--step", step, "--shard", shard])
        // Only a step that fails itself has another exit status.
        #expect(
          [.success, .skipped].contains(outcome.status) || step == "a",
          "\(step): \(outcome.error)")
      }
    }
    let end = await part("finish", file)
    #expect(end.status == whole.status, "\(end.error)")
    #expect(end.output == whole.output)
    #expect(end.error == whole.error)
    #expect(Set(Self.requests(server)) == Set(sent))
  }

  // MARK: State of items

  /// Every part knows the keys of all items, and the last one joins what they leave.
  @Test func theStateOfItemsIsJoinedByTheLastPart() async throws {
    func file(_ accounts: String) -> String {
      folder.write(
        """
        {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
          {"id": "each", "forEach": [\(accounts)], "as": "account",
           "state": {"seen": {"by": "{{account}}", "default": "none", "next": "{{get.id}}"}},
           "steps": [{"id": "get", "endpoint": "POST /slow/{{account}}?ms=1&seen={{state.seen}}",
                      "body": {"json": {}}, "extract": {"id": "$.id"}}],
           "outputs": {"id": "{{get.id}}"}}],
         "outputs": {"ids": "$.each[*].id"}}
        """, to: "w.json")
    }
    let server = try SandboxServer.start()
    defer { server.stop() }
    let state = folder.path + "/state.json"
    func run(_ accounts: String, _ name: String) async -> (shards: [Int32], finish: Outcome) {
      let path = file(accounts)
      let words = ["--folder", folder.path + "/" + name, "--quiet"]
      let begun = await pipeline(
        ["part", "begin", path, "--state", state, "--set", "api=" + server.origin] + words)
      #expect(begun.status == .success, "\(begun.error)")
      var shards: [Int32] = []
      for shard in ["3/3", "1/3", "2/3"] {
        let part = await pipeline(
          ["part", "run", path, "--step", "each", "--shard", shard, "--state", state] + words)
        shards.append(part.status.rawValue)
      }
      return (shards, await pipeline(["part", "finish", path, "--state", state] + words))
    }
    func kept() throws -> String? {
      try JSONDocument.parse(Array((folder.read("state.json") ?? "").utf8)).root["state"]?.text
    }
    folder.write(#"{"format": 1, "state": {"seen": {"a": "old", "z": "old"}}}"#, to: "state.json")
    let first = await run(#""a", "b", "c", "d""#, "first")
    #expect(first.shards == [0, 0, 0] && first.finish.status == .success, "\(first.finish.error)")
    let left = try kept()
    #expect(
      left?.replacing(" ", with: "").replacing("\n", with: "")
        == #"{"seen":{"a":"a","b":"b","c":"c","d":"d","z":"old"}}"#)
    #expect(
      Self.requests(server) == [
        "POST /slow/a?ms=1&seen=old", "POST /slow/b?ms=1&seen=none",
        "POST /slow/c?ms=1&seen=none", "POST /slow/d?ms=1&seen=none",
      ])
    // The third item has the key of the first, which another shard carries out.
    server.records.reset()
    let second = await run(#""a", "b", "a""#, "second")
    #expect(second.shards == [5, 0, 0], "\(second.shards)")
    #expect(second.finish.status == .failure)
    #expect(Self.requests(server) == ["POST /slow/a?ms=1&seen=a", "POST /slow/b?ms=1&seen=b"])
    #expect(try kept() == left)
  }

  /// A contract holds for the rows of all shards, and the last part has these. The first run's
  /// columns are those of all shards, too.
  @Test func theLastPartComparesAllRowsWithTheirContract() async throws {
    func file(_ rows: String) -> String {
      folder.write(
        """
        {"contracts": {"each": {"columns": "first"}},
         "inputs": {"rows": {"type": "array", "default": [\(rows)]}},
         "steps": [{"id": "each", "forEach": "$.inputs.rows", "as": "row",
           "values": {"id": "{{row.id}}", "fee": "{{row.fee}}", "tax": "{{row.tax}}"}}],
         "outputs": {"ids": "$.each[*].id"}}
        """, to: "w.json")
    }
    let state = folder.path + "/state.json"
    func run(_ rows: String, _ name: String) async -> (shards: String, finish: Outcome) {
      let path = file(rows)
      let words = ["--folder", folder.path + "/" + name, "--quiet"]
      #expect(await pipeline(["part", "begin", path, "--state", state] + words).status == .success)
      var errors = ""
      for shard in ["1/2", "2/2"] {
        let part = await pipeline(
          ["part", "run", path, "--step", "each", "--shard", shard] + words)
        #expect(part.status == .success)
        errors += part.error
      }
      let unkept = await pipeline(["part", "finish", path] + words)
      #expect(unkept.status == .usage && unkept.error.contains("so its parts need --state FILE"))
      return (errors, await pipeline(["part", "finish", path, "--state", state] + words))
    }
    let first = await run(#"{"id": 1, "fee": 2}, {"id": 2, "tax": "x"}"#, "first")
    #expect(first.finish.status == .success, "\(first.finish.error)")
    let kept = folder.read("state.json") ?? ""
    for column in [#""id": "number""#, #""fee": "number""#, #""tax": "string""#] {
      #expect(kept.contains(column), "\(kept)")
    }
    let second = await run(#"{"id": 1, "tax": "x"}, {"id": 2}, {"id": "3"}"#, "second")
    #expect(second.shards == "", "a shard does not know the rows of the others")
    #expect(second.finish.status == .failure)
    #expect(
      second.finish.error.contains("'id' of 'each[2]' must be a number, but is \"3\""),
      "\(second.finish.error)")
    #expect(folder.read("state.json") == kept)
  }

  // MARK: Again, twice, in doubt

  private static let orders = """
    {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
      {"id": "list", "endpoint": "GET /pages/numbered?per_page=20", "extract": {"ids": "$.data[*].id"}},
      {"id": "order", "forEach": "$.list.ids[*]", "endpoint": "POST /slow/{{item}}?ms=5",
       "body": {"json": {}}, "extract": {"id": "$.id"}}],
     "outputs": {"ids": "$.order[*].id"}}
    """

  @Test func aPartThatIsDoneDoesNothing() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders, to: "w.json")
    let api = ["--set", "api=" + server.origin]
    let begun = await part("begin", file, api)
    #expect(await part("begin", file, api).output == begun.output)
    for _ in 0..<2 {
      #expect(await part("run", file, ["--step", "list"]).status == .success)
      #expect(await part("items", file, ["--step", "order"]).output == "20\n")
      for shard in ["1/2", "2/2"] {
        #expect(await part("run", file, ["--step", "order", "--shard", shard]).status == .success)
      }
      #expect(await part("finish", file).status == .success)
    }
    #expect(server.records.requests.count == 21)
    let other = await part("begin", file, ["--set", "api=http://127.0.0.1:1"])
    #expect(other.status == .invalid)
    #expect(other.error.contains("holds another run"))
    let foreign = folder.write(Self.orders, to: "foreign.json")
    for words in [
      ["items", "--step", "order"], ["run", "--step", "list"], ["settle"], ["finish"],
    ] {
      let refused = await part(words[0], foreign, Array(words.dropFirst()))
      #expect(refused.status == .invalid)
      #expect(refused.error.contains("holds another run, of 'w', and not of 'foreign'"))
    }
  }

  /// Two processes at once on one shard: the second waits, and what is sent is sent once.
  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func twoProcessesOnOneShardSendOnce() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders, to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    #expect(await part("run", file, ["--step", "list"]).status == .success)
    let words = ["part", "run", file, "--folder", parts, "--step", "order", "--shard", "1/2"]
    let processes = try (0..<3).map { _ in try #require(ChildProcess(words)) }
    for process in processes {
      let outcome = process.wait()
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    #expect(server.records.requests.count { $0.method == "POST" } == 10)
  }

  /// A process is killed at any moment; another one goes on with its shard.
  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func aKilledShardGoesOn() async throws {
    let file = folder.write(Self.orders, to: "w.json")
    var random = SeededGenerator(seed: 3)
    var expected: String?
    for round in 0..<LongTests.count(4, long: 20) {
      let server = try SandboxServer.start()
      defer { server.stop() }
      let place = "\(parts)-\(round)"
      func words(_ action: String, _ more: [String] = []) -> [String] {
        ["part", action, file, "--folder", place, "--quiet"] + more
      }
      #expect(
        await pipeline(words("begin", ["--set", "api=" + server.origin])).status == .success)
      #expect(await pipeline(words("run", ["--step", "list"])).status == .success)
      for shard in ["1/2", "2/2"] {
        var settled: [String] = []
        for attempt in 0... {
          try #require(attempt < 20)
          let child = try #require(
            ChildProcess(words("run", ["--step", "order", "--shard", shard] + settled)))
          if round > 0, attempt < 2 {
            Waiting.moment(.random(in: 0..<90_000, using: &random))
            child.send(SIGKILL)
          }
          let outcome = child.wait()
          if outcome.status == 0 { break }
          guard outcome.status == 3 else { continue }
          #expect(outcome.error.contains("pipeline part run"))
          // A person looks each of them up in the server's log.
          let sent = server.records.requests.filter { $0.method == "POST" }.map(\.target)
          settled = outcome.error.split(separator: "\n").filter { $0.contains("  POST ") }
            .flatMap { line -> [String] in
              let words = line.split(separator: " ")
              let target = String(words[2].dropFirst(server.origin.count))
              let id = target.dropFirst("/slow/".count).prefix { $0 != "?" }
              return [
                "--settle",
                "\(words[0])=" + (sent.contains(target) ? "{\"id\": \"\(id)\"}" : "again"),
              ]
            }
        }
      }
      let end = await pipeline(words("finish"))
      #expect(end.status == .success, "\(end.error)")
      #expect(end.output == expected ?? end.output)
      expected = end.output
      let posts = server.records.requests.filter { $0.method == "POST" }.map(\.target)
      #expect(Set(posts).count == 20 && posts.count == 20, "\(posts.sorted())")
    }
  }

  // MARK: What is wrong

  @Test func whatIsWrongIsSaid() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders, to: "w.json")
    let early = await part("run", file, ["--step", "list"])
    #expect(early.status == .invalid)
    #expect(early.error.contains("begin it with 'pipeline part begin'"))
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    for (words, status, message) in [
      (
        ["--step", "order"], PipelineCommand.ExitStatus.notReady,
        "part 'list' has not been carried out"
      ),
      (["--step", "nothing"], .invalid, "has no step 'nothing'; its steps are list, order"),
      ([], .usage, "part run needs --step STEP"),
      (["--step", "list", "--shard", "1/2"], .invalid, "has no 'forEach'"),
      (["--step", "order", "--shard", "3/2"], .usage, "--shard takes I/N"),
      (["--step", "order", "--shard", "auto"], .usage, "SLURM_ARRAY_TASK_ID"),
      (["--step", "order", "--share", "2/1"], .usage, "--share takes a fraction"),
    ] {
      let outcome = await part("run", file, words)
      #expect(outcome.status == status, "\(words)")
      #expect(outcome.error.contains(message), "\(outcome.error)")
    }
    let end = await part("finish", file)
    #expect(end.status == .failure)
    #expect(end.error.contains("part 'list' has not been carried out"))
    #expect(await part("run", file, ["--step", "list"]).status == .success)
    #expect(await part("run", file, ["--step", "order", "--shard", "1/3"]).status == .success)
    let incomplete = await part("finish", file)
    #expect(incomplete.status == .failure)
    #expect(incomplete.error.contains("part 'order' has not been carried out"))
  }

  /// The end of a run in which a part is missing shows the others as they ended.
  @Test func aMissingPartHidesNoOther() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"concurrency": 2}, "steps": [
        {"id": "missing", "forEach": [1, 2, 3], "endpoint": "GET /echo?a={{item}}"},
        {"id": "made", "forEach": [1, 2, 3], "endpoint": "GET /echo?b={{item}}"}]}
      """, to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    #expect(await part("run", file, ["--step", "made"]).status == .success)
    let end = await part("finish", file, ["--events", folder.path + "/events.jsonl"])
    #expect(end.status == .failure)
    #expect(end.error.contains("part 'missing' has not been carried out"), "\(end.error)")
    var outcomes: [String: String] = [:]
    for line in (folder.read("events.jsonl") ?? "").split(separator: "\n") {
      let event = try JSONDocument.parse(Array(line.utf8)).root
      guard event["event"]?.string == "stepFinished" else { continue }
      outcomes[event["step"]?.string ?? ""] = event["outcome"]?.string
    }
    #expect(outcomes == ["made": "succeeded", "missing": "failed"])
  }

  /// How a part ends says what an engine should do.
  @Test(arguments: [
    (
      #"{"id": "a", "when": "1 == 2", "endpoint": "GET /echo"}"#,
      PipelineCommand.ExitStatus.skipped
    ),
    (#"{"id": "a", "endpoint": "GET /status/404"}"#, .failedForGood),
    (#"{"id": "a", "endpoint": "GET /status/503"}"#, .failure),
    (#"{"id": "a", "endpoint": "GET /status/429"}"#, .failure),
    (#"{"id": "a", "endpoint": "GET http://127.0.0.1:1/"}"#, .failure),
    (
      #"{"id": "a", "forEach": [404, 503], "onItemError": "collect", "endpoint": "GET /status/{{item}}"}"#,
      .failure
    ),
    (
      #"{"id": "a", "forEach": [404, 410], "onItemError": "collect", "endpoint": "GET /status/{{item}}"}"#,
      .failedForGood
    ),
    (#"{"id": "a", "fail": "no"}"#, .failedForGood),
    (#"{"id": "a", "endpoint": "GET /status/404", "onError": "continue"}"#, .failedForGood),
  ])
  func theExitStatusSaysWhatHelps(
    _ step: String, _ status: PipelineCommand.ExitStatus
  ) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [\(step),
        {"id": "b", "dependsOn": ["a"], "forEach": [1, 2], "endpoint": "GET /echo"},
        {"id": "c", "dependsOn": ["b"], "endpoint": "GET /echo"}]}
      """, to: "w.json")
    let begun = await part("begin", file, ["--set", "api=" + server.origin])
    try #require(begun.status == .success, "\(begun.error)")
    // What only computes or fails is done again by each part.
    let early: PipelineCommand.ExitStatus = step.contains("\"fail\"") ? .success : .notReady
    #expect(await part("items", file, ["--step", "b"]).status == early)
    for _ in 0..<2 {
      let outcome = await part("run", file, ["--step", "a"])
      #expect(outcome.status == status, "\(outcome.error)")
    }
    // What follows a failure is skipped, even if the step collects its rows.
    let isFailure = status != .success && status != .skipped
    let items = await part("items", file, ["--step", "b"])
    #expect(items.status == .success, "\(items.error)")
    #expect(items.output == (isFailure ? "0\n" : "2\n"))
    #expect(await part("run", file, ["--step", "c"]).status == .notReady)
    for shard in ["1/2", "2/2"] {
      let outcome = await part("run", file, ["--step", "b", "--shard", shard])
      #expect(outcome.status == (isFailure ? .skipped : .success), "\(outcome.error)")
    }
    // After a step that was skipped the run goes on.
    let goesOn = !isFailure || ["continue", "collect"].contains { step.contains($0) }
    let last = await part("run", file, ["--step", "c"])
    #expect(last.status == (goesOn ? .success : .skipped), "\(last.error)")
  }

  @Test func theEngineNumbersTheShards() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders, to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    #expect(await part("run", file, ["--step", "list"]).status == .success)
    let run = ["--step", "order", "--shard", "auto"]
    for (variables, name) in [
      (["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "4"], "3-of-4"),
      (
        ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "0"],
        "4-of-4"
      ),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "4"], "1-of-4"),
      (["JOB_COMPLETION_INDEX": "1", "PIPELINE_SHARDS": "4"], "2-of-4"),
    ] {
      let outcome = await part("run", file, run, environment: variables)
      #expect(outcome.status == .success, "\(outcome.error)")
      #expect(folder.read("parts/order/done-\(name).json") != nil, "\(name)")
    }
  }

  @Test func noSecretIsInTheFolder() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"inputs": {"api": {}, "password": {"secret": true}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [
        {"id": "login", "endpoint": "POST /reqres/login",
         "body": {"json": {"email": "eve.holt@reqres.in", "password": "{{inputs.password}}"}},
         "extract": {"token": {"body": "$.token", "secret": true}}},
        {"id": "user", "endpoint": "GET /bank/secure/users/2", "auth": {"bearer": "{{login.token}}"},
         "extract": {"name": "$.name"}}],
       "outputs": {"name": "{{user.name}}"}}
      """, to: "w.json")
    let secret = ["--set", "password=cityslicka-0815"]
    let begun = await part("begin", file, ["--set", "api=" + server.origin] + secret)
    try #require(begun.status == .success, "\(begun.error)")
    for step in ["login", "user"] {
      let outcome = await part("run", file, ["--step", step] + secret)
      #expect(outcome.status == .success, "\(outcome.error)")
    }
    let end = await part("finish", file, secret)
    #expect(end.status == .success, "\(end.error)")
    #expect(end.output.contains("Björn"))
    for text in ["cityslicka-0815", "QpwL5tke4Pnpja7X4"] {
      #expect(system("grep -rqaF -- '\(text)' '\(parts)'") != 0, "\(text)")
    }
  }
}
