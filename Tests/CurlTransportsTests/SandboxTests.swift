import CurlTransports
import PipelineKit
import PipelineSandboxServers
import PipelineTestTraits
import Testing

/// Against a server that was written apart from this client.
@Suite(.ownThreads) struct SandboxTests {
  let transport = CurlTransport()
  let sandbox: SandboxServer

  init() throws {
    sandbox = try SandboxServer.start()
  }

  @Test(
    arguments: [
      ("reset", .interrupted, "connection reset before any answer"),
      ("late-reset", .interrupted, "connection reset after 16 of 32 bytes"),
      ("empty", .interrupted, "connection closed before any answer"),
      ("truncated", .interrupted, "connection closed after 16 of 32 bytes"),
      ("truncated-chunk", .interrupted, "connection closed after 5 bytes, before the body's end"),
      ("bad-chunk", .interrupted, "the answer is not valid HTTP: "),
      ("bad-length", .interrupted, "the answer is not valid HTTP: "),
      ("not-http", .interrupted, "the answer is not HTTP"),
      ("bad-gzip", .decoding, "the body's gzip content is broken"),
      ("truncated-gzip", .interrupted, "the answer ends within its gzip content"),
      ("long-header", .responseTooLarge, "the answer's header is too large"),
      ("stall", .timeout, "no response within 300 ms (connected after "),
      ("late-stall", .timeout, "no complete response within 300 ms (ended after 16 of 32 bytes)"),
      ("trickle?ms=50", .timeout, "no response within 300 ms (connected after "),
    ] as [(String, TransportError.Kind, String)])
  func aFaultIsNamed(_ fault: String, kind: TransportError.Kind, message: String) async throws {
    let request = TransportRequest(
      url: "\(sandbox.origin)/faults/\(fault)",
      timeout: kind == .timeout ? .milliseconds(300) : .seconds(30))
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(request)
    }
    #expect(error.kind == kind)
    #expect(error.message.hasPrefix(message), "\(error.message)")
    // The transport goes on.
    let users = TransportRequest(url: "\(sandbox.origin)/reqres/users")
    #expect(try await transport.send(users).status == 200)
  }

  @Test func whatFollowsTheAnnouncedLengthIsNotOfTheBody() async throws {
    let response = try await transport.send(
      TransportRequest(url: "\(sandbox.origin)/faults/wrong-length"))
    #expect(response.header("content-length") == "\(response.body.count)")
  }

  @Test(arguments: ["md5", "sha-256"])
  func digestIsAccepted(_ algorithm: String) async throws {
    var request = TransportRequest(
      method: "POST", url: "\(sandbox.origin)/digest/\(algorithm)?a=b%20c",
      headers: [HeaderField("Content-Type", "text/plain")], body: .bytes(Array("body".utf8)))
    request.connection.credentials = .digest(user: "sandbox", password: "open-sesame")
    for _ in 0..<3 {
      let response = try await transport.send(request)
      #expect(response.status == 200)
    }
    request.connection.credentials = .digest(user: "sandbox", password: "wrong")
    #expect(try await transport.send(request).status == 401)
  }

  @Test func everyRequestToAFaultyServerEnds() async throws {
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<300 {
        group.addTask { [sandbox, transport] in
          let request = TransportRequest(
            url: "\(sandbox.origin)/faults/random?seed=\(number % 7)", timeout: .seconds(2))
          return (try? await transport.send(request)) != nil
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(outcomes.count == 300)
    #expect(outcomes.contains(true) && outcomes.contains(false))
  }
}
