import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// What `export` refuses, and how it names files. `ExportsTests` looks at what is printed.
struct ExportCommandTests {
  private let folder = TemporaryFolder()

  private func export(_ words: [String], _ text: String? = nil) async -> Outcome {
    let text = text ?? #"{"steps": [{"id": "a", "endpoint": "GET https://api.example.com/"}]}"#
    let file = folder.write(text, to: "a.json")
    return await pipeline(["export"] + words.map { $0 == "FILE" ? file : $0 })
  }

  @Test(arguments: ["airflow", "slurm", "kubernetes", "make"])
  func theFileIsNamedAsItIsGiven(engine: String) async {
    let outcome = await export([engine, "FILE", "--pipeline", "/opt/bin/pl"])
    #expect(outcome.status == .success && outcome.error.isEmpty, "\(outcome.error)")
    #expect(outcome.output.contains(folder.path + "/a.json"))
    #expect(outcome.output.contains("/opt/bin/pl"))
  }

  @Test(arguments: [
    (["slurm", "FILE", "--items-per-shard", "5"], "--items-per-shard needs an engine that counts"),
    (["make", "FILE", "--schedule", "@daily"], "--schedule needs an engine with a clock"),
    (["airflow", "FILE", "--schedule", "daily"], "'daily' is not a schedule"),
    (["airflow", "FILE", "--schedule", "@never"], "'@never' is not a schedule"),
    (["airflow", "FILE", "--schedule", "0 6 * *"], "'0 6 * *' is not a schedule"),
    (["airflow", "-"], "the engine cannot read the workflow from stdin"),
    (["airflow", "FILE", "--shards", "0"], "--shards"),
    (["argo", "FILE"], "argo"),
    (["make", "a\nb.json"], "holds a line break"),
  ])
  func aLineThatCannotBeMeantIsRefused(words: [String], problem: String) async {
    let outcome = await export(words)
    #expect(outcome.status == .usage && outcome.output.isEmpty)
    #expect(outcome.error.contains(problem), "\(outcome.error)")
  }

  @Test(arguments: ["0 6 * * *", "*/5 0-6 1,15 * MON-FRI", "@weekly"])
  func aScheduleIsTaken(schedule: String) async {
    let outcome = await export(["airflow", "FILE", "--schedule", schedule])
    #expect(outcome.output.contains("    schedule=\"\(schedule)\",\n"))
  }

  @Test func aScheduledRunNeedsAValueForEachInput() async {
    func isTaken(_ input: String) async -> Bool {
      let text = """
        {
          "inputs": { "id": \(input) },
          "steps": [{ "id": "a", "endpoint": "GET https://api.example.com/{{inputs.id}}" }]
        }
        """
      let outcome = await export(["airflow", "FILE", "--schedule", "@daily"], text)
      #expect(
        (outcome.status == .success)
          != outcome.error.contains("a scheduled run is given no value for input 'id'"))
      #expect(outcome.status == .success || outcome.status == .invalid)
      return outcome.status == .success
    }
    #expect(await !isTaken(#"{ "type": "string" }"#))
    #expect(await isTaken(#"{ "type": "string", "default": "a" }"#))
    #expect(await isTaken(#"{ "type": "string", "env": "THE_ID" }"#))
  }

  @Test func aBrokenWorkflowIsNotExported() async {
    let outcome = await export(["make", "FILE"], #"{"steps": [{"id": "a"}]}"#)
    #expect(outcome.status == .invalid && outcome.output.isEmpty)
    #expect(outcome.error.contains("a.json cannot be exported: 1 error"))
  }
}
