import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

/// What an app sees of a run besides its outputs.
@Suite struct LibraryTests {
  private let transport = ScriptedTransport { _ in .json(["token": "s3cr3t-token", "n": 1]) }

  private let login = """
    {"steps": [{"id": "login", "endpoint": "POST https://api.example/login",
       "extract": {"token": {"body": "$.token", "secret": true}, "n": "$.n"}}],
     "outputs": {"token": "{{login.token}}", "both": {"t": "{{login.token}}", "n": "{{login.n}}"},
       "n": "{{login.n}}"}}
    """

  @Test func aSecretIsNotDecodedAsItsMask() async throws {
    struct Both: Decodable {
      let n: Int
      let t: String
    }
    let result = try await Pipeline(login, transport: transport).run().result
    #expect(try result.output("n", as: Int.self) == 1)
    for (path, decode) in [
      ([], { try result.output("token", as: String.self) }),
      ([], { try result.output("token", as: Int.self) }),
      ([], { try result.output("both", as: Both.self) }),
    ] as [([String], () throws -> Any)] {
      #expect {
        _ = try decode()
      } throws: { error in
        guard case .dataCorrupted(let context)? = error as? DecodingError else { return false }
        return context.codingPath.map(\.stringValue) == path
          && context.debugDescription.contains("secret, which is hidden; '\"reveal\": true'")
      }
    }
  }

  @Test func warningsOfLintAreKept() throws {
    #expect(
      try Pipeline(login, transport: transport).warnings.contains { $0.code == "secret-in-output" })
  }

  @Test func anOutputOfACancelledRunSaysSo() async throws {
    let run = try Pipeline(login, transport: transport).run()
    run.cancel()
    let result = try await run.result
    #expect {
      try result.output("n", as: Int.self)
    } throws: { error in
      "\(error)" == "the run has no output 'n': the run was cancelled before it began"
    }
  }
}
