import CurlTransports
import Foundation
import PipelineKit
import PipelineTestTraits
import Testing

@Suite(.ownThreads) struct ResponseTests {
  @Test(arguments: [
    "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 6\r\ncontent-length: 5\r\n",
    "Content-Length: 5, 6\r\n",
  ])
  func twoLengthsThatDifferAreAnError(_ fields: String) async throws {
    let server = try RawServer(answering: "HTTP/1.1 200 OK\r\n\(fields)\r\nhello!")
    let transport = CurlTransport()
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(TransportRequest(url: server.url()))
    }
    #expect(error?.kind == .interrupted)
    #expect(error?.message.hasPrefix("the answer has two lengths, Content-Length ") == true)
  }

  @Test func twoLengthsThatAreEqualAreOne() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello")
    let response = try await CurlTransport().send(TransportRequest(url: server.url()))
    #expect(response.body == Array("hello".utf8))
  }

  let transport = CurlTransport()

  @Test func aConnectionIsKeptAndReused() async throws {
    let server = try RawServer.echo()
    var responses: [TransportResponse] = []
    for number in 0..<5 {
      responses.append(try await transport.send(TransportRequest(url: server.url("/\(number)"))))
    }
    #expect(server.connectionCount == 1)
    #expect(responses.map(\.timings.reusedConnection) == [false, true, true, true, true])
    #expect(responses[0].timings.connect > .zero)
    #expect(responses[1].timings.connect == .zero)
    for timings in responses.map(\.timings) {
      #expect(timings.firstByte > .zero)
      #expect(timings.total >= timings.firstByte)
    }
  }

  @Test func manyRequestsAtOnceShareNoMoreConnectionsThanThereAreRequests() async throws {
    let server = try RawServer.echo()
    // With several threads it is chance which of them takes a request, and has a connection for it.
    let transport = CurlTransport(.init(threads: 1))
    for _ in 0..<3 {
      try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for number in 0..<200 {
          let request = TransportRequest(url: server.url("/\(number)"))
          group.addTask { [transport] in
            (number, String(decoding: try await transport.send(request).body, as: UTF8.self))
          }
        }
        for try await (number, text) in group {
          #expect(text.hasPrefix("GET /\(number) "))
        }
      }
    }
    #expect(server.connectionCount <= 200)
  }

  @Test func statusHeadersAndBodyArriveAsSent() async throws {
    let server = try RawServer(
      answering:
        "HTTP/1.1 404 Not Here\r\nContent-Length: 4\r\nX-A: 1\r\nx-a:  2 \r\nX-Empty:\r\n"
        + "X-Folded: one\r\n  two\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n\r\nbody")
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(response.status == 404)
    #expect(response.version == "1.1")
    #expect(response.body == Array("body".utf8))
    #expect(
      response.headers == [
        HeaderField("Content-Length", "4"), HeaderField("X-A", "1"), HeaderField("x-a", "2"),
        HeaderField("X-Empty", ""), HeaderField("X-Folded", "one two"),
        HeaderField("Set-Cookie", "a=b"), HeaderField("Set-Cookie", "c=d"),
      ])
    #expect(response.header("CONTENT-length") == "4")
    #expect(response.header("x-folded") == "one two")
    #expect(response.header("x-none") == nil)
  }

  @Test func interimResponsesAndTrailersAreLeftOut() async throws {
    let server = try RawServer(
      answering:
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-Final: yes\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: t\r\n\r\n")
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(response.status == 200)
    #expect(response.body == Array("abcde".utf8))
    #expect(response.headers.map(\.name) == ["X-Final", "Transfer-Encoding"])
  }

  @Test func aRedirectIsHandedBack() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(response.status == 302)
    #expect(response.header("location") == "/there")
  }

  @Test func aHeadResponseHasNoBodyHoweverLongItSaysItIs() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: 900000000000\r\n\r\n")
    let response = try await transport.send(TransportRequest(method: "HEAD", url: server.url()))
    #expect(response.status == 200)
    #expect(response.body.isEmpty)
    #expect(response.header("content-length") == "900000000000")
  }

  @Test(arguments: [204, 304])
  func aStatusWithoutContentEndsAtItsHeader(_ status: Int) async throws {
    let server = try RawServer(answering: "HTTP/1.1 \(status) X\r\nETag: \"a\"\r\n\r\n")
    for _ in 0..<2 {
      let response = try await transport.send(TransportRequest(url: server.url()))
      #expect(response.status == status)
      #expect(response.body.isEmpty)
    }
    #expect(server.connectionCount == 1)
  }

  @Test func aBodyWithoutLengthEndsWithItsConnection() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n\r\nuntil the end")
    }
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(response.body == Array("until the end".utf8))
  }

  @Test func aLargeBodyArrivesWhole() async throws {
    let piece = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n")
      for _ in 0..<50 { connection.write(piece) }
    }
    let response = try await transport.send(TransportRequest(url: server.url()))
    #expect(response.body.count == 5_000_000)
    #expect(response.body.suffix(100_000).elementsEqual(piece))
  }

  @Test func ofABodyThatNobodyReadsTheBeginningIsKept() async throws {
    let piece = [UInt8](repeating: 120, count: 100_000)
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n")
        for _ in 0..<5 { connection.write(piece) }
      }
    }
    let unread = try await transport.send(TransportRequest(url: server.url(), wantsBody: false))
    #expect(unread.body.count == TransportResponse.excerptSize)
    #expect(unread.bodySize == 500_000)
    // The connection's next response begins anew.
    let read = try await transport.send(TransportRequest(url: server.url()))
    #expect(read.body.count == 500_000)
    #expect(read.bodySize == 500_000)
    await #expect(
      throws: TransportError(.responseTooLarge, "body is larger than 300KB (limit)").answered()
    ) {
      try await transport.send(
        TransportRequest(url: server.url(), responseLimit: 307_200, wantsBody: false))
    }
  }

  @Test func aBodyAsLargeAsTheLimitPasses() async throws {
    let server = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345")
    let response = try await transport.send(
      TransportRequest(url: server.url(), responseLimit: 5))
    #expect(response.body.count == 5)
  }

  /// Each server would go on for ever: only an abort ends the request.
  @Test(arguments: [
    "Content-Length: 6\r\n\r\n12",
    "Transfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n",
    "\r\n123456",
  ])
  func aBodyLargerThanTheLimitIsAbortedAtOnce(_ answer: String) async throws {
    let closed = Signal()
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n\(answer)")
      connection.waitForClose()
      closed.send()
    }
    await #expect(
      throws: TransportError(.responseTooLarge, "body is larger than 5 bytes (limit)").answered()
    ) {
      try await transport.send(TransportRequest(url: server.url(), responseLimit: 5))
    }
    await closed.wait()
  }

  @Test func aHeaderWithoutEndIsAborted() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n")
      let line = "X-Filler: \(String(repeating: "x", count: 1000))\r\n"
      for _ in 0..<300 { connection.write(line) }
      connection.waitForClose()
    }
    await #expect(
      throws: TransportError(.responseTooLarge, "the answer's header is too large")
    ) {
      try await transport.send(TransportRequest(url: server.url()))
    }
  }

  @Test func trailersWithoutEndAreRefused() async throws {
    let field = "X-A: " + String(repeating: "a", count: 1000) + "\r\n"
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
      for _ in 0..<400 { connection.write(field) }
      connection.waitForClose()
    }
    await #expect(
      throws: TransportError(.responseTooLarge, "the answer's header is too large").answered()
    ) {
      try await transport.send(TransportRequest(url: server.url()))
    }
  }

  @Test func aBodyCountsAsItArrives() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: 8000000\r\n\r\n"
        + String(repeating: "x", count: 8_000_000))
    let workflow = """
      {"limits": {"memory": "1MB"}, "steps": [
        {"id": "a", "endpoint": "GET \(server.url("/"))", "extract": {"n": {"text": true}}}]}
      """
    let report = try await Pipeline(workflow, transport: transport).run().result.report
    #expect(
      report.failures.first?.failure.message
        == "rows, bodies and failures hold more than 1 MB; 'limits.memory' sets how much they may hold"
    )
    #expect(report.counts.bytesReceived == 0)
  }
}
