import PipelineHTTPServers
import PipelineByteText
import PipelineJSONText
import PipelineKit
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

/// Processes that are killed at random moments, and others that go on with their runs.
///
/// `KILLS` sets how many are killed in each test; 1,000 take about a quarter of an hour.
@Suite(.serialized, .ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"))
struct ResumeProcessTests {
  private static let kills = getenv("KILLS").flatMap { Int(String(cString: $0)) }

  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func aRunSurvivesAnyNumberOfKills() throws {
    try KilledRuns(.export).perform(kills: Self.kills ?? 8)
  }

  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func jobsWithPollsAndCalledFilesSurvive() throws {
    try KilledRuns(.jobs).perform(kills: Self.kills ?? 6)
  }

  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func manyOrdersAtOnceSurvive() throws {
    try KilledRuns(.orders(Self.kills == nil ? 300 : 2_000)).perform(kills: Self.kills ?? 4)
  }

  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func theStateOfItemsSurvives() throws {
    let runs = try KilledRuns(.itemState)
    #expect(
      runs.expectedState?.contains(#""seen":{"0/a":"round-0-a","0/b":"round-0-b","1/a":"#) == true)
    try runs.perform(kills: Self.kills ?? 6)
  }

  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func aFileThatIsEditedInBetweenSendsOnlyWhatChanged() throws {
    try KilledRuns(.edited).perform(kills: Self.kills ?? 8)
  }

  @Test(
    .enabled(if: ChildProcess.executable != nil, "the program is not built"),
    // A DELETE that is repeated, since a kill came between it and its record, is answered 404. A
    // server that counts attempts counts those before a kill. A file without steps sends nothing.
    // A question has nobody to answer it.
    arguments: SampleTests.samples.filter {
      !$0.hasPrefix("parts/")
        && !["cleanup.json", "busy.json", "compute.json", "signatures.json", "approve.json"]
          .contains($0)
    })
  func aSampleSurvives(_ sample: String) throws {
    try KilledRuns(.sample(sample)).perform(kills: Self.kills.map { $0 / 10 } ?? 1)
  }
}

/// A workflow whose processes are killed, and how its requests are told apart.
private struct Workload: Sendable {
  /// The files, by name; `w.json` is the one that is run.
  var files: [String: String]
  /// The files that replace them after the first kill.
  var edited: [String: String] = [:]
  /// A process is killed at most so long after its start.
  var span: useconds_t = 160_000
  /// What the step of a POST that has arrived extracts, from its target and all that arrived;
  /// `nil`: nobody can tell, so that it is sent again.
  var values: @Sendable (_ target: String, _ posts: [String]) -> String? = { _, _ in nil }
  /// What a unit sends, from its step and the position of its item; `nil`: it is not looked at.
  var target: @Sendable (_ unit: UnitKey) -> String? = { _ in nil }

  /// Pages, a request and an order for each record, a block with clean-up, and clean-up of the run.
  static let export = Workload(
    files: [
      "w.json": """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"concurrency": 4}, "steps": [
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
    ], values: slowValues,
    target: { $0.step == "read" ? "/slow/\($0.place[0] + 1)?ms=3" : nil })

  /// What `/slow/NAME` answers.
  private static let slowValues: @Sendable (String, [String]) -> String? = { target, _ in
    "{\"id\": \"\(target.dropFirst("/slow/".count).prefix { $0 != "?" })\"}"
  }

  /// Jobs that are waited for, and a file that is called for each.
  static let jobs = Workload(
    files: [
      "w.json": """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
        {"id": "start", "forEach": {"from": 1, "to": 6}, "endpoint": "POST /jobs?polls=3&n={{item}}",
         "concurrency": 1, "extract": {"id": "$.id"}},
        {"id": "done", "forEach": "$.start[*].id", "endpoint": "GET /jobs/{{item}}",
         "poll": {"until": "@.body.status == 'done'", "every": "4ms", "within": "1m"},
         "extract": {"status": "$.status"}},
        {"id": "keep", "dependsOn": ["done"], "forEach": "$.start[*].id", "workflow": "./keep.json",
         "inputs": {"api": "{{inputs.api}}", "job": "{{item}}"}}],
       "outputs": {"states": "$.done[*].status", "kept": "$.keep[*].id"}}
      """,
      "keep.json": """
      {"inputs": {"api": {}, "job": {"type": "integer"}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [
        {"id": "keep", "endpoint": "POST /slow/keep-{{inputs.job}}?ms=3", "body": {"json": {}},
         "extract": {"id": "$.id"}},
        {"id": "look", "endpoint": "GET /slow/look-{{keep.id}}?ms=3", "extract": {"id": "$.id"}}],
       "outputs": {"id": "{{look.id}}"}}
      """,
    ],
    values: { target, posts in
      let jobs = posts.filter { $0.hasPrefix("/jobs") }
      return jobs.firstIndex(of: target).map { "{\"id\": \($0 + 1)}" } ?? slowValues(target, posts)
    })

  /// Many requests at once that must not be sent twice.
  static func orders(_ count: Int) -> Workload {
    Workload(
      files: [
        "w.json": """
        {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
         "limits": {"concurrency": 64}, "steps": [
          {"id": "order", "forEach": {"from": 1, "to": \(count)},
           "endpoint": "POST /slow/order-{{item}}?ms=2", "body": {"json": {"n": "{{item}}"}},
           "extract": {"id": "$.id"}}],
         "outputs": {"orders": "$.order[*].id"}}
        """
      ], span: count > 1_000 ? 1_500_000 : 300_000, values: slowValues)
  }

  /// Items with state of their own, in items of another loop, and rounds around a third.
  static let itemState = Workload(
    files: [
      "w.json": """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"concurrency": 4}, "state": {"runs": {"type": "integer", "default": 0, "next": {"$sum": ["{{state.runs}}", 1]}}},
       "steps": [
        {"id": "regions", "forEach": ["eu", "us"], "as": "region", "steps": [
          {"id": "accounts", "forEach": {"from": 1, "to": 4}, "as": "account",
           "state": {"last": {"by": "{{region}}-{{account}}", "default": "none", "next": "{{box.id}}"}},
           "steps": [
             {"id": "box", "endpoint": "POST /slow/box-{{region}}-{{account}}?ms=3",
              "body": {"json": {"after": "{{state.last}}"}}, "extract": {"id": "$.id"}},
             {"id": "look", "endpoint": "GET /slow/look-{{box.id}}?ms=3", "extract": {"id": "$.id"}}],
           "outputs": {"id": "{{look.id}}", "last": "{{state.last}}"}}],
         "outputs": {"rows": "$.accounts[*].id"}},
        {"id": "rounds", "dependsOn": ["regions"],
         "repeat": {"carry": {"n": {"default": 0, "next": {"$sum": ["{{n}}", 1]}}},
                    "until": "{{n}} >= 2", "maxRounds": 5},
         "steps": [{"id": "letters", "forEach": ["a", "b"],
           "state": {"seen": {"by": "{{n}}/{{item}}", "next": "{{get.id}}"}},
           "steps": [{"id": "get", "endpoint": "POST /slow/round-{{n}}-{{item}}?ms=3",
             "body": {"json": {"after": "{{state.seen}}"}}, "extract": {"id": "$.id"}}]}],
         "outputs": {"ids": "$.letters[*].get.id"}}],
       "outputs": {"rows": "$.regions[*].rows[*]", "ids": "$.rounds[*].ids[*]"}}
      """
    ], values: slowValues)

  /// A step fixed, one added, one removed, and a longer list.
  static let edited: Workload = {
    func text(_ count: Int, _ look: String, _ more: String) -> String {
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"concurrency": 3}, "steps": [
        {"id": "read", "forEach": {"from": 1, "to": \(count)}, "endpoint": "GET /slow/{{item}}?ms=3",
         "extract": {"id": "$.id"}},
        {"id": "order", "forEach": "$.read[*].id", "endpoint": "POST /slow/order-{{item}}?ms=3",
         "body": {"json": {}}, "extract": {"id": "$.id"}},
        {"id": "look", "forEach": "$.order[*].id", "endpoint": "GET /slow/{{item}}-\(look)?ms=3",
         "extract": {"id": "$.id"}},
        {"id": "\(more)", "endpoint": "POST /slow/\(more)?ms=3", "body": {"json": {}}}],
       "outputs": {"looks": "$.look[*].id", "orders": "$.order[*].id"}}
      """
    }
    return Workload(
      files: ["w.json": text(12, "first", "removed")],
      edited: ["w.json": text(15, "second", "added")], span: 110_000, values: slowValues,
      target: { $0.step == "read" ? "/slow/\($0.place[0] + 1)?ms=3" : nil })
  }()

  /// One of the repository's samples.
  static func sample(_ name: String) throws -> Workload {
    var files: [String: String] = [:]
    for sample in SampleTests.samples + ["parts/bank.json"]
    where sample == name || sample.hasPrefix("parts/") {
      let bytes = try #require(readFile(SampleTests.folder + "/" + sample))
      // A refresh token that the server replaces is lost with a kill between the answer and its
      // record, whatever a client does. So it is kept.
      files[sample] = String(decoding: bytes, as: UTF8.self).replacing("?rotate=1", with: "")
    }
    files["w.json"] = files[name]
    return Workload(files: files, span: 90_000)
  }
}

