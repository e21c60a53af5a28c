import PipelineJSONText
import PipelineTestSupport
import Testing

/// What the program says where libcrypto is not installed.
@Suite(.enabled(if: ChildProcess.executable != nil, "the program is not built"))
struct WithoutLibcryptoTests {
  private let folder = TemporaryFolder()

  private func run(_ algorithm: String, key: String) throws -> Tool.Outcome {
    // Files that are no libraries are found first.
    for name in ["libcrypto.so.3", "libcrypto.so.1.1"] { folder.write("", to: "none/" + name) }
    let token = """
      {"$jwt": {"claims": {"iss": "app"}, "algorithm": "\(algorithm)", "key": "{{inputs.key}}"}}
      """
    let key = JSONValue.string(key).node.text
    folder.write(
      """
      {"inputs": {"key": {"secret": true, "default": \(key)}},
       "steps": [{"id": "token", "values": {"made": \(token)}}]}
      """, to: "token.json")
    let program = try #require(ChildProcess.executable)
    return Tool.run(
      [
        "env", "LD_LIBRARY_PATH=" + folder.path + "/none", program, "run", "token.json",
        "--no-store",
      ], in: folder)
  }

  @Test func aPrivateKeyIsRefusedClearly() throws {
    #if os(Linux)
      let outcome = try run("RS256", key: SampleKeys.rsa)
      #expect(outcome.status == 1)
      #expect(
        outcome.error.contains(
          "step 'token': '$jwt' cannot be signed: RS256 needs libcrypto of OpenSSL 1.1.1 or later,"
            + " which cannot be loaded"))
      #expect(!outcome.error.contains("PRIVATE KEY"))
    #endif
  }

  /// HMAC is ours.
  @Test func aSecretNeedsNoLibrary() throws {
    #if os(Linux)
      let outcome = try run("HS256", key: "a secret that is long enough for it")
      #expect(outcome.status == 0, "\(outcome.error)")
    #endif
  }
}
