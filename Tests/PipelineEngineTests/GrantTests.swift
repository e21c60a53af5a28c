import PipelineByteText
import PipelineJSONText
import PipelineKit
import PipelinePlanning
import PipelineTesting
import Testing

/// The grants of `oauth2`, and how clients prove who they are.
@Suite(.timeLimit(.minutes(5))) struct GrantTests {
  private static let inputs =
    #""inputs": {"key": {"type": "string", "secret": true}, "user": {"default": "ada"}}"#

  /// The forms of the token requests of a run.
  private func forms(
    _ oauth2: String,
    answers: [ScriptedTransport.Answer] = [.json(["access_token": "granted-token"])],
    last: ScriptedTransport.Answer = .json([:]), more: String = ""
  ) async throws -> [[String: String]] {
    let plan = try PipelineEngineTests.plan(
      """
      {\(Self.inputs), "steps": [{"id": "a", "endpoint": "GET https://api.example/a"\(more),
       "auth": {"oauth2": {"tokenURL": "https://id.example/token", \(oauth2)}}}]}
      """)
    let transport = ScriptedTransport([
      "POST https://id.example/token": answers, "GET https://api.example/a": [last],
    ])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "client-secret-of-many-bytes"]).result.report
    #expect(report.status == .succeeded, "\(report.failures)")
    return transport.requests.filter { $0.method == "POST" }.map { request in
      guard case .bytes(let body) = request.body else { return [:] }
      var form: [String: String] = [:]
      for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
        let halves = pair.split(separator: "=", maxSplits: 1).map(String.init)
        form[halves[0]] = halves.count > 1 ? decoded(halves[1]) : ""
      }
      return form
    }
  }

  private func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count > 1 {
        bytes += Hexadecimal.decode(String(decoding: rest.prefix(2), as: UTF8.self)) ?? []
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The claims of a token that is signed with the secret.
  private func claims(_ token: String?) throws -> JSONNode {
    let parts = try #require(token).split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    let mac = DigestAlgorithm.sha256.hmac(
      Array("\(parts[0]).\(parts[1])".utf8), key: Array("client-secret-of-many-bytes".utf8))
    #expect(parts[2] == Base64.encodeForURLs(mac))
    let bytes = try #require(Base64.decode(inAnyForm: parts[1]))
    return try JSONDocument.parse(bytes).root
  }

  @Test func anAssertionIsTheGrant() async throws {
    let form = try #require(
      await forms(
        #"""
        "grant": "jwtBearer", "scopes": ["a", "b"], "parameters": {"assertion": {"$jwt": {
          "claims": {"iss": "me", "sub": "{{inputs.user}}", "aud": "https://id.example/token"},
          "key": "{{inputs.key}}", "algorithm": "HS256", "lifetime": "5m"}}}
        """#
      ).first)
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    #expect(form["scope"] == "a b")
    #expect(form["client_id"] == nil)
    let claims = try claims(form["assertion"])
    #expect(claims["sub"]?.string == "ada")
    let (start, end) = (claims["iat"]?.number?.int ?? 0, claims["exp"]?.number?.int ?? 0)
    #expect(end - start == 300)
  }

  @Test func aTokenIsExchanged() async throws {
    let form = try #require(
      await forms(
        #"""
        "grant": "tokenExchange", "clientId": "c", "parameters": {
          "subject_token": "{{inputs.key}}",
          "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
          "audience": "https://api.example"}
        """#
      ).first)
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange")
    #expect(form["subject_token"] == "client-secret-of-many-bytes")
    #expect(form["audience"] == "https://api.example")
    #expect(form["client_id"] == "c")
  }

  /// An assertion may be used once, so each attempt has its own.
  @Test func aClientSignsAnAssertionWithItsSecretForEachAttempt() async throws {
    let all = try await forms(
      #""clientId": "c", "clientSecret": "{{inputs.key}}", "clientAuth": "clientSecretJWT""#,
      answers: [.status(503), .json(["access_token": "granted-token"])],
      more: #", "retry": {"attempts": 3}"#)
    #expect(all.count == 2)
    var ids: Set<String> = []
    for form in all {
      #expect(form["client_secret"] == nil)
      #expect(
        form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      let claims = try claims(form["client_assertion"])
      #expect(claims["iss"]?.string == "c")
      #expect(claims["sub"]?.string == "c")
      #expect(claims["aud"]?.string == "https://id.example/token")
      let isNew = ids.insert(claims["jti"]?.string ?? "").inserted
      #expect(isNew)
    }
  }

  /// Whoever asks for the same with another assertion shares the token.
  @Test func stepsShareATokenThoughEachAssertionDiffers() async throws {
    let auth = #"""
      {"oauth2": {"tokenURL": "https://id.example/token", "grant": "jwtBearer", "parameters": {
        "assertion": {"$jwt": {"claims": {"iss": "me"}, "key": "{{inputs.key}}",
          "algorithm": "HS256", "lifetime": "5m"}}, "nonce": "{{request.id}}"}}}
      """#
    let plan = try PipelineEngineTests.plan(
      """
      {\(Self.inputs), "defaults": {"baseURL": "https://api.example", "auth": \(auth)},
       "steps": [{"id": "a", "endpoint": "GET /a"}, {"id": "b", "endpoint": "GET /b"}]}
      """)
    let transport = ScriptedTransport([
      "POST https://id.example/token": [.json(["access_token": "granted-token"])],
      "GET https://api.example/a": [.json([:])], "GET https://api.example/b": [.json([:])],
    ])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "client-secret-of-many-bytes"]).result.report
    #expect(report.status == .succeeded, "\(report.failures)")
    #expect(transport.requests.count == 3)
  }

  @Test func aKeyThatCannotSignIsNamed() async throws {
    let plan = try PipelineEngineTests.plan(
      """
      {\(Self.inputs), "steps": [{"id": "a", "endpoint": "GET https://api.example/a",
       "auth": {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c",
       "clientAuth": {"privateKeyJWT": {"key": "{{inputs.key}}", "algorithm": "RS256"}}}}}]}
      """)
    let transport = ScriptedTransport([:])
    let report = try await Pipeline(plan, transport: transport)
      .run(inputs: ["key": "no key at all"]).result.report
    let message = report.failures.first?.failure.message ?? ""
    #expect(message.hasPrefix("the client's assertion cannot be signed: "), "\(message)")
    #expect(report.failures.first?.failure.kind == .value)
    #expect(transport.requests.isEmpty)
  }
}
