import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `--each`: a workflow is run once for each row of a file.
struct EachRowTests {
  private static let workflow = """
    {"name": "users", "inputs": {
      "page": {"type": "integer"}, "size": {"type": "integer", "default": 2},
      "note": {"type": "string", "optional": true}, "key": {"type": "string"}},
     "environments": {"live": {"key": "live-key", "note": "never"}},
     "limits": {"concurrency": 2, "rate": "100/1s"},
     "steps": [{"id": "list", "endpoint": "GET sandbox:/reqres/users",
       "query": {"page": "{{inputs.page}}", "per_page": "{{inputs.size}}",
         "note": "{{inputs.note}}", "mark": "{{inputs.key}}"},
       "extract": {"first": "$.data[0].id"}}],
     "outputs": {"page": "{{inputs.page}}", "first": "{{list.first}}"}}
    """

  private let folder = TemporaryFolder()

  private func run(
    _ file: String, _ rows: String, workflow: String = Self.workflow,
    _ arguments: [String] = ["--set", "key=k"]
  ) async -> Outcome {
    let path = folder.write(workflow, to: "w.json")
    return await pipeline(
      ["run", path, "--no-store", "-q", "--each", folder.write(rows, to: file)] + arguments)
  }

  private static let outputs = """
    {"page":1,"first":1}
    {"page":2,"first":4}

    """

