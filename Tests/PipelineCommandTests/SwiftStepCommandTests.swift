import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// What the command does with a workflow that calls code of an app.
@Suite struct SwiftStepCommandTests {
  private let folder = TemporaryFolder()
  private let file: String

  private static let workflow = """
    {
      "name": "scores",
      "inputs": { "user": { "type": "integer" } },
      "steps": [
        {
          "id": "user",
          "endpoint": "GET https://bank.example/users/{{inputs.user}}",
          "extract": { "name": "$.name", "orders": "$.orders" }
        },
        {
          "id": "score",
          "endpoint": "swift:score",
          "retry": 3,
          "body": { "json": { "name": "{{user.name}}", "orders": "{{user.orders}}" } },
          "extract": { "points": "$.points" }
        },
        {
          "id": "pay",
          "forEach": "$.user.orders",
          "endpoint": "POST swift:pay",
          "body": { "json": { "order": "{{item}}", "points": "{{score.points}}" } },
          "extract": { "receipt": "$" }
        }
      ],
      "outputs": { "points": "{{score.points}}", "receipts": "$.pay[*].receipt" }
    }

    """

  private static let tests = """
    {
      "workflow": "./scores.json",
      "tests": [
        {
          "name": "two orders are paid",
          "inputs": { "user": 7 },
          "respond": {
            "user": { "json": { "name": "Ada", "orders": [1, 2] } },
            "score": [{ "fault": "reset" }, { "json": { "points": 30 } }],
            "pay": { "items": [{ "json": "r1" }, { "json": "r2" }] }
          },
          "expect": { "outputs": { "points": 30, "receipts": ["r1", "r2"] } }
        }
      ]
    }

    """

  init() {
    file = folder.write(Self.workflow, to: "scores.json")
  }

  private func outcome(_ words: [String]) async -> String {
    let outcome = await pipeline(words)
    return "$ pipeline \(words.joined(separator: " "))\n\(outcome.output)\(outcome.error)"
      .replacing(folder.path + "/", with: "") + "exit status \(outcome.status.rawValue)\n"
  }

  @Test(arguments: [
    ["lint", "--strict", "FILE"], ["plan", "FILE"], ["graph", "FILE"],
    ["format", "--check", "FILE"],
  ]) func aFileIsRead(_ words: [String]) async throws {
    let text = await outcome(words.map { $0 == "FILE" ? file : $0 })
    #expect(text.hasSuffix("exit status 0\n"), "\(text)")
    expectSnapshot(text, "swift-step-" + (words.first ?? ""))
  }

  @Test func aTestAnswersTheSteps() async throws {
    let test = folder.write(Self.tests, to: "scores.test.json")
    let text = await outcome(["test", test])
    #expect(text.hasSuffix("exit status 0\n"), "\(text)")
    #expect(text.contains("1 test"))
  }

  @Test func aTestWithoutAnAnswerNamesTheStep() async throws {
    let test = folder.write(
      Self.tests.replacing(
        "\"score\": [{ \"fault\": \"reset\" }, { \"json\": { \"points\": 30 } }],", with: ""),
      to: "scores.test.json")
    let text = await outcome(["test", test])
    #expect(text.contains("nothing answers step 'score'"), "\(text)")
    #expect(!text.hasSuffix("exit status 0\n"))
  }

  @Test(arguments: [
    ["run", "FILE", "--set", "user=7"], ["run", "FILE", "--set", "user=7", "--only", "score"],
    ["part", "begin", "FILE", "--folder", "FOLDER/parts", "--set", "user=7"],
    ["export", "airflow", "FILE"], ["export", "make", "FILE"], ["export", "slurm", "FILE"],
    ["export", "kubernetes", "FILE"],
  ]) func whatNeedsTheCodeIsRefused(_ words: [String]) async throws {
    let text = await outcome(
      words.map { $0 == "FILE" ? file : $0.replacing("FOLDER", with: folder.path) })
    #expect(!text.hasSuffix("exit status 0\n"))
    #expect(
      text.contains("step 'score' calls 'swift:score', which is code of an app"), "\(text)")
    #expect(folder.names == ["scores.json"])
  }

  @Test func aCalledFileIsRefusedToo() async throws {
    let caller = folder.write(
      #"{"steps": [{"id": "a", "workflow": "./scores.json", "inputs": {"user": 7}}]}"#,
      to: "caller.json")
    let text = await outcome(["run", caller])
    #expect(text.contains("calls 'swift:score', which is code of an app"), "\(text)")
  }

  @Test func aStepThatNeedsNoCodeRunsAlone() async throws {
    let local = folder.write(
      #"""
      {"steps": [
        {"id": "one", "values": {"n": 1}},
        {"id": "score", "endpoint": "swift:score", "body": {"json": {"n": "{{one.n}}"}}}]}
      """#, to: "local.json")
    let text = await outcome(["run", local, "--only", "one", "--no-store", "--quiet"])
    #expect(text.contains("exit status 0"), "\(text)")
  }
}
