import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

/// Steps, collections and failure (docs/language.md).
@Suite struct StepStatementTests {
  private static let answers: [String: ScriptedTransport.Answer] = [
    "/bad": .text("no", status: 500), "/ok": .json(["v": 1, "list": [1, 2, 3]]),
    "/3": .text("no", status: 500),
  ]

  @Test(arguments: try ["Steps", "Collections", "StepFailures"].flatMap(Statement.all))
  func aStatementHolds(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }
}
