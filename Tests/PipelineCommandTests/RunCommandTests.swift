import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineCommand
@testable import PipelineEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whole runs of the program in this process, against the sandbox.
struct RunCommandTests {
  private let folder = TemporaryFolder()

  private func workflow(_ steps: String, _ outputs: String = "{}", inputs: String = "{}") -> String
  {
    folder.write(
      """
      { "name": "test", "inputs": \(inputs), "defaults": { "baseURL": "sandbox:/" },
        "steps": [\(steps)], "outputs": \(outputs) }
      """, to: "w.json")
  }

  private let users = """
    { "id": "list", "endpoint": "GET /reqres/users", "query": { "page": "{{inputs.page}}" },
      "extract": { "ids": "$.data[*].id", "page": "$.page" } },
    { "id": "user", "forEach": "$.list.ids", "as": "id", "endpoint": "GET /reqres/users/{{id}}",
      "extract": { "name": "$.data.first_name" } }
    """
  private let page = "{ \"page\": { \"type\": \"integer\", \"default\": 1 } }"

  @Test func outputsGoToStdoutAndTheRestToStderr() async throws {
    let path = workflow(
      users, "{ \"page\": \"{{list.page}}\", \"users\": \"{{user}}\" }", inputs: page)
    let result = await pipeline(["run", path, "--set", "page=2"])
    #expect(result.status == .success, "\(result.error)")
    let outputs = try JSONDocument.parse(Array(result.output.utf8)).root
    #expect(outputs["page"]?.number?.int == 2)
    #expect((outputs["users"]?.count ?? 0) > 1)
    let lines = result.error.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("✓ list  1 request · "))
    #expect(lines[1].hasPrefix("✓ user  6 items · 6 requests · "))
    #expect(lines[2].hasPrefix("✓ test  2 steps · 7 requests · "))
  }

  @Test func quietRunsPrintNothingButOutputs() async {
    let path = workflow(users, "{ \"rows\": \"{{user}}\" }", inputs: page)
    let result = await pipeline(["run", path, "-q", "--format", "ndjson"])
    #expect(result.status == .success && result.error.isEmpty)
    #expect(result.output.split(separator: "\n").count == 6)
    #expect(result.output.hasPrefix("{\"name\":"))
  }

  @Test func rowsThatArePrintedAsTheyComeStayPrintedWhenTheRunFails() async {
    let path = workflow(
      """
      { "id": "each", "forEach": [1, 2, 99], "concurrency": 1, "endpoint": "GET /reqres/users/{{item}}",
        "extract": { "name": "$.data.first_name" } }
      """, "{ \"rows\": \"{{each}}\" }")
    let streamed = await pipeline(["run", path, "-q", "--format", "ndjson"])
    #expect(streamed.status == .failure)
    #expect(streamed.output == "{\"name\":\"George\"}\n{\"name\":\"Janet\"}\n")
    let whole = await pipeline(["run", path, "-q"])
    #expect(whole.status == .failure && whole.output == "")
  }

  @Test func verboseRunsPrintEveryRequest() async {
    let result = await pipeline(["run", workflow(users, inputs: page), "-v"])
    let lines = result.error.split(separator: "\n")
    #expect(lines.filter { $0.contains("GET http://127.0.0.1:") && $0.contains("200") }.count == 7)
  }

  @Test func outputAndEventsGoToFiles() async throws {
    let path = workflow(users, "{ \"page\": \"{{list.page}}\" }", inputs: page)
    let result = await pipeline([
      "run", path, "-o", folder.path + "/out.json", "--events", folder.path + "/events.jsonl",
    ])
    #expect(result.status == .success && result.output.isEmpty)
    #expect(folder.read("out.json") == "{\n  \"page\": 1\n}\n")
    let events = try #require(folder.read("events.jsonl")).split(separator: "\n")
    let names = try events.map {
      try JSONDocument.parse(Array($0.utf8)).root["event"]?.string ?? ""
    }
    #expect(names.first == "runStarted" && names.last == "runFinished")
    #expect(names.count { $0 == "requestFinished" } == 7)
    #expect(names.count { $0 == "itemFinished" } == 6)
    #expect(folder.names == ["events.jsonl", "out.json", "w.json"])
  }

  /// As elsewhere, `-` is the stream.
  @Test func aDashIsStdout() async {
    let path = workflow(users, "{ \"page\": \"{{list.page}}\" }", inputs: page)
    let result = await pipeline(["run", path, "-o", "-"])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == "{\n  \"page\": 1\n}\n")
    #expect(folder.names == ["w.json"])
  }

  @Test func aFailedRunPointsIntoTheFileAndEndsWithOne() async {
    let path = workflow(
      """
      { "id": "gone", "endpoint": "GET /reqres/users/23", "retry": 1 },
      { "id": "later", "dependsOn": ["gone"], "endpoint": "GET /reqres/users/1" }
      """)
    let result = await pipeline(["run", path])
    #expect(result.status == .failure)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("✗ gone"))
    #expect(result.error.contains("w.json:2:"))
    #expect(result.error.contains("404"))
    #expect(result.error.contains("– later  skipped: "))
    #expect(result.error.contains("✗ test failed  0 of 2 steps done · 1 failed · 1 skipped"))
  }

  @Test func filesThatTheWorkflowNamesAreReadBelowItsFolder() async {
    folder.write(
      """
      { "inputs": { "id": { "type": "integer" } }, "defaults": { "baseURL": "sandbox:/" },
        "steps": [{ "id": "get", "endpoint": "GET /reqres/users/{{inputs.id}}",
                    "extract": { "name": "$.data.first_name" } }],
        "outputs": { "name": "{{get.name}}" } }
      """, to: "flows/called/user.json")
    let path = folder.write(
      """
      { "steps": [{ "id": "user", "workflow": "./called/user.json", "inputs": { "id": 2 } }],
        "outputs": { "name": "{{user.name}}" } }
      """, to: "flows/main.json")
    let result = await pipeline(["run", path])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == "{\n  \"name\": \"Janet\"\n}\n")
    let outside = folder.write(
      "{ \"steps\": [{ \"id\": \"user\", \"workflow\": \"../flows/main.json\" }] }",
      to: "other/main.json")
    let refused = await pipeline(["run", outside])
    #expect(refused.status == .invalid)
    #expect(refused.error.contains("it is outside the workflow's folder"))
    let allowed = await pipeline(["run", outside, "--allow-dir", folder.path + "/flows"])
    #expect(allowed.status == .success, "\(allowed.error)")
  }

  @Test func quietFailuresAreToldOnce() async {
    let path = workflow("{ \"id\": \"gone\", \"endpoint\": \"GET /reqres/users/23\" }")
    let result = await pipeline(["run", "-q", path])
    #expect(result.status == .failure)
    #expect(result.error.split(separator: "404 Not Found").count == 2)
    #expect(!result.error.contains("✗"))
  }

  @Test func inputsComeFromFilesAndVariables() async throws {
    let inputs = """
      { "a": { "type": "integer" }, "b": { "type": "string", "env": "B" }, "c": { "type": "array" },
        "d": {} }
      """
    let path = workflow(
      "{ \"id\": \"v\", \"values\": { \"x\": 1 } }",
      """
      { "a": "{{inputs.a}}", "b": "{{inputs.b}}", "c": "{{inputs.c}}", "d": "{{inputs.d}}",
        "x": "{{v.x}}" }
      """, inputs: inputs)
    folder.write("{\"a\": 1, \"d\": {\"k\": 2.50}}", to: "in.json")
    let result = await pipeline(
      [
        "run", path, "--inputs", folder.path + "/in.json", "--set", "a=12345678901234567890",
        "--set=c=[1,2]", "-q", "--format", "ndjson",
      ], environment: ["B": "007"])
    #expect(result.status == .success, "\(result.error)")
    #expect(
      result.output == """
        {"a":12345678901234567890}
        {"b":"007"}
        {"c":[1,2]}
        {"d":{"k":2.50}}
        {"x":1}

        """)
  }

  @Test func whatCannotBeRunEndsWithTwoAndSendsNothing() async {
    let valid = workflow(users, inputs: "{ \"page\": { \"type\": \"integer\" } }")
    let broken = folder.write("{ \"steps\": [ }", to: "broken.json")
    folder.write("[1,", to: "in.json")
    folder.write("[1]", to: "list.json")
    let twice = folder.write("{\"page\": 1, \"page\": 2}", to: "twice.json")
    let missing = folder.path + "/missing"
    let cases: [(arguments: [String], text: String)] = [
      ([missing], "cannot read '\(missing)': no such file or folder\n"),
      ([folder.path], "cannot read '\(folder.path)': it is a folder\n"),
      ([folder.write("", to: "empty.json")], "empty.json cannot be run: 1 error\n"),
      ([folder.write([0xFF, 0xFE], to: "latin.json")], "json-utf8"),
      ([broken], "broken.json cannot be run: "),
      ([valid], "input 'page' has no value; give it with --set page=…"),
      ([valid, "--set", "page=x"], "input 'page' must be "),
      ([valid, "--set", "paeg=1", "--set", "page=1"], "did you mean 'page'?"),
      ([valid, "--set", "page=1", "--environment", "live"], "environment 'live' does not exist"),
      ([valid, "--inputs", folder.path + "/in.json"], "in.json' are not valid JSON\n"),
      (
        [valid, "--inputs", twice], "have a name twice\n\(twice):1:13: error: a name appears twice"
      ),
      ([valid, "--inputs", folder.path + "/list.json"], "are not a JSON object"),
      ([valid, "--inputs", missing], "the inputs '\(missing)' cannot be read: no such file"),
    ]
    for (arguments, text) in cases {
      let result = await pipeline(["run"] + arguments)
      #expect(result.status == .invalid, "\(arguments)")
      #expect(result.output.isEmpty)
      #expect(result.error.contains(text), "\(arguments): \(result.error)")
    }
  }

  /// Nobody gives by hand what the environment has.
  @Test func anUnknownEnvironmentIsTheOnlyProblem() async {
    let path = folder.write(
      #"{"environments": {"dev": {"api": "http://a.invalid"}}, "inputs": {"api": {}, "other": {}}, "steps": [{"id": "a", "endpoint": "GET {{inputs.api}}/{{inputs.other}}"}]}"#,
      to: "env.json")
    let result = await pipeline(["run", path, "-e", "stage"])
    #expect(result.status == .invalid)
    #expect(
      result.error == "pipeline: environment 'stage' does not exist; there is: dev\n"
        + "pipeline: input 'other' has no value; give it with --set other=…\n")
  }

  @Test func placesThatCannotBeWrittenAreFoundBeforeTheRun() async {
    let path = workflow(users, inputs: page)
    let missing = folder.path + "/missing"
    for option in ["--output", "--events"] {
      let result = await pipeline(["run", path, option, missing + "/x"])
      #expect(result.status == .usage)
      #expect(result.error.hasPrefix("pipeline: cannot write '\(missing)/x': no such "))
    }
    #expect(await pipeline(["run", path, "-qv"]).status == .usage)
    #expect(await pipeline(["run", path, "--allow-dir", missing]).status == .usage)
    let events = await pipeline(["run", path, "--events", "-"])
    #expect(events.status == .usage && events.output.isEmpty)
    #expect(
      events.error
        == "pipeline: cannot write '-': stdout is for the outputs; name a file, or /dev/stderr\n")
  }

  @Test func aWorkflowComesFromStdin() async throws {
    var files = FileSystem.system
    let text =
      #"{"inputs": {"n": {}}, "steps": [{"id": "a", "values": {"n": "{{inputs.n}}"}}], "outputs": {"n": "{{a.n}}"}}"#
    files.readInput = { _ in Array(text.utf8) }
    let run = await pipeline(["run", "-", "--set", "n=1"], files: files)
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output == "{ \"n\": 1 }\n" || run.output == "{\n  \"n\": 1\n}\n", "\(run.output)")
    #expect(await pipeline(["plan", "-"], files: files).status == .success)
    #expect(await pipeline(["graph", "-"], files: files).status == .success)
    for command in ["run", "plan"] {
      let both = await pipeline([command, "-", "--inputs", "-"], files: files)
      #expect(both.status == .invalid)
      #expect(
        both.error
          == "pipeline: stdin is the workflow, so --inputs cannot be '-' too; name a file\n")
    }
  }

  @Test func aNameIsSetOnce() async {
    let path = workflow(users, inputs: page)
    let result = await pipeline(["run", path, "--set", "page=1", "--set=page=2"])
    #expect(result.status == .usage)
    #expect(result.error.hasPrefix("pipeline: --set gives 'page' twice; give it once\n"))
  }

  @Test func anEventsFileHasOneRunAtATime() async throws {
    let path = folder.write("of the run before", to: "events.jsonl")
    let first = try EventsFile(path: path)
    first.write(RunEvent(time: .zero, kind: .note(.init(step: nil, message: "first"))))
    let run = await pipeline(["run", workflow(users, inputs: page), "--events", path])
    #expect(run.status == .usage)
    #expect(
      run.error
        == "pipeline: cannot write '\(path)': another run writes its events there; name another file\n"
    )
    #expect(first.finish() == nil)
    let text = try #require(readFile(path).map { String(decoding: $0, as: UTF8.self) })
    #expect(text.hasPrefix("{\"event\":\"note\"") && text.contains("first"))
  }

  @Test(arguments: [["--set", "none=1"], ["--inputs", "/none.json"], []])
  func aRunThatIsRefusedLeavesTheEventsOfAnother(_ words: [String]) async {
    let path = folder.write("of the run before", to: "events.jsonl")
    let file = words.isEmpty ? folder.write("{}", to: "wrong.json") : workflow(users, inputs: page)
    let run = await pipeline(["run", file, "--events", path] + words)
    #expect(run.status != .success && run.status != .failure)
    #expect(folder.read("events.jsonl") == "of the run before")
  }

  @Test func plansAndGraphsColourTheirFindings() async {
    let path = folder.write(#"{"steps": [{"id": "a", "wait": 1}]}"#, to: "wrong.json")
    for command in ["plan", "graph", "run"] {
      let result = await pipeline([command, path, "--color", "always"])
      #expect(result.status == .invalid)
      #expect(result.error.contains("\u{1B}["), "\(command)")
    }
  }

  @Test(arguments: [
    // A collection; a step inside of a block; an item inside of a block that a block recovers from.
    #"{ "id": "a", "forEach": [1, 99], "onError": "recover", "endpoint": "GET /reqres/users/{{item}}" }"#,
    #"{ "id": "a", "onError": "recover", "steps": [{ "id": "in", "endpoint": "GET /reqres/users/99" }] }"#,
    #"{ "id": "a", "onError": "recover", "steps": [{ "id": "b", "steps": [{ "id": "in", "forEach": [99], "endpoint": "GET /reqres/users/{{item}}" }] }] }"#,
    #"{ "id": "a", "onError": "recover", "endpoint": "GET /reqres/users/99" }"#,
  ])
  func whatARunRecoversFromIsNoError(_ step: String) async {
    let path = workflow(step)
    for option in ["--verbose", "--quiet"] {
      let result = await pipeline(["run", path, option])
      #expect(result.status == .success)
      #expect(!result.error.contains("error:"), "\(result.error)")
    }
    #expect(await pipeline(["run", path]).error.contains("✓ a  recovered: answered 404 Not Found"))
  }

  @Test func theSandboxIsServedIfACalledFileBuildsOnItsAddress() async {
    folder.write(
      """
      { "inputs": { "api": { "type": "string", "default": "sandbox:/reqres" } },
        "defaults": { "baseURL": "{{inputs.api}}" } }
      """, to: "base.json")
    folder.write(
      """
      { "extends": "./base.json", "steps": [
        { "id": "u", "endpoint": "GET /users/2", "extract": { "name": "$.data.first_name" } }],
        "outputs": { "name": "{{u.name}}" } }
      """, to: "user.json")
    let path = folder.write(
      """
      { "steps": [{ "id": "u", "workflow": "./user.json" }], "outputs": { "name": "{{u.name}}" } }
      """, to: "w.json")
    let result = await pipeline(["run", path, "-q", "--no-store"])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("Janet"))
  }

  @Test func theSandboxIsServedWhereAnInputNamesIt() async {
    let path = folder.write(
      #"{"inputs": {"api": {"env": "API"}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [{"id": "a", "endpoint": "GET /users/1"}]}"#,
      to: "env.json")
    let result = await pipeline(["run", path], environment: ["API": "sandbox:/reqres"])
    #expect(result.status == .success, "\(result.error)")
  }

  @Test func aHundredMegabytesOfBracketsAreRefusedBySize() async {
    let path = folder.write("", to: "deep.json")
    #expect(truncate(path, 100 << 20) == 0)
    let result = await pipeline(["run", path])
    #expect(result.status == .invalid)
    #expect(result.error == "pipeline: cannot read '\(path)': it is larger than 64 MB\n")
  }
}
