import Foundation
import PipelineHTTPServers
import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// What the page's server tells to whom. Every request goes over a socket, byte for byte.
@Suite(.ownThreads) struct PageGateTests {
  private let folder = TemporaryFolder()

  /// Serves a folder with one workflow.
  private func withPage(
    isReadOnly: Bool = false, _ body: @escaping @Sendable (PageServer) throws -> Void
  ) async throws {
    folder.write(#"{"version": 1, "name": "shop", "steps": []}"#, to: "shop.json")
    let listing = try FolderListing(
      folder.path, files: .system, clock: SystemClock(), store: nil)
    let server = try PageServer(port: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let console = Console(output: CapturedStream(), error: CapturedStream())
      let calls = PageCalls(
        listing, Program(console: console), store: .none, isReadOnly: isReadOnly,
        begin: server.begin)
      group.addTask { await server.answer(calls) {} }
      defer { server.stop() }
      try body(server)
    }
  }

  private static func token(of server: PageServer) -> String {
    String(server.link.split(separator: "#").last ?? "")
  }

  /// Signs in as the page does, and gives the cookie's value.
  private static func signIn(_ server: PageServer) throws -> String {
    let client = try TestClient(port: server.port)
    client.send(
      fill(
        post(
          "{\"token\": \"TOKEN\"}", "Origin: http://127.0.0.1:PORT", "Sec-Fetch-Site: same-origin"),
        server, cookie: ""))
    let answer = try client.answer(to: "POST")
    #expect(answer.status == 204)
    let field = try #require(answer.header("Set-Cookie"))
    #expect(field.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
    let value = field.split(separator: ";")[0].split(separator: "=")
    #expect(value[0] == "pipeline-\(server.port)")
    return String(value[1])
  }

  private static func fill(_ text: String, _ server: PageServer, cookie: String) -> String {
    text.replacing("PORT", with: "\(server.port)").replacing("COOKIE", with: cookie)
      .replacing("TOKEN", with: token(of: server))
  }

  private static func get(
    _ target: String, host: String? = "127.0.0.1:PORT", cookie: String? = "pipeline-PORT=COOKIE",
    _ fields: String...
  ) -> String {
    let own = [host.map { "Host: \($0)" }, cookie.map { "Cookie: \($0)" }].compactMap { $0 }
    return (["GET \(target) HTTP/1.1"] + own + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func post(
    _ body: String, host: String = "127.0.0.1:PORT", type: String? = "application/json",
    target: String = "/session", _ fields: String...
  ) -> String {
    // Placeholders are filled in later, so the body is closed by the connection's length field.
    let length = body.replacing("TOKEN", with: String(repeating: "x", count: 64)).utf8.count
    let own =
      ["Host: \(host)", "Content-Length: \(length)"] + (type.map { ["Content-Type: \($0)"] } ?? [])
    return (["POST \(target) HTTP/1.1"] + own + fields).joined(separator: "\r\n") + "\r\n\r\n"
      + body
  }

  /// A call as the page's script makes it.
  private static func call(
    target: String = "/rpc", host: String = "127.0.0.1:PORT",
    cookie: String? = "pipeline-PORT=COOKIE", type: String? = "application/json",
    fields: [String] = [own, same], _ body: String = #"{"jsonrpc":"2.0","id":1,"method":"none"}"#
  ) -> String {
    let lines =
      ["POST \(target) HTTP/1.1", "Host: \(host)", "Content-Length: \(body.utf8.count)"]
      + (cookie.map { ["Cookie: \($0)"] } ?? []) + (type.map { ["Content-Type: \($0)"] } ?? [])
    return (lines + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  private static let good = "{\"token\": \"TOKEN\"}"
  private static let own = "Origin: http://127.0.0.1:PORT"
  private static let same = "Sec-Fetch-Site: same-origin"

  /// Raw requests, and the status that each gets. The cookie is that of a session, and the token is
  /// one that would be good.
  static let matrix: [(String, Int)] =
    [
      // What the page itself does.
      (get("/"), 200), (get("/?q=a"), 200), (get("/?file=shop.json"), 200),
      (get("/page.css"), 200), (get("/page.js"), 200), (get("/files.js"), 200),
      (get("/write.js"), 200), (get("/report?run=0123456789abcdef"), 404),
      (call(), 200), (call(target: "/graph.svg"), 204),
      (get("/files.json"), 200), (get("/files.json", same), 200),
      (get("/files.json", "Sec-Fetch-Site: none"), 200), (get("/files.json", own), 200),
      (get("/", cookie: nil), 200), (get("/page.js", cookie: nil), 200),
      (get("/files.json", host: "localhost:PORT"), 200),
      (get("/files.json", host: "[::1]:PORT"), 200),
      (get("/files.json", cookie: "a=b; pipeline-PORT=COOKIE; c=d"), 200),
      // Another name, or none.
      (get("/", host: "evil.example:PORT"), 421), (get("/files.json", host: "evil.example"), 421),
      (get("/files.json", host: "127.0.0.1"), 421), (get("/files.json", host: "127.0.0.1:1"), 421),
      (get("/files.json", host: "localhost"), 421),
      (get("/files.json", host: "LOCALHOST:PORT"), 421),
      (get("/files.json", host: "localhost.:PORT"), 421),
      (get("/files.json", host: "127.0.0.1:PORT.evil.example"), 421),
      (get("/files.json", host: "127.0.0.1.evil.example:PORT"), 421),
      (get("/files.json", host: "evil.example@127.0.0.1:PORT"), 421),
      (get("/files.json", host: "127.0.0.2:PORT"), 421),
      (get("/files.json", host: "0.0.0.0:PORT"), 421),
      (get("/files.json", host: "2130706433:PORT"), 421),
      (get("/files.json", host: "[::]:PORT"), 421),
      (get("/files.json", host: "0x7f.1:PORT"), 421), (get("/files.json", host: "127.1:PORT"), 421),
      (get("/files.json", host: "[::ffff:127.0.0.1]:PORT"), 421),
      (get("/files.json", host: ""), 421), (get("/files.json", host: nil), 400),
      (get("/files.json", "Host: 127.0.0.1:PORT"), 400),
      (get("/files.json", host: "evil.example:PORT", "Host: 127.0.0.1:PORT"), 400),
      ("GET /files.json HTTP/1.0\r\nCookie: pipeline-PORT=COOKIE\r\n\r\n", 421),
      // The name in the target, with the right or a wrong one in Host.
      (get("http://127.0.0.1:PORT/files.json"), 400), (get("http://evil.example/"), 400),
      (get("http://127.0.0.1:PORT/", host: "evil.example:PORT"), 421), (get("*"), 400),
      // Without a session, or with one that is not good.
      (get("/files.json", cookie: nil), 401), (get("/files.json", cookie: "pipeline-PORT="), 401),
      (get("/files.json", cookie: "pipeline-PORT=TOKEN"), 401),
      (get("/files.json", cookie: "pipeline-1=COOKIE"), 401),
      (get("/files.json", cookie: "Pipeline-PORT=COOKIE"), 401),
      (get("/files.json", cookie: "pipeline-PORT=COOKIE0"), 401),
      (get("/files.json", cookie: "pipeline-PORT=COOKIE; pipeline-PORT=COOKIE"), 401),
      (get("/files.json", cookie: "pipeline-PORT=0; pipeline-PORT=COOKIE"), 401),
      (get("/files.json", "Cookie: a=b"), 400),
      (get("/files.json", cookie: nil, "Authorization: Bearer COOKIE"), 401),
      // From pages of other sites.
      (get("/files.json", "Sec-Fetch-Site: cross-site"), 403),
      (get("/files.json", "Sec-Fetch-Site: same-site"), 403),
      (get("/files.json", "Origin: http://evil.example"), 403),
      (get("/files.json", "Origin: null"), 403),
      (get("/files.json", "Origin: http://localhost:PORT"), 403),
      (get("/files.json", same, "Sec-Fetch-Site: cross-site"), 400),
      (get("/files.json", own, "Origin: http://evil.example"), 400),
      // Paths that are not in the list.
      (get("//"), 404), (get("/./"), 404), (get("/x/../files.json"), 404),
      (get("/../files.json"), 404),
      (get("/files.json/"), 404), (get("//files.json"), 404), (get("/%66iles.json"), 404),
      (get("/files%2ejson"), 404), (get("/FILES.JSON"), 404), (get("/files.json?a"), 404),
      (get("/files.json;a"), 404), (get("/files.json%00"), 404), (get("/%2e%2e/shop.json"), 404),
      (get("/..%2f..%2fetc/passwd"), 404), (get("/shop.json"), 404), (get("/..\\files.json"), 404),
      (get("/files.json#a"), 404), (get("/session?a"), 404), (get("/page.html"), 404),
      // Methods.
      (get("/session"), 405),
      (
        "OPTIONS /session HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://evil.example\r\n\r\n",
        405
      ),
      ("OPTIONS /files.json HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 405),
      ("TRACE / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 405),
      (
        "DELETE /files.json HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nCookie: pipeline-PORT=COOKIE\r\n\r\n",
        405
      ),
      (post(good, target: "/", own, same), 405),
      (post(good, target: "/files.json", own, same), 405),
      // Signing in from elsewhere, or wrongly.
      (post(good), 403), (post(good, own), 403), (post(good, same), 403),
      (post(good, "Origin: null", same), 403),
      (post(good, "Origin: http://evil.example", same), 403),
      (post(good, "Origin: https://127.0.0.1:PORT", same), 403),
      (post(good, "Origin: http://127.0.0.1", same), 403),
      (post(good, "Origin: http://127.0.0.1:PORT.evil.example", same), 403),
      (post(good, "Origin: http://localhost:PORT", same), 403),
      (post(good, host: "evil.example:PORT", "Origin: http://evil.example:PORT", same), 421),
      (post(good, own, "Sec-Fetch-Site: cross-site"), 403),
      (post(good, own, "Sec-Fetch-Site: none"), 403),
      (post(good, type: nil, own, same), 415), (post(good, type: "text/plain", own, same), 415),
      (post(good, type: "application/json;charset=utf-8", own, same), 415),
      (post(good, type: "application/x-www-form-urlencoded", own, same), 415),
      (post("token=TOKEN", own, same), 400), (post("", own, same), 400),
      (post("[]", own, same), 400),
      (post("{\"token\": 1}", own, same), 400), (post("{\"token\": \"\"}", own, same), 401),
      (post("{\"token\": \"TOKENx\"}", own, same), 401),
      (post("{\"token\": \"\(String(repeating: "0", count: 64))\"}", own, same), 401),
      (post("{\"token\": \"\(String(repeating: "0", count: 2000))\"}", own, same), 400),
      // Calls from elsewhere, without a session, or in another form.
      (call(cookie: nil), 401), (call(cookie: "pipeline-PORT=0"), 401),
      (call(target: "/graph.svg", cookie: nil), 401),
      (call(fields: []), 403), (call(fields: [own]), 403), (call(fields: [same]), 403),
      (call(fields: ["Origin: http://evil.example", same]), 403),
      (call(fields: [own, "Sec-Fetch-Site: same-site"]), 403),
      (call(fields: [own, "Sec-Fetch-Site: none"]), 403),
      (call(target: "/graph.svg", fields: ["Origin: null", same]), 403),
      (call(host: "localhost:PORT"), 403), (call(host: "evil.example:PORT"), 421),
      (call(type: "text/plain"), 415), (call(type: nil), 415), (call(target: "/rpc?a"), 404),
      (get("/events?run=0123456789abcdef", cookie: nil), 401),
      (get("/events?run=0123456789abcdef", "Sec-Fetch-Site: cross-site"), 403),
      (get("/events?run=0123456789abcdef", "Origin: http://evil.example"), 403),
      (get("/report?run=0123456789abcdef", cookie: nil), 401),
      (get("/report?run=0123456789abcdef", "Sec-Fetch-Site: same-site"), 403),
      (get("/events?run=../../etc"), 404), (get("/events?run="), 404), (get("/events"), 404),
      (get("/report?run=%2e%2e"), 404), (get("/report?run=a&x=b"), 404),
      (get("/events?run=a/../b"), 404), (call(target: "/events?run=a"), 405),
      (call(target: "/rpc/"), 404), (call(target: "//rpc"), 404), (get("/rpc"), 405),
      (get("/graph.svg"), 405),
      // Bytes that are not a request.
      ("nonsense\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: 127.0.0.1:PORT\r\n\r\n", 505),
      ("GET / HTTP/1.1\nHost: 127.0.0.1:PORT\n\n\r\n\r\n", 400),
      (get("/" + String(repeating: "a", count: 20_000)), 431),
      (get("/files.json", "Content-Length: 1", "Transfer-Encoding: chunked"), 400),
      (get("/files.json", "Content-Length: 9999999999"), 413),
    ]

  @Test func everyRequestOfTheMatrixGetsItsAnswer() async throws {
    #expect(Self.matrix.count >= 60)
    try await withPage { server in
      let cookie = try Self.signIn(server)
      let token = Self.token(of: server)
      for (request, status) in Self.matrix {
        let client = try TestClient(port: server.port)
        client.send(Self.fill(request, server, cookie: cookie))
        let answer = try client.answer(to: String(request.prefix { $0 != " " }))
        #expect(answer.status == status, "\(request.prefix(200))")
        // Nothing is said about the folder but to its own page, and every answer is armoured.
        #expect(
          answer.text.contains("shop.json") == (status == 200 && request.contains("/files.json")))
        for field in PageServer.fields { #expect(answer.all(field.name) == [field.value]) }
        #expect(answer.all("Access-Control-Allow-Origin").isEmpty)
        #expect(answer.header("Set-Cookie") == nil)
        #expect(!answer.text.contains(cookie))
        #expect(!answer.text.contains(token))
      }
      // None of them has used the token.
      #expect(Self.token(of: server) == token)
    }
  }

  @Test func aTokenLetsOneBrowserIn() async throws {
    try await withPage { server in
      let first = Self.token(of: server)
      let cookie = try Self.signIn(server)
      #expect(Self.token(of: server) != first)
      let again = try TestClient(port: server.port)
      again.send(
        Self.fill(Self.post(Self.good, Self.own, Self.same), server, cookie: "")
          .replacing(Self.token(of: server), with: first))
      #expect(try again.answer(to: "POST").status == 401)
      let other = try Self.signIn(server)
      #expect(other != cookie)
      for value in [cookie, other] {
        let client = try TestClient(port: server.port)
        client.send(Self.fill(Self.get("/files.json"), server, cookie: value))
        #expect(try client.answer().status == 200)
      }
    }
  }

  /// The answer to a call, as text.
  private static func result(
    _ method: String, _ parameters: String, _ server: PageServer, _ cookie: String
  ) throws -> String {
    let client = try TestClient(port: server.port)
    client.send(
      fill(
        call(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#), server,
        cookie: cookie))
    return try client.answer(to: "POST").text
  }

  @Test(arguments: [
    "../outside.json", "/etc/passwd", "shop.json/../../outside.json", "./shop.json", "link.json",
    "notes.txt", "shop.json\u{0}", "", "//shop.json", "sub/../shop.json", "SHOP.json",
  ]) func aPathThatWasNotListedHasNoText(path: String) async throws {
    let outside = TemporaryFolder()
    outside.write(#"{"steps": [], "name": "hidden"}"#, to: "outside.json")
    folder.write("hidden", to: "notes.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.json", withDestinationPath: outside.path + "/outside.json")
    let quoted = JSONValue.string(path).node.text
    try await withPage { server in
      let cookie = try Self.signIn(server)
      for (method, more) in [
        ("file/read", ""), ("file/write", #","text":"lost","digest":"""#),
        ("textDocument/hover", #","text":"","more":{"position":{"line":0,"character":0}}"#),
      ] {
        let answer = try Self.result(method, "{\"path\":\(quoted)\(more)}", server, cookie)
        #expect(answer.contains("there is no workflow or test file of this path"), "\(answer)")
        #expect(!answer.contains("hidden"))
      }
    }
  }

  @Test(arguments: [
    "other.har", "../outside.har", "/etc/passwd", "shop.json", "sub/../shop.har", "./shop.har",
  ]) func aRecordingThatTheWorkflowDoesNotHaveIsNotRead(path: String) async throws {
    folder.write(#"{"log": {"entries": []}}"#, to: "shop.har")
    folder.write(#"{"log": {"entries": []}}"#, to: "other.har")
    let quoted = JSONValue.string(path).node.text
    try await withPage { server in
      let cookie = try Self.signIn(server)
      let own = #"{"path":"shop.json","recording":"shop.har"}"#
      #expect(try Self.result("answers/steps", own, server, cookie).contains(#""result":[]"#))
      for method in ["answers/steps", "answers/rows", "tests/make"] {
        let more = "{\"path\":\"shop.json\",\"recording\":\(quoted),\"step\":\"a\"}"
        let answer = try Self.result(method, more, server, cookie)
        #expect(answer.contains("no such recording"), "\(method): \(answer)")
      }
    }
  }

  @Test func aFileIsWrittenOnlyOverTheTextThatWasRead() async throws {
    let folder = folder
    try await withPage { server in
      let cookie = try Self.signIn(server)
      let read = try Self.result("file/read", #"{"path":"shop.json"}"#, server, cookie)
      let digest = try #require(read.firstMatch(of: /"digest":"([0-9a-f]{64})"/)?.1)
      let own = "{\"path\":\"shop.json\",\"text\":\"mine\",\"digest\":\"\(digest)\"}"
      folder.write("theirs", to: "shop.json")
      // It has no steps now, so it is not listed when the page looks again. Nothing is written.
      let refused = try Self.result("file/write", own, server, cookie)
      #expect(refused.contains(#""changed":"theirs""#))
      #expect(try String(contentsOfFile: folder.path + "/shop.json", encoding: .utf8) == "theirs")
      let next = try #require(refused.firstMatch(of: /"digest":"([0-9a-f]{64})"/)?.1)
      let second = try Self.result(
        "file/write", own.replacing(digest, with: next), server, cookie)
      #expect(!second.contains("changed"))
      #expect(try String(contentsOfFile: folder.path + "/shop.json", encoding: .utf8) == "mine")
    }
  }

  @Test func aPageThatIsReadOnlyChangesNothing() async throws {
    try await withPage(isReadOnly: true) { server in
      let cookie = try Self.signIn(server)
      for method in PageCalls.changes {
        let more = #"{"path":"shop.json","run":"a","text":"","digest":""}"#
        let answer = try Self.result(method, more, server, cookie)
        #expect(answer.contains("--read-only"), "\(method)")
      }
      let read = try Self.result("file/read", #"{"path":"shop.json"}"#, server, cookie)
      #expect(read.contains("digest"))
    }
  }

  @Test func theLoopbackAloneIsServed() async throws {
    try await withPage { server in
      let client = try TestClient(port: server.port)
      client.send(Self.fill(Self.get("/"), server, cookie: ""))
      #expect(try client.answer().status == 200)
      #if os(Linux)
        // An address of the loopback, too. A server of all addresses has it.
        #expect(throws: TestClient.Failure.refused) {
          try TestClient(port: server.port, address: 0x7F00_0002)
        }
      #endif
    }
  }

  @Test func anUnchangedFileOfThePageIsNotSentAgain() async throws {
    try await withPage { server in
      let client = try TestClient(port: server.port)
      client.send(Self.fill(Self.get("/page.js"), server, cookie: ""))
      let tag = try #require(try client.answer().header("ETag"))
      client.send(Self.fill(Self.get("/page.js", "If-None-Match: \(tag)"), server, cookie: ""))
      #expect(try client.answer().status == 304)
      client.send(Self.fill(Self.get("/files.js", "If-None-Match: \(tag)"), server, cookie: ""))
      #expect(try client.answer().status == 200)
    }
  }
}
