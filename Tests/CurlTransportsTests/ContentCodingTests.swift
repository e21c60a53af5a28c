import CurlTransports
import Foundation
import PipelineKit
import PipelineTestTraits
import Synchronization
import Testing

@Suite(.ownThreads) struct ContentCodingTests {
  let transport = CurlTransport()

  /// A body in a coding, and what it says.
  struct Coded: Sendable, CustomTestStringConvertible {
    let name: String
    /// The value of `Content-Encoding`.
    let coding: String
    let base64: String
    let text: String
    /// The lengths at which it can end without a loss.
    var wholeLengths: Set<Int> = []

    var testDescription: String { name }

    var bytes: [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
  }

  static let bodies = [
    Coded(
      name: "gzip", coding: "gzip", base64: "H4sIAAAAAAACA6tWykjNyclXslJKr8osUKoFAPZPBW8QAAAA",
      text: #"{"hello":"gzip"}"#),
    Coded(
      name: "gzip in two members, with zeros", coding: "X-GZIP",
      base64: "H4sIAAAAAAACA6tWykjNyclXsgIAnnHLwAkAAAAfiwgAAAAAAAIDU0qvyixQqgUAP6sE+AcAAAAAAA==",
      text: #"{"hello":"gzip"}"#, wholeLengths: [29, 56, 57]),
    Coded(
      name: "deflate", coding: "deflate", base64: "eJyrVspIzcnJV7JSSklNy0ksSVWqBQBBvAak",
      text: #"{"hello":"deflate"}"#),
    Coded(
      name: "deflate without zlib's header", coding: "identity, deflate",
      base64: "q1bKSM3JyVeyUkpJTctJLElVqgUA", text: #"{"hello":"deflate"}"#),
    Coded(
      name: "two codings", coding: "deflate, gzip",
      base64: "H4sIAAAAAAACA6uYszrslMfZkyfDNwVpaZ738QtdxcpgasH6GgAF+S8oGQAAAA==",
      text: #"{"hello":"twice"}"#),
    Coded(
      name: "br", coding: "br", base64: "jwaAeyJoZWxsbyI6ImJyIn0D", text: #"{"hello":"br"}"#),
    Coded(
      name: "zstd", coding: "zstd", base64: "KLUv/QRYgQAAeyJoZWxsbyI6InpzdGQifcZFDo4=",
      text: #"{"hello":"zstd"}"#),
  ]

  private func requireCoding(_ coding: String) async throws {
    guard ["br", "zstd"].contains(coding) else { return }
    let echo = try RawServer.echo()
    let offered = try await transport.send(TransportRequest(url: echo.url())).body
    guard String(decoding: offered, as: UTF8.self).contains(coding) else {
      try Test.cancel("this machine does not know \(coding)")
    }
  }

  private func answer(_ bytes: some Collection<UInt8>, in coding: String) -> [UInt8] {
    Array(
      "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n"
        .utf8) + bytes
  }

  @Test(arguments: bodies) func aCodedBodyIsDecoded(_ body: Coded) async throws {
    try await requireCoding(body.coding)
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write(answer(body.bytes, in: body.coding))
    }
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(String(decoding: response.body, as: UTF8.self) == body.text)
  }

  /// The HTTP message is whole each time, so that only the coding can tell.
  @Test(arguments: bodies) func aCodedBodyThatEndsEarlyIsLost(_ body: Coded) async throws {
    try await requireCoding(body.coding)
    let bytes = body.bytes
    for length in 1..<bytes.count where !body.wholeLengths.contains(length) {
      let server = try RawServer { connection in
        _ = connection.readRequest()
        connection.write(answer(bytes.prefix(length), in: body.coding))
      }
      let error = await #expect(throws: TransportError.self, "\(length) bytes") {
        try await transport.send(TransportRequest(url: server.url()))
      }
      #expect(error?.kind == .interrupted)
      #expect(error?.status == 200)
      #expect(error?.message.hasPrefix("the answer ends within its ") == true)
    }
  }

  @Test(arguments: bodies) func whatFollowsACodedBodyIsAnError(_ body: Coded) async throws {
    try await requireCoding(body.coding)
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write(answer(body.bytes + [1, 2, 3], in: body.coding))
    }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(TransportRequest(url: server.url()))
    }
    // Three bytes may be the beginning of another frame.
    #expect(error?.kind == .decoding || body.coding == "zstd")
  }

  @Test func aCodedBodyWithoutBytesIsEmpty() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write(answer([], in: "gzip"))
    }
    #expect(try await transport.send(TransportRequest(url: server.url())).body.isEmpty)
  }

  @Test func aLostEndIsSentForAgain() async throws {
    let body = Self.bodies[0].bytes
    let count = Mutex(0)
    let server = try RawServer { connection in
      _ = connection.readRequest()
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      connection.write(answer(isFirst ? body.dropLast(8) : body[...], in: "gzip"))
    }
    let workflow = """
      {"steps": [{"id": "a", "endpoint": "GET \(server.url("/"))", "extract": {"x": "$.hello"},
        "retry": {"attempts": 2, "delay": "1ms"}}], "outputs": {"x": "{{a.x}}"}}
      """
    let result = try await Pipeline(workflow, transport: transport).run().result
    #expect(result.outputs.node.text == #"{"x":"gzip"}"#)
    #expect(result.report.counts.requests == 2)
  }

  @Test func theLimitCountsDecodedBytes() async throws {
    let body = try #require(Data(base64Encoded: aHundredThousandZerosInGzip))
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.write(Array(body))
      }
    }
    let whole = TransportRequest(url: server.url(), responseLimit: 100_000)
    #expect(try await transport.send(whole).body == [UInt8](repeating: 0, count: 100_000))
    await #expect(
      throws: TransportError(.responseTooLarge, "body is larger than 64KB (limit)").answered()
    ) {
      try await transport.send(TransportRequest(url: server.url(), responseLimit: 65_536))
    }
  }
}

private let aHundredThousandZerosInGzip = """
  H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
  AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA
  """
