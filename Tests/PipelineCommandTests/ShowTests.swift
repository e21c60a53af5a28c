import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// Looking at responses while a workflow is written: `--show`, `--only` and `try`.
struct ShowTests {
  private let folder = TemporaryFolder()

  private func file(_ text: String) -> String { folder.write(text, to: "w.json") }

  @Test func showPrintsAResponseAndMarksWhatExtractorsFound() async throws {
    let run = await pipeline(
      ["run", "workflows/users.json", "--no-store", "-q", "--show", "user[2]"])
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("{\n  \"total\": 12"))
    #expect(run.error.contains("step 'user', item 2\nGET sandbox:/reqres/users/3\n200 OK"))
    #expect(run.error.contains("\"email\": \"emma.wong@reqres.in\",  ← email\n"))
    #expect(run.error.contains("\nname   $.data.first_name  \"Emma\"\n"))
  }

  @Test(arguments: [
    (["-H", "X-A 1"], "--header takes 'Name: value', not 'X-A 1'"),
    (["--json", "{a:1}"], "--json takes JSON: a name needs double quotes: \"a\""),
  ])
  func trySendsNothingThatCannotBeMeant(options: [String], message: String) async {
    let run = await pipeline(["try", "sandbox:/echo"] + options)
    #expect(run.status == .usage)
    #expect(run.output.isEmpty)
    #expect(run.error == "pipeline: \(message)\n")
  }

  @Test(arguments: ["swift:score", "POST swift:pay"])
  func trySaysThatStepsInSwiftBelongToAnApp(request: String) async {
    let run = await pipeline(["try", request])
    #expect(run.status == .usage)
    #expect(run.output.isEmpty)
    let name = request.split(separator: " ").last ?? ""
    #expect(
      run.error
        == "pipeline: '\(name)' is code of an app, which only the app calls; try takes a URL\n")
  }

  @Test func showTakesTheLastAttemptOfTheFirstItem() async throws {
    let path = file(
      """
      {"format": 1, "steps": [{"id": "a", "forEach": [1, 2], "onItemError": "collect",
        "endpoint": "GET sandbox:/status/503", "retry": {"attempts": 2, "delay": "1ms"},
        "extract": {"x": "$.x"}}]}
      """)
    let run = await pipeline(["run", path, "--no-store", "-q", "--show", "a"])
    #expect(run.status == .failure)
    #expect(run.error.contains("step 'a', item 0, attempt 2"))
    #expect(run.error.contains("503 Service Unavailable"))
    #expect(run.error.contains("x  $.x  extractor 'x' found nothing at '$.x'"))
  }

  @Test func showHidesSecrets() async throws {
    let path = file(
      """
      {"format": 1, "inputs": {"key": {"type": "string", "secret": true, "default": "s3cr3t-key"}},
       "steps": [{"id": "a", "endpoint": "GET sandbox:/anything?k=s", "headers": {
         "X-Key": "{{inputs.key}}"}, "extract": {"all": {"text": true}}}]}
      """)
    let run = await pipeline(["run", path, "--no-store", "--show", "a"])
    #expect(!run.error.contains("s3cr3t-key"))
    #expect(run.error.contains("step 'a'"))
  }

  @Test(arguments: [
    ("usr", "--show: the workflow has no step 'usr'; did you mean 'user'?"),
    ("user[x]", "--show takes STEP or 'STEP[ITEM]', such as 'user[3]', and not 'user[x]'"),
  ])
  func showRefusesWhatIsNotAStep(name: String, message: String) async {
    let run = await pipeline(["run", "workflows/users.json", "--no-store", "--show", name])
    #expect(run.status == .usage)
    #expect(run.error.contains(message))
  }

  @Test func onlyRunsAStepAndWhatItNeeds() async throws {
    let path = file(
      """
      {"format": 1, "defaults": {"baseURL": "sandbox:/reqres"}, "steps": [
        {"id": "list", "endpoint": "GET /users", "extract": {"id": "$.data[0].id"}},
        {"id": "user", "endpoint": "GET /users/{{list.id}}", "extract": {"name": "$.data.first_name"}},
        {"id": "other", "endpoint": "GET sandbox:/status/500", "extract": {"x": "$.x"}}],
       "finally": [{"id": "clean", "endpoint": "GET sandbox:/status/{{other.x}}"}],
       "outputs": {"other": "{{other}}"}}
      """)
    let run = await pipeline(["run", path, "--no-store", "--only", "user"])
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output == "{\n  \"user\": {\n    \"name\": \"George\"\n  }\n}\n")
    #expect(run.error.contains("2 requests"))
    let unknown = await pipeline(["run", path, "--no-store", "--only", "usr"])
    #expect(unknown.status == .usage)
    #expect(unknown.error.contains("--only: the workflow has no step 'usr'; did you mean 'user'?"))
  }

  private static let odd = """
    {"format": 1, "defaults": {"baseURL": "sandbox:/reqres"},
     "inputs": {"none": {"type": "array", "default": []}, "go": {"type": "boolean", "default": false}},
     "steps": [
      {"id": "empty", "forEach": "$.inputs.none", "endpoint": "GET /users/{{item}}"},
      {"id": "skipped", "when": "$.inputs.go == true", "endpoint": "GET /users/2"},
      {"id": "block", "when": "$.inputs.go == true", "steps": [{"id": "in", "endpoint": "GET /users/3"}]},
      {"id": "each", "forEach": [1, 2], "steps": [{"id": "in", "endpoint": "GET /users/{{item}}"}]},
      {"id": "choice", "choose": [
        {"when": "$.inputs.go == true", "endpoint": "GET /users/5"}, {"endpoint": "GET /users/6"}]}],
     "finally": [{"id": "bye", "endpoint": "GET /users/1"}]}
    """

  @Test(arguments: [
    ("empty", "step 'empty' sent no request; it had no items\n"),
    ("skipped", "step 'skipped' sent no request; it was skipped: its 'when' does not hold\n"),
    ("block.in", "sent no request; step 'block' was skipped: its 'when' does not hold\n"),
    ("each.in[7]", "sent no request for item 7; step 'each' had 2 items, and the first is 0\n"),
    ("each.in[1]", "step 'each.in', in item 1\nGET sandbox:/reqres/users/2\n200 OK"),
    ("choice.1", "step 'choice.1' sent no request; another branch was chosen, or none\n"),
    ("choice.2", "step 'choice.2'\nGET sandbox:/reqres/users/6\n200 OK"),
    ("bye", "step 'bye'\nGET sandbox:/reqres/users/1\n200 OK"),
  ])
  func showSaysWhyAStepSentNothing(name: String, message: String) async {
    let path = file(Self.odd)
    let run = await pipeline(["run", path, "--no-store", "-q", "--show", name])
    #expect(run.status == .success, "\(run.error)")
    #expect(run.error.contains(message), "\(run.error)")
  }

  @Test(arguments: [
    (["--only", "each.in"], "write --only each, and --show 'each.in' for a response inside it"),
    (["--only", "each[1]"], "write --only each, and --show 'each[1]' for a response inside it"),
    (["--only", "bye"], "--only: 'bye' is a step of 'finally'"),
    (["--only", "each,empty"], "'each,empty' is not a step; repeat --only for each step"),
    (["--only", "empty", "--show", "each.in"], "--only leaves step 'each' out; add --only each"),
    (["--only", "empty", "--show", "bye"], "'bye' of 'finally' runs only with the steps"),
  ])
  func onlyRefusesWhatIsNoStepOfTheFile(options: [String], message: String) async {
    let run = await pipeline(["run", file(Self.odd), "--no-store"] + options)
    #expect(run.status == .usage)
    #expect(run.error.contains(message), "\(run.error)")
  }

  @Test func trySendsARequestAndGivesTheWorkflow() async throws {
    let run = await pipeline(
      [
        "try", "GET sandbox:/reqres/users", "$.data[*].id", "$.total", "-H",
        "Authorization: Bearer s3cr3t-token",
      ])
    #expect(run.status == .success)
    #expect(run.output.contains("GET sandbox:/reqres/users\n200 OK"))
    #expect(run.output.contains("\"id\": 1,  ← id\n"))
    #expect(run.output.contains("\nid     $.data[*].id  [1,2,3,4,5,6]\ntotal  $.total       12\n"))
    #expect(run.output.contains("\"auth\": { \"bearer\": \"{{inputs.token}}\" }"))
    #expect(!run.output.contains("s3cr3t-token"))
    // What it gives is a workflow that lint finds nothing wrong with.
    let parts = run.output.split(separator: "to keep in a file:\n\n")
    let path = file(String(try #require(parts.last)))
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success, "\(lint.output)")
  }

  @Test(arguments: [
    (
      ["try", "GET x y"], PipelineCommand.ExitStatus.usage,
      "REQUEST is a URL, or a method and a URL in quotes"
    ),
    (["try", "sandbox:/x", "$.a["], .usage, "the query '$.a[' cannot be read: '[' is not closed"),
    (["try", "sandbox:/status/404"], .failure, "answered 404 Not Found"),
    (
      ["try", "get", "sandbox:/echo"], .usage,
      "the method and the URL are one word: pipeline try 'GET sandbox:/echo'"
    ),
    (
      ["try", "sandbox:/reqres/users", "$.total", "$.datum[*].id"], .failure,
      "extractor 'id' is an empty list, because nothing is at '$.datum[*].id'; there is: page"
    ),
    (
      ["try", "sandbox:/reqres/users", "$.data[?@.id > 99].id"], .failure,
      "the query '$.data[?@.id > 99].id' selects nothing in the response"
    ),
  ])
  func trySaysWhatIsWrong(arguments: [String], status: PipelineCommand.ExitStatus, message: String)
    async
  {
    let run = await pipeline(arguments)
    #expect(run.status == status)
    #expect(run.error.contains(message))
  }

  @Test func completionsAskForNamesOfTheWorkflow() async {
    let steps = await pipeline(
      ["completions", "--words", "steps", "--file", "workflows/users.json"])
    #expect(steps.output == "list\nuser\n")
    let inputs = await pipeline(
      ["completions", "--words", "inputs", "--file", "workflows/users.json"])
    #expect(inputs.output == "api=\npage=\n")
    let missing = await pipeline(["completions", "--words", "steps", "--file", "missing.json"])
    #expect(missing.status == .success && missing.output.isEmpty && missing.error.isEmpty)
  }

  @Test func aNewWorkflowShowsItsResponse() async throws {
    let new = await pipeline(["new", "--curl", "curl sandbox:/reqres/users/2"])
    let path = file(new.output)
    let run = await pipeline(["run", path, "--no-store"])
    #expect(run.output.contains("\"status\": 200"))
    #expect(run.output.contains("janet.weaver@reqres.in"))
  }
}
