import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// What a curl command sends, and what its workflow sends.
struct CurlSendingTests {
  private let folder = TemporaryFolder()

  /// Runs what a command becomes, and expects it to be clean.
  ///
  /// - Returns: The request, and what `new` has noted.
  private func sent(
    _ options: String, to path: String = "/echo"
  ) async throws -> (request: ServerRequest, notes: [Substring]) {
    let server = try SandboxServer.start()
    defer { server.stop() }
    folder.write("l1\nl2\r\nl3\n", to: "f.txt")
    folder.write("{\"a\":\n1}", to: "f.json")
    let command = "curl '\(server.origin)\(path)' \(options)"
    let result = await pipeline(["new", "--curl", command])
    try #require(result.status == .success, "\(result.error)")
    let file = folder.write(result.output, to: "w.json")
    let lint = await pipeline(["lint", file])
    #expect(lint.status == .success, "\(lint.output)\n\(result.output)")
    _ = await pipeline(["run", "--no-store", "--quiet", file])
    let request = try #require(server.records.requests.first)
    return (request, result.error.split(separator: "\n"))
  }

  private func header(_ name: String, of request: ServerRequest) -> String? {
    request.headers.first { $0.name.lowercased() == name }?.value
  }

  private static let form = "application/x-www-form-urlencoded"

