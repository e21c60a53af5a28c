import PipelineHTTPServers
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import PipelineCommand

/// Processes that are killed while they fetch a token.
@Suite(
  .ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"),
  .enabled(if: ChildProcess.executable != nil, "the program is not built"))
struct TokenKillTests {
  /// The token never comes in time.
  private static let workflow = """
    {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}", "timeout": "30s",
      "auth": {"oauth2": {"tokenURL": "{{inputs.api}}/slow/token?ms=60000", "clientId": "c",
        "clientSecret": "s-88213"}}},
     "steps": [{"id": "order", "endpoint": "POST /slow/order"}]}
    """

  private let folder = TemporaryFolder()

  @Test(arguments: [false, true])
  func anotherProcessAsksAgain(_ isPart: Bool) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(Self.workflow, to: "w.json")
    let place = folder.path + "/place"
    let begin = ["part", "begin", file, "--folder", place, "--set", "api=" + server.origin]
    if isPart { #expect(await pipeline(begin).status == .success) }
    let first =
      isPart
      ? ["part", "run", file, "--folder", place, "--step", "order"]
      : ["run", file, "--set", "api=" + server.origin, "--store", place]
    let second = isPart ? first : ["resume", "--store", place]
    for (number, words) in [first, second].enumerated() {
      let child = try #require(ChildProcess(words))
      Waiting.until { server.records.requestCount > number }
      child.send(SIGKILL)
      #expect(child.wait().status == 137)
    }
    #expect(
      server.records.requests.map(\.target) == ["/slow/token?ms=60000", "/slow/token?ms=60000"])
  }
}
