import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `contracts`: which columns rows have when they leave a run.
struct ContractTests {
  private let folder = TemporaryFolder()

  private func file(
    _ contract: String, rows: String = #"[{"id": 1, "fee": "x"}, {"id": "two"}]"#,
    name: String = "rows"
  ) -> String {
    folder.write(
      """
      {"name": "c", "contracts": {"\(name)": \(contract)},
       "inputs": {"rows": {"default": \(rows)}},
       "steps": [{"id": "each", "forEach": "$.inputs.rows", "as": "row",
         "values": {"id": "{{row.id}}", "fee": "{{row.fee}}"}}],
       "outputs": {"rows": "{{each}}", "other": "{{inputs.rows}}", "one": 1}}
      """, to: "w.json")
  }

  private func run(_ path: String, _ arguments: [String] = ["--no-store"]) async -> Outcome {
    await pipeline(["run", path] + arguments)
  }

  @Test(arguments: [
    (
      #"{"columns": {"id": "integer", "fee": "string"}}"#,
      #"'id' of 'rows[1]' must be a whole number, but is "two""#
    ),
    (#"{"columns": {"id": "string"}}"#, "'id' of 'rows[0]' must be a text, but is 1"),
    (
      #"{"columns": {"id": "string"}, "onOtherType": "drop"}"#,
      "'rows[0]' has a new column 'fee'; declare it in 'columns'"
    ),
  ]) func rowsOfAnotherKindFailTheRunBeforeASinkChanges(
    contract: String, message: String
  ) async {
    let target = folder.write("old", to: "t.csv")
    let path = file(contract)
    for sink in [[], ["--sink", "rows=" + target], ["--sink", "each=" + target]] {
      let result = await run(path, ["--no-store"] + sink)
      #expect(result.status == .failure)
      #expect(result.error.contains("error: contracts: " + message), "\(result.error)")
      #expect(result.error.contains("[schema]") && folder.read("t.csv") == "old")
      #expect(!result.output.contains(#""rows""#) && result.output.contains(#""other""#))
    }
  }

  @Test(arguments: [
    (
      #"{"columns": {"id": "integer"}, "onNewColumn": "drop", "onOtherType": "drop"}"#,
      "id\r\n1\r\n\r\n",
      ["column 'fee' was left out", "values of 'id' that are not a whole number"]
    ),
    (
      #"{"columns": {"id": "integer"}, "onNewColumn": "add", "onOtherType": "drop"}"#,
      "id,fee\r\n1,x\r\n,\r\n", ["column 'fee' was added"]
    ),
    (
      #"{"columns": {"id": "string", "fee": "string"}, "onOtherType": "drop"}"#,
      "fee,id\r\nx,\r\n,two\r\n", ["values of 'id' that are not a text"]
    ),
  ]) func whatIsLeftOutIsNoted(contract: String, csv: String, notes: [String]) async throws {
    let target = folder.path + "/t.csv"
    let report = folder.path + "/r.md"
    let result = await run(
      file(contract), ["--no-store", "--sink", "rows=" + target, "--report", "markdown=" + report])
    #expect(result.status == .success, "\(result.error)")
    #expect(folder.read("t.csv") == csv)
    let text = try #require(folder.read("r.md"))
    for note in notes {
      #expect(result.error.contains(note), "\(result.error)")
      #expect(text.contains(note), "\(text)")
    }
  }

  /// Without a sink, an output is as its contract says, and one of a step is compared, too.
  @Test func outputsAndStepsAreCompared() async {
    let contract = #"{"columns": {"id": "integer"}, "onNewColumn": "drop", "onOtherType": "drop"}"#
    let output = await run(file(contract), ["--no-store", "-q", "--format", "ndjson"])
    #expect(output.output.contains(#"{"rows":[{"id":1},{}]}"#), "\(output.output)")
    #expect(output.output.contains(#"{"other":[{"id":1,"fee":"x"},{"id":"two"}]}"#))
    let step = await run(file(#"{"columns": {"id": "integer", "fee": "string"}}"#, name: "each"))
    #expect(step.status == .failure && step.error.contains("'id' of 'each[1]' must be"))
    let target = folder.path + "/t.ndjson"
    let sink = await run(file(contract, name: "each"), ["--no-store", "--sink", "each=" + target])
    #expect(sink.status == .success && folder.read("t.ndjson") == "{\"id\":1}\n{}\n")
    #expect(sink.output.contains("two"))
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func theFirstRunDecidesForTheNextOnes() async {
    let store = ["--store", folder.path + "/store"]
    let first = #"{"columns": "first"}"#
    let rows = #"[{"id": 1}, {"id": 2.5, "fee": null}]"#
    #expect(await run(file(first, rows: rows), store).status == .success)
    let path = file(first, rows: #"[{"id": 7, "fee": "x"}, {"id": null}]"#)
    #expect(await run(path, store).status == .success)
    let shown = await pipeline(["state", path] + store)
    #expect(
      shown.output.contains(#"columns of rows  {"id":"number","fee":"any"}"#), "\(shown.output)")
    let other = await run(file(first, rows: #"[{"id": "7"}]"#), store)
    #expect(other.status == .failure)
    #expect(other.error.contains("'id' of 'rows[0]' must be a number, but is \"7\""))
    let cleared = await pipeline(["state", path, "clear", "columns of rows"] + store)
    #expect(cleared.status == .success, "\(cleared.error)")
    #expect(await run(file(first, rows: #"[{"id": "7"}]"#), store).status == .success)
    #expect(await run(file(first, rows: #"[{"id": 7}]"#), store).status == .failure)
  }

  @Test func aPlanShowsContracts() async {
    let plan = await pipeline(["plan", file(#"{"columns": "first", "onNewColumn": "add"}"#)])
    #expect(
      plan.output.contains(
        "contracts\n  rows  those of the first run; new columns are added\n"), "\(plan.output)")
  }

  @Test(arguments: [
    (#""one": {"columns": {"a": "string"}}"#, "'one' is one value; a contract is for rows"),
    (
      #""row": {"columns": "first"}"#,
      "'row' is not an output, and not a step with 'forEach'; did you mean 'rows'?"
    ),
    (#""get": {"columns": "first"}"#, "step 'get' has no 'forEach', so it has no rows"),
    (
      #""rows": {"columns": {"id": "integer"}}"#,
      "'id' is a text where it comes from, but a whole number here"
    ),
    (#""rows": {"columns": {"id": "int"}}"#, "'id' must be one of"),
    (#""rows": {"columns": "last"}"#, "'columns' must be"),
    (#""rows": {}"#, "lacks the key 'columns'"),
  ]) func lintKnowsWhatCannotHold(contract: String, message: String) async {
    let path = folder.write(
      """
      {"contracts": {\(contract)},
       "steps": [
        {"id": "get", "endpoint": "GET https://x.test/a", "extract": {"n": "$.n"}},
        {"id": "rows", "forEach": "$.get.n", "as": "n", "endpoint": "GET https://x.test/{{n}}",
         "extract": {"id": {"body": "$.id", "type": "string"}, "other": "$.other"}}],
       "outputs": {"one": 1}}
      """, to: "l.json")
    let result = await pipeline(["lint", path])
    let text = result.output + result.error
    #expect(result.status != .success && text.contains(message), "\(text)")
  }
}