  @Test(
    .ownThreads,
    arguments: [
      ("-d x", Self.form, "x"), ("-d ''", Self.form, ""), ("-d 'a=1&b'", Self.form, "a=1&b"),
      ("-d '[1'", Self.form, "[1"), ("--data-raw @x", Self.form, "@x"),
      ("-d @f.txt", Self.form, "l1l2l3"), ("-d a=1 -d @f.txt", Self.form, "a=1&l1l2l3"),
      ("--data-binary @f.txt", Self.form, "l1\nl2\r\nl3\n"),
      ("--json '{}' --json '[]'", "application/json", "{}[]"),
      ("--json '{\"a\":1,\"a\":2}'", "application/json", "{\"a\":1,\"a\":2}"),
      ("--json @f.json", "application/json", "{\"a\":\n1}"),
      ("-d a -H 'content-type: text/csv'", "text/csv", "a"),
    ])
  func dataHasItsMediaType(options: String, type: String, body: String) async throws {
    let (request, notes) = try await sent(options)
    #expect(request.method == "POST")
    #expect(header("content-type", of: request) == type)
    #expect(String(decoding: request.body, as: UTF8.self) == body)
    #expect(notes.isEmpty, "\(notes)")
    #expect(
      header("accept", of: request)?.hasPrefix("application/json") == true
        || !options.contains("json "))
  }

  @Test(
    .ownThreads,
    arguments: [
      ("-F 'h=<f.txt'", "name=\"h\"", "l1\nl2\r\nl3\n", "filename"),
      ("-F 'b=\"quoted;v\"'", "name=\"b\"", "\r\nquoted;v\r\n", "filename"),
      ("-F 'b=quoted;v'", "name=\"b\"", "\r\nquoted\r\n", ";v"),
      ("-F 'f=@f.txt;filename=\"a;b.txt\"'", "filename=\"a;b.txt\"", "text/plain", "quoted"),
    ])
  func partsAreSentAsCurlDoes(
    options: String, disposition: String, content: String, absent: String
  ) async throws {
    let (request, notes) = try await sent(options)
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(body.contains(disposition) && body.contains(content), "\(body)")
    #expect(!body.contains(absent), "\(body)")
    #expect(notes.isEmpty, "\(notes)")
  }

  @Test(
    .ownThreads,
    arguments: [
      ("-T f.txt", "/echo/up/", "/echo/up/f.txt"), ("-T f.txt", "/echo", "/echo"),
      ("", "/echo?phone=+49", "/echo?phone=+49"),
      ("-G -d q=a+b -d flag", "/echo?z=1", "/echo?z=1&q=a+b&flag"),
      ("--url-query 'a=b c' --url-query '+r=a+b'", "/echo?x=1", "/echo?x=1&a=b+c&r=a+b"),
      ("", "/a/../echo/./:id", "/echo/%3Aid"),
    ])
  func theTargetIsThatOfCurl(options: String, path: String, target: String) async throws {
    #expect(try await sent(options, to: path).request.target == target)
  }

  @Test(.ownThreads) func headersAreThoseOfCurl() async throws {
    let request = try await sent(
      "-H 'X-A: 1  ' -H 'X-C;' -r 0-9 -H 'User-Agent: me' -A you -e 'http://x.example/;auto'"
    ).request
    #expect(header("x-a", of: request) == "1")
    #expect(header("x-c", of: request) == "")
    #expect(header("range", of: request) == "bytes=0-9")
    #expect(header("user-agent", of: request) == "me")
    #expect(header("referer", of: request) == "http://x.example/")
  }

  private func file(_ command: String) async throws -> JSONNode {
    let result = await pipeline(["new", "--curl", command])
    try #require(result.status == .success, "\(result.error)")
    return try JSONDocument.parse(Array(result.output.utf8)).root
  }

  @Test func cookiesAreOneHeader() async throws {
    let file = try await file("curl https://h/ -b \"a=$A\" -b \"b=$B\"")
    #expect(file["steps"]?[0]?["headers"]?["Cookie"]?.string == "{{inputs.cookie}}")
    #expect(
      try await self.file("curl https://h/ -b $A -H 'Accept: x'")["steps"]?[0]?["headers"]?.text
        == #"{ "Accept": "x", "Cookie": "{{inputs.a}}" }"#)
  }

  /// Neither values of options that are not known nor credentials in a referrer are kept.
  @Test(arguments: [
    "--proxy-tlspassword s3cr3t", "--unheard-of s3cr3t", "--pass s3cr3t",
    "-e 'https://h.example/?token=s3cr3t&a=1'", "-e 'https://me:s3cr3t@h.example/'",
    "-H 'Referer: https://h.example/?token=s3cr3t'", "-d 'flag&password=s3cr3t'",
    "-d 'password=s3cr3t' -d @f",
  ])
  func credentialsAreNotKept(options: String) async throws {
    for command in ["curl \(options) https://h/a", "curl https://h/a \(options)"] {
      let file = try await file(command)
      #expect(!file.text.contains("s3cr3t"), "\(file.text)")
      #expect(file["steps"]?[0]?["endpoint"]?.string?.hasSuffix("https://h/a") == true)
    }
    let both = folder.write("curl https://h/a \(options)\ncurl https://h/b\n", to: "c.sh")
    let result = await pipeline(["import", both])
    #expect(result.status == .success, "\(result.error)")
    #expect(!result.output.contains("s3cr3t"), "\(result.output)")
  }

  @Test func theCredentialInAQueryThatIsKeptIsSecret() async throws {
    let file = try await file("curl 'https://h/a?flag&token=s3cr3t'")
    #expect(file["steps"]?[0]?["endpoint"]?.string == "GET https://h/a?flag&token={{inputs.token}}")
  }

  @Test(arguments: [
    ("curl ''", "the curl command has no URL"), ("curl http://", "the URL 'http://' has no host"),
    ("curl 'http://me@/x'", "the URL 'http://me@/x' has no host"),
    (
      "curl https://h/1 --next https://h/2 -d 1",
      "--next makes 2 requests of it; write the command into a file, and 'pipeline import' makes a"
        + " step of each"
    ),
  ])
  func aCommandThatIsNotOneRequestIsRefused(command: String, message: String) async {
    let result = await pipeline(["new", "--curl", command])
    #expect(result.status == .usage && result.output.isEmpty)
    #expect(result.error == "pipeline: the curl command cannot be read: \(message)\n")
  }

  @Test func nextMakesARequestOfItsOwn() async throws {
    let path = folder.write(
      "curl -H 'X-A: --next' https://h/1 --next https://h/2 -d 'a=1&b' -: https://h/3 --json @f.json"
        + " --next -F 'h=<f.txt' https://h/4",
      to: "c.sh")
    let result = await pipeline(["import", path])
    #expect(result.status == .success, "\(result.error)")
    let steps = try JSONDocument.parse(Array(result.output.utf8)).root["steps"]
    #expect(
      steps?.elements.map { $0["endpoint"]?.string } == [
        "GET /1", "POST /2", "POST /3", "POST /4",
      ])
    #expect(steps?[1]?["body"]?["text"]?.string == "a=1&b")
    #expect(steps?[1]?["headers"]?["Content-Type"]?.string == Self.form)
    #expect(
      steps?[2]?["headers"]?.text
        == #"{ "Accept": "application/json", "Content-Type": "application/json" }"#)
    #expect(steps?[3]?["body"]?["multipart"]?[0]?["value"]?["$file"]?.string == "f.txt")
    let target = folder.write(result.output, to: "w.json")
    #expect(await pipeline(["lint", target]).status == .success)
  }

  @Test func aFolderWithoutRequestsIsNamed() async {
    folder.write("x", to: "empty/a.txt")
    let path = folder.path + "/empty"
    let result = await pipeline(["import", path])
    #expect(result.status == .usage)
    #expect(
      result.error
        == "pipeline: cannot import '\(path)': there is no file in this folder that import reads\n")
  }
}
