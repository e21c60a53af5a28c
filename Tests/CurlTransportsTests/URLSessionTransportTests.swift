import Foundation
import PipelineKit
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing

@testable import URLSessionTransports

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.ownThreads) struct URLSessionTransportTests {
  let transport = URLSessionTransport(userAgent: "pipeline/test")

  @Test func aRequestIsSentAndItsResponseReturned() async throws {
    let server = try RawServer.echo()
    let response = try await transport.send(
      TransportRequest(
        method: "POST", url: server.url("/a?b=c"), headers: [HeaderField("X-One", "1")],
        body: .bytes(Array("body".utf8)), timeout: .seconds(30)))
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(response.status == 200)
    #expect(text.hasPrefix("POST /a?b=c HTTP/1.1\r\n"))
    #expect(text.contains("\r\nX-One: 1\r\n"))
    #expect(text.contains("\r\nUser-Agent: pipeline/test\r\n"))
    #expect(text.hasSuffix("\r\n\r\nbody"))
  }

  @Test func aRedirectIsHandedBack() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(response.status == 302)
    #expect(response.header("location") == "/there")
  }

  @Test func aBodyLargerThanTheLimitIsAborted() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n123456")
    await #expect(
      throws: TransportError(.responseTooLarge, "body is larger than 5 bytes (limit)")
    ) {
      try await transport.send(TransportRequest(url: server.url(), responseLimit: 5))
    }
  }

  @Test func aServerThatDoesNotAnswer() async throws {
    let server = try RawServer { $0.waitForClose() }
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(TransportRequest(url: server.url(), timeout: .milliseconds(50)))
    }
    #expect(error.kind == .timeout)
  }

  @Test func cancellingATaskClosesItsSocket() async throws {
    let (asked, closed) = (Signal(), Signal())
    let server = try RawServer { connection in
      _ = connection.readRequest()
      asked.send()
      connection.waitForClose()
      closed.send()
    }
    let task = Task { try await transport.send(TransportRequest(url: server.url())) }
    await asked.wait()
    task.cancel()
    await #expect(throws: TransportError(.cancelled, "cancelled")) { try await task.value }
    await closed.wait()
  }

  @Test func aTaskThatIsCancelledBeforeItSendsEnds() async throws {
    let server = try RawServer.echo()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(TransportRequest(url: server.url()))
    }
    await #expect(throws: TransportError(.cancelled, "cancelled")) { try await task.value }
  }

  @Test func aMultipartBodyHoldsItsParts() async throws {
    let server = try RawServer.echo()
    let response = try await transport.send(
      TransportRequest(
        method: "POST", url: server.url(),
        body: .multipart([
          .init(
            name: "a\"b", content: .bytes([65]), filename: "f.txt", contentType: "text/plain")
        ])))
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("Content-Type: multipart/form-data; boundary=pipeline-"))
    #expect(text.contains("form-data; name=\"a%22b\"; filename=\"f.txt\"\r\n"))
    #expect(text.contains("Content-Type: text/plain\r\n\r\nA\r\n--pipeline-"))
  }

  @Test func aSettingThatItDoesNotHaveIsRefused() async throws {
    var request = TransportRequest(url: "https://127.0.0.1:1/")
    request.connection.certificateFile = "client.pem"
    await #expect(
      throws: TransportError(.unusable, "URLSessionTransport cannot take a client certificate")
    ) {
      try await transport.send(request)
    }
    var get = TransportRequest(url: "https://127.0.0.1:1/", body: .bytes([1]))
    await #expect(
      throws: TransportError(.unusable, "URLSessionTransport sends no body with GET")
    ) {
      try await transport.send(get)
    }
    get.method = "HEAD"
    await #expect(throws: TransportError.self) { try await transport.send(get) }
  }

  @Test(arguments: [
    ("127.0.0.1", "a loopback address"), ("localhost", "this machine's own name"),
    ("10.1.2.3", "a private address"),
  ])
  func aPrivateAddressIsRefusedIfAResponseNamedIt(_ host: String, _ kind: String) async throws {
    var request = TransportRequest(url: "http://\(host):1/")
    request.connection.refusesPrivateAddresses = true
    await #expect(
      throws: TransportError(
        .refusedAddress, "'\(host)' is \(kind), and a response named the URL")
    ) {
      try await transport.send(request)
    }
  }

  @Test func filesAreStreamed() async throws {
    let folder = TemporaryFolder()
    let path = folder.write("the file", to: "a.txt")
    let server = try RawServer.echo()
    let whole = try await transport.send(
      TransportRequest(method: "PUT", url: server.url(), body: .file(path)))
    #expect(String(decoding: whole.body, as: UTF8.self).hasSuffix("\r\n\r\nthe file"))
    let form = try await transport.send(
      TransportRequest(
        method: "POST", url: server.url(),
        body: .multipart([.init(name: "f", content: .file(path))])))
    let text = String(decoding: form.body, as: UTF8.self)
    #expect(text.contains("form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\nthe file\r\n--"))
    await #expect(
      throws: TransportError(.file, "'/none' cannot be read: no such file")
    ) {
      try await transport.send(
        TransportRequest(method: "PUT", url: server.url(), body: .file("/none")))
    }
  }

  @Test func cookiesThatAreJoinedAreTakenApart() {
    #expect(
      SetCookies.separated(
        "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2; Path=/,c=x,y; HttpOnly")
        == [
          "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2; Path=/", "c=x,y; HttpOnly",
        ])
    #expect(SetCookies.separated("a=1") == ["a=1"])
  }

  // MARK: Configurations

  /// Answers each request with its own fields, in place of a network.
  private final class Stub: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
      request.url?.host == "stub.example"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
      guard let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["X-Stub": "1"])
      else { return }
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data("stubbed".utf8))
      client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
  }

  @Test func theProtocolsOfAConfigurationAnswer() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Stub.self]
    let transport = URLSessionTransport(configuration: configuration)
    let response = try await transport.send(TransportRequest(url: "http://stub.example/a"))
    #expect(response.status == 200 && response.header("x-stub") == "1")
    #expect(String(decoding: response.body, as: UTF8.self) == "stubbed")
  }

  @Test func theEngineOwnsCookiesCachesAndCredentials() async throws {
    let configuration = URLSessionConfiguration.default
    configuration.httpShouldSetCookies = true
    configuration.httpAdditionalHeaders = [
      "User-Agent": "bank/1", "X-App": "7", "authorization": "Bearer abc", "Cookie": "a=1",
    ]
    configuration.timeoutIntervalForResource = 77
    let owned = URLSessionTransport.owned(configuration)
    #expect(!owned.httpShouldSetCookies && owned.httpCookieStorage == nil)
    #expect(owned.urlCache == nil && owned.urlCredentialStorage == nil)
    #expect(owned.timeoutIntervalForResource == 77)
    #expect(configuration.httpShouldSetCookies, "the app's own is left as it is")
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        connection.write(
          "HTTP/1.1 200 OK\r\nSet-Cookie: s=1; Path=/\r\n"
            + "Content-Length: \(request.utf8.count)\r\n\r\n\(request)")
      }
    }
    let transport = URLSessionTransport(configuration: configuration)
    for _ in 0..<2 {
      let response = try await transport.send(TransportRequest(url: server.url()))
      let text = String(decoding: response.body, as: UTF8.self).lowercased()
      #expect(text.contains("\r\nuser-agent: bank/1\r\n") && text.contains("\r\nx-app: 7\r\n"))
      #expect(!text.contains("authorization:") && !text.contains("cookie:"))
    }
  }

  @Test func aHandlerOfChallengesIsNotAskedForPasswords() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\n"
        + "Content-Length: 2\r\n\r\nno")
    let asked = Mutex(0)
    let transport = URLSessionTransport(configuration: .ephemeral) { _ in
      asked.withLock { $0 += 1 }
      return (.useCredential, URLCredential(user: "a", password: "b", persistence: .none))
    }
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(response.status == 401)
    #expect(asked.withLock { $0 } == 0)
  }
}
