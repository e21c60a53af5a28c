import PipelineByteText
import PipelineJSONText
import PipelineTestTraits
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

@Suite(.ownThreads) struct SignInTests {
  private let basic = (
    "Authorization", "Basic " + Base64.encode(Array("sandbox-client:sandbox-secret".utf8))
  )

  private func token(_ answer: ServerResponse) -> String {
    answer.parsed?["access_token"]?.string ?? ""
  }

  @Test func tokensEndWithTheirLifetime() {
    var ask = Asked()
    let form = "grant_type=client_credentials"
    let answer = ask("POST", "/oauth/token?lifetime=1.5", headers: [basic], body: form)
    #expect(answer.parsed?["expires_in"]?.text == "1.5")
    let bearer = [("Authorization", "Bearer \(token(answer))")]
    ask.moment.sinceStart = 1_499_999_999
    #expect(ask("GET", "/oauth/me", headers: bearer).status == 200)
    ask.moment.sinceStart = 1_500_000_000
    let refused = ask("GET", "/oauth/me", headers: bearer)
    #expect(refused.status == 401)
    #expect(refused.header("WWW-Authenticate")?.contains("invalid_token") == true)
  }

  @Test func clientsNameThemselvesInTheFormToo() {
    var ask = Asked()
    let form = "grant_type=client_credentials&client_id=sandbox-client&client_secret="
    #expect(ask("POST", "/oauth/token", body: form + "sandbox-secret").status == 200)
    #expect(ask("POST", "/oauth/token", body: form + "guess").status == 401)
    #expect(ask("POST", "/oauth/token", body: "grant_type=client_credentials").status == 401)
    let wrong = [("Authorization", "Basic " + Base64.encode(Array("a:b".utf8)))]
    let refused = ask("POST", "/oauth/token", headers: wrong, body: form)
    #expect(refused.header("WWW-Authenticate") == "Basic realm=\"oauth\"")
  }

  @Test(arguments: [
    ("", "invalid_request"), ("grant_type=password", "unsupported_grant_type"),
    ("grant_type=refresh_token", "invalid_grant"),
    ("grant_type=refresh_token&refresh_token=x", "invalid_grant"),
  ])
  func brokenRequestsAreNamed(_ form: String, _ error: String) {
    var ask = Asked()
    let answer = ask("POST", "/oauth/token", headers: [basic], body: form)
    #expect(answer.status == 400)
    #expect(answer.parsed?["error"]?.string == error)
  }

  @Test func refreshTokensCanRotateAndAreNotUsedTwice() {
    var ask = Asked()
    let form = { (n: Int) in "grant_type=refresh_token&refresh_token=sandbox-refresh-\(n)" }
    let first = ask("POST", "/oauth/token?rotate=1", headers: [basic], body: form(0))
    #expect(first.parsed?["refresh_token"]?.string == "sandbox-refresh-1")
    #expect(ask("POST", "/oauth/token", headers: [basic], body: form(1)).status == 200)
    let bearer = [("Authorization", "Bearer \(token(first))")]
    #expect(ask("GET", "/oauth/me", headers: bearer).status == 200)
    // Somebody else has it: all that came of it ends.
    #expect(ask("POST", "/oauth/token", headers: [basic], body: form(0)).status == 400)
    #expect(ask("POST", "/oauth/token", headers: [basic], body: form(1)).status == 400)
    #expect(ask("GET", "/oauth/me", headers: bearer).status == 401)
    #expect(ask("GET", "/oauth/stats").parsed?["refresh_token"]?.number?.int == 2)
    #expect(ask("GET", "/oauth/stats").parsed?["reused"]?.number?.int == 1)
  }

  @Test func revokedTokensAreRefusedEverywhere() {
    var ask = Asked()
    let form = "grant_type=client_credentials&scope=a+b"
    let tokens = (0..<3).map { _ in
      token(ask("POST", "/oauth/token", headers: [basic], body: form))
    }
    #expect(Set(tokens).count == 3)
    let bearers = tokens.map { [("Authorization", "Bearer \($0)")] }
    #expect(ask("GET", "/oauth/me", headers: bearers[0]).parsed?["scope"]?.string == "a b")
    #expect(ask("GET", "/bank/secure/users/1", headers: bearers[0]).status == 200)
    #expect(ask("POST", "/oauth/revoke", body: "token=\(tokens[0])").text == #"{"revoked":1}"#)
    #expect(ask("GET", "/bank/secure/users/1", headers: bearers[0]).status == 401)
    #expect(ask("GET", "/oauth/me", headers: bearers[1]).status == 200)
    #expect(ask("POST", "/oauth/revoke").text == #"{"revoked":2}"#)
    #expect(ask("GET", "/oauth/stats").parsed?["issued"]?.number?.int == 3)
    #expect(ask("GET", "/oauth/stats").parsed?["current"]?.number?.int == 0)
  }

  @Test func basicAsksForUserAndPassword() {
    var ask = Asked()
    let good = [("Authorization", "Basic " + Base64.encode(Array("sandbox:open-sesame".utf8)))]
    #expect(ask("GET", "/basic", headers: good).status == 200)
    for value in ["Basic", "Basic !", "Basic YQ==", "Bearer x"] {
      let refused = ask("GET", "/basic", headers: [("Authorization", value)])
      #expect(refused.status == 401)
      #expect(refused.header("WWW-Authenticate")?.hasPrefix("Basic ") == true)
    }
  }

  @Test func aDigestIsGoodForOneRequest() throws {
    var ask = Asked()
    let challenge = try #require(ask("GET", "/digest/md5?uses=2").header("WWW-Authenticate"))
    #expect(!challenge.contains("stale"))
    let nonce = try #require(
      AuthorizationField(
        ServerRequest(
          method: "GET", target: "/", headers: [ServerRequest.Field("Authorization", challenge)]))?
        .parameters["nonce"])
    func answer(_ count: String, password: String = "open-sesame") -> ServerResponse {
      let hash = { String(hex: DigestAlgorithm.md5.digest(Array(($0 as String).utf8))) }
      let target = "/digest/md5?uses=2"
      let first = hash("sandbox:sandbox:\(password)")
      let second = hash("GET:\(target)")
      let response = hash("\(first):\(nonce):\(count):c:auth:\(second)")
      let value =
        "Digest username=\"sandbox\", realm=\"sandbox\", nonce=\"\(nonce)\", uri=\"\(target)\", "
        + "qop=auth, nc=\(count), cnonce=\"c\", response=\"\(response)\", opaque=\"sandbox\""
      return ask("GET", target, headers: [("Authorization", value)])
    }
    #expect(answer("00000001", password: "guess").status == 401)
    #expect(answer("00000001").status == 200)
    #expect(answer("00000001").header("WWW-Authenticate")?.contains("stale=true") == true)
    #expect(answer("00000002").status == 200)
    #expect(answer("00000003").header("WWW-Authenticate")?.contains("stale=true") == true)
  }

  @Test func authorizationParametersMayBeQuoted() {
    let value = #"Digest a="x, \"y\"", b=c ,D="", e"#
    let request = ServerRequest(
      method: "GET", target: "/", headers: [ServerRequest.Field("authorization", value)])
    #expect(AuthorizationField(request)?.parameters == ["a": #"x, "y""#, "b": "c", "d": ""])
  }
}
