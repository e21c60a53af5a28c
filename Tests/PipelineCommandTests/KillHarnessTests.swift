import PipelineHTTPServers
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

/// Random workflows whose processes are ended at random moments, by SIGKILL, SIGTERM and SIGINT, and
/// whose files are edited in between.
///
/// `LONG_TESTS=1` ends 1,000 processes, or as many as `KILLS` says. `KILL_SEED` chooses the
/// workflows, the moments and the edits.
@Suite(
  .serialized, .ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"),
  .enabled(if: ChildProcess.executable != nil, "the program is not built"))
struct KillHarnessTests {
  private static let isLong = LongTests.areWanted
  private static let seed = Tool.variable("KILL_SEED").flatMap { UInt64($0) } ?? 34
  private static let kills = Tool.variable("KILLS").flatMap { Int($0) } ?? (isLong ? 1_000 : 8)
  /// Whether requests that must not be sent twice are edited, too.
  fileprivate static let editsAll = isLong || Tool.variable("KILL_EDITS") == "all"
  private let folder = TemporaryFolder()

  @Test func everyRunEndsAsIfNobodyHadDisturbedIt() throws {
    var random = SeededGenerator(seed: Self.seed)
    var figures = KillFigures()
    while figures.kills < Self.kills {
      var run = try DisturbedRun(folder, number: figures.rounds, seed: random.next())
      try run.perform(&figures)
      figures.rounds += 1
    }
    if Self.isLong { print("kill harness, seed \(Self.seed): \(figures)") }
  }
}

struct KillFigures {
  var rounds = 0
  var kills = 0
  var edits = 0
  var requests = 0
  var settled = 0
  var differing = 0
}

/// A run with all its processes.
private struct DisturbedRun {
  private let path: String
  private let seed: UInt64
  private var random: SeededGenerator
  private var workflow: RandomWorkflow
  private let server: SandboxServer
  /// What was done, for a failure's message.
  private var transcript: [String] = []

  private var store: RunStore { RunStore(path: path + "/store/runs") }

  init(_ folder: TemporaryFolder, number: Int, seed: UInt64) throws {
    path = folder.path + "/run-\(number)"
    self.seed = seed
    random = SeededGenerator(seed: seed)
    workflow = RandomWorkflow(&random)
    server = try SandboxServer.start()
    folder.write(RandomWorkflow.called, to: "run-\(number)/called.json")
  }

