import CurlTransports
import PipelineHTTPServers
import PipelineKit
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `pipeline login` and `pipeline credentials`, against the sandbox's authorization server.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct LoginTests {
  private let folder = TemporaryFolder()

  private var environment: [String: String] { ["XDG_STATE_HOME": folder.path + "/state"] }
  private var kept: String? { folder.read("state/pipeline/credentials.json") }

  private func call(_ arguments: [String], _ more: [String: String] = [:]) async -> Outcome {
    await pipeline(arguments, environment: environment.merging(more) { $1 })
  }

  /// A workflow with a login by a code.
  private func device(_ query: String = "interval=0&polls=2", more: String = "") -> String {
    folder.write(
      """
      {"inputs": {"api": {"default": "sandbox:/"}}, "defaults": {"baseURL": "{{inputs.api}}",
         "auth": {"oauth2": {"grant": "deviceAuthorization", "tokenURL": "/oauth/token?rotate=1",
           "deviceAuthorizationURL": "/oauth/device?\(query)", "clientId": "sandbox-app",
           "scopes": ["read"], "credential": "books"\(more)}}},
       "steps": [{"id": "me", "endpoint": "GET /oauth/me", "extract": {"client": "$.client"}}],
       "outputs": {"client": "{{me.client}}"}}
      """, to: "device.json")
  }

  /// A workflow with a login in a browser.
  private func browser(_ query: String = "", token: String = "", more: String = "") -> String {
    folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}",
         "auth": {"oauth2": {"grant": "authorizationCode",
           "tokenURL": "/oauth/token?rotate=1\(token)",
           "authorizationURL": "/oauth/authorize\(query)", "clientId": "sandbox-app"\(more)}}},
       "steps": [{"id": "me", "endpoint": "GET /oauth/me", "extract": {"client": "$.client"}}],
       "outputs": {"client": "{{me.client}}"}}
      """, to: "browser.json")
  }

  // MARK: With a code

  @Test func aLoginByACodeServesRuns() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = device()
    let api = ["--set", "api=\(server.origin)"]
    let before = await call(["run", file, "--no-store"] + api)
    #expect(before.status == .invalid)
    let command = "pipeline login \(file) --credential books --set 'api=\(server.origin)'"
    #expect(
      before.error == "pipeline: there is no login 'books' yet; log in: \(command)\n",
      "\(before.error)")
    #expect(server.records.requestCount == 0)
    // The command that the message names.
    let words = command.filter { $0 != "'" }.split(separator: " ").dropFirst()
    let login = await call(words.map(String.init))
    #expect(login.status == .success, "\(login.error)")
    #expect(login.output == "logged in: 'books'\n")
    #expect(login.error.contains("open on any device: \(server.origin)/oauth/device\n"))
    #expect(login.error.contains("and type the code: SAND-BOX1\n"))
    for _ in 0..<2 {
      let run = await call(["run", file, "-q", "--no-store"] + api)
      #expect(run.status == .success, "\(run.error)")
      #expect(run.output.contains(#""client": "sandbox-app""#))
    }
    // The login itself gave an access token.
    #expect(server.records.requests.filter { $0.target.hasPrefix("/oauth/token") }.count == 3)
    let renewed = await call(["credentials", "renew", file] + api)
    #expect(renewed.output == "renewed: 'books'\n", "\(renewed.error)")
    #expect(kept?.contains("sandbox-refresh-1.2") == true)
  }

  @Test func aRunThatGoesOnNamesTheInputsOfItsLogin() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let text = (folder.read(device().split(separator: "/").last.map(String.init) ?? "") ?? "")
    let file = folder.write(
      text.replacing(
        #""$.client"}}]"#,
        with: #""$.client"}}, {"id": "no", "dependsOn": ["me"], "endpoint": "GET /none"}]"#),
      to: "long.json")
    let api = ["--set", "api=\(server.origin)"]
    #expect(await call(["login", file] + api).status == .success)
    #expect(await call(["run", file, "-q"] + api).status == .failure)
    #expect(await call(["credentials", "remove", "books"]).status == .success)
    let resumed = await call(["resume", "-q"])
    #expect(resumed.status == .invalid, "\(resumed.error)")
    #expect(
      resumed.error.contains(
        "log in: pipeline login \(file) --credential books --set 'api=\(server.origin)'"),
      "\(resumed.error)")
  }

  @Test func aLoginOfTheSandboxOutlivesIt() async throws {
    let file = device()
    let login = await call(["login", file])
    #expect(login.status == .success, "\(login.error)")
    for number in 2...4 {
      let run = await call(["run", file, "-q", "--no-store"])
      #expect(run.status == .success, "\(run.error)")
      #expect(kept?.contains("\"sandbox-refresh-1.\(number)\"") == true)
    }
    #expect(kept?.contains("\"sandbox:/oauth/token?rotate=1\"") == true)
  }

  @Test func theSampleServesRunsAfterALogin() async throws {
    let sample = SampleTests.folder + "/login.json"
    let none = await call(["run", sample])
    #expect(none.error.contains("log in: pipeline login \(sample) --credential reader"))
    let login = await call(["login", sample])
    #expect(login.status == .success, "\(login.error)")
    let run = await call(["run", sample, "-q"])
    #expect(run.status == .success, "\(run.error)")
    expectSnapshot(run.output, "sample-login.json")
  }

  @Test(arguments: [
    ("decision=deny&interval=0&polls=0", "the login was refused (access_denied); nothing is kept"),
    ("expires=0", "the code SAND-BOX1 is too old: nobody allowed the login in time"),
  ])
  func aLoginThatNobodyAllowsKeepsNothing(_ query: String, _ message: String) async throws {
    let login = await call(["login", device(query)])
    #expect(login.status == .failure)
    #expect(login.error.contains(message), "\(login.error)")
    #expect(login.output == "")
    #expect(kept == nil)
  }

  @Test func aWrongClientIsTold() async throws {
    let file = folder.write(
      device().isEmpty
        ? "" : (folder.read("device.json") ?? "").replacing("sandbox-app", with: "x"),
      to: "wrong.json")
    let login = await call(["login", file])
    #expect(login.status == .failure)
    #expect(login.error.contains("could not begin a login at http://127.0.0.1:"), "\(login.error)")
    #expect(login.error.contains("401 Unauthorized: invalid_client; nothing is kept"))
    #expect(kept == nil)
  }

  // MARK: In a browser

  /// Runs `login`, and plays the browser when its address is known.
  private func login(
    _ file: String, _ server: SandboxServer, _ browse: (String) throws -> Void
  ) async throws -> Outcome {
    try await LocalBrowser.play(
      ["login", file, "--no-browser", "--set", "api=\(server.origin)"], environment: environment,
      line: "  "
    ) { try browse($0) }
  }

  @Test func aLoginInABrowserServesRuns() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = browser(token: "&delay=0.3")
    let outcome = try await login(file, server) { address in
      #expect(address.contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
      let back = try LocalBrowser.redirect(address)
      // What a browser asks for beside the page, and other pages.
      let place = try #require(back.split(separator: "?").first)
      #expect(try LocalBrowser.visit(place + "favicon.ico").status == 404)
      #expect(try LocalBrowser.visit(String(place)).status == 400)
      #expect(
        try LocalBrowser.visit(back).text.contains(
          "The login has arrived. Go back to the terminal."))
      // A code that comes twice is not given to the server again.
      #expect(try LocalBrowser.visit(back).status == 409)
    }
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(outcome.output == "logged in: '\(server.origin) sandbox-app'\n")
    let run = await call(["run", file, "-q", "--no-store", "--set", "api=\(server.origin)"])
    #expect(run.status == .success, "\(run.error)")
    #expect(server.records.requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test func aStateThatDoesNotMatchKeepsNothing() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let outcome = try await login(browser(), server) { address in
      let back = try LocalBrowser.redirect(address)
      let start = String(try #require(back.split(separator: "&state=").first))
      let other = start + "&state=of-another-page"
      #expect(try LocalBrowser.visit(other).text.contains("This login did not succeed."))
    }
    #expect(outcome.status == .failure)
    #expect(
      outcome.error.contains("a 'state' that is not that of this login (RFC 6749 §10.12)"),
      "\(outcome.error)")
    #expect(kept == nil)
    #expect(server.records.requests.allSatisfy { $0.method == "GET" })
  }

  @Test func aRefusalInTheBrowserKeepsNothing() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let outcome = try await login(browser("?decision=deny"), server) { address in
      let page = try LocalBrowser.visit(try LocalBrowser.redirect(address))
      #expect(page.text.contains("This login did not succeed."))
    }
    #expect(outcome.status == .failure)
    #expect(
      outcome.error.hasSuffix(
        "pipeline: the login was refused in the browser (access_denied: the person said no);"
          + " nothing is kept\n"), "\(outcome.error)")
    #expect(kept == nil)
  }

  @Test func aCodeThatWasUsedElsewhereKeepsNothing() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let outcome = try await login(browser(), server) { address in
      let back = try LocalBrowser.redirect(address)
      // Somebody else gives the code to the server, which takes it once.
      let code = try #require(back.split(separator: "code=").last?.split(separator: "&").first)
      let port = try #require(UInt16(server.origin.split(separator: ":").last ?? ""))
      let body = "grant_type=authorization_code&client_id=sandbox-app&code=\(code)"
      let used = try TestClient(port: port).request(
        "POST", "/oauth/token", headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: body)
      #expect(used.status == 400)
      _ = try LocalBrowser.visit(back)
    }
    #expect(outcome.status == .failure)
    #expect(
      outcome.error.contains("invalid_grant; nothing is kept, so log in again"), "\(outcome.error)")
    #expect(kept == nil)
  }

  @Test func aClosedBrowserIsNotWaitedForForEver() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = browser()
    let outcome = await call([
      "login", file, "--no-browser", "--within", "100ms", "--set", "api=\(server.origin)",
    ])
    #expect(outcome.status == .failure)
    #expect(
      outcome.error.contains(
        "the browser did not come back within 100ms; nothing is kept, so log in again"),
      "\(outcome.error)")
    #expect(kept == nil)
  }

  @Test func aFixedAddressMustBeFree() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let port = try #require(server.origin.split(separator: ":").last)
    let file = browser(more: #", "redirectURL": "http://127.0.0.1:\#(port)/back?x=1""#)
    let taken = await call(["login", file, "--no-browser", "--set", "api=\(server.origin)"])
    #expect(taken.status == .failure)
    #expect(
      taken.error.contains("the browser cannot come back to http://127.0.0.1:\(port)/back?x=1: "),
      "\(taken.error)")
    let free = browser(more: #", "redirectURL": "http://localhost/back?x=1""#)
    let outcome = try await login(free, server) { address in
      #expect(address.contains("redirect_uri=http%3A%2F%2Flocalhost%3A"))
      let back = try LocalBrowser.redirect(address)
      #expect(back.contains("/back?x=1&code="))
      #expect(try LocalBrowser.visit(back).status == 200)
    }
    #expect(outcome.status == .success, "\(outcome.error)")
  }

  #if !canImport(Darwin)
    @Test func theBrowserIsOpenedWithoutSecrets() async throws {
      let server = try SandboxServer.start()
      defer { server.stop() }
      let script = folder.write(
        """
        #!/bin/sh
        env > '\(folder.path)/variables'
        printf '%s' "$1" > '\(folder.path)/new'
        mv '\(folder.path)/new' '\(folder.path)/address'
        """, to: "bin/xdg-open")
      chmod(script, 0o755)
      let file = folder.write(
        """
        {"inputs": {"key": {"secret": true, "env": "THE_KEY"}}, "steps": [
          {"id": "me", "endpoint": "GET \(server.origin)/oauth/me",
           "auth": {"oauth2": {"grant": "authorizationCode", "clientId": "sandbox-client",
             "clientSecret": "{{inputs.key}}", "tokenURL": "\(server.origin)/oauth/token",
             "authorizationURL": "\(server.origin)/oauth/authorize"}}}]}
        """, to: "secret.json")
      let variables = [
        "PATH": folder.path + "/bin:/usr/bin:/bin", "DISPLAY": ":0", "THE_KEY": "sandbox-secret",
      ]
      async let outcome = call(["login", file], variables)
      while folder.read("address") == nil { await Task.yield() }
      let address = try #require(folder.read("address"))
      #expect(try LocalBrowser.visit(try LocalBrowser.redirect(address)).status == 200)
      let ended = await outcome
      #expect(ended.status == .success, "\(ended.error)")
      #expect(ended.error.hasPrefix("A browser opens for the login "), "\(ended.error)")
      let given = try #require(folder.read("variables"))
      #expect(given.contains("DISPLAY=:0"))
      #expect(!given.contains("THE_KEY") && !given.contains("sandbox-secret"))
    }
  #endif

  // MARK: What is kept

  @Test func loginsAreListedWithoutTokensAndRemoved() async throws {
    let file = device()
    let none = await call(["credentials"])
    #expect(none.error == "no login is kept; 'pipeline login FILE' makes one\n")
    _ = await call(["login", file])
    let list = await call(["credentials"])
    #expect(list.output.hasPrefix("name   server"), "\(list.output)")
    #expect(list.output.contains("books  sandbox:/oauth/token?rotate=1  sandbox-app  read"))
    #expect(list.output.contains("a person  renews itself"))
    let json = await call(["credentials", "--json"])
    #expect(json.output.contains(#""renewable": true"#))
    for outcome in [list, json] {
      #expect(!outcome.output.contains("sandbox-access-"))
      #expect(!outcome.output.contains("sandbox-refresh-"))
    }
    let wrong = await call(["credentials", "remove", "books", "bocks"])
    #expect(wrong.status == .failure)
    #expect(wrong.error == "pipeline: no login 'bocks' is kept; did you mean 'books'?\n")
    #expect(kept?.contains("books") == true)
    let removed = await call(["credentials", "remove", "books"])
    #expect(removed.status == .success)
    #expect(removed.error.contains("removed 'books'; it is still known at sandbox:"))
    #expect(kept?.contains("books") == false)
    let renewed = await call(["credentials", "renew", file])
    #expect(renewed.status == .failure)
    #expect(renewed.error.contains("there is no login 'books' yet"), "\(renewed.error)")
  }

  @Test func aPlanSaysWhichLoginsThereAre() async throws {
    let file = device()
    let before = await call(["plan", file])
    #expect(
      before.output.contains(
        "logins\n  books  there is no login 'books' yet; log in: pipeline login \(file) --credential books\n"
      ),
      "\(before.output)")
    _ = await call(["login", file])
    let after = await call(["plan", file])
    #expect(after.output.contains("logins\n  books  kept\n"), "\(after.output)")
  }

  @Test func wrongWordsAreExplained() async throws {
    let file = device()
    let name = await call(["login", file, "--credential", "bocks"])
    #expect(name.status == .usage)
    #expect(name.error == "pipeline: no step has a login 'bocks'; did you mean 'books'?\n")
    let time = await call(["login", file, "--within", "soon"])
    #expect(time.error == "pipeline: --within takes a duration such as 10m, not 'soon'\n")
    let plain = folder.write(
      #"{"steps": [{"id": "a", "endpoint": "GET https://api.example/a"}]}"#, to: "plain.json")
    let none = await call(["login", plain])
    #expect(none.status == .invalid)
    #expect(none.error.contains("has a login that a person makes: an \"oauth2\" whose"))
    let words = await call(["credentials", "renew"])
    #expect(words.status == .usage)
    let nowhere = await pipeline(["login", file])
    #expect(
      nowhere.error == "pipeline: there is nowhere to keep logins: set HOME, or give --store DIR\n")
  }

  @Test func aTestNeedsNoLogin() async throws {
    let file = device()
    let test = folder.write(
      """
      {"workflow": "./device.json", "tests": [{"name": "a", "respond": {"me": {"json": {"client": "c"}}},
        "expect": {"outputs": {"client": "c"},
          "where": ["$.requests.me[0].headers.authorization == 'Bearer {{secret:oauth2.token}}'"]}}]}
      """, to: "device.test.json")
    let outcome = await call(["test", test])
    #expect(outcome.status == .success, "\(outcome.error)")
    _ = await call(["login", file])
    let har = folder.path + "/run.har"
    let recorded = await call(["run", file, "-q", "--no-store", "--record", har])
    #expect(recorded.status == .success, "\(recorded.error)")
    _ = await call(["credentials", "remove", "books"])
    let replayed = await call(["run", file, "-q", "--no-store", "--replay", har])
    #expect(replayed.status == .success, "\(replayed.error)")
    #expect(replayed.output == recorded.output)
  }
}
