import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

/// Extractors, expectations and conditions (docs/language.md).
@Suite struct ResponseStatementTests {
  private static let answers: [String: ScriptedTransport.Answer] = [
    "/full": .response(
      TransportResponse(
        status: 201,
        headers: [
          HeaderField("Content-Type", "application/vnd.x+json; charset=utf-8"),
          HeaderField("X-Tag", "one"), HeaderField("x-tag", "two"), HeaderField("X-Count", " 12 "),
          HeaderField("Location", "../users/7?code=a%20b%2B&z=1"),
          HeaderField("Set-Cookie", "session=\"abc\"; Path=/; HttpOnly"),
          HeaderField("Set-Cookie", "theme=dark"),
        ],
        body: Array(
          #"{"id": 7, "tags": ["x", "y"], "token": "eyJhIjoxfQ==", "doc": "{\"k\":[1]}", "nil": null, "when": "2026-02-29"}"#
            .utf8))),
    "/text": .text("id=42; id=43"),
    "/untyped": .response(TransportResponse(status: 200, body: Array(" [1, 2]".utf8))),
    "/broken": .text("{nope", type: "application/json"),
    "/sneaky": .text("{nope", type: "text/html"),
    "/number": .text("42"),
    "/204": .status(204),
    "/404": .text("none", status: 404),
  ]

  @Test(arguments: try Statement.all("Extractors")) func anExtractorDoesWhatIsSaid(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: try Statement.all("Expectations")) func anExpectationDoesWhatIsSaid(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }
}
