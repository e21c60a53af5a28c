import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

/// What requests are made of (docs/language.md).
@Suite struct RequestStatementTests {
  private struct Files: FileAccess {
    func read(_ path: String) throws(FileError) -> [UInt8] { Array(#"{"from": "\#(path)"}"#.utf8) }
    func resolve(_ path: String) throws(FileError) -> String { "/w/" + path }
    func save(_ bytes: [UInt8], to path: String) throws(FileError) {}
  }

  @Test(arguments: try Statement.all("Requests")) func aRequestIsWhatIsSaid(_ statement: Statement)
    async throws
  {
    var answers: [String: ScriptedTransport.Answer] = [
      "/503": .status(503), "/gone": .status(410), "/busy": .json(["code": "BUSY"]),
      "/text": .text("hello", type: "text/plain"),
    ]
    for status in [302, 303, 308] {
      answers["/\(status)"] = .status(status, headers: [HeaderField("Location", "/a")])
    }
    try await statement.check(answers, files: Files())
  }
}
