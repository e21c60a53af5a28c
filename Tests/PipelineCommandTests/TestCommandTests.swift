import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import Testing

@testable import PipelineCommand
@testable import PipelineEngine
@testable import PipelineTesting

/// `pipeline test`, `run --record` and `run --replay`, and `lint --with`.
@Suite struct TestCommandTests {
  private let folder = TemporaryFolder()

  private static let users = """
    {"inputs": {"page": {"type": "integer", "default": 1}},
      "defaults": {"baseURL": "https://x.test"},
      "steps": [
      {"id": "list", "endpoint": "GET /users", "query": {"page": "{{inputs.page}}"},
        "extract": {"ids": "$.data[*].id", "total": "$.total"}},
      {"id": "user", "forEach": "$.list.ids", "endpoint": "GET /users/{{item}}",
        "extract": {"name": "$.data.name"}}],
      "outputs": {"total": "{{list.total}}", "names": "$.user[*].name"}}
    """

  private static let server = ScriptedTransport { request in
    request.url.contains("page=")
      ? .json(["total": 2, "data": [["id": 7], ["id": 8]]])
      : .json(["data": ["name": .string(request.url.hasSuffix("7") ? "A" : "B")]])
  }

  private struct Outcome {
    let status: PipelineCommand.ExitStatus
    let output: String
    let error: String
  }

  private func call(
    _ arguments: [String], _ transport: any Transport = TestCommandTests.server
  ) async -> Outcome {
    let (stdout, stderr) = (CapturedStream(), CapturedStream())
    let console = Console(output: stdout, error: stderr, files: .system, environment: [:])
    let program = Program(console: console, clock: SystemClock(), transport: { transport })
    let status = await program.main(arguments)
    return Outcome(status: status, output: stdout.text, error: stderr.text)
  }

  private func write(_ tests: String) -> String {
    _ = folder.write(Self.users, to: "users.json")
    return folder.write(
      "{\"workflow\": \"./users.json\", \"tests\": [\(tests)]}", to: "users.test.json")
  }

  private static let good = """
    {"name": "two users", "respond": {
      "list": {"json": {"total": 2, "data": [{"id": 7}, {"id": 8}]}},
      "user": {"items": [{"json": {"data": {"name": "A"}}}, {"json": {"data": {"name": "B"}}}]}},
      "expect": {"outputs": {"names": ["A", "B"]}}}
    """

  // MARK: test

  @Test func aTestMayExpectAnyKindOfFailure() {
    #expect(Set(ExpectedRun.failureKinds) == Set(FailureReason.Kind.allCases.map(\.rawValue)))
  }

  @Test func testsThatPassSayNoMoreThanThat() async {
    let outcome = await call(["test", write(Self.good)])
    #expect(outcome.status == .success)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("1 test passed in 1 file · "))
  }

  @Test func aFailureIsShownWithItsPlaceInTheTestFile() async {
    let path = write(Self.good.replacing(#"["A", "B"]"#, with: #"["A", "C"]"#))
    let outcome = await call(["test", folder.path])
    #expect(outcome.status == .failure)
    #expect(
      outcome.error.contains(
        "\(path):4:25: test 'two users': output 'names[1]' is \"B\"; expected \"C\"\n"),
      "\(outcome.error)")
    #expect(outcome.error.contains("1 of 1 test failed in 1 file"))
  }

  @Test func aTestFileWithErrorsIsShownAsLintShowsIt() async {
    let path = write(#"{"name": "a", "respond": {"lst": {"json": 1}}}"#)
    for arguments in [["test", path], ["lint", path]] {
      let outcome = await call(arguments)
      #expect(outcome.status == .invalid)
      #expect(
        (outcome.output + outcome.error).contains("has no step 'lst'; did you mean 'list'?"))
    }
  }

  @Test func aWorkflowIsNoTestFile() async {
    let result = await call(["test", folder.write(Self.users, to: "users.json")])
    #expect(result.status == .invalid)
    let line = result.error.split(separator: "\n").first ?? ""
    #expect(
      line.hasSuffix(
        "this is a workflow, not a test file; its tests are in a file that names it, which is usually"
          + " called 'users.test.json'; 'pipeline new --test' makes one of a run [unknown-key]"),
      "\(result.error)")
    #expect(result.error.contains("1 file cannot be tested"))
  }

  @Test func aRecordingThatIsNotThereIsNamedOnce() async {
    let path = write(#"{"name": "a", "replay": "./none.har"}"#)
    let result = await call(["test", path])
    #expect(result.status == .failure)
    #expect(
      result.error.contains("test 'a': './none.har' cannot be read: no such file or folder\n"),
      "\(result.error)")
  }

