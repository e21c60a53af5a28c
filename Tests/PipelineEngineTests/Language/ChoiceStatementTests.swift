import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

/// Choices, failures on purpose, and what a step recovers from (docs/language.md).
@Suite struct ChoiceStatementTests {
  private static let answers: [String: ScriptedTransport.Answer] = [
    "/people?email=a%40b.c": .json(["id": 1]), "/phones": .json(["id": 2]), "/404": .status(404),
    "/410": .status(410), "/ok": .json(["x": 2]), "/flag": .json(["b": false]),
  ]

  @Test(arguments: try Statement.all("Choices")) func aChoiceDoesWhatIsSaid(_ statement: Statement)
    async throws
  {
    try await statement.check(Self.answers)
  }

  @Test(arguments: try Statement.all("Failures")) func aFailureDoesWhatIsSaid(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: try Statement.all("CollectionEnds"))
  func aCollectionDoesWhatIsSaid(_ statement: Statement) async throws {
    try await statement.check(Self.answers)
  }

  @Test func aSecretIsHiddenInDetails() async throws {
    let plan = try plan(
      #"{"inputs": {"key": {"secret": true}}, "steps": [{"id": "a", "fail": {"message": "no {{inputs.key}}", "details": {"n": "{{inputs.key}}", "m": [1, 8675309]}}}]}"#
    )
    let report = try await Pipeline(plan, transport: ScriptedTransport([:]))
      .run(inputs: ["key": 8_675_309]).result.report
    let failure = try #require(report.failures.first?.failure)
    #expect(failure.kind == .fail)
    #expect(failure.message == "no •••")
    #expect(failure.details == #"{"n":"•••","m":[1,"•••"]}"#)
  }
}
