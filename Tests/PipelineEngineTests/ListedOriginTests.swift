import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Testing

/// `sendCredentials` may name an input, but never what a response said.
@Suite struct ListedOriginTests {
  private static let settings = """
    "defaults": {"baseURL": "https://api.example", "auth": {"bearer": "tok-58812"},
      "sendCredentials": ["{{inputs.files}}"]}
    """

  /// Whether `https://files.example` gets the credential.
  private func isSent(
    _ text: String, _ files: [String: String] = [:], inputs: [String: JSONValue] = [:]
  ) async throws -> Bool {
    let transport = ScriptedTransport { _ in .json(["url": "https://files.example/up"]) }
    let report = try await Pipeline(
      try plan(files: files.merging(["main.json": text]) { $1 }), transport: transport
    )
    .run(inputs: inputs).result.report
    #expect(report.status == .succeeded, "\(report.failures)")
    let upload = transport.requests.first { $0.url == "https://files.example/up" }
    return try #require(upload).headers.contains { $0.name == "Authorization" }
  }

  @Test(arguments: [
    ("https://files.example", true), ("https://files.example/api/v1", true),
    ("https://other.example", false), ("https://files.example:8443", false),
  ])
  func anInputIsListed(_ value: String, _ isSent: Bool) async throws {
    let text = """
      {"inputs": {"files": {"type": "string"}}, \(Self.settings),
       "steps": [{"id": "a", "endpoint": "GET /a", "extract": {"url": "$.url"}},
                 {"id": "b", "endpoint": "POST {{a.url}}", "body": {"json": {}}}]}
      """
    #expect(try await self.isSent(text, inputs: ["files": .string(value)]) == isSent)
  }

  /// The input of a called file may be what a response said to its caller.
  @Test(arguments: [("https://files.example", true), ("{{a.url}}", false)])
  func aCallerDoesNotListWhatAResponseSaid(_ value: String, _ isSent: Bool) async throws {
    let called = """
      {"inputs": {"files": {"type": "string"}, "url": {"type": "string"}}, \(Self.settings),
       "steps": [{"id": "b", "endpoint": "POST {{inputs.url}}", "body": {"json": {}}}]}
      """
    let caller = """
      {"steps": [{"id": "a", "endpoint": "GET https://api.example/a", "extract": {"url": "$.url"}},
       {"id": "c", "workflow": "./called.json",
        "inputs": {"files": "\(value)", "url": "{{a.url}}"}}]}
      """
    #expect(try await self.isSent(caller, ["called.json": called]) == isSent)
  }
}
