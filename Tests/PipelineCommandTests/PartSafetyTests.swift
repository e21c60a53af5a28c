import Foundation
import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is carried out in parts is sent at most once, whatever its engine does.
@Suite(.ownThreads, .enabled(if: hasSQLite, "SQLite is not installed")) struct PartSafetyTests {
  private let folder = TemporaryFolder()
  private var parts: String { folder.path + "/parts" }

  private func part(_ action: String, _ file: String, _ words: [String] = []) async -> Outcome {
    await pipeline(["part", action, file, "--folder", parts, "--quiet"] + words)
  }

  private static func orders(_ path: String = "/slow/{{item}}?ms=5") -> String {
    """
    {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
      {"id": "order", "forEach": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "endpoint": "POST \(path)",
       "body": {"json": {"n": "{{item}}"}}, "extract": {"id": "$.id"}}],
     "outputs": {"ids": "$.order[*].id"}}
    """
  }

  private func posts(_ server: SandboxServer) -> [String] {
    server.records.requests.filter { $0.method == "POST" }.map(\.target).sorted()
  }

  // MARK: Another number of shards

  /// Each list is carried out after the one before it, and sends only what is missing.
  @Test(arguments: [
    [["1/2", "2/2"], ["1/3", "2/3", "3/3"]],
    [["1/2", "2/2"], ["1/3"]],
    [["2/2"], ["1/3", "3/3"], ["1/1"]],
    [["1/1"], ["1/5", "2/5", "3/5", "4/5", "5/5"]],
    [["1/4", "3/4"], ["2/3"], ["1/2", "2/2"], ["1/1"]],
  ])
  func anotherNumberOfShardsSendsNothingAgain(_ divisions: [[String]]) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders(), to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    for division in divisions {
      for shard in division {
        let outcome = await part("run", file, ["--step", "order", "--shard", shard])
        #expect(outcome.status == .success, "\(shard): \(outcome.error)")
      }
      #expect(posts(server).count == Set(posts(server)).count, "\(division)")
    }
    let end = await part("finish", file)
    #expect(end.status == .success, "\(end.error)")
    let ids = try JSONDocument.parse(Array(end.output.utf8)).root["ids"]
    #expect(ids?.elements.compactMap(\.string) == (1...12).map { "\($0)" })
    #expect(posts(server).count == 12)
  }

  /// A shard that failed half-way leaves the rest to the shards of another division.
  @Test func aDivisionThatFailedIsGoneOnWith() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
        {"id": "order", "forEach": [200, 201, 500, 202, 203, 204], "concurrency": 2,
         "endpoint": "POST /status/{{item}}", "onItemError": "collect"}]}
      """, to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    for shard in ["1/2", "2/2", "1/3", "2/3", "3/3"] {
      _ = await part("run", file, ["--step", "order", "--shard", shard])
    }
    let sent = posts(server)
    for status in [200, 201, 202, 203, 204] {
      #expect(sent.filter { $0 == "/status/\(status)" }.count == 1, "\(sent)")
    }
  }

  /// A request in doubt is settled in the part that sent it, before another division goes on.
  @Test func anotherDivisionDoesNotSendWhatIsInDoubt() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders("/faults/empty?n={{item}}"), to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    let first = await part("run", file, ["--step", "order", "--shard", "2/6"])
    #expect(first.status == .inDoubt, "\(first.error)")
    let sent = posts(server)
    let second = await part("run", file, ["--step", "order", "--shard", "2/2"])
    #expect(second.status == .inDoubt)
    #expect(second.error.contains("--step order --shard 2/6 --settle"), "\(second.error)")
    #expect(posts(server) == sent)
    // Its own items are in no doubt, so they are carried out.
    #expect(await part("run", file, ["--step", "order", "--shard", "1/2"]).status == .inDoubt)
    #expect(posts(server).count > sent.count)
  }

  /// All parts at once, without carrying one out and without their secrets.
  @Test func aPersonSettlesAllParts() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      Self.orders("/faults/empty?n={{item}}").replacing(
        #"{"api": {}}"#, with: #"{"api": {}, "key": {"secret": true}}"#),
      to: "w.json")
    let secret = ["--set", "key=Zk7-4f9a1c"]
    let begun = await part("begin", file, secret + ["--set", "api=" + server.origin])
    #expect(begun.status == .success, "\(begun.error)")
    let nothing = await part("settle", file)
    #expect(nothing.status == .success && nothing.error.isEmpty, "\(nothing.error)")
    for shard in 1...3 {
      let outcome = await part("run", file, ["--step", "order", "--shard", "\(shard)/3"] + secret)
      #expect(outcome.status == .inDoubt, "\(outcome.error)")
    }
    let sent = posts(server)
    let listed = await part("settle", file)
    #expect(listed.status == .inDoubt)
    #expect(listed.error.split(separator: "\n").count { $0.contains("  POST ") } == sent.count)
    #expect(listed.error.contains("pipeline part settle \(file) --folder"), "\(listed.error)")
    // Either all that is said makes sense, or nothing is written down.
    let wrong = await part(
      "settle", file, ["--settle", "order[0]=skip", "--settle", "order[99]=skip"])
    #expect(wrong.status == .usage && wrong.error.contains("order[99]"), "\(wrong.error)")
    let unknown = await part("settle", file, ["--step", "ordr"])
    #expect(unknown.status == .invalid && unknown.error.contains("no step 'ordr'"))
    let one = await part("settle", file, ["--step", "order", "--settle", "order[0]=skip"])
    #expect(one.status == .inDoubt, "\(one.error)")
    #expect(!one.error.contains("order[0]"), "\(one.error)")
    let all = await part("settle", file, ["--settle", "order[*]=skip"])
    #expect(all.status == .success && all.error.isEmpty, "\(all.error)")
    #expect(posts(server) == sent)
    // Nothing that was settled is sent again.
    _ = await part("run", file, ["--step", "order", "--shard", "1/3"] + secret)
    #expect(posts(server).count { $0.hasSuffix("n=1") } == 1, "\(posts(server))")
  }

  /// A part at work must end before something is settled in it.
  @Test func aPartAtWorkIsNotSettled() async throws {
    let file = folder.write(Self.orders(), to: "w.json")
    #expect(await part("begin", file, ["--set", "api=http://127.0.0.1:9"]).status == .success)
    _ = await part("run", file, ["--step", "order", "--shard", "1/2"])
    let lease = try PartLease(path: parts + "/order/lease-1-of-2")
    let outcome = await part("settle", file)
    #expect(outcome.status == .failure)
    #expect(
      outcome.error.contains("part 'order' 1/2; settle when it has ended"), "\(outcome.error)")
    withExtendedLifetime(lease) {}
  }

  @Test func aKeyIsKeptInAnotherDivision() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let retry =
      #""onItemError": "collect", "retry": {"unsafe": true, "attempts": 2, "delay": "1ms"}"#
    let text = Self.orders("/faults/empty?n={{item}}").replacing(
      "\"body\"", with: "\(retry), \"body\"")
    let file = folder.write(text, to: "w.json")
    let begun = await part("begin", file, ["--set", "api=" + server.origin])
    try #require(begun.status == .success, "\(begun.error)")
    for shard in ["3/12", "3/4"] {
      _ = await part("run", file, ["--step", "order", "--shard", shard])
    }
    let keys = server.records.requests.filter { $0.target == "/faults/empty?n=3" }
      .map { request in request.headers.first { $0.name.lowercased() == "idempotency-key" }?.value }
    #expect(keys.count == 4 && Set(keys).count == 1 && keys[0] != nil, "\(keys)")
  }

  /// Parts of several divisions at once wait for each other.
  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func divisionsAtOnceSendOnce() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders(), to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    let processes = try ["1/2", "1/3", "2/2", "1/1", "3/3", "2/3"].map { shard in
      try #require(
        ChildProcess(["part", "run", file, "--folder", parts, "--step", "order", "--shard", shard]))
    }
    for process in processes {
      let outcome = process.wait()
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    #expect(posts(server).count == 12)
    #expect(await part("finish", file).status == .success)
  }

  // MARK: Leases

  /// A clock that is moved by hand.
  private final class HandClock: Sendable {
    private let time = Mutex(Duration.zero)

    func advance(_ seconds: Int) { time.withLock { $0 += .seconds(seconds) } }
    var now: @Sendable () -> Duration { { [self] in time.withLock { $0 } } }
  }

  @Test func aLeaseThatWasTakenAwayIsNoticedBeforeAnythingIsSent() throws {
    let path = folder.path + "/lease-1-of-1"
    let clock = HandClock()
    let lease = try PartLease(path: path, clock: clock.now)
    #expect(lease.holds())
    // Another machine, whose locks do not reach this one, takes it.
    unlink(path)
    folder.write("17 elsewhere 0815\n", to: "lease-1-of-1")
    clock.advance(31)
    #expect(!lease.holds())
    // It stays lost, and it is left to its new holder.
    clock.advance(-31)
    #expect(!lease.holds())
    _ = consume lease
    #expect(folder.read("lease-1-of-1") == "17 elsewhere 0815\n")
  }

  @Test func aRenewalNoticesThatTheLeaseIsLost() throws {
    let path = folder.path + "/lease-1-of-1"
    let lease = try PartLease(path: path, clock: HandClock().now)
    unlink(path)
    lease.renew()
    #expect(!lease.holds())
  }

  @Test func aProcessThatSleptKeepsALeaseThatNobodyTook() throws {
    let path = folder.path + "/lease-1-of-1"
    let clock = HandClock()
    let lease = try PartLease(path: path, clock: clock.now)
    clock.advance(3600)
    #expect(lease.holds())
    #expect(throws: PartLease.Holder.self) { try PartLease(path: path) }
    _ = consume lease
    #expect(folder.read("lease-1-of-1") == nil)
  }

  @Test func aLeaseOfAnotherDivisionIsRespected() throws {
    let first = try PartLease(path: folder.path + "/lease-1-of-2")
    let other = folder.path + "/lease-1-of-2"
    #expect(throws: PartLease.Holder.self) {
      try PartLease(path: folder.path + "/lease-1-of-3", besides: { [other] })
    }
    _ = consume first
    _ = try PartLease(path: folder.path + "/lease-1-of-3", besides: { [other] })
  }

  @Test(arguments: [
    ("40 30 0:50 / /shared rw - nfs4 host:/x rw,vers=4.2,local_lock=none", nil),
    ("40 30 0:50 / /shared rw - nfs host:/x rw,vers=3,nolock,local_lock=all", "nolock"),
    ("40 30 0:50 / /shared rw - nfs4 host:/x rw,local_lock=flock", "local_lock=flock"),
    ("40 30 0:50 / /share rw - nfs host:/x rw,nolock", nil),
    ("40 30 0:50 / /shared/runs rw - lustre x rw,localflock", "localflock"),
  ])
  func aMountWhoseLocksStayAtHomeIsNamed(_ line: String, _ option: String?) {
    let mounts = "1 0 8:1 / / rw - ext4 /dev/vda rw\n" + line + "\n"
    let note = FolderLock.mountNote(of: "/shared/runs/1", mounts)
    #expect((note == nil) == (option == nil), "\(note ?? "")")
    if let option { #expect(note?.contains("'\(option)'") == true) }
  }

  // MARK: The beginning

  @Test(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func ofManyBeginningsOneCounts() throws {
    let file = folder.write(Self.orders(), to: "w.json")
    for round in 0..<6 {
      let place = "\(parts)-\(round)"
      let processes = try (0..<6).map { number in
        try #require(
          ChildProcess([
            "part", "begin", file, "--folder", place, "--set", "api=http://127.0.0.1:\(number % 2)",
          ]))
      }
      let outcomes = processes.map { $0.wait() }
      let runs = Set(
        outcomes.filter { $0.status == 0 }.compactMap { outcome in
          (try? JSONDocument.parse(Array(outcome.output.utf8)))?.root["run"]?.string
        })
      #expect(runs.count == 1, "\(outcomes)")
      #expect(outcomes.count { $0.status == 0 } == 3)
      #expect(outcomes.count { $0.status == 2 } == 3)
      #expect(folder.read("parts-\(round)/run.json")?.contains(runs.first ?? "?") == true)
    }
  }

  @Test func aMissingSecretIsNoticedAtTheBeginning() async throws {
    let file = folder.write(
      """
      {"inputs": {"token": {"secret": true}, "other": {"secret": true, "optional": true}}, "steps": [
        {"id": "a", "endpoint": "GET http://127.0.0.1:1/", "auth": {"bearer": "{{inputs.token}}"}}]}
      """, to: "w.json")
    let begun = await part("begin", file)
    #expect(begun.status == .invalid)
    #expect(begun.error.contains("'token'"), "\(begun.error)")
    #expect(folder.read("parts/run.json") == nil)
    #expect(await part("begin", file, ["--set", "token=s3cr3t"]).status == .success)
    #expect(folder.read("parts/run.json")?.contains("s3cr3t") == false)
  }

  /// A step that was renamed does not send its requests again.
  @Test func aRenamedStepIsRefused() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders(), to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    #expect(await part("run", file, ["--step", "order", "--shard", "1/2"]).status == .success)
    let count = server.records.requestCount
    _ = folder.write(
      Self.orders().replacingOccurrences(of: "\"order\"", with: "\"place\"")
        .replacingOccurrences(of: "order", with: "place"), to: "w.json")
    let renamed = await part("run", file, ["--step", "place", "--shard", "1/2"])
    #expect(renamed.status == .invalid)
    #expect(renamed.error.contains("call it 'order' again"), "\(renamed.error)")
    #expect(server.records.requestCount == count)
  }

  // MARK: Items

  @Test func onlyCollectionsHaveItems() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
        {"id": "all", "dependsOn": ["one"], "forEach": [1, 2], "endpoint": "POST /echo"},
        {"id": "one", "endpoint": "POST /echo"}]}
      """, to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    let items = await part("items", file, ["--step", "one"])
    #expect(items.status == .usage)
    #expect(items.error.contains("step 'one' has no 'forEach'"), "\(items.error)")
    #expect(server.records.requests.isEmpty)
    #expect(await part("run", file, ["--step", "one"]).status == .success)
    #expect(await part("items", file, ["--step", "all"]).output == "2\n")
    #expect(server.records.requests.count == 1)
  }

  // MARK: What others put into the folder

  @Test(arguments: [
    ("order/units-1-of-1.ndjson", "finish"), ("order/done-1-of-1.json", "run"),
    ("run.json", "finish"),
  ])
  func aPipeInTheFolderHangsNobody(_ name: String, _ action: String) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.orders(), to: "w.json")
    #expect(await part("begin", file, ["--set", "api=" + server.origin]).status == .success)
    #expect(await part("run", file, ["--step", "order"]).status == .success)
    unlink(parts + "/" + name)
    #expect(mkfifo(parts + "/" + name, 0o600) == 0)
    let end = await part(action, file, action == "run" ? ["--step", "order"] : [])
    #expect(end.status == .failure)
    #expect(end.error.contains("it is not a regular file"), "\(end.error)")
  }
}
