import PipelineTestSupport
import Testing

@testable import PipelineHTTPServers

@Suite struct RequestParserTests {
  private func outcome(_ text: String, limits: RequestParser.Limits = .init()) -> String {
    var parser = RequestParser(limits: limits)
    Array(text.utf8).withUnsafeBytes { parser.receive($0) }
    switch parser.next() {
    case .incomplete: return "incomplete"
    case .continueExpected: return "continue"
    case .request(let request):
      return "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
    case .refused(let refusal): return "\(refusal.status)"
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / "),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / "),
    ("GET / HTTP/1.0\r\n\r\n", "GET / "),
    ("GET http://a/b?c HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a/b?c "),
    ("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "PUT /x abc"),
    ("PUT /x HTTP/1.1\r\nhost: a\r\ncontent-length:3 \r\n\r\nabc", "PUT /x abc"),
    (
      "PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: v\r\n\r\n", "PUT /x abc0123456789"
    ),
    ("GET / HTTP/1.1\r\nHost: a\r\n", "incomplete"),
    ("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab", "incomplete"),
    (
      "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n", "continue"
    ),
    (
      "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
      "PUT /x abc"
    ),
  ])
  func bytesBecomeRequests(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected)
  }

  @Test(arguments: [
    ("GET /\r\n\r\n", "400"),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"),
    ("GET / HTTX/1.1\r\nHost: a\r\n\r\n", "400"),
    ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: y\rZ: w\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", "413"),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400"
    ),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "501"),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n", "400"),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", "400"
    ),
  ])
  func malformedBytesAreRefused(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected)
  }

  @Test func limitsBoundHeadTargetAndBody() {
    let small = RequestParser.Limits(head: 100, body: 10)
    let long = String(repeating: "x", count: 200)
    #expect(outcome("GET / HTTP/1.1\r\nX: \(long)", limits: small) == "431")
    #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", limits: small) == "431")
    #expect(
      outcome("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", limits: small) == "413")
    let chunked = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(outcome(chunked + "6\r\nabcdef\r\n5\r\n", limits: small) == "413")
    let target = String(repeating: "y", count: 17 << 10)
    #expect(outcome("GET /\(target) HTTP/1.1\r\nHost: a\r\n\r\n") == "414")
  }

  @Test(arguments: 1...7)
  func anyCutOfTheBytesGivesTheSameRequests(_ step: Int) {
    let stream = Array(
      ("GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        + "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        + "PUT /c HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok"
        + "DELETE /d HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
    var parser = RequestParser()
    var seen: [String] = []
    for start in stride(from: 0, to: stream.count, by: step) {
      Array(stream[start..<min(start + step, stream.count)]).withUnsafeBytes { parser.receive($0) }
      while case .request(let request) = parser.next() {
        seen.append(request.method + request.target + String(decoding: request.body, as: UTF8.self))
      }
    }
    #expect(seen == ["GET/a", "POST/bhello", "PUT/cok", "DELETE/d"])
    #expect(parser.buffered == 0)
  }

  @Test func aRefusedStreamStaysRefused() {
    var parser = RequestParser()
    Array("nonsense\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).withUnsafeBytes {
      parser.receive($0)
    }
    for _ in 0..<2 {
      guard case .refused = parser.next() else {
        Issue.record("read on after a refusal")
        return
      }
    }
  }

  @Test func seededNoiseNeverTraps() {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "GET ", "/", " HTTP/1.1", "\r\n", "Host: a", "\n", ":", "Transfer-Encoding: chunked", "5",
      "\r", "Content-Length: 4", "\r\n\r\n", "\u{0}", "é", "0\r\n\r\n", "abcde",
    ]
    for _ in 0..<3000 {
      var parser = RequestParser()
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        Array(piece.utf8).withUnsafeBytes { parser.receive($0) }
        _ = parser.next()
      }
    }
  }

  @Test func targetsPartIntoSegmentsAndQuery() {
    let request = ServerRequest(method: "GET", target: "http://h:1/a%20b/c%2Fd/?x=1+2&y=%C3%A9&z")
    #expect(request.segments == ["a b", "c/d", ""])
    #expect(request.query("x") == "1 2")
    #expect(request.query("y") == "é")
    #expect(request.query("z") == "")
    #expect(request.query("w") == nil)
    #expect(ServerRequest(method: "GET", target: "/").segments.isEmpty)
    #expect(ServerRequest(method: "GET", target: "/%zz%4").segments == ["%zz%4"])
  }
}
