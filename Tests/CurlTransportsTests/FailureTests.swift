import CurlTransports
import Foundation
import PipelineKit
import PipelineTestSupport
import PipelineTestTraits
import Testing

@Suite(.ownThreads) struct FailureTests {
  let transport = CurlTransport()

  private func failure(_ request: TransportRequest) async throws -> TransportError {
    try await #require(throws: TransportError.self) { try await transport.send(request) }
  }

  /// The failure of a request that a server answers with `bytes` before it closes.
  private func failure(answering bytes: [UInt8], reset: Bool = false) async throws -> TransportError
  {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write(bytes)
      if reset { connection.resetOnClose() }
    }
    return try await failure(TransportRequest(url: server.url()))
  }

  private func failure(answering text: String) async throws -> TransportError {
    try await failure(answering: Array(text.utf8))
  }

  @Test func aHostWithoutAddressIsNamed() async throws {
    let error = try await failure(TransportRequest(url: "http://no-such-host.invalid/a"))
    #expect(
      error == TransportError(.nameResolution, "could not resolve host 'no-such-host.invalid'"))
  }

  @Test func aRefusedConnectionNamesTheAddress() async throws {
    let port = ClosedPort()
    let error = try await failure(TransportRequest(url: "http://127.0.0.1:\(port.number)/"))
    #expect(
      error == TransportError(.connection, "connection refused by 127.0.0.1:\(port.number)"))
  }

  @Test func aConnectionClosedWithoutAnswer() async throws {
    let error = try await failure(answering: "")
    #expect(error == TransportError(.interrupted, "connection closed before any answer"))
  }

  @Test func aConnectionClosedWithinTheBodySaysHowFarItCame() async throws {
    let error = try await failure(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n"
        + String(repeating: "x", count: 512))
    #expect(
      error
        == TransportError(.interrupted, "connection closed after 512 of 1,024 bytes").answered())
  }

  @Test func aChunkedBodyWithoutEnd() async throws {
    let error = try await failure(
      answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    #expect(
      error
        == TransportError(.interrupted, "connection closed after 3 bytes, before the body's end")
        .answered())
  }

  @Test func aResetConnection() async throws {
    let error = try await failure(answering: [], reset: true)
    #expect(error.kind == .interrupted)
    #expect(error.message.hasPrefix("connection "))
    #expect(error.message.hasSuffix(" before any answer"))
  }

  @Test func aResetWithinTheBody() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n12345")
      // The client asks again only after it has read what came.
      connection.resetOnClose()
    }
    let error = try await failure(TransportRequest(url: server.url()))
    #expect(error.kind == .interrupted)
  }

  @Test(arguments: ["garbage\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\r\n\r\n\r\n"])
  func whatIsNotHTTP(_ answer: String) async throws {
    let error = try await failure(answering: answer)
    #expect(error == TransportError(.interrupted, "the answer is not HTTP"))
  }

  @Test func aBrokenContentCoding() async throws {
    let error = try await failure(
      answering: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip")
    #expect(error == TransportError(.decoding, "the body's gzip content is broken").answered())
  }

  @Test func anUnknownContentCoding() async throws {
    let error = try await failure(
      answering: "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\nab")
    #expect(
      error == TransportError(.decoding, "content encoding 'rot13' is not supported").answered())
  }

  @Test func aServerThatDoesNotAnswer() async throws {
    let server = try RawServer { $0.waitForClose() }
    let error = try await failure(
      TransportRequest(url: server.url(), timeout: .milliseconds(120)))
    #expect(error.kind == .timeout)
    let expected = #/no response within 120 ms \(connected after \d+ ms, no byte received\)/#
    #expect(error.message.wholeMatch(of: expected) != nil, "\(error.message)")
  }

  @Test func aServerThatStallsOnAReusedConnection() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      connection.waitForClose()
    }
    _ = try await transport.send(TransportRequest(url: server.url()))
    let error = try await failure(TransportRequest(url: server.url(), timeout: .milliseconds(60)))
    #expect(
      error
        == TransportError(
          .timeout, "no response within 60 ms (on a reused connection, no byte received)"))
  }

  @Test func aBodyThatStalls() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n12345")
      connection.waitForClose()
    }
    let error = try await failure(TransportRequest(url: server.url(), timeout: .seconds(1)))
    #expect(
      error
        == TransportError(
          .timeout, "no complete response within 1 s (ended after 5 of 2,000 bytes)"
        ).answered())
  }

  @Test func anIdleConnectionThatTheServerClosedIsReplaced() async throws {
    let closed = Signal()
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      connection.end()
      closed.send()
    }
    for _ in 0..<20 {
      #expect(try await transport.send(TransportRequest(url: server.url())).status == 200)
      await closed.wait()
    }
    #expect(server.connectionCount >= 20)
  }

  @Test func aFileThatIsNoCertificate() async throws {
    let missing = TemporaryFolder().path + "/missing.pem"
    var request = TransportRequest(url: "https://127.0.0.1:1/")
    request.connection.caFile = missing
    #expect(
      try await failure(request)
        == TransportError(
          .file,
          "the authorities' file '\(missing)' cannot be read: No such file or directory"
        ))
  }
}

extension TransportError {
  /// The same error after the header of a response came.
  func answered(_ status: Int = 200) -> Self {
    var error = self
    error.status = status
    return error
  }
}
