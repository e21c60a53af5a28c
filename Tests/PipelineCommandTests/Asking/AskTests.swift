import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import Synchronization
import Testing

@testable import PipelineCommand

/// `ask` and `say`, as a user meets them.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct AskTests {
  private let folder = TemporaryFolder()

  private func write(
    _ ask: String = #""ask": "Delete {{count.users}} users?""#, when: String = "$.ok.answer == true"
  ) -> String {
    folder.write(
      """
      {"name": "clean", "inputs": {"api": {}, "users": {"type": "integer", "default": 3}},
       "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [
         {"id": "list", "endpoint": "GET /echo/list"},
         {"id": "count", "dependsOn": ["list"], "values": {"users": "{{inputs.users}}"}},
         {"id": "hello", "say": "There are {{count.users}} users."},
         {"id": "ok", \(ask)},
         {"id": "delete", "when": "\(when)", "endpoint": "DELETE /echo/users"}],
       "outputs": {"users": "{{count.users}}"}}
      """, to: "w.json")
  }

  private func run(
    _ words: [String], _ server: SandboxServer, answering lines: [String]? = nil
  ) async -> Outcome {
    await pipeline(words + ["--store", folder.path + "/store"], answering: lines)
  }

  private func start(
    _ path: String, _ server: SandboxServer, _ more: [String] = [], answering lines: [String]? = nil
  ) async -> Outcome {
    await run(["run", path, "--set", "api=" + server.origin] + more, server, answering: lines)
  }

  private func sent(_ server: SandboxServer) -> [String] {
    server.records.requests.map { "\($0.method) \($0.target)" }
  }

  @Test func aRunWithoutATerminalWaitsAndGoesOnWithTheAnswer() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let first = await start(write(), server)
    #expect(first.status == .waiting)
    #expect(first.output.isEmpty)
    #expect(first.error.contains("hello: There are 3 users."), "\(first.error)")
    #expect(first.error.contains("? Delete 3 users?"), "\(first.error)")
    #expect(first.error.contains("--answer 'ok.answer=true'"), "\(first.error)")
    #expect(sent(server) == ["GET /echo/list"])
    let list = await run(["runs"], server)
    #expect(list.output.contains("waiting"), "\(list.output)")
    let shown = await run(["runs", "show"], server)
    #expect(shown.output.contains("Delete 3 users?"), "\(shown.output)")
    // Without an answer it goes on waiting, and sends nothing.
    let again = await run(["resume"], server)
    #expect(again.status == .waiting)
    #expect(again.error.contains("hello: There are 3 users."))
    let end = await run(["resume", "--answer", "ok.answer=true"], server)
    #expect(end.status == .success, "\(end.error)")
    #expect(end.output.contains("\"users\": 3") || end.output.contains("\"users\":3"))
    #expect(sent(server) == ["GET /echo/list", "DELETE /echo/users"])
  }

  @Test func noIsAnAnswerToo() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    #expect(await start(write(), server).status == .waiting)
    let end = await run(["resume", "--answer", "ok.answer=false"], server)
    #expect(end.status == .success, "\(end.error)")
    #expect(sent(server) == ["GET /echo/list"])
  }

  @Test func anAnswerBelongsToTheQuestionAsItWasAsked() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    #expect(await start(write(), server).status == .waiting)
    _ = write(#""ask": "Delete all {{count.users}} users for ever?""#)
    let changed = await run(["resume", "--answer", "ok.answer=true"], server)
    #expect(changed.status == .waiting, "\(changed.error)")
    #expect(changed.error.contains("is not the one that was asked before"), "\(changed.error)")
    #expect(changed.error.contains("? Delete all 3 users for ever?"))
    #expect(sent(server) == ["GET /echo/list"])
    let end = await run(["resume", "--answer", "ok.answer=true"], server)
    #expect(end.status == .success, "\(end.error)")
    // Once it is given, it stays: an edit of the text asks again.
    _ = write(#""ask": "Sure?""#)
    let after = await run(["resume", "--again", "delete"], server)
    #expect(after.status == .waiting, "\(after.error)")
  }

  @Test func answersAreGivenBeforehandAndChecked() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let given = await start(write(), server, ["--answer", "ok.answer=Yes"])
    #expect(given.status == .success, "\(given.error)")
    let path = write()
    for command in ["plan", "login", "credentials"] {
      let refused = await pipeline([command, path, "--answer", "ok.answer=true"])
      #expect(refused.status == .usage && refused.error.contains("--answer"), "\(refused.error)")
    }
    for (answer, message) in [
      ("ok.answer=maybe", "answer 'ok.answer' must be a boolean"),
      ("okay.answer=true", "did you mean 'ok.answer'?"),
      ("ok.anwser=true", "did you mean 'ok.answer'?"),
      ("ok=true", "answer 'ok' does not exist"),
    ] {
      let wrong = await start(write(), server, ["--answer", answer])
      #expect(wrong.status == .usage, "\(answer)")
      #expect(wrong.error.contains(message), "\(wrong.error)")
    }
    #expect(sent(server) == ["GET /echo/list", "DELETE /echo/users"])
  }

  @Test func aTerminalIsAsked() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let yes = await start(write(), server, answering: ["perhaps", "", "y"])
    #expect(yes.status == .success, "\(yes.error)")
    #expect(yes.error.contains("answer 'answer' must be a boolean"), "\(yes.error)")
    #expect(yes.error.contains("an answer is needed"), "\(yes.error)")
    #expect(sent(server) == ["GET /echo/list", "DELETE /echo/users"])
    // Whoever closes the terminal leaves the question open.
    let closed = await start(write(), server, answering: [])
    #expect(closed.status == .waiting, "\(closed.error)")
  }

  @Test func severalAnswersAreAForm() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = write(
      """
      "ask": "Delete?", "answers": {"answer": {"type": "boolean"},
       "reason": {"type": "string", "optional": true}, "how": {"enum": ["soft", "hard"]},
       "pin": {"type": "string", "secret": true}}
      """)
    let result = await start(path, server, answering: ["yes", "", "soft", "0815"])
    #expect(result.status == .success, "\(result.error)")
    #expect(!result.error.contains("0815"))
    let missing = await start(path, server, ["--answer", "ok.answer=true"])
    #expect(missing.status == .waiting)
  }

  /// An answer that is not taken is not dropped without a word.
  @Test func answersThatAreNotTakenAreSaid() async throws {
    let path = folder.write(
      """
      {"steps": [{"id": "each", "forEach": [1, 2], "as": "n", "steps": [
        {"id": "ok", "ask": "Item {{n}}?", "answers": {
          "yes": {"type": "boolean"}, "why": {"type": "string"}}}]}]}
      """, to: "w.json")
    let options = ["each.ok[0].yes=true", "each[9].ok.why=no"].flatMap { ["--answer", $0] }
    let run = await pipeline(["run", path, "--no-store"] + options)
    #expect(run.status == .waiting)
    #expect(
      run.error.contains(
        "the question of 'each.ok[0]' also wants 'why', so none of its answers is taken"),
      "\(run.error)")
    #expect(
      run.error.contains("nothing was asked that the answer 'each[9].ok.why' belongs to"),
      "\(run.error)")
    let all = ["0", "1"].flatMap { item in
      ["yes=true", "why=x"].flatMap { ["--answer", "each[\(item)].ok.\($0)"] }
    }
    let end = await pipeline(["run", path, "--no-store"] + all)
    #expect(end.status == .success, "\(end.error)")
    #expect(!end.error.contains("answer"), "\(end.error)")
  }

  @Test func theDefaultsCountWhenTheTimeIsOver() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let late = write(#""ask": "Delete?", "within": "10ms""#)
    #expect(await start(late, server).status == .waiting)
    try await Task.sleep(for: .milliseconds(30))
    let failed = await run(["resume"], server)
    #expect(failed.status == .failure)
    #expect(failed.error.contains("nobody has answered within 10ms"), "\(failed.error)")
    let path = write(
      #""ask": "Delete?", "within": "10ms", "answers": {"answer": {"type": "boolean", "default": false}}"#
    )
    #expect(await start(path, server).status == .waiting)
    try await Task.sleep(for: .milliseconds(30))
    let end = await run(["resume"], server)
    #expect(end.status == .success, "\(end.error)")
    #expect(sent(server).allSatisfy { $0 == "GET /echo/list" })
  }

  @Test func whatCanGoOnGoesOnBeforeTheRunWaits() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = folder.write(
      """
      {"name": "items", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [
         {"id": "each", "forEach": ["a", "b", "c"], "as": "name", "steps": [
            {"id": "confirm", "ask": "Delete {{name}}?"},
            {"id": "delete", "when": "$.confirm.answer == true",
             "endpoint": "DELETE /echo/{{name}}"}]},
         {"id": "other", "endpoint": "GET /echo/other"}],
       "finally": [{"id": "bye", "endpoint": "GET /echo/bye"}]}
      """, to: "items.json")
    let first = await start(path, server, ["--answer", "each[1].confirm.answer=true"])
    #expect(first.status == .waiting, "\(first.error)")
    #expect(Set(sent(server)) == ["DELETE /echo/b", "GET /echo/other"])
    #expect(first.error.contains("? Delete a?") && first.error.contains("? Delete c?"))
    let end = await run(
      [
        "resume", "--answer", "each[0].confirm.answer=false", "--answer",
        "each[2].confirm.answer=true",
      ], server)
    #expect(end.status == .success, "\(end.error)")
    #expect(
      sent(server).sorted() == [
        "DELETE /echo/b", "DELETE /echo/c", "GET /echo/bye", "GET /echo/other",
      ])
  }

  @Test func aQuietRunStillSpeaks() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let result = await start(write(), server, ["-q", "--answer", "ok.answer=false"])
    #expect(result.status == .success)
    #expect(result.error.contains("There are 3 users."), "\(result.error)")
    #expect(!result.output.contains("There are"))
  }

  @Test func eventsAndReportsKnowIt() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let result = await start(
      write(), server,
      ["--events", folder.path + "/e.ndjson", "--report", "junit=" + folder.path + "/j.xml"])
    #expect(result.status == .waiting)
    let events = try #require(readFile(folder.path + "/e.ndjson"))
    let text = String(decoding: events, as: UTF8.self)
    #expect(text.contains(#""event":"said""#) && text.contains("There are 3 users."))
    #expect(text.contains(#""event":"asked""#) && text.contains(#""status":"waiting""#))
    let report = String(decoding: try #require(readFile(folder.path + "/j.xml")), as: UTF8.self)
    #expect(report.contains("waits for an answer"), "\(report)")
  }
}