/// Carries a workload out, kills its processes, and goes on until it is done.
private struct KilledRuns {
  let workload: Workload
  let folder = TemporaryFolder()
  /// What the undisturbed run sent and gave.
  private let expected: (output: String, state: String?, posts: [String], keyedPosts: Int)

  init(_ workload: @autoclosure () throws -> Workload) throws {
    self.workload = try workload()
    let server = try SandboxServer.start()
    defer { server.stop() }
    let last = folder.path + "/undisturbed"
    let files = self.workload.files.merging(self.workload.edited) { $1 }
    Self.write(files, last)
    let outcome = try Self.process(["run", last + "/w.json"], last, server).wait()
    try #require(outcome.status == 0, "\(outcome.error)")
    expected = (
      Self.withoutOrigin(outcome.output, server), Self.state(last), Self.posts(server),
      Self.keyedPosts(server)
    )
  }

  /// The state that runs in a folder have left; `nil`: none.
  private static func state(_ path: String) -> String? {
    let file = path + "/store/state" + path + "/w.json/default.json"
    guard let bytes = readFile(file), let document = try? JSONDocument.parse(bytes) else {
      return nil
    }
    return document.root["state"]?.text.filter { !$0.isWhitespace }
  }

  private static func write(_ files: [String: String], _ path: String) {
    _ = system("mkdir -p '\(path)/parts' && cp -r '\(SampleTests.folder)/files' '\(path)/files'")
    for (name, text) in files {
      guard let file = fopen(path + "/" + name, "w") else { continue }
      fputs(text, file)
      fclose(file)
    }
  }