  @Test(arguments: [
    ("r.csv", "page,size,note\n1,3,a\n2,3,\n"), ("r.tsv", "page\tsize\n1\t3\n2\t3\n"),
    ("r.ndjson", "{\"page\": 1, \"size\": 3}\n{\"page\": \"2\", \"size\": 3}\n"),
    ("r.JSON", "[{\"page\": 1, \"size\": 3}, {\"page\": 2, \"size\": 3}]"),
  ]) func columnsAreInputsAndOutputsAreRows(file: String, rows: String) async {
    let result = await run(file, rows, ["--set", "key=k", "--format", "ndjson"])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == Self.outputs)
  }

  @Test func anEmptyFieldHasTheDefaultAndTheOtherInputsTheirPlaces() async throws {
    let result = await run(
      "r.csv", "page,size,note\n2,,\n", ["--environment", "live", "--events", folder.path + "/e"])
    #expect(result.status == .success, "\(result.error)")
    let events = try #require(folder.read("e"))
    #expect(events.contains("?page=2&per_page=2&mark=live-key"), "\(events)")
  }

  @Test(arguments: [
    ("r.csv", "pgae\n1\n", "column 'pgae' of FILE is not an input; did you mean 'page'?"),
    ("r.csv", "other\n1\n", "is not an input; there is: page, size, note, key"),
    (
      "r.csv", "page\n1\nx\n",
      "rows[1] of 'FILE': input 'page' must be a whole number, but is \"x\""
    ),
    ("r.csv", "qyt,page\n,1\n", "column 'qyt' of FILE is not an input"),
    ("r.csv", "page,size\n1,1\n,1\n", "rows[1] of 'FILE' has no value for the input 'page'"),
    ("r.csv", "page\n\"1\n", "--each: 'FILE' is not CSV: line 2"),
    ("r.json", "[1]", "rows[0] of 'FILE' is not an object"),
    ("r.json", "{}", "--each: 'FILE' is not a list of rows: it is an object"),
    ("r.xml", "<a/>", "does not say how its rows are read; the name of a file of rows ends with"),
  ]) func nothingIsSentForRowsThatDoNotFit(
    file: String, rows: String, message: String
  ) async {
    let result = await run(file, rows, ["--set", "key=k", "--events", folder.path + "/e"])
    #expect(result.status == .invalid)
    let expected = message.replacing("FILE", with: folder.path + "/" + file)
    #expect(result.error.contains(expected), "\(result.error)")
    #expect(folder.read("e")?.contains("request") != true)
  }

  @Test func whatGoesNotWithRowsIsRefused() async {
    let state = """
      {"state": {"n": {"default": 1, "next": 2}}, "inputs": {"page": {}},
       "steps": [{"id": "a", "values": {"p": "{{inputs.page}}", "n": "{{state.n}}"}}]}
      """
    let kept = await run("r.csv", "page\n1\n", workflow: state, [])
    #expect(kept.status == .invalid && kept.error.contains("it has 'state'"), "\(kept.error)")
    let only = await run("r.csv", "page\n1\n", ["--only", "list"])
    #expect(only.status == .usage && only.error.contains("--only names steps of one run"))
    let twice = await run("r.csv", "page\n1\n", ["--set", "key=k", "--set", "page=1"])
    #expect(twice.status == .invalid && twice.error.contains("input 'page' is a column of"))
    let lacking = await run("r.csv", "page\n1\n", [])
    #expect(lacking.status == .invalid && lacking.error.contains("input 'key' has no value"))
  }

  @Test func eachRowIsACaseAndAFailureEndsNoOther() async throws {
    let path = folder.path + "/j.xml"
    let result = await run(
      "r.csv", "page\n1\n9\n2\n", ["--set", "key=k", "--report", "junit=" + path])
    #expect(result.status == .failure)
    #expect(result.output.contains("null") && result.output.contains("\"first\": 3"))
    let report = try #require(folder.read("j.xml"))
    #expect(report.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""), "\(report)")
    #expect(report.contains("classname=\"users\" name=\"rows[1]\""))
    #expect(report.contains("extractor 'first' found nothing"))
  }

  @Test func aFileOfEventsHasACaseForEachRow() async throws {
    let events = folder.path + "/e.jsonl"
    let result = await run("r.csv", "page\n1\n9\n", ["--set", "key=k", "--events", events])
    #expect(result.status == .failure)
    let report = await pipeline(["report", events, "junit"])
    #expect(report.output.contains("tests=\"2\" failures=\"1\""), "\(report.output)")
    #expect(report.output.contains("classname=\"users\" name=\"rows[1]\""))
  }

  /// Each account goes on from where its own last export ended, also in a run for each row.
  @Test func aRowHasTheStateOfItsItems() async throws {
    let workflow = """
      {"name": "export", "inputs": {"account": {"type": "string"}},
       "steps": [{"id": "each", "forEach": {"from": 1, "to": 2}, "as": "n",
         "state": {"done": {"type": "integer", "by": "{{inputs.account}}-{{n}}", "default": 0,
           "next": "{{count.next}}"}},
         "steps": [{"id": "count", "values": {"next": {"$sum": ["{{state.done}}", 1]}}}]}],
       "outputs": {"done": "$.each[*].count.next"}}
      """
    let result = await run("r.csv", "account\na\n", workflow: workflow, [])
    #expect(result.status == .invalid)
    #expect(result.error.contains("cannot leave 'done' to each other"), "\(result.error)")
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func aRunGoesOnWithTheRowsThatAreNotDone() async throws {
    let path = folder.write(Self.workflow, to: "w.json")
    let rows = folder.write("page\n1\n9\n2\n", to: "r.csv")
    let store = ["--store", folder.path + "/store"]
    let failed = await pipeline(["run", path, "--each", rows, "--set", "key=k"] + store)
    #expect(failed.status == .failure && failed.error.contains("3 requests"), "\(failed.error)")
    _ = folder.write(
      Self.workflow.replacing("$.data[0].id\"", with: "$.data[*].id\""), to: "w.json")
    let report = folder.path + "/j.xml"
    let resumed = await pipeline(["resume", path, "--report", "junit=" + report] + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    let text = try #require(folder.read("j.xml"))
    #expect(text.contains("tests=\"3\" failures=\"0\""), "\(text)")
  }

  @Test func rowsAreDividedAmongMachines() async throws {
    let path = folder.write(Self.workflow, to: "w.json")
    let rows = folder.write("page\n1\n2\n3\n", to: "r.csv")
    let run = ["--each", rows, "--folder", folder.path + "/run"]
    let begun = await pipeline(["part", "begin", path, "--set", "key=k"] + run)
    #expect(begun.status == .success, "\(begun.error)")
    #expect(begun.output.contains("\"step\": \"rows\""), "\(begun.output)")
    #expect(begun.output.contains("\"shards\": true"))
    for shard in ["1/2", "2/2"] {
      let part = await pipeline(["part", "run", path, "--step", "rows", "--shard", shard] + run)
      #expect(part.status == .success, "\(part.error)")
    }
    let finished = await pipeline(["part", "finish", path, "--format", "ndjson"] + run)
    #expect(
      finished.output == """
        {"page":1,"first":1}
        {"page":2,"first":3}
        {"page":3,"first":5}

        """, "\(finished.error)")
  }

  @Test func aPlanShowsTheRows() async {
    let path = folder.write(Self.workflow, to: "w.json")
    let rows = folder.write("page\n1\n", to: "r.csv")
    let plan = await pipeline(["plan", path, "--each", rows])
    #expect(plan.status == .success, "\(plan.error)")
    #expect(plan.output.contains("rows  for each of"), "\(plan.output)")
    #expect(plan.output.contains("page = \"{{row.page}}\""))
  }
}