  mutating func perform(_ figures: inout KillFigures) throws {
    defer { server.stop() }
    let earlier = figures.differing
    write(workflow.text)
    var words = ["run", path + "/w.json"]
    var isDone = false
    for number in 0..<60 where !isDone {
      let mayDisturb = number < 12
      let isDisturbed = mayDisturb && !(number > 2 && chance(3))
      let outcome = try process(words, isDisturbed: isDisturbed, &figures)
      transcript.append("\(words.joined(separator: " ")): \(outcome.status) \(outcome.error)")
      guard let run = store.runs().first else {
        expect(server.records.requestCount == 0, "the run is lost", &figures)
        continue
      }
      words = ["resume", run.id]
      switch outcome.status {
      case 0: isDone = true
      case 3: words += settlements(outcome.error, &figures)
      // Killed, or interrupted.
      case 130, 137, 143: break
      default: expect(false, "a process failed", &figures)
      }
      if isDone || figures.differing > earlier { break }
      if mayDisturb, outcome.status != 3, chance(2) {
        transcript.append(workflow.edit(&random, all: KillHarnessTests.editsAll))
        figures.edits += 1
        write(workflow.text)
      }
    }
    figures.requests += server.records.requestCount
    if figures.differing == earlier {
      expect(isDone, "it never ends", &figures)
      try compare(&figures)
    }
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private func write(_ text: String) {
    guard let file = fopen(path + "/w.json", "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  private func expect(_ holds: Bool, _ problem: String, _ figures: inout KillFigures) {
    if !holds { figures.differing += 1 }
    #expect(
      holds,
      "\(problem)\nseed \(seed)\n\(transcript.joined(separator: "\n"))\n\(workflow.text)\n\(log)")
  }

  private var log: String {
    server.records.requests.map { "\($0.method) \($0.target)" }.joined(separator: "\n")
  }

  // MARK: Processes

  private func words(_ words: [String], in path: String, _ server: SandboxServer) -> [String] {
    let first =
      words[0] == "run"
      ? ["--set", "api=" + server.origin, "--output-dir", path + "/out"] : []
    return words + first + ["--set", "secret=sandbox-secret", "--store", path + "/store"]
      + ["--quiet", "-o", path + "/outputs.json"]
  }

  private mutating func process(
    _ words: [String], isDisturbed: Bool, _ figures: inout KillFigures
  ) throws -> (status: Int32, output: String, error: String) {
    let before = server.records.requestCount
    let child = try #require(ChildProcess(self.words(words, in: path, server)))
    if isDisturbed {
      let signals = [SIGKILL, SIGKILL, SIGKILL, SIGTERM, SIGINT]
      let signal = signals.randomElement(using: &random) ?? SIGKILL
      let last = Int.random(in: 0..<20, using: &random)
      Waiting.until { server.records.requestCount >= before + last || child.hasEnded }
      Waiting.moment(.random(in: 0..<(last == 0 ? 60_000 : 6_000), using: &random))
      if !child.hasEnded { figures.kills += 1 }
      child.send(signal)
    }
    let outcome = child.wait()
    // All that it sent has arrived.
    Waiting.until { server.records.openConnections == 0 }
    return outcome
  }

  /// What a person would say of each request that is listed, who looks it up in the server's log.
  private func settlements(_ text: String, _ figures: inout KillFigures) -> [String] {
    let arrived = Set(server.records.requests.filter { $0.method == "POST" }.map(\.target))
    var words: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("  ") && !line.hasPrefix("   ") {
      let parts = line.split(separator: " ")
      guard parts.count > 2, parts[1] == "POST", parts[2].hasPrefix(server.origin) else { continue }
      let (name, url) = (String(parts[0]), String(parts[2].dropFirst(server.origin.count)))
      // What a redirect leads to is carried out there.
      let target = url.firstRange(of: "url=").map { String(url[$0.upperBound...]) } ?? url
      expect(!target.hasPrefix("/oauth"), "a token request is in doubt", &figures)
      let isThere = arrived.contains(target)
      words += [
        "--settle", name + "=" + (isThere ? workflow.values(of: name, from: target) : "again"),
      ]
      figures.settled += 1
    }
    return words
  }

  // MARK: The end

  /// Compares what the run has sent and left with what an undisturbed one does.
  private func compare(_ figures: inout KillFigures) throws {
    let other = try SandboxServer.start()
    defer { other.stop() }
    let whole = path + "/undisturbed"
    _ = system("mkdir -p '\(whole)' && cp '\(path)/w.json' '\(path)/called.json' '\(whole)'")
    let child = try #require(ChildProcess(words(["run", whole + "/w.json"], in: whole, other)))
    let outcome = child.wait()
    expect(outcome.status == 0, "the undisturbed run fails: \(outcome.error)", &figures)
    for name in ["outputs.json", "out"] {
      let difference = Tool.run(
        ["diff", "-r", whole + "/" + name, path + "/" + name], in: TemporaryFolder())
      let isThere = access(whole + "/" + name, F_OK) == 0
      // A file that a step saved which the author has removed since stays.
      let lines = difference.output.split(separator: "\n")
        .filter { !$0.hasPrefix("Only in \(path)/") }
      expect(!isThere || lines.isEmpty, "\(name): \(difference.output)", &figures)
    }
    let states = Tool.run(["grep", "-rlE", #""runs": ?7"#, path + "/store"], in: TemporaryFolder())
    expect(!states.output.isEmpty, "there is no state", &figures)
    let (own, undisturbed) = (Self.state(path), Self.state(whole))
    expect(own == undisturbed, "the state is \(own), and not \(undisturbed)", &figures)
    expectOnce(other, &figures)
  }

  /// The state that the run in a folder has left, as text.
  private static func state(_ path: String) -> String {
    let file = path + "/store/state" + path + "/w.json/default.json"
    return readFile(file).flatMap { try? JSONDocument.parse($0).root["state"]?.text } ?? "none"
  }

  private func expectOnce(_ other: SandboxServer, _ figures: inout KillFigures) {
    let posts = { (server: SandboxServer) in
      server.records.requests.filter {
        $0.method == "POST" && !$0.target.hasPrefix("/oauth") && !$0.target.hasPrefix("/redirect")
      }
    }
    let sent = posts(server)
    for target in Set(posts(other).map(\.target) + sent.map(\.target)).sorted() {
      let those = sent.filter { $0.target == target }
      let keys = those.map { post in
        post.headers.first { $0.name.lowercased() == "idempotency-key" }?.value
      }
      let isExpected = posts(other).contains { $0.target == target }
      if let key = keys.first, key != nil {
        // A request that has changed is another one, which 'unsafe' lets be sent.
        let most = 1 + workflow.headerChanges
        expect(Set(keys).count <= most, "\(target) has several keys: \(keys)", &figures)
      } else {
        let isWell = isExpected ? those.count == 1 : those.count <= 1
        expect(isWell, "\(target) was sent \(those.count) times", &figures)
      }
    }
  }
}
