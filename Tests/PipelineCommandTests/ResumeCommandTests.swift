import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `pipeline resume` and `pipeline runs` as a user meets them.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct ResumeCommandTests {
  private static func workflow(_ last: String) -> String {
    """
    {"name": "export", "defaults": {"baseURL": "sandbox:/"}, "steps": [
      {"id": "user", "forEach": [1, 2, 3], "endpoint": "GET /reqres/users/{{item}}",
       "extract": {"email": "$.data.email"}},
      {"id": "report", "dependsOn": ["user"], "endpoint": "GET \(last)"}],
     "outputs": {"mails": "$.user[*].email"}}
    """
  }

  @Test func aMendedFileGoesOnWithWhatWasDone() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("/status/500"), to: "w.json")
    let store = ["--store", folder.path + "/store"]
    let failed = await pipeline(["run", path] + store)
    #expect(failed.status == .failure)
    let hint = try #require(failed.error.split(separator: "\n").last)
    #expect(hint.hasPrefix("resume: pipeline resume "))
    let words = hint.split(separator: " ").map(String.init)
    try #require(words.count == 6 && words.suffix(2) == store[...])
    let id = words[3]
    _ = folder.write(Self.workflow("/status/200"), to: "w.json")
    let plan = await pipeline(["resume", id, "--plan"] + store)
    #expect(plan.status == .success)
    #expect(
      plan.output == """
        pipeline resume \(id) would go on with 'export':
          user    3 taken
          report           1 carried out  not done before
        Steps that read what is carried out follow when it is known.

        """)
    let resumed = await pipeline(["resume", id, "--events", folder.path + "/events.jsonl"] + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(resumed.output.contains("emma.wong@reqres.in"))
    let events = folder.read("events.jsonl") ?? ""
    #expect(events.split(separator: "\n").count { $0.contains("requestFinished") } == 1)
    let nothing = await pipeline(["resume"] + store)
    #expect(nothing.status == .failure)
    #expect(nothing.error.contains("has no run to go on with"))
  }

  /// A rehearsal sees what `--again` asks for, and leaves the journal as it was.
  @Test func aStepIsCarriedOutAgainAndNotByAPlan() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("/status/500"), to: "w.json")
    let store = ["--store", folder.path + "/store"]
    _ = await pipeline(["run", path] + store)
    for _ in 0..<2 {
      let plan = await pipeline(["resume", "--plan"] + store)
      #expect(plan.output.contains("user    3 taken"), "\(plan.output)")
      let again = await pipeline(["resume", "--plan", "--again", "user"] + store)
      #expect(again.output.contains("user      3 carried out"), "\(again.output)")
    }
    let taken = await pipeline(["resume"] + store)
    #expect(taken.error.contains("3 taken"), "\(taken.error)")
    let resumed = await pipeline(["resume", "--again", "user"] + store)
    #expect(resumed.error.contains("3 items · 3 requests"), "\(resumed.error)")
  }

  /// Not even the run's own requests are known. So nothing is sent as if it were the first time.
  @Test func aJournalWithoutItsBeginningIsNotGoneOnWith() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("/status/500"), to: "w.json")
    let store = ["--store", folder.path + "/store"]
    let failed = await pipeline(["run", path] + store)
    let list = await pipeline(["runs", "--json"] + store)
    let id = try #require(
      try JSONDocument.parse(Array(list.output.utf8)).root.element(0)?["id"]?.string)
    #expect(failed.error.contains("resume: pipeline resume"))
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
      _ = folder.write("", to: "store/runs/\(id)/\(name)")
    }
    for options in [[], ["--plan"]] {
      let outcome = await pipeline(["resume"] + options + store)
      #expect(outcome.status == .failure)
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.contains("has lost the run's beginning"), "\(outcome.error)")
      #expect(outcome.error.contains("pipeline run \(path)"))
    }
  }

  @Test func contradictingOptionsAreRefused() async {
    let folder = TemporaryFolder()
    for command in [["run", "w.json"], ["resume"]] {
      let result = await pipeline(command + ["-qv", "--store", folder.path])
      #expect(result.status == .usage)
      #expect(result.error == "pipeline: --quiet and --verbose contradict each other\n")
    }
  }

  @Test func runsAreListedShownAndDeleted() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("/status/500"), to: "w.json")
    let store = ["--store", folder.path + "/store"]
    _ = await pipeline(["run", path] + store)
    let list = await pipeline(["runs", "--json"] + store)
    let run = try #require(
      try JSONDocument.parse(Array(list.output.utf8)).root.elements.first { _ in true })
    #expect(run["status"]?.string == "failed")
    #expect(run["requests"]?.number?.int == 4)
    #expect(run["workflow"]?.string == "export")
    let id = try #require(run["id"]?.string)
    let shown = await pipeline(["runs", "show", String(id.prefix(5)), "--json"] + store)
    let root = try JSONDocument.parse(Array(shown.output.utf8)).root
    let steps = try #require(root["steps"]?.elements)
    #expect(steps.map { $0["step"]?.string } == ["user", "report"])
    #expect(steps.map { $0["done"]?.number?.int } == [3, 0])
    #expect(root["failures"]?.element(0)?["unit"]?.string == "report")
    #expect(root.members.map(\.name).count == Set(root.members.map(\.name)).count)
    #expect(root["cached"]?.number?.int == 0)
    let text = await pipeline(["runs", "show"] + store)
    #expect(text.output.contains("\nrequests   4\n"))
    #expect(text.output.contains("answered 500"))
    #expect(await pipeline(["runs", "delete", "nothing"] + store).status == .failure)
    #expect(await pipeline(["runs", "delete", id] + store).status == .success)
    #expect(await pipeline(["runs"] + store).output.isEmpty)
  }

  @Test func withoutAStoreNothingIsKept() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("/status/500"), to: "w.json")
    for options in [[], ["--no-store"]] {
      let outcome = await pipeline(["run", path] + options)
      #expect(outcome.status == .failure)
      #expect(!outcome.error.contains("resume:"))
    }
    let resume = await pipeline(["resume"])
    #expect(resume.status == .usage)
    #expect(resume.error.contains("--store"))
    let both = await pipeline(["run", path, "--no-store", "--store", folder.path])
    #expect(both.status == .usage)
  }

  @Test func aStoreThatWasNamedMustBeUsable() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("/status/200"), to: "w.json")
    let file = folder.write("", to: "file")
    let outcome = await pipeline(["run", path, "--store", file])
    #expect(outcome.status == .failure)
    #expect(outcome.error.contains("cannot be written"))
    #expect(outcome.output.isEmpty)
  }

  @Test func whatIsWrongWithSettleIsSaid() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow("/status/500"), to: "w.json")
    let store = ["--store", folder.path + "/store"]
    _ = await pipeline(["run", path] + store)
    for (argument, words) in [
      ("user", "takes STEP[ITEM]"),
      ("user[1]=again", "nothing about 'user[1]' is in doubt; nothing is"),
    ] {
      let outcome = await pipeline(["resume", "--settle", argument] + store)
      #expect(outcome.status == .usage)
      #expect(outcome.error.contains(words), "\(outcome.error)")
    }
    let values = await pipeline(["resume", "--values", "{}"] + store)
    #expect(values.status == .usage)
    #expect(values.error.contains("add --settle 'STEP[ITEM]=done'"), "\(values.error)")
  }

  // MARK: Mistyped steps

  /// A file with a block, a branch and a called file, and requests that end in doubt.
  private func doubtfulRun(_ folder: TemporaryFolder, _ server: SandboxServer) async -> [String] {
    _ = folder.write(
      """
      {"inputs": {"api": {}}, "steps": [
        {"id": "look", "endpoint": "GET {{inputs.api}}/echo"}]}
      """, to: "called.json")
    let path = folder.write(
      """
      {"inputs": {"api": {}, "key": {"secret": true}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [
        {"id": "user", "endpoint": "GET /echo"},
        {"id": "pack", "steps": [{"id": "box", "endpoint": "GET /echo"}]},
        {"id": "keep", "workflow": "./called.json", "inputs": {"api": "{{inputs.api}}"}},
        {"id": "order", "forEach": [1, 2], "onItemError": "collect", "endpoint": "POST /echo",
         "headers": {"X-Key": "{{inputs.key}}"}, "body": {"json": {}}, "extract": {"id": "$.nothing"}}],
       "finally": [{"id": "bye", "endpoint": "GET /echo"}]}
      """, to: "w.json")
    // The answers hold a secret, so they are not kept.
    let store = ["--store", folder.path + "/store", "--set", "key=sesame-1234"]
    let run = await pipeline(["run", path, "--quiet", "--set", "api=" + server.origin] + store)
    #expect(run.status == .failure, "\(run.error)")
    return store
  }

  @Test func mistypedStepsAreRefusedBeforeAnythingIsSent() async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    let store = await doubtfulRun(folder, server)
    let count = server.records.requests.count
    let settled = ["--settle", "order[0]=skip", "--settle", "order[1]=skip"]
    for (options, words) in [
      (["--again", "usr"], "--again: the workflow has no step 'usr'; did you mean 'user'?"),
      (["--again", "user", "--again", "pack.bx"], "no step 'pack.bx'; did you mean 'pack.box'?"),
      (["--again", "box"], "no step 'box'; did you mean 'pack.box'?"),
      (["--again", "keep.lok"], "no step 'keep.lok'; did you mean 'keep.look'?"),
      (["--again", "user.box"], "no step 'user.box'; its steps are"),
      (["--again", "b"], "; its steps are user, pack, keep, order, bye, pack.box, keep.look\n"),
      (["--again", ""], "no step ''; its steps are user"),
      (["--again", "order[1]"], "not 'order[1]'; write --again order\n"),
      (["--again", "pack[3].box"], "not 'pack[3].box'; write --again pack.box\n"),
      (["--again", "odrer[1]"], "no step 'odrer[1]'"),
      (["--settle", "odrer[0]=skip"], "'odrer[0]' is in doubt; did you mean 'order[0]'?"),
      (["--settle", "order[7]=skip"], "'order[7]' is in doubt; did you mean 'order[0]'?"),
      (["--settle", "user=skip"], "'user' is in doubt; in doubt: order[0], order[1]\n"),
      (["--settle", "order[0]=skip"], "--settle says twice what became of 'order[0]'"),
    ] {
      for plan in [[], ["--plan"]] {
        let outcome = await pipeline(["resume", "--quiet"] + settled + options + plan + store)
        #expect(outcome.status == .usage, "\(options)")
        #expect(outcome.error.contains(words), "\(outcome.error)")
      }
    }
    #expect(server.records.requests.count == count)
    // None of the options was written down: all is in doubt that was.
    let outcome = await pipeline(["resume", "--quiet"] + store)
    #expect(outcome.status == .inDoubt)
    #expect(outcome.error.contains("order[0]  POST"), "\(outcome.error)")
    let again = ["pack.box", "keep.look", "bye", "user"].flatMap { ["--again", $0] }
    let plan = await pipeline(["resume", "--quiet", "--plan"] + settled + again + store)
    #expect(plan.status == .success, "\(plan.error)")
    let end = await pipeline(["resume", "--quiet"] + settled + again + store)
    #expect(end.status == .success, "\(end.error)")
    #expect(server.records.requests.count == count + 4)
  }
}
