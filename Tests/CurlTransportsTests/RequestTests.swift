import CurlTransports
import Foundation
import PipelineKit
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing

@Suite(.ownThreads) struct RequestTests {
  let transport = CurlTransport(.init(userAgent: "pipeline/test"))

  /// What a server receives of `request`.
  private func sent(_ request: TransportRequest, _ path: String = "/") async throws -> String {
    let server = try RawServer.echo()
    var request = request
    request.url = server.url(path)
    let response = try await transport.send(request)
    let text = String(decoding: response.body, as: UTF8.self)
    return text.replacingOccurrences(of: "127.0.0.1:\(server.port)", with: "HOST")
  }

  @Test func aRequestCarriesNothingUnasked() async throws {
    let text = try await sent(TransportRequest(url: ""))
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines[0] == "GET / HTTP/1.1")
    #expect(lines[1...3] == ["Host: HOST", "Accept: */*", "User-Agent: pipeline/test"])
    #expect(lines[4].hasPrefix("Accept-Encoding: "))
    #expect(lines[4].contains("gzip"))
    #expect(lines[5...] == ["", ""])
  }

  @Test(arguments: ["GET", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get"])
  func aMethodIsSentAsItIs(_ method: String) async throws {
    let text = try await sent(TransportRequest(method: method, url: ""))
    #expect(text.hasPrefix("\(method) / HTTP/1.1\r\n"))
    #expect(!text.contains("Content-Length"))
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func aMethodThatMeansContentSaysThatThereIsNone(_ method: String) async throws {
    let text = try await sent(TransportRequest(method: method, url: ""))
    #expect(text.hasPrefix("\(method) / HTTP/1.1\r\n"))
    #expect(text.contains("\r\nContent-Length: 0\r\n"))
    #expect(!text.contains("Content-Type"))
    #expect(!text.contains("Expect"))
  }

  @Test(arguments: ["POST", "PUT", "GET", "DELETE", "PROPFIND"])
  func aBodyOfBytesIsSentWithAnyMethod(_ method: String) async throws {
    let body = #"{"name":"Zoë"}"#
    let text = try await sent(
      TransportRequest(
        method: method, url: "", headers: [HeaderField("Content-Type", "application/json")],
        body: .bytes(Array(body.utf8))))
    #expect(text.hasPrefix("\(method) / HTTP/1.1\r\n"))
    #expect(text.contains("\r\nContent-Type: application/json\r\n"))
    #expect(text.contains("\r\nContent-Length: \(body.utf8.count)\r\n"))
    #expect(text.bodyPart == body)
  }

  @Test func aReusedHandleTellsValuesApartByTheirBytes() async throws {
    // The same text for Swift, other bytes for a server.
    for value in ["\u{E9}", "e\u{301}", "\u{E9}", "K", "\u{212A}"] {
      let text = try await sent(TransportRequest(url: "", headers: [HeaderField("X-A", value)]))
      #expect(Array(text.utf8).contains(Array("X-A: \(value)\r\n".utf8)))
    }
    var settings = ConnectionSettings()
    settings.credentials = .digest(user: "u", password: "\u{E9}")
    var others = settings
    others.credentials = .digest(user: "u", password: "e\u{301}")
    #expect(settings != others)
  }

  @Test func aLargeBodyIsStreamedWithoutAskingForConsent() async throws {
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
    let text = try await sent(TransportRequest(method: "POST", url: "", body: .bytes(body)))
    #expect(text.contains("\r\nContent-Length: 3000000\r\n"))
    #expect(!text.contains("Expect"))
    #expect(text.bodyPart.utf8.count == 3_000_000)
  }

  @Test(arguments: [0, 10, 500_000])
  func aFileIsStreamed(_ size: Int) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(repeating: UInt8(ascii: "f"), count: size).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = try await sent(TransportRequest(method: "PUT", url: "", body: .file(file.path)))
    #expect(text.hasPrefix("PUT / HTTP/1.1\r\n"))
    #expect(text.contains("\r\nContent-Length: \(size)\r\n"))
    #expect(text.bodyPart == String(repeating: "f", count: size))
  }

  @Test func aMultipartBodyHoldsItsPartsInOrder() async throws {
    let folder = TemporaryFolder()
    let file = folder.write("PNG", to: "cat.png")
    let text = try await sent(
      TransportRequest(
        method: "POST", url: "",
        body: .multipart([
          .init(name: "title", content: .bytes(Array("A cat".utf8))),
          .init(
            name: "meta", content: .bytes(Array("{}".utf8)), contentType: "application/json"),
          .init(name: "image", content: .file(file)),
          .init(name: "thumb", content: .file(file), filename: "small.png"),
        ])))
    let head = try #require(text.components(separatedBy: "\r\n\r\n").first)
    let boundary = try #require(head.components(separatedBy: "boundary=").last)
      .prefix { !$0.isWhitespace }
    #expect(head.contains("Content-Type: multipart/form-data; boundary="))
    #expect(
      text.bodyPart == """
        --\(boundary)\r
        Content-Disposition: form-data; name="title"\r
        \r
        A cat\r
        --\(boundary)\r
        Content-Disposition: form-data; name="meta"\r
        Content-Type: application/json\r
        \r
        {}\r
        --\(boundary)\r
        Content-Disposition: form-data; name="image"; filename="cat.png"\r
        Content-Type: image/png\r
        \r
        PNG\r
        --\(boundary)\r
        Content-Disposition: form-data; name="thumb"; filename="small.png"\r
        Content-Type: image/png\r
        \r
        PNG\r
        --\(boundary)--\r

        """)
  }

  @Test func aHandleThatIsReusedForgetsTheRequestBefore() async throws {
    let server = try RawServer.echo()
    let requests = [
      TransportRequest(
        method: "POST", url: server.url("/a"), headers: [HeaderField("X-One", "1")],
        body: .bytes(Array("body".utf8))),
      TransportRequest(url: server.url("/b")),
      TransportRequest(
        method: "PUT", url: server.url("/c"),
        body: .multipart([.init(name: "n", content: .bytes([65]))])),
      TransportRequest(method: "POST", url: server.url("/d"), body: .bytes(Array("next".utf8))),
      TransportRequest(
        method: "DELETE", url: server.url("/e"), headers: [HeaderField("X-Two", "2")]),
    ]
    var texts: [String] = []
    for request in requests {
      texts.append(String(decoding: try await transport.send(request).body, as: UTF8.self))
    }
    #expect(texts[0].hasSuffix("\r\n\r\nbody"))
    #expect(texts[1].hasPrefix("GET /b "))
    #expect(!texts[1].contains("X-One") && !texts[1].contains("Content-"))
    #expect(texts[2].contains("name=\"n\""))
    #expect(texts[3].hasPrefix("POST /d ") && texts[3].hasSuffix("\r\n\r\nnext"))
    #expect(!texts[3].contains("multipart"))
    #expect(texts[4].contains("X-Two: 2") && !texts[4].contains("Content-"))
    #expect(server.connectionCount == 1)
  }

  @Test func aHandleThatIsReusedGoesWhereEachURLLeads() async throws {
    let (one, other) = (try RawServer.echo(), try RawServer.echo())
    for (server, path, target) in [
      (one, "/a", "/a"), (one, "/b?x=/1", "/b?x=/1"), (other, "/c", "/c"), (other, "/d#e", "/d"),
      (one, "?only=query", "/?only=query"), (one, "/ü", "/%c3%bc"), (one, "/f", "/f"),
      (one, "", "/"),
      (other, "/g?", "/g?"),
    ] {
      let response = try await transport.send(TransportRequest(url: server.url(path)))
      let text = String(decoding: response.body, as: UTF8.self)
      #expect(
        text.hasPrefix("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"), "\(path)")
    }
    #expect(one.connectionCount == 1 && other.connectionCount == 1)
  }

  @Test func aRequestThatAnOldConnectionDroppedIsLeftToTheEngine() async throws {
    let connections = Atomic(0)
    let server = try RawServer { connection in
      let isFirst = connections.add(1, ordering: .relaxed).newValue == 1
      while let request = connection.readRequest() {
        if isFirst, request.hasPrefix("GET /b") { return }
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: \(request.utf8.count)\r\n\r\n\(request)")
      }
    }
    for path in ["/a", "/b?c", "/d"] {
      let request = TransportRequest(url: server.url(path))
      if path == "/b?c" {
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect(error?.loss == .unanswered)
      } else {
        let response = try await transport.send(request)
        #expect(response.body.starts(with: "GET \(path) HTTP/1.1\r\n".utf8))
      }
    }
    #expect(server.connectionCount == 2)
  }

  @Test func headersAreSentExactly() async throws {
    let text = try await sent(
      TransportRequest(
        url: "",
        headers: [
          HeaderField("x-lower", "a  b"), HeaderField("X-Repeat", "1"),
          HeaderField("X-Repeat", "2"),
          HeaderField("X-Empty", ""), HeaderField("X-Blank", "  "),
          HeaderField("X-Colon", ":;,\"=\t!"),
          HeaderField("X-Text", "Zoë"), HeaderField("Accept", "text/plain"),
          HeaderField("User-Agent", "other"), HeaderField("Accept-Encoding", "identity"),
        ]))
    for line in [
      "x-lower: a  b", "X-Repeat: 1\r\nX-Repeat: 2", "X-Empty:", "X-Blank:", "X-Colon: :;,\"=\t!",
      "X-Text: Zoë", "Accept: text/plain", "User-Agent: other", "Accept-Encoding: identity",
    ] {
      #expect(text.contains("\r\n\(line)\r\n"))
    }
    #expect(!text.contains("*/*"))
    #expect(!text.contains("pipeline/test"))
  }

  @Test(arguments: [
    "/", "/a/../b/./c", "/a//b", "/%2e%2E/%41%7e", "/?", "/a?x=1&y=%20+", "/a?x=[1]{2}|^`\"<>",
    "/a;b=c,d", "/a?b?c=/../d", "/a%2Fb", "//double", "/a:b@c", "?only=query", "",
  ])
  func aURLIsSentByteForByte(_ path: String) async throws {
    let text = try await sent(TransportRequest(url: ""), path)
    let target = path.hasPrefix("/") ? path : "/" + path
    #expect(text.hasPrefix("GET \(target) HTTP/1.1\r\n"), "\(text.prefix(80))")
  }

  @Test func aFragmentIsNotSent() async throws {
    let text = try await sent(TransportRequest(url: ""), "/a?b#c")
    #expect(text.hasPrefix("GET /a?b HTTP/1.1\r\n"))
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/", "GET", [], "the URL is neither http: nor https:"),
    ("file:///etc/passwd", "GET", [], "the URL is neither http: nor https:"),
    ("http://127.0.0.1/a b", "GET", [], "the URL holds a space or a control character"),
    ("http://127.0.0.1/", "GET\r\nX: y", [], "'GET\r\nX: y' is not a method to send"),
    ("http://127.0.0.1/", "", [], "'' is not a method to send"),
    ("http://127.0.0.1/", "CONNECT", [], "'CONNECT' is not a method to send"),
    (
      "http://127.0.0.1/", "GET", [HeaderField("X", "a\r\nY: b")],
      "header 'X' holds a control character"
    ),
    ("http://127.0.0.1/", "GET", [HeaderField("X: y", "a")], "'X: y' is not a header name"),
  ])
  func whatCannotBeSentIsRefused(
    url: String, method: String, headers: [HeaderField], message: String
  ) async throws {
    await #expect(throws: TransportError(.unusable, message)) {
      try await transport.send(TransportRequest(method: method, url: url, headers: headers))
    }
  }

  @Test func aFileThatIsNotThereIsNamed() async throws {
    let server = try RawServer.echo()
    let folder = TemporaryFolder()
    let missing = folder.path + "/missing"
    await #expect(
      throws: TransportError(.file, "'\(missing)' cannot be read: No such file or directory")
    ) {
      try await transport.send(
        TransportRequest(method: "PUT", url: server.url(), body: .file(missing)))
    }
    await #expect(throws: TransportError(.file, "'\(folder.path)' is not a file")) {
      try await transport.send(
        TransportRequest(
          method: "POST", url: server.url(),
          body: .multipart([.init(name: "f", content: .file(folder.path))])))
    }
    #expect(server.connectionCount == 0)
  }
}
