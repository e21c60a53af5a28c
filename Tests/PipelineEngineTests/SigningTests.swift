import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import PipelineTestSupport
import PipelineTesting
import Synchronization
import Testing

/// `auth.sign` and `bearer` with a form: what is made of the final request.
@Suite(.timeLimit(.minutes(5))) struct SigningTests {
  private static func file(_ step: String, auth: String) -> String {
    """
    {"inputs": {"key": {"type": "string", "secret": true},
                "nonce": {"type": "string", "default": "1616492376594"}},
     "steps": [{"id": "a", "auth": \(auth), \(step)}]}
    """
  }

  /// Runs a file at a moment, and returns its requests.
  private static func requests(
    _ file: String, key: String, at time: Double = 1_767_225_600,
    answer: @escaping @Sendable (TransportRequest) async -> ScriptedTransport.Answer = { _ in
      .status(200)
    }
  ) async throws -> (requests: [TransportRequest], result: RunResult) {
    let transport = ScriptedTransport(answer)
    var options = RunOptions()
    options.clock = VirtualClock(wallTime: time)
    let pipeline = try Pipeline(file, transport: transport, options: options)
    let result = try await pipeline.run(inputs: ["key": .string(key)]).result
    return (transport.requests, result)
  }

  // MARK: - Published examples

  /// An example that a vendor has published, with its result.
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    let step: String
    let auth: String
    let key: String
    let time: Double
    let header: String
    let value: String

    var testDescription: String { name }
  }

  private static let day = #"{"$date": {"of": "{{request.time}}", "format": "yyyyMMdd"}}"#
  private static let moment =
    #"{"$date": {"of": "{{request.time}}", "format": "yyyyMMdd'T'HHmmss'Z'"}}"#

  static let examples = [
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-examples.html
    Example(
      name: "AWS",
      step: #"""
        "endpoint": "GET https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
        "headers": {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
        """#,
      auth: #"""
        {"sign": {"headers": {
          "X-Amz-Date": \#(moment),
          "Authorization": {"$join": [["AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/", \#(day),
            "/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=",
            {"$hmac": {
              "of": ["AWS4-HMAC-SHA256\n", \#(moment), "\n", \#(day), "/us-east-1/iam/aws4_request\n",
                {"$hash": ["{{request.method}}\n{{request.path}}\n{{request.query}}\n",
                  "content-type:application/x-www-form-urlencoded; charset=utf-8\n",
                  "host:{{request.host}}\nx-amz-date:", \#(moment),
                  "\n\ncontent-type;host;x-amz-date\n", {"$hash": "{{request.body}}"}]}],
              "key": {"$hmac": {"of": "aws4_request", "encoding": "bytes",
                "key": {"$hmac": {"of": "iam", "encoding": "bytes",
                  "key": {"$hmac": {"of": "us-east-1", "encoding": "bytes",
                    "key": {"$hmac": {"of": \#(day), "encoding": "bytes",
                      "key": "AWS4{{inputs.key}}"}}}}}}}}}}], ""]}
        }}}
        """#,
      key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", time: 1_440_938_160,
      header: "Authorization",
      value:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
    ),
    // https://developers.binance.com/docs/binance-spot-api-docs/rest-api/endpoint-security-type
    Example(
      name: "Binance",
      step: #"""
        "endpoint": "POST https://api.binance.com/api/v3/order?symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000"
        """#,
      auth: #"""
        {"sign": {"query": {
          "timestamp": "{{request.unixMilliseconds}}",
          "signature": {"$hmac": {"of": "{{request.query}}{{request.body}}", "key": "{{inputs.key}}"}}
        }}}
        """#,
      key: "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j",
      time: 1_499_827_319.559, header: "",
      value:
        "https://api.binance.com/api/v3/order?symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559&signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71"
    ),
    // https://docs.kraken.com/api/docs/guides/spot-rest-auth
    Example(
      name: "Kraken",
      step: #"""
        "endpoint": "POST https://api.kraken.com/0/private/AddOrder",
        "body": {"form": {"nonce": "{{inputs.nonce}}", "ordertype": "limit", "pair": "XBTUSD",
                          "price": 37500, "type": "buy", "volume": 1.25}}
        """#,
      auth: #"""
        {"sign": {"headers": {"API-Sign": {"$hmac": {
          "of": ["{{request.path}}",
                 {"$hash": {"of": "{{inputs.nonce}}{{request.body}}", "encoding": "bytes"}}],
          "key": "{{inputs.key}}", "keyEncoding": "base64", "algorithm": "sha512",
          "encoding": "base64"}}}}}
        """#,
      key:
        "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==",
      time: 1_616_492_376, header: "API-Sign",
      value:
        "4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ=="
    ),
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    Example(
      name: "GitHub",
      step: #""endpoint": "POST https://hooks.example/github", "body": {"text": "Hello, World!"}"#,
      auth: #"""
        {"sign": {"headers": {"X-Hub-Signature-256": {"$join": [
          ["sha256", {"$hmac": {"of": "{{request.body}}", "key": "{{inputs.key}}"}}], "="]}}}}
        """#,
      key: "It's a Secret to Everybody", time: 1, header: "X-Hub-Signature-256",
      value: "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
    // https://api.slack.com/authentication/verifying-requests-from-slack
    Example(
      name: "Slack",
      step: #"""
        "endpoint": "POST https://hooks.example/slack",
        "body": {"text": "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"}
        """#,
      auth: #"""
        {"sign": {"headers": {
          "X-Slack-Request-Timestamp": "{{request.unix}}",
          "X-Slack-Signature": {"$join": [
            ["v0", {"$hmac": {"of": "v0:{{request.unix}}:{{request.body}}",
                              "key": "{{inputs.key}}"}}], "="]}}}}
        """#,
      key: "8f742231b10e8888abcd99yyyzzz85a5", time: 1_531_420_618, header: "X-Slack-Signature",
      value: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"),
  ]

  @Test(arguments: examples) func aRequestIsSignedAsItsVendorDoes(_ example: Example) async throws {
    let (requests, result) = try await Self.requests(
      Self.file(example.step, auth: example.auth), key: example.key, at: example.time)
    #expect(result.status == .succeeded, "\(result.report.failures)")
    let request = try #require(requests.first)
    let made =
      example.header.isEmpty
      ? request.url : request.headers.first { $0.name == example.header }?.value
    #expect(made == example.value)
  }

  // MARK: - When it is signed

  private static let plain = #"""
    {"sign": {"query": {"t": "{{request.unix}}"}, "headers": {"X-Id": "{{request.id}}",
      "X-Sign": {"$hmac": {"of": "{{request.url}}{{request.id}}", "key": "{{inputs.key}}"}}}}}
    """#

  private static func header(_ name: String, _ request: TransportRequest) -> String? {
    request.headers.first { $0.name == name }?.value
  }

  @Test func eachAttemptIsSignedAnew() async throws {
    let file = Self.file(
      #""endpoint": "GET https://api.example/a?x=1", "retry": 3"#, auth: Self.plain)
    let count = Mutex(0)
    let (requests, result) = try await Self.requests(file, key: "secret-key") { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst ? .status(503, headers: [HeaderField("Retry-After", "60")]) : .status(200)
    }
    #expect(result.status == .succeeded, "\(result.report.failures)")
    #expect(
      requests.map(\.url) == [
        "https://api.example/a?x=1&t=1767225600", "https://api.example/a?x=1&t=1767225660",
      ])
    #expect(Set(requests.compactMap { Self.header("X-Id", $0) }).count == 2)
    #expect(Set(requests.compactMap { Self.header("X-Sign", $0) }).count == 2)
  }

  @Test func redirectsAndPagesAreSigned() async throws {
    let file = Self.file(
      #""endpoint": "GET https://api.example/a", "paginate": {"link": "next"}"#, auth: Self.plain)
    let (requests, _) = try await Self.requests(file, key: "secret-key") { request in
      if request.url.contains("/a?") {
        return .status(302, headers: [HeaderField("Location", "/b")])
      }
      return request.url.contains("/b?")
        ? .json([:], headers: [HeaderField("Link", #"</c?p=2>; rel="next""#)]) : .json([:])
    }
    #expect(
      requests.map(\.url) == [
        "https://api.example/a?t=1767225600", "https://api.example/b?t=1767225600",
        "https://api.example/c?p=2&t=1767225600",
      ])
    #expect(requests.allSatisfy { Self.header("X-Sign", $0) != nil })
  }

  @Test func anotherOriginGetsNoSignature() async throws {
    let file = Self.file(#""endpoint": "GET https://api.example/a""#, auth: Self.plain)
    let (requests, result) = try await Self.requests(file, key: "secret-key") { request in
      request.url.contains("api.example")
        ? .status(307, headers: [HeaderField("Location", "https://other.example/b")])
        : .status(200)
    }
    #expect(requests.map(\.url).last == "https://other.example/b")
    #expect(requests.last.flatMap { Self.header("X-Sign", $0) } == nil)
    #expect(result.status == .succeeded, "\(result.report.failures)")
  }

  @Test func anAbsentKeyLeavesTheSignatureOut() async throws {
    let file = """
      {"inputs": {"key": {"type": "string", "secret": true, "optional": true}},
       "steps": [{"id": "a", "endpoint": "GET https://api.example/a", "auth": \(Self.plain)}]}
      """
    let transport = ScriptedTransport { _ in .status(200) }
    let notes = Mutex<[String]>([])
    var options = RunOptions()
    options.observer = { event in
      if case .note(let note) = event.kind { notes.withLock { $0.append(note.message) } }
    }
    _ = try await Pipeline(file, transport: transport, options: options).run().result
    #expect(transport.requests.map(\.url) == ["https://api.example/a"])
    #expect(
      notes.withLock { $0 } == ["'auth' is left out, because 'inputs.key' is absent"])
  }

  /// A resumed run has the id of the first, and so the same references.
  @Test func aReferenceBelongsToTheRun() async throws {
    let file = """
      {"steps": [{"id": "a", "forEach": ["x", "y"], "concurrency": 1,
                  "endpoint": "POST https://api.example/{{item}}",
                  "body": {"json": {"reference": {"$uuid": "order"}, "pin": {"$random": [0, 999999]}}}}]}
      """
    func bodies(_ id: String) async throws -> [String] {
      let transport = ScriptedTransport { _ in .status(200) }
      var options = RunOptions()
      options.runID = id
      let result = try await Pipeline(file, transport: transport, options: options).run().result
      #expect(result.status == .succeeded, "\(result.report.failures)")
      return transport.requests.map { request in
        if case .bytes(let bytes) = request.body {
          String(decoding: bytes, as: UTF8.self)
        } else {
          ""
        }
      }
    }
    let first = try await bodies("one")
    #expect(try await bodies("one") == first)
    #expect(try await Set(bodies("two") + first).count == 4)
  }

  /// A key that is made in a header is another one for each item, and the same in a resumed run.
  @Test func aHeaderIsMadeForEachItem() async throws {
    let file = """
      {"inputs": {"key": {"type": "string", "secret": true}, "gone": {"optional": true}},
       "steps": [{"id": "a", "forEach": ["x", "y"], "concurrency": 1,
                  "endpoint": "POST https://api.example/{{item}}",
                  "headers": {"Idempotency-Key": {"$uuid": "order"}, "X-Order": {"$upper": "{{item}}"},
                              "X-None": {"$first": ["{{inputs.gone}}", null]},
                              "X-Sign": {"$hmac": {"of": "{{item}}", "key": "{{inputs.key}}"}}}}]}
      """
    let (first, result) = try await Self.requests(file, key: "secret-key")
    #expect(result.status == .succeeded, "\(result.report.failures)")
    #expect(first.map { Self.header("X-Order", $0) } == ["X", "Y"])
    #expect(first.allSatisfy { Self.header("X-None", $0) == nil })
    // echo -n x | openssl dgst -sha256 -hmac secret-key
    #expect(
      first.first.flatMap { Self.header("X-Sign", $0) }
        == "d637be3d5075b3ecb314dd29cbdc664dd90319b484c50eea874bc0356141a7f9")
    #expect(Set(first.map { Self.header("Idempotency-Key", $0) }).count == 2)
  }

  // MARK: - Tokens

  @Test func aTokenIsMadeForEachRequest() async throws {
    let file = Self.file(
      #""endpoint": "GET https://api.example/a""#,
      auth: #"""
        {"bearer": {"$jwt": {"claims": {"iss": "app"}, "key": "{{inputs.key}}",
                             "algorithm": "HS256", "keyId": "k1", "lifetime": "9m"}}}
        """#)
    let (requests, result) = try await Self.requests(file, key: "secret-key")
    #expect(result.status == .succeeded, "\(result.report.failures)")
    // python3: {"alg":"HS256","typ":"JWT","kid":"k1"}, {"iss":"app","iat":1767225600,"exp":1767226140}
    #expect(requests.first.flatMap { Self.header("Authorization", $0) } == Self.token)
  }

  private static let token =
    "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImsxIn0.eyJpc3MiOiJhcHAiLCJpYXQiOjE3NjcyMjU2MDAsImV4cCI6MTc2NzIyNjE0MH0.xIfQdGhkEgVCajH1lojOuT1t-mxLda3QwPP1JyKAInQ"

  /// The sign-in of an app of GitHub: a token of its own, signed with its key, is changed for one of
  /// the installation. The key is that of RFC 7515 §A.2, and the token that of Python's cryptography.
  @Test func anAppSignsInWithItsKey() async throws {
    let file = """
      {"inputs": {"app": {"type": "string"}, "key": {"type": "string", "secret": true}},
       "defaults": {"baseURL": "https://api.github.example"},
       "steps": [
         {"id": "login", "endpoint": "POST /app/installations/7/access_tokens",
          "auth": {"bearer": {"$jwt": {"claims": {"iss": "{{inputs.app}}"}, "algorithm": "RS256",
                                       "key": "{{inputs.key}}", "lifetime": "9m"}}},
          "extract": {"token": {"body": "$.token", "secret": true}}},
         {"id": "list", "endpoint": "GET /installation/repositories",
          "auth": {"bearer": "{{login.token}}"}, "extract": {"names": "$.names[*]"}}
       ],
       "outputs": {"names": "{{list.names}}"}}
      """
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("tokens")
        ? .json(["token": "ghs_16C7e42F292c69"]) : .json(["names": ["one", "two"]])
    }
    var options = RunOptions()
    options.clock = VirtualClock()
    let result = try await Pipeline(file, transport: transport, options: options)
      .run(inputs: ["app": "12345", "key": .string(SampleKeys.rsa)]).result
    if let failure = result.report.failures.first?.failure,
      failure.message.contains("needs libcrypto")
    {
      // Without the library it says so, and sends nothing.
      #expect(transport.requests.isEmpty)
      return
    }
    #expect(result.status == .succeeded, "\(result.report.failures)")
    #expect(
      transport.requests.map { Self.header("Authorization", $0) } == [
        "Bearer " + Self.appToken, "Bearer ghs_16C7e42F292c69",
      ])
  }

  private static let appToken =
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiIxMjM0NSIsImlhdCI6MTc2NzIyNTYwMCwiZXhwIjoxNzY3MjI2MTQwfQ."
    + "DdsjbPrFwu4ffxNrsr2vwcQgXexlASfOUPhQxsWQiUSwqwoUiehLXIulJQHt6vK7_p2W-DoFi4bNWB6J"
    + "UO4IdGR2ZSxBWcN68kE3d98PUZVHhgYGjjUkwTcMifTv8FjAfU0ERDIwGuW6Dawr7dTx75DE-wUFFYZW"
    + "1xLEu1nq3SSlLPFvQgk3hUwl2i7p7e0TVVFOxyVhYorVCDQMpfYbtCCDnDDa1GsZRZM5QayB_8FsRXcV"
    + "xPxTLyCEDdS8JrTmrnrOcUJhwCdIo0-scqNkBC9gsP1T3Qzg9MSQSBpIS6cib5MmTW9kMDtmR4K3SK1k"
    + "39IEk6AqmbulOKdyCUkPuQ"

  @Test func whatCannotBeSignedIsRefused() throws {
    func messages(_ file: String) -> [String] {
      let source = SourceFile(name: "test.json", bytes: Array(file.utf8))
      return Linter().lint(source).diagnostics.filter { $0.severity == .error }.map(\.message)
    }
    #expect(
      messages(
        Self.file(
          #""endpoint": "POST https://api.example/a", "body": {"multipart": [{"name": "a", "value": "b"}]}"#,
          auth: #"{"sign": {"headers": {"X": "{{request.body}}"}}}"#)) == [
          "'auth' reads 'request.body', but a multipart body has no text to sign; write \"text\" or \"json\""
        ])
    #expect(
      messages(
        Self.file(
          #""endpoint": "POST https://api.example/a", "headers": {"X": "{{request.body}}"}"#,
          auth: "null")
      ).contains(
        "step 'a' reads 'request', which is not a step, input or loop name; the request is known in 'auth' only: write \"auth\": {\"sign\": {\"headers\": …}}"
      ))
  }
}