  /// `workflow` may lead anywhere. What the workflow names is read from its own folder, and what the
  /// test names from that of the test.
  /// Rounds share a list, whether its answers stand for responses or for values.
  @Test(arguments: [
    (#"[{"values": {"n": 2}}, {"values": {"n": 3}}, {"json": {"n": 4, "done": true}}]"#, 4, 3, 1),
    (#"{"items": [{"values": {"n": 2}}, {"values": {"n": 3, "done": true}}]}"#, 3, 2, 0),
    (#"{"values": {"n": 9, "done": true}}"#, 9, 1, 0),
  ])
  func valuesGoFromRoundToRound(answers: String, last: Int, count: Int, sent: Int) async {
    let result = await rounds(
      answers,
      #"""
      {"outputs": {"n": \#(last), "rounds": \#(count)},
        "where": ["count($.requests['poll.get'][*]) == \#(sent)"]}
      """#)
    #expect(result.status == .success, "\(result.error)")
  }

  @Test func aListOfValuesThatIsTooShortIsNamed() async {
    let result = await rounds(#"[{"values": {"n": 2}}]"#, #"{"status": "succeeded"}"#)
    #expect(result.status == .failure)
    #expect(
      result.error.contains(
        "'poll.get' asks for answer 2, and the list has 1 answer; add one, or write one answer"))
  }

  private func rounds(_ answers: String, _ expected: String) async -> Outcome {
    _ = folder.write(
      """
      {"steps": [{"id": "poll", "repeat": {
          "carry": {"n": {"default": 1, "next": "{{get.n}}"}}, "until": "@.done", "maxRounds": 5},
        "steps": [{"id": "get", "endpoint": "GET https://x.test/{{n}}",
          "extract": {"n": "$.n", "done": {"body": "$.done", "optional": true}}}],
        "outputs": {"done": "{{get.done}}", "n": "{{get.n}}"}}],
       "outputs": {"n": "{{poll[-1].n}}", "rounds": {"$count": "$.poll"}}}
      """, to: "poll.json")
    let tests = folder.write(
      """
      {"workflow": "./poll.json", "tests": [
        {"name": "t", "orders": 3, "respond": {"poll.get": \(answers)}, "expect": \(expected)}]}
      """, to: "poll.test.json")
    return await call(["test", tests])
  }

  @Test func testsMayLieBesideTheWorkflows() async {
    folder.write(
      """
      {"steps": [{"id": "call", "workflow": "./parts/users.json"},
        {"id": "list", "endpoint": "POST https://x.test/a", "body": {"json": {"$file": "body.json"}},
         "retry": {"attempts": 2, "unsafe": true}}]}
      """, to: "workflows/all.json")
    folder.write(Self.users, to: "workflows/parts/users.json")
    folder.write("{}", to: "workflows/body.json")
    folder.write(#"{"total": 0, "data": []}"#, to: "tests/empty.json")
    let test = folder.write(
      """
      {"workflow": "../workflows/all.json", "tests": [{"name": "none", "respond": {
        "list": {"json": {}}, "call.list": {"file": "./empty.json"}}}]}
      """, to: "tests/all.test.json")
    for arguments in [["test", test], ["lint", test]] {
      let outcome = await call(arguments)
      #expect(outcome.status == .success, "\(outcome.error)\(outcome.output)")
    }
    folder.write(
      """
      {"workflow": "../workflows/all.json", "tests": [{"name": "none", "respond": {
        "list": {"json": {}}, "call.list": {"file": "../workflows/body.json"}}}]}
      """, to: "tests/all.test.json")
    let outside = await call(["test", test])
    #expect(outside.status == .failure)
    #expect(
      outside.error.contains(
        "'../workflows/body.json' cannot be read: it is outside the test file's folder"),
      "\(outside.error)")
  }

  @Test func reportsAreSeparatedByCommasAndCheckedFirst() async {
    let path = write(Self.good)
    let (junit, tap) = (folder.path + "/j.xml", folder.path + "/t.tap")
    let outcome = await call(["test", path, "--report", "junit=\(junit),tap=\(tap)"])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(folder.read("t.tap")?.hasPrefix("TAP version 13\n1..1\n") == true)
    let xml = folder.read("j.xml") ?? ""
    #expect(xml.contains(" timestamp=\"") && !xml.contains("1970-01-01T"))
    let nowhere = await call(["test", path, "--report", "tap=\(folder.path)/no/such/t.tap"])
    #expect(nowhere.status == .usage)
    #expect(nowhere.error.contains("no such folder") && !nowhere.error.contains("passed"))
    let unknown = await call(["test", path, "--report", "tap=\(tap),junut=\(junit)"])
    // A comma may be a part of a file's name, but not before a '='.
    #expect(unknown.status == .usage && unknown.error.contains("did you mean 'junit'?"))
  }

  @Test func whatNoTestRanIsNamedAndMayBeRequired() async {
    let path = write(
      #"{"name": "none", "respond": {"list": {"json": {"total": 0, "data": []}}}}"#)
    let outcome = await call(["test", path])
    #expect(outcome.status == .success)
    #expect(outcome.error.contains("users.json: step 'user': never ran\n"), "\(outcome.error)")
    #expect(await call(["test", path, "--require-all"]).status == .failure)
  }

  @Test func aFilterChoosesTests() async {
    let path = write(Self.good + #", {"name": "broken", "respond": {}}"#)
    #expect(await call(["test", path]).status == .failure)
    let outcome = await call(["test", path, "--filter", "two"])
    #expect(outcome.status == .success)
    #expect(outcome.error.hasPrefix("1 test passed"))
  }

  @Test func ordersSayTheirSeed() async {
    let outcome = await call(
      ["test", write(Self.good), "--orders", "10", "--seed", "42"])
    #expect(outcome.error.contains("; 10 runs, orders drawn from seed 42 · "))
  }

  @Test func reportsAreForOtherTools() async throws {
    let path = write(
      Self.good + #", {"name": "a & b", "respond": {"list": {"fault": "dns"}}}"#)
    let (junit, tap) = (folder.path + "/j.xml", folder.path + "/t.tap")
    let outcome = await call([
      "test", path, "--report", "junit=\(junit)", "--report", "tap=\(tap)", "--report", "github",
    ])
    #expect(outcome.status == .failure)
    let xml = String(decoding: try #require(readFile(junit)), as: UTF8.self)
    #expect(xml.contains("tests=\"2\" failures=\"1\""))
    #expect(xml.contains("name=\"a &amp; b\""))
    let lines = String(decoding: try #require(readFile(tap)), as: UTF8.self)
    #expect(lines.contains("1..2\n"))
    #expect(lines.contains("not ok 2 - "))
    #expect(outcome.output.hasPrefix("::error file="))
    let markdown = folder.path + "/summary.md"
    _ = await call(["test", path, "--report", "markdown=\(markdown)"])
    let summary = String(decoding: try #require(readFile(markdown)), as: UTF8.self)
    #expect(summary.hasPrefix("## ❌ 1 of 2 tests failed\n"), "\(summary)")
    #expect(summary.contains(" | 2 | 1 |  | ") && summary.contains("- **a &amp; b**"), "\(summary)")
    #expect(await call(["test", path, "--report", "jnit=x"]).status == .usage)
    let json = await call(["test", path, "--orders", "2", "--report", "json"])
    let root = try JSONDocument.parse(Array(json.output.utf8)).root
    let file = try #require(root["files"]?.elements.map(\.self).first)
    let tests = file["tests"]?.elements.map(\.self) ?? []
    #expect(tests.map { $0["passed"]?.boolean } == [true, false])
    let problem = try #require(tests.last?["problems"]?.elements.map(\.self).first)
    #expect(problem["line"]?.number?.int ?? 0 > 0 && problem["message"]?.string != nil)
  }

  @Test func updateRewritesExpectedOutputs() async throws {
    let path = write(Self.good.replacing(#"["A", "B"]"#, with: "[]"))
    let outcome = await call(["test", path, "--update"])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(outcome.error.contains("updated 1 test in \(path)\n"))
    #expect(await call(["test", path]).status == .success)
    #expect(await call(["format", "--check", path]).status == .success)
  }

  @Test func liveReportsDriftAndLeavesOutWhatIsIgnored() async throws {
    let path = write(Self.good)
    #expect(await call(["test", path, "--live"]).status == .success)
    let changed = ScriptedTransport { request in
      request.url.contains("page=")
        ? .json(["total": "2", "data": [["id": 7], ["id": 8]], "next": nil])
        : .json(["data": ["fullName": "A"]])
    }
    let outcome = await call(["test", path, "--live"], changed)
    #expect(outcome.status == .failure)
    for line in [
      #"step 'list': '$.total' is "2" now; it was 2"#,
      #"step 'user': '$.data.name' is gone; it was "A""#,
    ] { #expect(outcome.error.contains(line), "\(outcome.error)") }
    // What is new is reported where all was recorded.
    _ = folder.write(Self.users, to: "users.json")
    let har = folder.path + "/users.har"
    _ = await call(["run", folder.path + "/users.json", "--no-store", "--record", har])
    let recorded = write(#"{"name": "as recorded", "replay": "./users.har"}"#)
    let drift = await call(["test", recorded, "--live"], changed)
    #expect(drift.error.contains("step 'list': '$.next' is new: null"), "\(drift.error)")
    let updated = await call(["test", recorded, "--live", "--update"])
    #expect(updated.status == .success, "\(updated.error)")
    let ignoring = write(
      Self.good.replacing(
        #""expect""#,
        with: #""ignore": ["$.total", "$.next", "$.data.name", "$.data.fullName"], "expect""#
      ))
    let quiet = await call(["test", ignoring, "--live"], changed)
    #expect(!quiet.error.contains("is gone"), "\(quiet.error)")
  }

  // MARK: Recordings

  @Test func aRunIsRecordedReplayedTestedAndLinted() async throws {
    let path = folder.write(Self.users, to: "users.json")
    let har = folder.path + "/users.har"
    let recorded = await call(["run", path, "--no-store", "--record", har])
    #expect(recorded.status == .success, "\(recorded.error)")
    #expect(recorded.error.contains("recorded 3 requests in \(har)\n"))
    let dead = ScriptedTransport([:])
    let replayed = await call(["run", path, "--no-store", "--replay", har], dead)
    #expect(replayed.status == .success, "\(replayed.error)")
    #expect(replayed.output == recorded.output)
    #expect(dead.requests.isEmpty)
    // The same again is the same file.
    let before = try #require(readFile(har))
    _ = await call(["run", path, "--no-store", "--record", har])
    #expect(readFile(har) == before)
    // A test replays it.
    let test = folder.write(
      #"{"workflow": "./users.json", "tests": [{"name": "as recorded", "replay": "./users.har"}]}"#,
      to: "users.test.json")
    let tested = await call(["test", test, "--orders", "20", "--require-all"], dead)
    #expect(tested.status == .success, "\(tested.error)")
    // Lint finds it by itself.
    #expect(await call(["lint", "--strict", path]).status == .success)
    _ = folder.write(Self.users.replacing("$.data.name", with: "$.data.nam"), to: "users.json")
    let linted = await call(["lint", "--strict", path])
    #expect(linted.status == .invalid)
    #expect(
      linted.output.contains(
        "extractor 'name' finds nothing in any of 2 recorded answers; did you mean '$.data.name'?"),
      "\(linted.output)")
  }

  @Test func whatIsNotRecordedIsSentIfItIsRecordedThen() async throws {
    let path = folder.write(Self.users, to: "users.json")
    let har = folder.path + "/users.har"
    _ = await call(["run", path, "--no-store", "--record", har])
    let other = ["run", path, "--no-store", "--set", "page=2", "--replay", har]
    let refused = await call(other)
    #expect(refused.status == .failure)
    #expect(
      refused.error.contains(
        "the query parameter 'page' was '1' and is '2', from {{inputs.page}}"), "\(refused.error)")
    let transport = ScriptedTransport { _ in .json(["total": 1, "data": [["id": 7]]]) }
    let both = await call(other + ["--record", har], transport)
    #expect(both.status == .success, "\(both.error)")
    #expect(transport.requests.map(\.url) == ["https://x.test/users?page=2"])
    #expect(await call(other, ScriptedTransport([:])).status == .success)
  }

  @Test func aStandInIsNotSent() async throws {
    let path = folder.write(
      """
      {"inputs": {"key": {"secret": true}}, "steps": [
        {"id": "a", "endpoint": "GET https://x.test/", "auth": {"bearer": "{{inputs.key}}"}}]}
      """, to: "a.json")
    let transport = ScriptedTransport { _ in .status(200) }
    for value in ["{{secret:inputs.key}}", "standinqxy-77"] {
      let outcome = await call(["run", path, "--no-store", "--set", "key=" + value], transport)
      #expect(outcome.status == .invalid)
      #expect(outcome.error.contains("input 'key' is what stands for a secret in a recording"))
    }
    #expect(transport.requests.isEmpty)
    #expect(
      await call(["run", path, "--no-store", "--set", "key=real-one"], transport).status
        == .success)
  }

  @Test func aRecordingThatCannotBeReadIsNamed() async {
    let path = folder.write(Self.users, to: "users.json")
    let har = folder.write("{}", to: "no.har")
    let outcome = await call(["run", path, "--replay", har])
    #expect(outcome.status == .usage)
    #expect(
      outcome.error == "pipeline: cannot replay '\(har)': has no 'log.entries'; is it a HAR file?\n"
    )
    #expect(await call(["lint", path, "--with", har]).status == .usage)
  }
}
