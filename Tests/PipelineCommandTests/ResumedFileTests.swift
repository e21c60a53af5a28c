import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Which run `pipeline resume` means.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct ResumedFileTests {
  private let folder = TemporaryFolder()
  private var store: [String] { ["--store", folder.path + "/store"] }

  /// A workflow that fails until `/status/500` in it is replaced.
  @discardableResult
  private func write(_ name: String, _ status: Int = 500, to file: String? = nil) -> String {
    folder.write(
      """
      {"name": "\(name)", "defaults": {"baseURL": "sandbox:/"}, "steps": [
        {"id": "list", "endpoint": "GET /echo"},
        {"id": "end", "dependsOn": ["list"], "endpoint": "GET /status/\(status)",
         "retry": {"attempts": 1}}],
       "outputs": {"workflow": "\(name)"}}
      """, to: file ?? name + ".json")
  }

  private func run(_ words: [String]) async -> Outcome { await pipeline(words + store + ["-q"]) }

  private func runs(_ words: [String]) async -> Outcome { await pipeline(["runs"] + words + store) }

  @Test func aFileMeansItsNewestUnfinishedRun() async throws {
    let (users, orders) = (write("users"), write("orders"))
    for file in [users, orders, users, orders] {
      #expect(await run(["run", file]).status == .failure)
    }
    write("users", 200)
    write("orders", 200)
    let first = await run(["resume", users])
    #expect(first.status == .success && first.output.contains("users"), "\(first.error)")
    // Another way to the same file.
    let second = await run(["resume", folder.path + "/store/../users.json"])
    #expect(second.status == .success && second.output.contains("users"), "\(second.error)")
    let third = await run(["resume", users])
    #expect(third.status == .failure && third.output.isEmpty)
    #expect(third.error.contains("has no run of '\(users)' to go on with"), "\(third.error)")
    #expect(await run(["resume", orders]).output.contains("orders"))
  }

  /// Who wants a step once more means the newest run, also if it has succeeded.
  @Test func aStepOfAnEndedRunIsCarriedOutAgain() async throws {
    let users = write("users", 200)
    #expect(await run(["run", users]).status == .success)
    for operand in [[], [users]] {
      let wrong = await run(["resume"] + operand + ["--again", "lst"])
      #expect(wrong.status == .usage)
      #expect(wrong.error.contains("no step 'lst'; did you mean 'list'?"), "\(wrong.error)")
      let events = folder.path + "/events.jsonl"
      let again = await run(["resume"] + operand + ["--again", "list", "--events", events])
      #expect(again.status == .success && again.output.contains("users"), "\(again.error)")
      let lines = (folder.read("events.jsonl") ?? "").split(separator: "\n")
      #expect(lines.count { $0.contains("requestFinished") } == 1)
    }
    _ = await run(["run", write("orders", 200)])
    let several = await run(["resume", "--again", "list"])
    #expect(several.status == .usage)
    #expect(several.error.hasPrefix("pipeline: runs of 2 workflows have succeeded; name the one"))
    // An unfinished run comes first.
    let bad = write("bad")
    _ = await run(["run", bad])
    let other = await run(["resume", "--again", "lst"])
    #expect(other.error.contains("no step 'lst'"), "\(other.error)")
  }

  /// Of all that is unfinished nobody can tell which one is meant, so nothing is sent.
  @Test func withoutAnOperandOnlyOneWorkflowMayBeMeant() async throws {
    let (users, orders) = (write("users"), write("orders"))
    _ = await run(["run", users])
    _ = await run(["run", users])
    #expect(await run(["resume", "--plan"]).status == .success)
    _ = await run(["run", orders])
    for options in [[], ["--plan"]] {
      let outcome = await run(["resume"] + options)
      #expect(outcome.status == .usage)
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.error.hasPrefix(
          "pipeline: runs of 2 workflows are unfinished; name the one to go on with"),
        "\(outcome.error)")
      let lines = outcome.error.split(separator: "\n").filter { $0.contains("  pipeline resume ") }
      #expect(lines.count == 2)
      #expect(lines.first?.contains(orders) == true && lines.last?.contains(users) == true)
    }
    write("orders", 200)
    #expect(await run(["resume", orders]).status == .success)
    #expect(await run(["resume", "--plan"]).status == .success)
  }

  @Test func aWordIsARunUnlessItLooksLikeAFile() async throws {
    write("users")
    let flow = write("users", to: "flow")
    _ = await run(["run", flow])
    let id = try #require(
      JSONDocument.parse(Array(await runs(["--json"]).output.utf8)).root.element(0)?["id"]?
        .string)
    #expect(await run(["resume", String(id.prefix(6)), "--plan"]).status == .success)
    #expect(await run(["resume", flow, "--plan"]).status == .success)
    let unknown = await run(["resume", "nightly.json"])
    #expect(unknown.status == .failure)
    #expect(unknown.error.contains("has no run of 'nightly.json'"), "\(unknown.error)")
    let missing = await run(["resume", "zzzz"])
    #expect(missing.error.contains("run 'zzzz' does not exist"), "\(missing.error)")
  }

  /// The file is found where it is now, and by the name that it was given.
  @Test func aMovedFileIsMeantByItsNewPath() async throws {
    let users = write("users")
    _ = await run(["run", users])
    let moved = write("users", 500, to: "moved.json")
    unlink(users)
    #expect(await run(["resume", "--file", moved]).status == .failure)
    write("users", 200, to: "moved.json")
    #expect(await run(["resume", users]).status == .failure)
    #expect(await run(["resume", moved]).status == .success)
  }

  /// The summaries of version 0.2.0 do not say where the workflow's file is, and journals do.
  @Test func aRunOfAnOlderVersionIsFoundByItsFile() async throws {
    let users = write("users")
    _ = await run(["run", users])
    let id = try #require(
      JSONDocument.parse(Array(await runs(["--json"]).output.utf8)).root.element(0)?["id"]?
        .string)
    let name = "store/runs/\(id)/run.json"
    let summary = try #require(folder.read(name))
    let lines = summary.split(separator: "\n").filter { !$0.contains("\"path\"") }
    try #require(lines.count + 1 == summary.split(separator: "\n").count)
    folder.write(lines.joined(separator: "\n"), to: name)
    #expect(await run(["resume", users, "--plan"]).status == .success)
  }

  @Test func theNewestRunsAreListedAndTheOthersCounted() async throws {
    let users = write("users", 200)
    for _ in 0..<52 { _ = await run(["run", users]) }
    let list = await runs([])
    #expect(list.output.split(separator: "\n").count == 51)
    #expect(list.error == "2 more: 'pipeline runs --all' lists them\n")
    let all = await runs(["--all"])
    #expect(all.output.split(separator: "\n").count == 53 && all.error.isEmpty)
    let json = await runs(["--json"])
    #expect(try JSONDocument.parse(Array(json.output.utf8)).root.elements.count { _ in true } == 52)
  }
}
