import PipelineSandboxServers
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// What people meet in their first hours, and what the program says then.
@Suite struct FirstMistakesTests {
  private let folder = TemporaryFolder()

  /// A workflow with one step of values.
  private func values(_ inputs: String) -> String {
    folder.write(
      #"{"inputs": \#(inputs), "steps": [{"id": "v", "values": {"a": 1}}]}"#, to: "values.json")
  }

  private func requests(_ list: String, base: String = "sandbox:/") -> String {
    folder.write(
      #"{"defaults": {"baseURL": "\#(base)"}, "steps": [\#(list)]}"#, to: "requests.json")
  }

  @Test(arguments: [
    (
      ["--set", "people=rows.csv"],
      "'people' must be a list, but is \"rows.csv\"; --set people=@rows.csv takes what that file has"
    ),
    (["--set", "ok=yes"], "'ok' must be a boolean, true or false, but is \"yes\""),
    (["--page", "2"], "unknown option '--page'; an input is set with '--set page=…'"),
    (["page=2"], "'page=2' is one too many: an input is set with '--set page=2'"),
  ])
  func inputsAreGivenInAnotherWay(words: [String], message: String) async throws {
    let path = values(
      #"{"people": {"type": "array", "default": []}, "ok": {"type": "boolean", "default": true}}"#)
    let run = await pipeline(["run", path, "--no-store"] + words)
    #expect(run.status == .usage || run.status == .invalid)
    #expect(run.error.joined.contains(message), "\(run.error)")
  }

  @Test(arguments: [
    ("email;name\n1;2\n", "these seem to have ';': loop over a list instead"),
    ("", "rows.csv' has no line with the names of columns"),
  ])
  func rowsThatAreNoTable(text: String, message: String) async throws {
    let path = values(#"{"email": {}}"#)
    let rows = folder.write(text, to: "rows.csv")
    let run = await pipeline(["run", path, "--each", rows, "--no-store"])
    #expect(run.status == .invalid)
    #expect(run.error.joined.contains(message), "\(run.error)")
  }

  /// The room that is made for the limits of the file is not shown as if the author had set it.
  @Test func aPlanForRowsShowsTheLimitsOfTheFile() async throws {
    let path = folder.write(
      """
      {"inputs": {"email": {}}, "limits": {"requests": 2}, "steps": [
        {"id": "v", "values": {"a": "{{inputs.email}}"}}]}
      """, to: "w.json")
    let rows = folder.write("email\n1\n", to: "rows.csv")
    let plan = await pipeline(["plan", path, "--each", rows])
    #expect(plan.output.contains("\nlimits  requests 2\n"), "\(plan.output)")
  }

  @Test func aListThatIsEmptyByMistakeIsNoted() async throws {
    let path = requests(
      #"{"id": "a", "endpoint": "GET /reqres/users", "extract": {"ids": "$.items[*].id"}}"#)
    let run = await pipeline(["run", path, "--no-store"])
    #expect(run.status == .success, "\(run.error)")
    #expect(
      run.error.joined.contains(
        "extractor 'ids' is an empty list, because nothing is at '$.items[*].id'; there is: page,"),
      "\(run.error)")
    for query in [#""$.data[?@.id > 99].id""#, #"{"body": "$.items[*].id", "optional": true}"#] {
      let path = requests(
        #"{"id": "a", "endpoint": "GET /reqres/users", "extract": {"ids": \#(query)}}"#)
      let run = await pipeline(["run", path, "--no-store"])
      #expect(!run.error.contains("note"), "\(run.error)")
    }
  }

  @Test func adviceIsRightAtOnce() async throws {
    let path = requests(
      #"{"id": "a", "endpoint": "GET /x", "extract": {"ids": "{{data[*].id}}"}}"#,
      base: "127.0.0.1:8099")
    let lint = await pipeline(["lint", path])
    #expect(lint.output.contains(#"takes a query of the body; write "$.data[*].id""#), "\(lint)")
    #expect(lint.output.contains("a base URL is absolute; write 'http://127.0.0.1:8099'"))
  }

  /// Not a word of a file of secrets is shown, only the place.
  @Test func whatIsWrongWithAFileOfSecretsIsNotShown() async throws {
    let path = values(#"{"c": {"type": "object", "secret": true, "default": {}}}"#)
    let file = folder.write("{\"user\": \"u\",\n \"pw\": S3cretPassw0rd}", to: "c.json")
    let run = await pipeline(["run", path, "--no-store", "--set", "c=@" + file])
    #expect(run.status == .invalid)
    #expect(run.error.joined.contains("cannot be read as json at line 2, column 8;"), "\(run)")
    let rows = folder.write("{\"c\": S3cretPassw0rd}\n", to: "rows.ndjson")
    let each = await pipeline(["run", path, "--no-store", "--each", rows])
    #expect(each.status == .invalid)
    #expect(each.error.joined.contains("cannot be read as ndjson at line 1"), "\(each)")
    #expect(!(run.error + each.error).contains("S3cret"))
  }

  /// Without a store nobody can ask later, so the status says it.
  @Test func aPostInDoubtIsOneAlsoWithoutAStore() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    for (method, status) in [("POST", ExitStatus.inDoubt), ("PUT", .failure)] {
      let path = requests(
        #"{"id": "a", "endpoint": "\#(method) /faults/empty", "retry": 1}"#, base: server.origin)
      let run = await pipeline(["run", path, "--no-store"])
      #expect(run.status == status, "\(method): \(run.error)")
      #expect(
        run.error.contains("look at the server before you run it again") == (status == .inDoubt))
    }
  }

  @Test func aQuestionWithoutAStoreSaysThatNothingIsKept() async throws {
    let path = folder.write(#"{"steps": [{"id": "ok", "ask": "Go on?"}]}"#, to: "w.json")
    let run = await pipeline(["run", path, "--no-store"])
    #expect(run.status == .waiting)
    #expect(run.error.joined.contains("give the answers to 'run' with '--answer'"), "\(run.error)")
  }

  @Test func theKindOfAFailureIsExplained() async throws {
    let kind = await pipeline(["explain", "network"])
    #expect(kind.status == .success)
    #expect(kind.output.hasPrefix("network (why a step failed)\n\nNo whole response came"))
    let both = await pipeline(["explain", "timeout"])
    #expect(both.output.contains("\ntimeout (why a step failed)\n"), "\(both.output)")
  }

  @Test func aFilterThatChoosesNothingFails() async throws {
    _ = values("{}")
    let tests = folder.write(
      #"{"workflow": "values.json", "tests": [{"name": "one", "expect": {"status": "succeeded"}}]}"#,
      to: "values.test.json")
    let wrong = await pipeline(["test", tests, "--filter", "two"])
    #expect(wrong.status == .usage)
    #expect(wrong.error.contains("no test has 'two' in its name"), "\(wrong.error)")
    let none = await pipeline(["test", folder.path + "/none"])
    #expect(none.status == .invalid)
  }

  @Test func annotationsOfLintNameFilesFromTheRepository() async throws {
    let path = folder.write("{}", to: "w.json")
    let lint = await pipeline(
      ["lint", path, "--format", "github"], environment: ["GITHUB_WORKSPACE": folder.path])
    #expect(lint.output.contains("::error file=w.json,"), "\(lint.output)")
  }
}

extension String {
  /// The text without the line breaks that the width of a terminal made.
  fileprivate var joined: String { replacing("\n", with: " ") }
}
