import PipelineHTTPServers
import PipelineKit
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import PipelineCommand

/// Processes that share a refresh token which the server replaces, and are killed while they do.
@Suite(
  .ownThreads, .timeLimit(.minutes(5)),
  .enabled(if: ChildProcess.executable != nil, "the program is not built"))
struct LoginKillTests {
  private let folder = TemporaryFolder()

  private func workflow(_ query: String) -> String {
    folder.write(
      """
      {"inputs": {"api": {}, "refresh": {"secret": true}},
       "defaults": {"baseURL": "{{inputs.api}}", "auth": {"oauth2": {
         "tokenURL": "/oauth/token?rotate=1&\(query)", "clientId": "sandbox-client",
         "clientSecret": "sandbox-secret", "refreshToken": "{{inputs.refresh}}"}}},
       "steps": [{"id": "me", "endpoint": "GET /oauth/me"}]}
      """, to: "w.json")
  }

  private func start(
    _ file: String, _ origin: String, refresh: String, under: [String] = []
  ) -> ChildProcess? {
    let inputs = "{\"refresh\": \"\(refresh)\"}"
    // Another process may be reading it.
    if folder.read("inputs.json") != inputs { _ = folder.write(inputs, to: "inputs.json") }
    let secrets = folder.path + "/inputs.json"
    return ChildProcess(
      ["run", file, "-q", "--no-store", "--set", "api=\(origin)", "--inputs", secrets],
      environment: ["XDG_STATE_HOME": folder.path + "/state"], under: under)
  }

  private var store: String { folder.path + "/state/pipeline/credentials.json" }

  /// What is beside the logins, and these.
  private var names: [String] { (try? folderEntries(folder.path + "/state/pipeline")) ?? [] }

