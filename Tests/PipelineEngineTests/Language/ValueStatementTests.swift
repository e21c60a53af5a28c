import PipelineJSONText
import PipelineKit
import Testing

/// Values, templates and data forms (docs/language.md).
@Suite struct ValueStatementTests {
  @Test(arguments: try Statement.all("Values")) func aStatementHolds(_ statement: Statement)
    async throws
  {
    try await statement.check()
  }
}