  var expectedState: String? { expected.state }

  private static func process(
    _ words: [String], _ path: String, _ server: SandboxServer
  ) throws -> ChildProcess {
    let first =
      words[0] == "run"
      ? ["--set", "api=" + api(path, server), "--output-dir", path + "/out"] : []
    return try #require(ChildProcess(words + first + ["--store", path + "/store", "--quiet"]))
  }

  /// The server's origin with the path that a sample has after `sandbox:`.
  private static func api(_ path: String, _ server: SandboxServer) -> String {
    let text = String(decoding: readFile(path + "/w.json") ?? [], as: UTF8.self)
    if text.contains("./parts/bank.json") { return server.origin + "/bank" }
    let rest = text.firstRange(of: "\"sandbox:").map { text[$0.upperBound...] } ?? "/\""
    let part = rest.prefix { $0 != "\"" }
    return server.origin + (part == "/" ? "" : part)
  }

  private static func withoutOrigin(_ text: String, _ server: SandboxServer) -> String {
    text.replacing(server.origin, with: "http://sandbox")
  }

  /// The targets of requests that must not be sent twice.
  ///
  /// A request with an idempotency key may be repeated, and so may a request for a token: a journal
  /// keeps no token, so each process asks for its own.
  private static func posts(_ server: SandboxServer) -> [String] {
    server.records.requests.filter {
      $0.method == "POST" && !hasKey($0) && $0.target != "/oauth/token"
    }.map(\.target)
  }

  private static func keyedPosts(_ server: SandboxServer) -> Int {
    server.records.requests.count { $0.method == "POST" && hasKey($0) }
  }

  private static func hasKey(_ request: ServerRequest) -> Bool {
    request.headers.contains { $0.name.lowercased() == "idempotency-key" }
  }

  func perform(kills: Int) throws {
    var random = SeededGenerator(seed: 20)
    var killed = 0
    while killed < kills { try carryOut(&killed, of: kills, &random) }
  }