  @Test func twoRunsAtOnceShareOneRotation() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = workflow("delay=0.2&lifetime=3600")
    let runs = (0..<4).compactMap { _ in
      start(file, server.origin, refresh: "sandbox-refresh-0")
    }
    for run in runs {
      let end = run.wait()
      #expect(end.status == 0, "\(end.error)")
    }
    #expect(server.records.requests.filter { $0.method == "POST" }.count == 1)
    var status = stat()
    #expect(stat(store, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    // No lock is left, and nothing of the writing.
    #expect(names == ["credentials.json"])
  }

  /// The disk is full at one byte of what a run writes.
  @Test(
    .enabled(
      if: access("/usr/bin/prlimit", X_OK) == 0, "prlimit of util-linux is not installed"))
  func aRunThatCannotKeepALoginSaysSo() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = workflow("lifetime=3600")
    let first = try #require(start(file, server.origin, refresh: "sandbox-refresh-0"))
    #expect(first.wait().status == 0)
    let whole = try #require(folder.read("state/pipeline/credentials.json")).utf8.count
    var refresh = "sandbox-refresh-0"
    let step = LongTests.count(5, long: whole)
    for limit in stride(from: 0, to: whole - 40, by: max(1, whole / step)) {
      revoke(server)
      let end = try #require(
        start(
          file, server.origin, refresh: refresh,
          under: ["/usr/bin/env", "--ignore-signal=XFSZ", "/usr/bin/prlimit", "--fsize=\(limit)"])
      ).wait()
      #expect(end.error.contains("cannot be kept"), "\(end.error)")
      refresh = try endsWell(file, server, refresh)
    }
  }

  /// Every call of the system that gives the file a name, syncs it or frees its lock is the last one
  /// that a run makes.
  @Test(.enabled(if: Self.traces, "strace is not installed, or may not trace"))
  func aRunThatIsKilledWhileItWritesLeavesALoginThatWorksOrSaysSo() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = workflow("lifetime=3600")
    let first = try #require(start(file, server.origin, refresh: "sandbox-refresh-0"))
    #expect(first.wait().status == 0)
    var refresh = "sandbox-refresh-0"
    var killed = 0
    // strace counts the calls of each thread.
    let calls = ["fsync", "?rename,?renameat,?renameat2", "?unlink,?unlinkat", "flock"]
    for (call, number) in calls.flatMap({ call in (1...6).map { (call, $0) } }) {
      revoke(server)
      let end = try #require(
        start(
          file, server.origin, refresh: refresh,
          under: [
            "/usr/bin/strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=SIGKILL:when=\(number)",
          ])
      ).wait()
      #expect(end.status == 0 || end.status == 137, "\(end.error)")
      if end.status != 0 { killed += 1 }
      refresh = try endsWell(file, server, refresh)
    }
    #expect(killed >= 4)
  }

  private static var traces: Bool {
    ChildProcess(["--version"], under: ["/usr/bin/strace", "-o", "/dev/null"])?.wait().status == 0
  }

  /// The next run works, or says what to do and does not go on for ever.
  ///
  /// - Returns: The refresh token for runs after it.
  private func endsWell(
    _ file: String, _ server: SandboxServer, _ refresh: String
  ) throws -> String {
    revoke(server)
    let before = server.records.requestCount
    let next = try #require(start(file, server.origin, refresh: refresh)).wait()
    #expect(names == ["credentials.json"])
    if next.status == 0 { return refresh }
    // The server has seen a refresh token twice, and ended the login.
    #expect(next.error.contains("log in again"), "\(next.error)")
    let later = try #require(start(file, server.origin, refresh: refresh)).wait()
    #expect(later.error.contains("log in again"), "\(later.error)")
    #expect(server.records.requestCount - before <= 4)
    let new = try newLogin(server)
    #expect(try #require(start(file, server.origin, refresh: new)).wait().status == 0)
    return new
  }

  /// Makes the next run fetch a token.
  private func revoke(_ server: SandboxServer) {
    _ = ChildProcess(["try", "POST \(server.origin)/oauth/revoke"])?.wait()
  }

  /// A refresh token of a login by a code.
  private func newLogin(_ server: SandboxServer) throws -> String {
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "steps": [{"id": "begin", "endpoint": "POST /oauth/device?polls=0&interval=0",
                  "body": {"form": {"client_id": "sandbox-app"}},
                  "extract": {"code": "$.device_code"}},
                 {"id": "poll", "endpoint": "POST /oauth/token", "body": {"form": {
                    "client_id": "sandbox-app", "device_code": "{{begin.code}}",
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code"}},
                  "extract": {"token": "$.refresh_token"}}],
       "outputs": {"token": "{{poll.token}}"}}
      """, to: "login.json")
    let run = try #require(
      ChildProcess(["run", file, "-q", "--no-store", "--set", "api=\(server.origin)"])
    ).wait()
    let word = run.output.split(separator: "\"").first { $0.hasPrefix("sandbox-refresh") }
    return String(try #require(word, "\(run.error)"))
  }

  /// The answer has arrived up to some byte, or as a whole, and nothing is written yet.
  @Test func aRunThatIsKilledWhileItReadsTheAnswerLeavesALoginThatWorksOrSaysSo() throws {
    let answer = Array(
      #"{"access_token":"access-of-run","expires_in":0,"refresh_token":"second-refresh"}"#.utf8)
    let step = LongTests.count(4, long: answer.count)
    for cut in stride(from: 0, to: answer.count, by: max(1, answer.count / step)) {
      let asked = Atomic(0)
      let server = try HTTPServer.start(port: 0) { _ in
        HTTPServer.Handler(respond: { request, reply in
          guard request.path == "/oauth/token" else { return .empty(204) }
          guard asked.add(1, ordering: .relaxed).oldValue == 0 else {
            return .failure(400, "invalid_grant")
          }
          reply.append(Array(answer[..<cut]))
          return ServerResponse(
            status: 200, fields: [ServerResponse.Field("Content-Type", "application/json")],
            content: .pushed(pulse: [], {}))
        })
      }
      defer { server.stop() }
      let file = workflow("")
      let origin = "http://127.0.0.1:\(server.port)"
      let child = try #require(start(file, origin, refresh: "first-refresh"))
      Waiting.until { asked.load(ordering: .relaxed) > 0 }
      // The beginning of the answer is on its way.
      Waiting.moment(20_000)
      child.send(SIGKILL)
      #expect(child.wait().status == 137)
      #expect(folder.read("state/pipeline/credentials.json") == nil)
      let next = try #require(start(file, origin, refresh: "first-refresh")).wait()
      #expect(next.error.contains("log in again"), "\(next.error)")
      #expect(asked.load(ordering: .relaxed) == 2)
    }
  }
}
