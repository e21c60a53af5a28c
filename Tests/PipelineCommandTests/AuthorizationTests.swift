import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Logins and signed clients, at an authorization server that others wrote.
@Suite(
  .ownThreads, .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: ["authlib", "joserfc", "flask"].allSatisfy(Tool.hasModule),
    "authlib, joserfc and flask are not installed"))
struct AuthorizationTests {
  private let folder = TemporaryFolder()
  private let server: PythonServer

  init() throws {
    server = try #require(
      PythonServer(Conformance.packageRoot + "/Tests/Authorization/server.py", [folder.path]))
  }

  private func call(_ arguments: [String], _ more: [String: String] = [:]) async -> Outcome {
    await pipeline(
      arguments, environment: ["XDG_STATE_HOME": folder.path + "/state"].merging(more) { $1 })
  }

  private func workflow(_ oauth2: String) -> String {
    folder.write(
      """
      {"inputs": {"key": {"type": "string", "secret": true, "env": "KEY", "optional": true}},
       "steps": [{"id": "me", "endpoint": "GET \(server.origin)/me",
         "auth": {"oauth2": {"tokenURL": "\(server.origin)/token", \(oauth2)}},
         "extract": {"client": "$.client"}}],
       "outputs": {"client": "{{me.client}}"}}
      """, to: "w.json")
  }

  // MARK: Logins

  /// Runs `login`, and plays the person when a line of its messages is there.
  private func login(
    _ file: String, _ more: [String] = [], line start: String, _ act: (String) throws -> Void
  ) async throws -> Outcome {
    try await LocalBrowser.play(
      ["login", file, "--no-browser"] + more,
      environment: ["XDG_STATE_HOME": folder.path + "/state"], line: start, act)
  }

  private func runsAreGood(_ file: String, client: String) async throws {
    for _ in 0..<3 {
      // Its access tokens are over at once, so each run renews the login, which is rotated.
      let run = await call(["run", file, "-q", "--no-store"])
      #expect(run.status == .success, "\(run.error)")
      #expect(run.output.contains("\"client\": \"\(client)\""))
    }
  }

  @Test func aLoginInABrowserIsRotated() async throws {
    let file = workflow(
      """
      "grant": "authorizationCode", "authorizationURL": "\(server.origin)/authorize",
      "clientId": "app", "scopes": ["read"]
      """)
    let outcome = try await login(file, line: "  http") { rest in
      let back = try LocalBrowser.redirect("http" + rest)
      #expect(back.contains("&iss=http%3A%2F%2F127.0.0.1"))
      #expect(try LocalBrowser.visit(back).status == 200)
    }
    #expect(outcome.status == .success, "\(outcome.error)")
    try await runsAreGood(file, client: "app")
    let before = try #require(folder.read("state/pipeline/credentials.json"))
    #expect(await call(["credentials", "renew", file]).status == .success)
    #expect(folder.read("state/pipeline/credentials.json") != before)
  }

  @Test func aRefusalInABrowserIsTold() async throws {
    let file = workflow(
      """
      "grant": "authorizationCode", "authorizationURL": "\(server.origin)/authorize?decision=deny",
      "clientId": "app"
      """)
    let outcome = try await login(file, line: "  http") { rest in
      let back = try LocalBrowser.redirect("http" + rest)
      #expect(try LocalBrowser.visit(back).status == 400)
    }
    #expect(outcome.status == .failure)
    #expect(outcome.error.contains("the login was refused in the browser (access_denied"))
    #expect(folder.read("state/pipeline/credentials.json") == nil)
  }

  @Test(arguments: [true, false]) func aLoginByACodeIsAsked(_ isAllowed: Bool) async throws {
    let file = workflow(
      """
      "grant": "deviceAuthorization", "deviceAuthorizationURL": "\(server.origin)/device",
      "clientId": "shop", "clientSecret": "{{inputs.key}}", "scopes": ["read"]
      """)
    let secrets = folder.write(#"{"key": "shop-secret-of-many-bytes-for-hs256"}"#, to: "key.json")
    let outcome = try await login(file, ["--inputs", secrets], line: "or open: ") { address in
      let decision = isAllowed ? "" : "&decision=deny"
      let page = try LocalBrowser.visit(address + decision)
      #expect(page.status == 200)
    }
    if isAllowed {
      #expect(outcome.status == .success, "\(outcome.error)")
      let run = await call(["run", file, "-q", "--no-store", "--inputs", secrets])
      #expect(run.output.contains(#""client": "shop""#), "\(run.error)")
    } else {
      #expect(outcome.error.contains("the login was refused (access_denied); nothing is kept"))
      #expect(folder.read("state/pipeline/credentials.json") == nil)
    }
  }

  // MARK: Signed tokens

  /// The last token that the server verified.
  private func lastVerified() throws -> JSONNode {
    let text = try LocalBrowser.visit(server.origin + "/verified").text
    return try #require(Array(try JSONDocument.parse(Array(text.utf8)).root.elements).last)
  }

  private func key(_ name: String) throws -> [String: String] {
    ["KEY": try #require(folder.read(name + ".pem"))]
  }

  @Test(arguments: ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA"])
  func aClientThatSignsIsVerified(_ algorithm: String) async throws {
    let file = workflow(
      """
      "clientId": "\(algorithm)", "clientAuth": {"privateKeyJWT": {
        "key": "{{inputs.key}}", "algorithm": "\(algorithm)", "keyId": "k1"}}
      """)
    let run = await call(["run", file, "-q", "--no-store"], try key(algorithm))
    #expect(run.output.contains("\"client\": \"\(algorithm)\""), "\(run.error)")
    let verified = try lastVerified()
    #expect(verified["kind"]?.string == "client")
    #expect(verified["algorithm"]?.string == algorithm)
    #expect(verified["kid"]?.string == "k1")
    #expect(verified["claims"]?["iss"]?.string == algorithm)
    #expect(verified["claims"]?["aud"]?.string == server.origin + "/token")
    // The key of another client.
    let other = algorithm == "RS256" ? "RS512" : "RS256"
    let stranger = folder.write(
      (folder.read("w.json") ?? "").replacing(
        "\"algorithm\": \"\(algorithm)\"", with: "\"algorithm\": \"\(other)\""), to: "x.json")
    let refused = await call(["run", stranger, "-q", "--no-store"], try key(other))
    #expect(refused.status == .failure)
  }

  @Test func aClientThatSignsWithItsSecretIsVerified() async throws {
    let file = workflow(
      #""clientId": "shop", "clientSecret": "{{inputs.key}}", "clientAuth": "clientSecretJWT""#)
    let run = await call(
      ["run", file, "-q", "--no-store"], ["KEY": "shop-secret-of-many-bytes-for-hs256"])
    #expect(run.output.contains(#""client": "shop""#), "\(run.error)")
    #expect(try lastVerified()["algorithm"]?.string == "HS256")
  }

  @Test(arguments: ["ES256", "EdDSA"]) func anAssertionIsVerified(_ algorithm: String) async throws
  {
    let file = workflow(
      """
      "grant": "jwtBearer", "scopes": ["read"], "parameters": {"assertion": {"$jwt": {
        "claims": {"iss": "\(algorithm)", "sub": "ada", "aud": "\(server.origin)/token"},
        "key": "{{inputs.key}}", "algorithm": "\(algorithm)", "lifetime": "5m"}}}
      """)
    let run = await call(["run", file, "-q", "--no-store"], try key(algorithm))
    #expect(run.output.contains("\"client\": \"\(algorithm)\""), "\(run.error)")
    #expect(try lastVerified()["kind"]?.string == "grant")
  }
}

/// A server in Python that runs until the value is gone.
private final class PythonServer: Sendable {
  let origin: String
  private let id: pid_t

  /// - Returns: `nil` if it does not print its origin.
  init?(_ script: String, _ arguments: [String]) {
    guard let python = Tool.path(of: "python3"), let output = Spawning.pipe() else { return nil }
    let id = try? Spawning.start(
      [python, script] + arguments, environment: Spawning.environment
    ) { actions in
      posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    close(output.writing)
    defer { close(output.reading) }
    guard let id else { return nil }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output.reading, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    self.id = id
    origin = String(decoding: line, as: UTF8.self)
    if line.isEmpty { return nil }
  }

  deinit {
    kill(id, SIGKILL)
    _ = Spawning.end(of: id)
  }
}