  /// One run with all its processes.
  private func carryOut(_ killed: inout Int, of kills: Int, _ random: inout SeededGenerator) throws
  {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = folder.path + "/run-\(killed)"
    Self.write(workload.files, path)
    var words = ["run", path + "/w.json"]
    var outcome = (status: Int32(0), output: "", error: "")
    var repeated: Set<String> = []
    var transcript: [String] = []
    for number in 0... {
      try #require(number < 100, "\(outcome.error)")
      let known = number == 0 ? [] : try recorded(path)
      let before = server.records.requests.count
      let child = try Self.process(words, path, server)
      // A file that is edited is edited while its run is unfinished.
      if killed < kills, Bool.random(using: &random) || number == 0 {
        Waiting.moment(.random(in: 0..<workload.span, using: &random))
        child.send(SIGKILL)
        killed += 1
      }
      outcome = child.wait()
      transcript.append("\(words) \(outcome.status) \(outcome.error)")
      outcome.output = Self.withoutOrigin(outcome.output, server)
      let sent = server.records.requests.dropFirst(before).map(\.target)
      for target in known where sent.contains(target) {
        Issue.record("\(target) was recorded, and sent again")
      }
      if number == 0, !workload.edited.isEmpty {
        if !outcome.output.isEmpty { return }
        Self.write(workload.edited, path)
      }
      if outcome.status == 0 || outcome.status == 137 && outcome.output == expected.output { break }
      let settled = outcome.status == 3 ? settle(outcome.error, server, &repeated) : []
      #expect(outcome.status != 3 || !settled.isEmpty, "\(outcome.error)")
      // A process that died before it began has left no run.
      let isKept = outcome.status == 3 || isBegun(path)
      words = isKept ? ["resume"] + settled : ["run", path + "/w.json"]
    }
    let posts = Self.posts(server)
    // The answer to a request that is sent again with its key may say that it was.
    let isRepeated = !repeated.isEmpty || Self.keyedPosts(server) > expected.keyedPosts
    if !isRepeated {
      #expect(outcome.output == expected.output, "\(transcript)")
      // A process that was killed after its outputs has not left its state.
      if outcome.status == 0 { #expect(Self.state(path) == expected.state, "\(transcript)") }
    }
    // What only the first file sends does not count.
    let counted = posts.filter { expected.posts.contains($0) }
    let once = counted.sorted().filter { !repeated.contains($0) }
    #expect(once == expected.posts.sorted().filter { !repeated.contains($0) }, "\(transcript)")
    try expectNoSecrets(path + "/store")
  }

  private func isBegun(_ path: String) -> Bool {
    !RunStore(path: path + "/store/runs").runs().isEmpty
  }

  /// What the units send that are in the journal of the newest run.
  private func recorded(_ path: String) throws -> [String] {
    let store = RunStore(path: path + "/store/runs")
    guard let run = store.runs().first else { return [] }
    let journal = try store.open(id: run.id)
    defer { journal.close() }
    var ids: [RecordedUnit.ID] = []
    let history = try journal.history()
    while case let units = try history.units(after: ids.last ?? 0), !units.isEmpty {
      ids += units.map(\.id)
    }
    return try ids.compactMap { try history.unit($0) }.compactMap { workload.target($0.key) }
  }

  /// What a person would say of each request in doubt who looks it up in the server's log.
  ///
  /// - Parameter repeated: Gets those that a person cannot but send again.
  private func settle(
    _ text: String, _ server: SandboxServer, _ repeated: inout Set<String>
  ) -> [String] {
    var words: [String] = []
    let posts = Self.posts(server)
    for line in text.split(separator: "\n")
    where line.prefix(while: { $0 == " " }).count == 2 && line.contains("  POST ") {
      let name = line.dropFirst(2).prefix { $0 != " " }
      let url = line.split(separator: " ").first { $0.hasPrefix("http") } ?? ""
      let target = String(url.dropFirst(server.origin.count))
      let values = posts.contains(target) ? workload.values(target, posts) : nil
      if values == nil, posts.contains(target) { repeated.insert(target) }
      words += ["--settle", "\(name)=\(values ?? "again")"]
    }
    return words
  }

  /// The store holds no secret of the sandbox, however it is written, but in the file of logins,
  /// which is for tokens.
  private func expectNoSecrets(_ path: String) throws {
    let secrets = ["sandbox-secret", "QpwL5tke4Pnpja7X4", "cityslicka", "sandbox-access-"]
    folder.write(secrets.flatMap(Self.encodings).joined(separator: "\n"), to: "encodings")
    let found = Tool.run(
      ["grep", "-raoF", "--exclude=credentials.json", "-f", "encodings", path], in: folder)
    #expect(found.status == 1 && found.output.isEmpty, "\(found.output)\(found.error)")
  }

  private static func encodings(_ secret: String) -> [String] {
    let bytes = Array(secret.utf8)
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    // The characters that do not depend on what stands before and after the secret.
    let base64 = (0..<3).map { shift -> String in
      let text = Base64.encode(Array(repeating: 0, count: shift) + bytes)
      return String(text.dropFirst(shift == 0 ? 0 : shift + 1).prefix { $0 != "=" }.dropLast())
    }
    return [secret, hex, hex.uppercased()] + base64
  }
}
