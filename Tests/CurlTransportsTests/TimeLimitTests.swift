import CurlTransports
import Foundation
import PipelineKit
import PipelineTestTraits
import Testing
import URLSessionTransports

/// Connecting and silence have limits of their own, and neither ends a request that goes on.
@Suite(.ownThreads) struct TimeLimitTests {
  let transport = CurlTransport()

  private func failure(_ request: TransportRequest) async throws -> TransportError {
    try await #require(throws: TransportError.self) { try await transport.send(request) }
  }

  @Test func aRequestHasLimitsUnlessItsAuthorSaysMore() {
    let request = TransportRequest(url: "http://127.0.0.1/")
    #expect(request.timeout == nil)
    #expect(request.connectTimeout == .seconds(10))
    #expect(request.silence == .seconds(60))
  }

  // MARK: Connecting

  @Test func aServerThatNeverSpeaksTLS() async throws {
    let server = try RawServer { $0.waitForClose() }
    let error = try await failure(
      TransportRequest(
        url: "https://127.0.0.1:\(server.port)/", timeout: .seconds(60),
        connectTimeout: .milliseconds(120)))
    #expect(error.kind == .timeout)
    #expect(error.limit == .connect)
    #expect(
      error.message == "no connection to 127.0.0.1:\(server.port) within 120 ms "
        + "(connecting and the TLS handshake)")
  }

  @Test func aProxyThatDoesNotAnswerCONNECT() async throws {
    let server = try RawServer { $0.waitForClose() }
    var request = TransportRequest(
      url: "https://api.example.com/", connectTimeout: .milliseconds(120))
    request.connection.proxy = "http://127.0.0.1:\(server.port)"
    let error = try await failure(request)
    #expect(error.limit == .connect)
    #expect(
      error.message.hasPrefix("no connection to the proxy 127.0.0.1:\(server.port) within 120 ms"))
  }

  @Test func theShorterOfTwoLimitsIsNamed() async throws {
    let server = try RawServer { $0.waitForClose() }
    let error = try await failure(
      TransportRequest(url: "https://127.0.0.1:\(server.port)/", timeout: .milliseconds(120)))
    #expect(error.limit == nil)
    #expect(error.message.hasPrefix("no response within 120 ms"))
  }

  // MARK: Silence

  @Test func aServerThatNeverAnswers() async throws {
    let server = try RawServer { $0.waitForClose() }
    let error = try await failure(
      TransportRequest(url: server.url(), timeout: .seconds(60), silence: .milliseconds(100)))
    #expect(error.kind == .timeout)
    #expect(error.limit == .silence)
    #expect(error.message == "nothing received for 100 ms (before any answer)")
  }

  @Test func aBodyThatStalls() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n12345")
      connection.waitForClose()
    }
    let error = try await failure(TransportRequest(url: server.url(), silence: .milliseconds(100)))
    #expect(error.message == "nothing received for 100 ms (after 5 of 2,000 bytes)")
  }

  @Test func aServerThatStallsOnAReusedConnection() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      connection.waitForClose()
    }
    _ = try await transport.send(TransportRequest(url: server.url()))
    let error = try await failure(TransportRequest(url: server.url(), silence: .milliseconds(60)))
    #expect(error.message == "nothing received for 60 ms (before any answer)")
    #expect(error.loss == nil)
  }

  @Test func aServerThatTakesNoBody() async throws {
    let stalled = DispatchSemaphore(value: 0)
    defer { stalled.signal() }
    let server = try RawServer { connection in
      _ = connection.readHead()
      stalled.wait()
    }
    let error = try await failure(
      TransportRequest(
        method: "POST", url: server.url(), body: .bytes([UInt8](repeating: 65, count: 24 << 20)),
        silence: .milliseconds(200)))
    #expect(error.limit == .silence)
  }

  /// Parts that come one after the other, for longer than the limit.
  enum Trickle: CaseIterable {
    case statusLine, header, body, chunks
  }

  @Test(arguments: Trickle.allCases)
  func aServerThatKeepsSendingIsNotSilent(_ trickle: Trickle) async throws {
    let count = 120
    let server = try RawServer { connection in
      _ = connection.readRequest()
      let (before, after) =
        switch trickle {
        case .statusLine: ("HTTP/1.1 200 ", "\r\nContent-Length: 0\r\n\r\n")
        case .header: ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ", "\r\n\r\n")
        case .body: ("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n", "")
        case .chunks: ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n")
        }
      connection.write(before)
      for _ in 0..<count {
        connection.write(trickle == .chunks ? "1\r\na\r\n" : "a")
        lapse()
      }
      connection.write(after)
    }
    let response = try await transport.send(
      TransportRequest(url: server.url(), silence: .seconds(2)))
    #expect(response.status == 200)
    #expect(response.timings.total > .seconds(2))
    let hasBody = trickle == .body || trickle == .chunks
    #expect(response.body.count == (hasBody ? count : 0))
  }

  @Test func aServerThatKeepsTakingABodyIsNotSilent() async throws {
    let size = 24 << 20
    let server = try RawServer { connection in
      _ = connection.readHead()
      for _ in 0..<120 {
        connection.read(count: size / 120)
        lapse()
      }
      connection.read(count: size % 120)
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let response = try await transport.send(
      TransportRequest(
        method: "PUT", url: server.url(), body: .bytes([UInt8](repeating: 65, count: size)),
        silence: .seconds(2)))
    #expect(response.status == 200)
  }

  @Test func eachOfManyHasItsOwnLimit() async throws {
    let server = try RawServer { $0.waitForClose() }
    let limits = [50, 400, 100, 200]
    let messages = try await withThrowingTaskGroup(of: String.self) { group in
      for limit in limits {
        group.addTask {
          try await failure(
            TransportRequest(url: server.url(), silence: .milliseconds(limit))
          ).message
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(
      messages.sorted()
        == limits.map { "nothing received for \($0) ms (before any answer)" }.sorted())
  }

  // MARK: URLSession

  @Test func aServerThatNeverAnswersURLSession() async throws {
    let server = try RawServer { $0.waitForClose() }
    let error = await #expect(throws: TransportError.self) {
      try await URLSessionTransport().send(
        TransportRequest(url: server.url(), silence: .seconds(1)))
    }
    #expect(error?.kind == .timeout)
    #expect(error?.limit == .silence)
    #expect(error?.message == "nothing received for 1 s")
  }

  @Test func urlSessionHasNoLimitForConnecting() async throws {
    await #expect(
      throws: TransportError(
        .unusable, "URLSessionTransport cannot take a limit for connecting ('connect')")
    ) {
      try await URLSessionTransport().send(
        TransportRequest(url: "http://127.0.0.1:1/", connectTimeout: .seconds(1)))
    }
  }

  // MARK: What the engine makes of it

  private func runFailure(_ step: String) async throws -> FailureReason {
    let pipeline = try Pipeline(#"{"steps": [{"id": "a", \#(step)}]}"#, transport: transport)
    return try #require(try await pipeline.run().result.report.failures.first?.failure)
  }

  @Test func aFailureNamesTheLimitThatItsAuthorWrote() async throws {
    let server = try RawServer { $0.waitForClose() }
    let silent = try await runFailure(
      #""endpoint": "GET \#(server.url())", "timeout": {"silence": "100ms"}"#)
    #expect(silent.kind == .timeout)
    #expect(silent.message == "nothing received for 100 ms (before any answer)")
    #expect(silent.hints == ["'silence' of 'timeout' allows 100 ms"])
    let unconnected = try await runFailure(
      #""endpoint": "GET https://127.0.0.1:\#(server.port)/", "timeout": {"connect": "100ms"}"#)
    #expect(unconnected.message.contains(" within 100 ms "))
    #expect(unconnected.hints == ["'connect' of 'timeout' allows 100 ms"])
  }

  @Test func aLimitThatARedirectHasUsedAPartOfIsNamedAsWritten() async throws {
    let server = try RawServer { connection in
      guard let request = connection.readRequest(), request.hasPrefix("GET /first") else {
        return connection.waitForClose()
      }
      for _ in 0..<4 { lapse() }
      connection.write("HTTP/1.1 302 Found\r\nLocation: /second\r\nContent-Length: 0\r\n\r\n")
      connection.waitForClose()
    }
    let failure = try await runFailure(
      #""endpoint": "GET \#(server.url("/first"))", "timeout": "2s""#)
    #expect(failure.kind == .timeout)
    #expect(failure.message.hasPrefix("no response within 2 s ("))
    let hint = try #require(failure.hints.first)
    let expected =
      #/'timeout' is for the whole attempt: the requests before, such as redirects, used \d+ ms of the 2 s/#
    #expect(hint.wholeMatch(of: expected) != nil, "\(hint)")
  }
}

/// Makes what a server sends or takes last longer than a limit of the transport, which goes by the
/// system's clock.
private func lapse() { usleep(20_000) }
