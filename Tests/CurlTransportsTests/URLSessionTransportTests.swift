import PipelineKit
import Testing
import URLSessionTransports

@Suite struct URLSessionTransportTests {
  let transport = URLSessionTransport(userAgent: "pipeline/test")

  @Test func aRequestIsSentAndItsResponseReturned() async throws {
    let server = try RawServer.echo()
    let response = try await transport.send(
      HTTPRequest(
        method: "POST", url: server.url("/a?b=c"), headers: [HTTPField("X-One", "1")],
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
    let response = try await transport.send(HTTPRequest(url: server.url()))
    #expect(response.status == 302)
    #expect(response.header("location") == "/there")
  }

  @Test func aBodyLargerThanTheLimitIsAborted() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n123456")
    await #expect(
      throws: TransportError(.responseTooLarge, "body is larger than 5 bytes (limit)")
    ) {
      try await transport.send(HTTPRequest(url: server.url(), responseLimit: 5))
    }
  }

  @Test func aServerThatDoesNotAnswer() async throws {
    let server = try RawServer { $0.waitForClose() }
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(HTTPRequest(url: server.url(), timeout: .milliseconds(50)))
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
    let task = Task { try await transport.send(HTTPRequest(url: server.url())) }
    await asked.wait()
    task.cancel()
    await #expect(throws: TransportError(.cancelled, "cancelled")) { try await task.value }
    await closed.wait()
  }

  @Test func aTaskThatIsCancelledBeforeItSendsEnds() async throws {
    let server = try RawServer.echo()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(HTTPRequest(url: server.url()))
    }
    await #expect(throws: TransportError(.cancelled, "cancelled")) { try await task.value }
  }

  @Test func aMultipartBodyHoldsItsParts() async throws {
    let server = try RawServer.echo()
    let response = try await transport.send(
      HTTPRequest(
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
    var request = HTTPRequest(url: "https://127.0.0.1:1/")
    request.connection.certificateFile = "client.pem"
    await #expect(
      throws: TransportError(.unusable, "URLSessionTransport cannot take a client certificate")
    ) {
      try await transport.send(request)
    }
    request.connection = ConnectionSettings()
    request.connection.refusesPrivateAddresses = true
    await #expect(
      throws: TransportError(
        .unusable, "URLSessionTransport cannot take a request to an untrusted address")
    ) {
      try await transport.send(request)
    }
  }
}
