#if os(Linux)
  import Glibc
  import PipelineHTTPServers
  import PipelineJSONText
  import PipelineKit
  import PipelineSandboxServers
  import PipelineTestSupport
  import PipelineTestTraits
  import SQLiteJournals
  import Testing

  @testable import PipelineCommand

  /// Runs whose machine loses its power at random moments.
  ///
  /// `LONG_TESTS=1` cuts a hundred times. `POWER_SEED` chooses the moments.
  @Suite(
    .serialized, .ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"),
    .enabled(if: ChildProcess.executable != nil, "the program is not built"),
    .enabled(if: Shim.compiler != nil, "no C compiler is installed"))
  struct PowerCutTests {
    private static let seed = Tool.variable("POWER_SEED").flatMap { UInt64($0) } ?? 33
    private let folder = TemporaryFolder()

    /// Whatever was cut: no run that has sent a POST is lost, none is sent twice, and each is in the
    /// journal.
    @Test func nothingThatMattersIsLostWhenThePowerFails() throws {
      let cuts = LongTests.count(6, long: 100)
      let library = try #require(Shim.power.library(in: folder))
      var random = SeededGenerator(seed: Self.seed)
      var figures = Figures()
      while figures.cuts < cuts {
        try CutRun(folder, library, number: figures.runs).perform(&figures, &random)
        figures.runs += 1
      }
      if cuts == 100 { print("power cuts: \(figures)") }
    }

    /// What need not outlive a loss of power does not wait for the disk either.
    @Test(arguments: [("GET", false), ("POST", true)])
    func onlyARunWithSomethingToLoseWaitsForTheDisk(method: String, waits: Bool) throws {
      let library = try #require(Shim.power.library(in: folder))
      let server = try SandboxServer.start()
      defer { server.stop() }
      let path = folder.path + "/" + method
      folder.write(
        """
        {"inputs": {"api": {}}, "steps": [{"id": "user", "forEach": {"from": 1, "to": 900},
         "endpoint": "\(method) {{inputs.api}}/slow/{{item}}?ms=0", "extract": {"id": "$.id"}}]}
        """, to: "\(method)/w.json")
      let cut = PowerCut(root: path, name: "store", kept: path + "/.kept", library: library)
      let child = try #require(
        ChildProcess(
          ["run", path + "/w.json", "--set", "api=" + server.origin, "-q"]
            + ["--store", path + "/store"], environment: cut.environment))
      let outcome = child.wait()
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(cut.hasSynced == waits)
    }

    struct Figures {
      var runs = 0
      var cuts = 0
      /// Cuts after which a run went on, and before which it had sent nothing unsafe.
      var resumed = 0
      var begunAgain = 0
      var posts = 0
      var settled = 0
    }
  }

  /// One run with orders, saved files, a state and a sink, and all of its power cuts.
  private struct CutRun {
    let path: String
    let library: String

    private var storePath: String { path + "/store" }
    private var store: RunStore { RunStore(path: storePath + "/runs") }

    init(_ folder: TemporaryFolder, _ library: String, number: Int) {
      path = folder.path + "/run-\(number)"
      self.library = library
      folder.write(
        """
        {"name": "shop", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
         "state": {"last": {"default": "none", "next": "{{end.id}}"}},
         "limits": {"concurrency": 3}, "steps": [
          {"id": "read", "forEach": {"from": 1, "to": 4}, "endpoint": "GET /slow/{{item}}?ms=2",
           "extract": {"id": "$.id"}, "save": "read/{{item}}.json"},
          {"id": "order", "forEach": "$.read[*].id", "endpoint": "POST /slow/order-{{item}}?ms=4",
           "body": {"json": {"user": "{{item}}"}}, "extract": {"id": "$.id"}},
          {"id": "key", "endpoint": "POST /slow/key?ms=4", "body": {"json": {}},
           "retry": {"attempts": 2, "unsafe": true}, "extract": {"id": "$.id"}},
          {"id": "end", "dependsOn": ["order"], "endpoint": "POST /slow/end?ms=4",
           "body": {"json": {}}, "extract": {"id": "$.id"}}],
         "outputs": {"orders": "$.order[*].id", "key": "{{key.id}}", "end": "{{end.id}}"}}
        """, to: "run-\(number)/w.json")
    }

    func perform(_ figures: inout PowerCutTests.Figures, _ random: inout SeededGenerator) throws {
      let server = try SandboxServer.start()
      defer { server.stop() }
      var words = ["run", path + "/w.json", "--set", "api=" + server.origin]
      words += ["--output-dir", path, "--sink", "order=" + path + "/orders.csv"]
      for attempt in 0... {
        try #require(attempt < 60, "it never ends")
        let cut = PowerCut(
          root: path, name: "store", kept: path + "/.kept", library: library)
        let before = server.records.requestCount
        let child = try #require(
          ChildProcess(words + ["--store", storePath, "-q"], environment: cut.environment))
        let last = Int.random(in: 0..<12, using: &random)
        Waiting.until { server.records.requestCount >= before + last || child.hasEnded }
        Waiting.moment(.random(in: 0..<(last == 0 ? 80_000 : 8_000), using: &random))
        child.send(SIGKILL)
        let outcome = child.wait()
        // All that it sent has arrived.
        Waiting.until { server.records.openConnections == 0 }
        figures.cuts += 1
        let keepsMore = Bool.random(using: &random)
        cut.cut { keepsMore && Bool.random(using: &random) }
        let posts = Self.posts(server)
        figures.posts = max(figures.posts, posts.count)
        guard let run = store.runs().first else {
          let isLost = !posts.isEmpty
          #expect(!isLost, "the run is lost, and \(posts) had left")
          if isLost { return }
          figures.begunAgain += 1
          try startAgain()
          continue
        }
        if try hasLostItsJournal(run.id) {
          #expect(posts.isEmpty, "the journal is lost, and \(posts) had left")
          try store.delete(id: run.id)
          figures.begunAgain += 1
          try startAgain()
          continue
        }
        #expect(outcome.status != 1 && outcome.status != 2, "\(outcome.error)")
        if run.status == .succeeded {
          try expectEnd(server, outcome.output)
          return
        }
        figures.resumed += 1
        try expectAllKnown(posts, run.id)
        words = ["resume", run.id] + settle(run.id, posts, &figures)
      }
    }

    /// Whether only the summary of a run survived.
    private func hasLostItsJournal(_ id: String) throws -> Bool {
      let journal = try store.open(id: id)
      defer { journal.close() }
      return try journal.history().run == nil
    }

    /// What the process has left that the power did not take.
    private func startAgain() throws {
      TemporaryFolder.remove(path + "/read")
    }

    private static func posts(_ server: SandboxServer) -> [String] {
      server.records.requests.filter { $0.method == "POST" }.map(\.target)
    }

    private func expectAllKnown(_ posts: [String], _ id: String) throws {
      let journal = try store.open(id: id)
      defer { journal.close() }
      let history = try journal.history()
      var known = Set(history.sendings.map { target(of: $0.url) })
      var last = 0
      while case let units = try history.units(after: last), let end = units.last {
        for unit in units {
          guard let record = try history.unit(unit.id), case .values = record.outcome else {
            continue
          }
          switch record.key.step {
          case "order": known.insert("/slow/order-\(record.key.place[0] + 1)?ms=4")
          case "key", "end": known.insert("/slow/\(record.key.step)?ms=4")
          default: break
          }
        }
        last = end.id
      }
      for post in posts { #expect(known.contains(post), "nobody knows that \(post) has left") }
    }

    private func target(of url: String) -> String {
      String(url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" })
    }

    /// What a person would say of each request in doubt who looks it up in the server's log.
    private func settle(
      _ id: String, _ posts: [String], _ figures: inout PowerCutTests.Figures
    ) -> [String] {
      let doubts = (try? store.history(id: id))?.doubts ?? []
      figures.settled += doubts.count
      return doubts.flatMap { doubt in
        let target = target(of: doubt.url)
        let name = target.dropFirst("/slow/".count).prefix { $0 != "?" }
        let arrived = posts.contains(target)
        return [
          "--settle", "\(doubt.unit.name)=" + (arrived ? #"{"id": "\#(name)"}"# : "again"),
        ]
      }
    }

    /// What the run has sent and left.
    private func expectEnd(_ server: SandboxServer, _ output: String) throws {
      let posts = server.records.requests.filter { $0.method == "POST" }
      let keys = Set(
        posts.filter { $0.target == "/slow/key?ms=4" }.map { post in
          post.headers.first { $0.name.lowercased() == "idempotency-key" }?.value ?? ""
        })
      #expect(keys.count == 1, "\(keys)")
      let others = posts.map(\.target).filter { $0 != "/slow/key?ms=4" }.sorted()
      #expect(others == ["end"].map(Self.slow) + (1...4).map { Self.slow("order-\($0)") })
      let rows = readFile(path + "/orders.csv").map { String(decoding: $0, as: UTF8.self) }
      #expect(
        rows == "id\r\norder-1\r\norder-2\r\norder-3\r\norder-4\r\n"
          || rows == "id\norder-1\norder-2\norder-3\norder-4\n", "\(rows ?? "")")
      for item in 1...4 {
        let saved = readFile(path + "/read/\(item).json").map {
          String(decoding: $0, as: UTF8.self)
        }
        #expect(saved?.contains(#""id""#) == true, "\(saved ?? "")")
      }
      // The state is in the store, and has survived the last cut too.
      let states = Tool.run(["grep", "-rl", #""last": "end""#, storePath], in: TemporaryFolder())
      #expect(!states.output.isEmpty, "the state is lost")
    }

    private static func slow(_ name: String) -> String { "/slow/\(name)?ms=4" }
  }
#endif
