import PipelineRecordings
import PipelineSandboxServers
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// Messages name the thing that is wrong, and the way out.
@Suite struct NamedThingTests {
  private let folder = TemporaryFolder()

  private func run(_ workflow: String, _ options: [String] = []) async -> Outcome {
    let path = folder.write(workflow, to: "w.json")
    return await pipeline(["run", path, "--no-store"] + options)
  }

  @Test func aLimitOfOneRequestIsInTheSingular() async {
    let result = await run(
      #"{"limits": {"requests": 1}, "steps": [{"id": "a", "forEach": [1, 2], "endpoint": "GET sandbox:/echo/{{item}}"}]}"#
    )
    #expect(result.error.joined.contains("the run has sent 1 request;"), "\(result.error)")
  }

  @Test func pagesThatAreNotCountedShowWhatThereIs() async {
    let result = await run(
      """
      {"steps": [{"id": "a", "endpoint": "GET sandbox:/reqres/users",
        "paginate": {"page": "page", "pages": "$.total_page"}, "extract": {"n": "$.data[*].id"}}]}
      """)
    #expect(
      result.error.joined.contains(
        "'$.total_page' found no number of pages or records; did you mean 'total_pages'?"),
      "\(result.error)")
    #expect(result.error.contains("= there is: "), "\(result.error)")
  }

  @Test(arguments: ["nope", "ftp://127.0.0.1:1", "http://127.0.0.1:99999"])
  func aProxyThatIsNoneIsNamed(_ proxy: String) async {
    let result = await run(
      #"{"inputs": {"p": {}}, "steps": [{"id": "a", "endpoint": "GET https://a.invalid", "proxy": "{{inputs.p}}"}]}"#,
      ["--set", "p=" + proxy])
    #expect(result.error.contains("step 'a': the proxy has "), "\(result.error)")
  }

  @Test func wordsOfTheCommandLineAreFoundWhereTheyAreExplained() async {
    let command = await pipeline(["explain", "resume"])
    #expect(command.error.joined.contains("it is a command: see 'pipeline help resume'"))
    for word in ["sink", "--sink"] {
      let option = await pipeline(["explain", word.hasPrefix("-") ? "sink" : word])
      #expect(
        option.error.joined.contains("--sink is an option of 'pipeline run' and "),
        "\(option.error)")
    }
    #expect(await pipeline(["explain", "retri"]).error.contains("did you mean 'retry'?"))
  }

  @Test func aFolderWithoutFilesToImportIsNamed() async {
    let result = await pipeline(["import", folder.path])
    #expect(result.status == .usage)
    #expect(
      result.error.joined.contains(
        "cannot import '\(folder.path)': there is no file in this folder"),
      "\(result.error)")
  }

  @Test(arguments: ["curl ''", "curl http://", "curl https:///x", "curl '?a=1'"])
  func aCurlCommandWithoutAHostIsRefused(_ command: String) async {
    let result = await pipeline(["new", "--curl", command])
    #expect(result.status == .usage)
    #expect(result.output == "")
    let problem = command == "curl ''" ? "has no URL" : "has no host"
    #expect(result.error.joined.contains(problem), "\(result.error)")
  }

  @Test(arguments: ["curl localhost:8080/x", "curl $API/x", "curl sandbox:/echo", "curl a.example"])
  func aCurlCommandWithAHostIsTaken(_ command: String) async {
    #expect(await pipeline(["new", "--curl", command]).status == .success)
  }

  @Test func aRecordingThatIsNotThereIsFoundByLint() async {
    _ = folder.write(
      #"{"steps": [{"id": "a", "endpoint": "GET sandbox:/echo"}], "outputs": {}}"#, to: "w.json")
    let path = folder.write(
      #"{"workflow": "w.json", "tests": [{"name": "x", "replay": "no.har"}]}"#, to: "w.test.json")
    let result = await pipeline(["lint", path])
    #expect(
      result.output.joined.contains(
        ":1:58: warning: 'no.har' cannot be read: no such file beside the test file"),
      "\(result.output)")
  }

  @Test func linesOfAnHTTPFileAreThoseOfTheVariables() async {
    let path = folder.write(
      """
      POST https://a.example/users
      Content-Type: application/json


      {
        "a": "{{$randomInt}}",
        "b": "x {{$randomInt}}"
      }

      ###
      POST https://a.example/form
      Content-Type: application/x-www-form-urlencoded

      a=1
      &b={{$randomInt}}
      """, to: "a.http")
    let result = await pipeline(["import", path])
    for line in [6, 7, 15] {
      #expect(result.error.contains("a.http:\(line): approximated"), "\(result.error)")
    }
  }

  @Test func aReasonIsSaidOnce() {
    #expect(RecordingProblem("cannot be written: the disk is full").reason == "the disk is full")
    #expect(RecordingProblem("is too large").reason == "is too large")
  }

  @Test func whatLooksLikeCredentialsHasAPlace() async {
    let result = await run(
      """
      {"steps": [{"id": "login", "endpoint": "POST sandbox:/echo",
        "body": {"json": {"user": {"password": "hunter2hunter2"}}}}]}
      """, ["--record", folder.path + "/r.har"])
    #expect(
      result.error.contains("\n  in the request of 'login' at $.user.password\n"), "\(result.error)"
    )
  }

  /// What is secret is not kept, so the login is carried out again, and more is not known.
  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func thePlanOfAResumedRunNamesTheStepsThatFollow() async {
    let path = folder.write(
      """
      {"steps": [
        {"id": "login", "endpoint": "GET sandbox:/echo/login", "extract": {"t": {"body": "$.path", "secret": true}}},
        {"id": "list", "endpoint": "GET sandbox:/echo/list", "auth": {"bearer": "{{login.t}}"}, "extract": {"p": "$.path"}},
        {"id": "one", "endpoint": "GET sandbox:/status/500", "query": {"p": "{{list.p}}"}},
        {"id": "other", "endpoint": "GET sandbox:/echo/other"}]}
      """, to: "l.json")
    let store = ["--store", folder.path + "/store"]
    #expect(await pipeline(["run", path] + store).status == .failure)
    let plan = await pipeline(["resume", "--plan"] + store)
    #expect(plan.output.contains("follow when it is known: list, one.\n"), "\(plan.output)")
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func thePlanOfAResumedRunNamesTheStepsThatFollowInCalledFilesAndBlocks() async {
    _ = folder.write(
      """
      {"steps": [
        {"id": "get", "endpoint": "GET sandbox:/status/500", "extract": {"p": "$.path"}},
        {"id": "put", "endpoint": "PUT sandbox:/echo/put", "query": {"p": "{{get.p}}"}}]}
      """, to: "called.json")
    let path = folder.write(
      """
      {"steps": [
        {"id": "call", "workflow": "called.json"},
        {"id": "block", "steps": [
          {"id": "get", "endpoint": "GET sandbox:/status/500", "extract": {"p": "$.path"}},
          {"id": "put", "endpoint": "PUT sandbox:/echo/put", "query": {"p": "{{get.p}}"}}]},
        {"id": "last", "dependsOn": ["call"], "endpoint": "GET sandbox:/echo/last"}]}
      """, to: "calls.json")
    let store = ["--store", folder.path + "/store"]
    #expect(await pipeline(["run", path] + store).status == .failure)
    let plan = await pipeline(["resume", "--plan"] + store)
    #expect(
      plan.output.contains("follow when it is known: call.put, block.put.\n"),
      "\(plan.output)")
  }

  @Test func theSchemeOfTheSandboxHasLettersOfAnyCase() async {
    let path = folder.write(
      """
      {"inputs": {"api": {"default": "Sandbox:/echo"}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [{"id": "a", "endpoint": "GET /x", "extract": {"p": "$.path"}}],
       "outputs": {"p": "{{a.p}}"}}
      """, to: "scheme.json")
    let run = await pipeline(["run", path, "--no-store"])
    #expect(run.status == .success, "\(run.error)")
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func againDoesNotDecideAboutARequestInDoubt() async {
    let path = folder.write(
      #"{"steps": [{"id": "a", "endpoint": "POST sandbox:/faults/empty", "body": {"json": {}}}]}"#,
      to: "d.json")
    let store = ["--store", folder.path + "/store"]
    #expect(await pipeline(["run", path] + store).status == .inDoubt)
    let again = await pipeline(["resume", "--again", "a"] + store)
    #expect(again.status == .inDoubt)
    #expect(
      again.error.contains(
        "note: '--again a' does not decide about a request in doubt; --settle does"),
      "\(again.error)")
  }
}

extension String {
  /// In one line, however a terminal breaks it.
  fileprivate var joined: String { replacing("\n", with: " ") }
}
