import PipelineByteText
import PipelineJSONText
import PipelineKit
import PipelinePlanning
import PipelineTesting
import PipelineURIs
import Synchronization
import Testing

@testable import PipelineEngine

/// Logins that a person makes, and runs that need them.
@Suite(.timeLimit(.minutes(5))) struct PersonLoginTests {
  // MARK: A browser

  /// RFC 7636, Appendix B.
  @Test func theProofIsThatOfTheSpecification() {
    let octets: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77,
      105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ]
    let proof = PKCE(octets: octets)
    #expect(proof.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(PKCE().verifier.utf8.count == 43)
    #expect(PKCE().verifier != PKCE().verifier)
  }

  private func browserLogin() throws -> BrowserLogin {
    BrowserLogin(
      at: "https://id.example/authorize?tenant=7", redirectURL: "http://127.0.0.1:8400/",
      parameters: [("client_id", "c"), ("audience", "a%20b")],
      server: [try #require(Origin(of: "https://id.example"))], state: "the-state")
  }

  @Test func theAddressHasWhatTheServerNeeds() throws {
    let login = try browserLogin()
    #expect(
      login.address
        == "https://id.example/authorize?tenant=7&response_type=code"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8400%2F&state=the-state"
        + "&code_challenge=\(login.proof.challenge)&code_challenge_method=S256&client_id=c"
        + "&audience=a%20b")
    #expect(!login.address.contains(login.proof.verifier))
  }

  @Test func aCodeOfTheLoginIsTaken() throws {
    let login = try browserLogin()
    #expect(try login.code(from: "code=a%2Fb+c&state=the-state") == "a/b c")
    #expect(
      try login.code(from: "state=the-state&iss=https%3A%2F%2Fid.example%2Frealm&code=x") == "x")
  }

  @Test(arguments: [
    ("code=x", "a 'state' that is not that of this login (RFC 6749 §10.12)"),
    ("code=x&state=the-state2", "a 'state' that is not that of this login"),
    ("code=x&state=", "a 'state' that is not that of this login"),
    ("code=x&code=y&state=the-state", "with 'code' twice"),
    ("code=x&state=the-state&state=other", "with 'state' twice"),
    ("state=the-state", "without a code"), ("code=&state=the-state", "without a code"),
    (
      "code=x&state=the-state&iss=https%3A%2F%2Fevil.example",
      "from the server 'https://evil.example', and not from https://id.example (RFC 9207)"
    ),
    (
      "error=access_denied&error_description=no+thanks&state=the-state",
      "the login was refused in the browser (access_denied: no thanks); nothing is kept"
    ),
    ("error=server_error&state=the-state", "the server ended the login: server_error"),
    // An error of another page says nothing of this login.
    ("error=access_denied&state=x", "a 'state' that is not that of this login"),
  ])
  func anythingElseIsRefused(_ query: String, _ message: String) throws {
    let login = try browserLogin()
    let error = #expect(throws: LoginProblem.self) { try login.code(from: query) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("nothing is kept") == true)
  }

  // MARK: Making logins

  /// A clock on which every sleep is over at once.
  private final class InstantClock: RunClock {
    private let now = Mutex(Duration.zero)
    let sleeps = Mutex<[Duration]>([])

    var elapsed: Duration { now.withLock { $0 } }
    var wallTime: Double { 1_767_225_600 + elapsed.seconds }

    func sleep(for duration: Duration) async throws {
      now.withLock { $0 += duration }
      sleeps.withLock { $0.append(duration) }
    }
  }

  private static let device = #"""
    "grant": "deviceAuthorization", "deviceAuthorizationURL": "https://id.example/device",
    "clientId": "c", "scopes": ["read", "write"], "credential": "books"
    """#
  private static let browser = #"""
    "grant": "authorizationCode", "authorizationURL": "https://id.example/authorize",
    "clientId": "c", "scopes": ["read"], "parameters": {"audience": "https://api.example"}
    """#

  private func plan(_ oauth2: String, more: String = "") throws -> Plan {
    try PipelineEngineTests.plan(
      """
      {"inputs": {"name": {"default": "n"}},
       "steps": [{"id": "a", "endpoint": "GET https://api.example/a"\(more),
        "auth": {"oauth2": {"tokenURL": "https://id.example/token", \(oauth2)}}}]}
      """)
  }

  private func wanted(
    _ plan: Plan, _ transport: ScriptedTransport, _ clock: any RunClock = InstantClock()
  ) throws -> [WantedLogin] {
    var options = RunOptions()
    options.clock = clock
    let inputs = plan.inputs(given: [:]).values
    return try Pipeline(plan, transport: transport, options: options)
      .wantedLogins(inputs: inputs).logins
  }

  private static let begun = ScriptedTransport.Answer.json([
    "device_code": "device-code-1", "user_code": "ABCD-EFGH",
    "verification_uri": "https://id.example/go", "expires_in": 100, "interval": 3,
  ])

  private static func refused(_ code: String, status: Int = 400) -> ScriptedTransport.Answer {
    .json(["error": .string(code)], status: status)
  }

  private static let tokens = ScriptedTransport.Answer.json([
    "access_token": "access-token-1", "expires_in": 3600, "refresh_token": "refresh-token-1",
    "scope": "read",
  ])

  /// What a device login sends, how long it waits, and what it comes to.
  private func deviceLogin(
    _ answers: [ScriptedTransport.Answer], within limit: Duration? = nil,
    begun: ScriptedTransport.Answer = Self.begun
  ) async throws -> (
    result: Result<WantedLogin.Granted, LoginProblem>, sleeps: [Int], forms: [String],
    store: MemoryLogins
  ) {
    let clock = InstantClock()
    let store = MemoryLogins()
    let transport = ScriptedTransport([
      "POST https://id.example/device": [begun], "POST https://id.example/token": answers,
    ])
    let login = try #require(try wanted(try plan(Self.device), transport, clock).first)
    var result: Result<WantedLogin.Granted, LoginProblem>
    do throws(LoginProblem) {
      let granted = try await login.wait(for: try await login.deviceLogin(), within: limit)
      try await login.keep(granted, in: store)
      result = .success(granted)
    } catch {
      result = .failure(error)
    }
    let forms = transport.requests.map { request in
      guard case .bytes(let bytes) = request.body else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
    return (result, clock.sleeps.withLock { $0.map { Int($0.seconds) } }, forms, store)
  }

  @Test func aDeviceIsWaitedForAsTheServerAsks() async throws {
    let pending = Self.refused("authorization_pending")
    let outcome = try await deviceLogin([
      // GitHub answers with 200.
      pending, Self.refused("authorization_pending", status: 200), Self.refused("slow_down"),
      pending, .refused, .status(503), Self.tokens,
    ])
    let granted = try outcome.result.get()
    #expect(outcome.sleeps == [3, 3, 3, 8, 8, 13, 18])
    #expect(outcome.forms.first == "scope=read+write&client_id=c")
    #expect(
      outcome.forms.last
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        + "&device_code=device-code-1&client_id=c")
    #expect(granted.withheld == ["write"])
    #expect(granted.isRenewable)
    let login = try #require(outcome.store.all.first)
    #expect(login.id == Login.ID(name: "books", seed: nil))
    #expect(login.refreshToken == "refresh-token-1")
    #expect(login.scopes == ["read", "write"])
    #expect(login.access?.token == "access-token-1")
  }

  @Test(arguments: [
    ("access_denied", "the login was refused (access_denied); nothing is kept"),
    ("expired_token", "the code ABCD-EFGH is too old: nobody allowed the login in time"),
    ("invalid_client", "answered 400 Bad Request: invalid_client; nothing is kept"),
  ])
  func aRefusedDeviceKeepsNothing(_ code: String, _ message: String) async throws {
    let outcome = try await deviceLogin([
      Self.refused("authorization_pending"), Self.refused(code),
    ])
    #expect(outcome.store.all.isEmpty)
    #expect(outcome.forms.count == 3)
    let error = #expect(throws: LoginProblem.self) { try outcome.result.get() }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func nobodyIsWaitedForForEver() async throws {
    let whole = try await deviceLogin([Self.refused("authorization_pending")])
    #expect(whole.sleeps.reduce(0, +) == 99)
    let error = #expect(throws: LoginProblem.self) { try whole.result.get() }
    #expect(error?.message.contains("too old") == true)
    let part = try await deviceLogin(
      [Self.refused("authorization_pending")], within: .seconds(10))
    #expect(part.sleeps == [3, 3, 3])
    let late = #expect(throws: LoginProblem.self) { try part.result.get() }
    #expect(late?.message.contains("nobody allowed the login within 10s") == true)
    let short = try await deviceLogin(
      [Self.refused("authorization_pending")], within: .seconds(2))
    #expect(short.sleeps == [2])
    #expect(short.forms.count == 2)
    let lost = try await deviceLogin([.refused])
    #expect(lost.sleeps == [3, 8, 13, 18, 23, 28])
    let loss = #expect(throws: LoginProblem.self) { try lost.result.get() }
    #expect(loss?.message.contains("the last answer: could not get a token") == true)
    #expect(lost.store.all.isEmpty)
  }

  @Test(arguments: [
    #"{"user_code": "A", "verification_uri": "https://id.example"}"#,
    #"{"device_code": "d", "verification_uri": "https://id.example"}"#,
    #"{"device_code": "d", "user_code": "A"}"#,
    #"{"device_code": "d", "user_code": "A", "verification_uri": "file:///etc/passwd"}"#,
    #"{"error": "unauthorized_client"}"#, "[]", "",
  ])
  func anAnswerThatBeginsNoLoginSaysSo(_ answer: String) async throws {
    let outcome = try await deviceLogin([], begun: .text(answer))
    let error = #expect(throws: LoginProblem.self) { try outcome.result.get() }
    #expect(error?.message.contains("https://id.example/device") == true)
    #expect(error?.message.contains("nothing is kept") == true, "\(error?.message ?? "")")
  }

  @Test func aCodeIsSentOnce() async throws {
    for answer in [ScriptedTransport.Answer.refused, .status(503), Self.refused("invalid_grant")] {
      let transport = ScriptedTransport(["POST https://id.example/token": [answer, Self.tokens]])
      let plan = try plan(Self.browser, more: #", "retry": {"attempts": 5}"#)
      let login = try #require(try wanted(plan, transport).first)
      let begun = try login.browserLogin(redirectURL: "http://127.0.0.1:8400/")
      #expect(begun.address.contains("&audience=https%3A%2F%2Fapi.example"))
      let error = await #expect(throws: LoginProblem.self) {
        _ = try await login.redeem("code-1", of: begun)
      }
      #expect(error?.message.contains("nothing is kept, so log in again") == true)
      #expect(transport.requests.count == 1)
    }
  }

  @Test func aCodeIsGivenWithItsProof() async throws {
    let transport = ScriptedTransport(["POST https://id.example/token": [Self.tokens]])
    let login = try #require(try wanted(try plan(Self.browser), transport).first)
    #expect(login.name == "https://id.example c")
    let begun = try login.browserLogin(redirectURL: "http://127.0.0.1:8400/")
    _ = try await login.redeem("code/1", of: begun)
    guard case .bytes(let bytes)? = transport.requests.first?.body else {
      Issue.record("no form")
      return
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "grant_type=authorization_code&code=code%2F1"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8400%2F"
        + "&code_verifier=\(begun.proof.verifier)&client_id=c"
        + "&audience=https%3A%2F%2Fapi.example")
  }

  // MARK: Which logins there are

  @Test func loginsFollowFromInputsItemsAndCalls() throws {
    let plan = try PipelineEngineTests.plan(
      #"""
      {"inputs": {"tenant": {"default": "t1"}},
       "defaults": {"auth": {"oauth2": {"grant": "deviceAuthorization",
         "tokenURL": "https://id.example/{{inputs.tenant}}/token",
         "deviceAuthorizationURL": "https://id.example/device", "clientId": "c",
         "credential": "of-{{inputs.tenant}}"}}, "baseURL": "https://api.example"},
       "steps": [
         {"id": "one", "endpoint": "GET /one"},
         {"id": "two", "when": "$.one.x == 1", "endpoint": "GET /two",
          "auth": {"oauth2": {"grant": "deviceAuthorization",
            "tokenURL": "https://id.example/token", "clientId": "c", "credential": "second",
            "deviceAuthorizationURL": "https://id.example/device"}}},
         {"id": "each", "forEach": ["a", "b"], "as": "user", "steps": [
           {"id": "get", "endpoint": "GET /get",
            "auth": {"oauth2": {"grant": "deviceAuthorization",
              "tokenURL": "https://id.example/token", "clientId": "c", "credential": "{{user}}",
              "deviceAuthorizationURL": "https://id.example/device"}}}]}]}
      """#.replacing(#""GET /one"}"#, with: #""GET /one", "extract": {"x": "$.x"}}"#))
    let pipeline = Pipeline(plan, transport: ScriptedTransport([:]))
    let (logins, unknown) = try pipeline.wantedLogins(inputs: plan.inputs(given: [:]).values)
    #expect(logins.map(\.name) == ["of-t1", "second", "a", "b"])
    #expect(logins.map(\.isCertain) == [true, false, true, true])
    #expect(logins.map(\.steps) == [["one"], ["two"], ["each.get"], ["each.get"]])
    #expect(logins.first?.tokenURL == "https://id.example/t1/token")
    #expect(unknown.isEmpty)
  }

  // MARK: Runs

  private func login(
    refresh: String? = "refresh-token-1", access: String? = nil,
    scopes: [String] = ["read", "write"],
    client: String = "c"
  ) -> Login {
    Login(
      id: Login.ID(name: "books", seed: nil), tokenURL: "https://id.example/token",
      clientID: client, scopes: scopes, refreshToken: refresh,
      access: access.map { Login.Access(token: $0, expires: nil, use: "") }, changed: 0)
  }

  private func run(
    _ store: MemoryLogins?, _ tokens: [ScriptedTransport.Answer] = [], more: String = ""
  ) async throws -> (message: String?, sent: [String]) {
    let transport = ScriptedTransport([
      "POST https://id.example/token": tokens, "GET https://api.example/a": [.json([:])],
      "GET https://api.example/first": [.json([:])],
    ])
    var options = RunOptions()
    options.logins = store
    options.loginCommand = { name, _ in
      "pipeline login w.json" + (name.map { " --credential " + $0 } ?? "")
    }
    let pipeline = Pipeline(
      try plan(Self.device, more: more), transport: transport, options: options)
    var message: String?
    do {
      let report = try await pipeline.run().result.report
      message = report.failures.first?.failure.message
    } catch let error as InputError {
      message = error.description
    }
    return (message, transport.requests.map { "\($0.method) \($0.url)" })
  }

  @Test func aRunWithoutALoginFailsBeforeItSendsAnything() async throws {
    let none = try await run(MemoryLogins())
    #expect(
      none.message
        == "there is no login 'books' yet; log in: pipeline login w.json --credential books")
    #expect(none.sent.isEmpty)
    let nowhere = try await run(nil)
    #expect(nowhere.message?.contains("nothing keeps logins here") == true)
    #expect(nowhere.sent.isEmpty)
  }

  @Test func aStepThatMayBeSkippedFailsByItself() async throws {
    let skipped = try await run(MemoryLogins(), more: #", "when": "$.inputs.name == 'x'""#)
    #expect(skipped.message == nil)
    let needed = try await run(MemoryLogins(), more: #", "when": "$.inputs.name == 'n'""#)
    #expect(needed.message?.contains("there is no login 'books' yet") == true)
    #expect(needed.sent.isEmpty)
  }

  @Test func aLoginIsUsedAndRotated() async throws {
    let store = MemoryLogins()
    store.put(login())
    let first = try await run(
      store,
      [.json(["access_token": "access-1", "expires_in": 0, "refresh_token": "refresh-token-2"])])
    #expect(first.message == nil, "\(first.message ?? "")")
    #expect(first.sent == ["POST https://id.example/token", "GET https://api.example/a"])
    #expect(store.all.map(\.refreshToken) == ["refresh-token-2"])
    #expect(store.all.map(\.previous) == ["refresh-token-1"])
    // A server that keeps the token says nothing of it.
    _ = try await run(store, [.json(["access_token": "access-2", "expires_in": 0])])
    #expect(store.all.map(\.refreshToken) == ["refresh-token-2"])
    let revoked = try await run(store, [Self.refused("invalid_grant")])
    #expect(
      revoked.message?.hasPrefix(
        "https://id.example/token no longer takes the refresh token of the login 'books'") == true)
    #expect(revoked.message?.hasSuffix("log in: pipeline login w.json --credential books") == true)
    let again = try await run(store)
    #expect(again.message == revoked.message)
    #expect(again.sent.isEmpty)
  }

  @Test func aLoginThatDoesNotFitSaysWhy() async throws {
    let store = MemoryLogins()
    store.put(login(scopes: ["read"]))
    let scope = try await run(store)
    #expect(
      scope.message?.hasPrefix("the login 'books' was made without the scope 'write'; log in:")
        == true)
    store.put(login(client: "d"))
    let client = try await run(store)
    #expect(client.message?.contains("is one of the client 'd'") == true)
    store.put(login(refresh: nil))
    let over = try await run(store)
    #expect(over.message?.contains("is over, and https://id.example/token gave no refresh") == true)
    store.put(login(refresh: nil, access: "access-token-9"))
    let other = try await run(store)
    #expect(other.message?.contains("for other 'scopes' or 'parameters'") == true)
    for outcome in [scope, client, over, other] { #expect(outcome.sent.isEmpty) }
  }
}
