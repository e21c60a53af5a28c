import PipelineTestTraits
import PipelineTestSupport
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

@Suite(.ownThreads) struct ConnectionTests {
  @Test func aConnectionCarriesManyRequests() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    for id in 1...12 {
      let answer = try client.request("GET", "/reqres/users/\(id)")
      #expect(answer.status == 200)
      #expect(answer.header("Date")?.hasSuffix(" GMT") == true)
    }
    #expect(server.records.acceptedConnections == 1)
    #expect(Set(server.records.requests.map(\.connection)) == [1])
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    let targets = (0..<200).map { $0 % 7 == 3 ? "/slow/\($0)?ms=1" : "/echo/\($0)" }
    client.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    for (index, target) in targets.enumerated() {
      let text = try client.answer().text
      #expect(text.contains(target.hasPrefix("/slow") ? "\"id\":\"\(index)\"" : "\"\(target)\""))
    }
  }

  @Test func aClientThatEndsItsHalfGetsEveryAnswer() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    let request = "GET /binary/50000 HTTP/1.1\r\nHost: a\r\n\r\n"
    client.send(String(repeating: request, count: 200))
    client.endInput()
    for _ in 0..<200 { #expect(try client.answer().bytes.count == 50_000) }
    #expect(try client.readToEnd().isEmpty)
    #expect(try server.reaches { server.records.openConnections == 0 })
    #expect(server.records.abandonedRequests == 0)
  }

  @Test func headSendsTheHeadAlone() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    let length = try client.request("GET", "/reqres/users/1").header("Content-Length")
    let head = try client.request("HEAD", "/reqres/users/1")
    #expect(head.status == 200)
    #expect(head.header("Content-Length") == length)
    #expect(try client.request("GET", "/reqres/users/1").status == 200)
  }

  @Test func whatNoRouteTakesIsRefusedAsJSON() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let missing = try server.request("GET", "/nowhere/at/all")
    #expect(missing.status == 404)
    #expect(missing.text.contains("\"/nowhere/at/all\""))
    let refused = try server.request("DELETE", "/reqres/users")
    #expect(refused.status == 405)
    #expect(refused.header("Allow") == "GET, POST, HEAD")
  }

  @Test func aConnectionClosesWhenAsked() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    let answer = try client.request("GET", "/", headers: ["Connection": "close"])
    #expect(answer.header("Connection") == "close")
    #expect(try client.readToEnd().isEmpty)
    let old = try TestClient(server)
    old.send("GET /status/200 HTTP/1.0\r\n\r\n")
    #expect(try old.answer().status == 200)
    #expect(try old.readToEnd().isEmpty)
  }

  @Test func aClientThatExpectsContinueIsAsked() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.answer().status == 100)
    client.send("body")
    #expect(try client.answer().text.contains("\"body\":\"body\""))
  }

  @Test func aRefusedClientSeesWhy() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
    client.send([UInt8](repeating: 1, count: 1 << 20))
    let answer = try client.answer()
    #expect(answer.status == 413)
    #expect(answer.text.contains("larger than"))
    #expect(try client.readToEnd().isEmpty)
  }

  @Test func aLargeBodyGoesBothWays() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    client.send("PUT /images/big HTTP/1.1\r\nHost: a\r\nContent-Length: \(bytes.count)\r\n\r\n")
    client.send(bytes)
    #expect(try client.answer().text.contains("\"size\":5000000"))
    #expect(try client.request("GET", "/images/big").bytes == bytes)
    #expect(server.records.requests.first?.body.isEmpty == true)
  }

  @Test func clientsThatLeaveTakeTheirDescriptorsAlong() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    for _ in 0..<50 {
      let idle = try TestClient(server)
      let partial = try TestClient(server)
      partial.send("GET /reqres/users HTTP/1.1\r\nHo")
      let waiting = try TestClient(server)
      waiting.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n")
      let stalled = try TestClient(server)
      stalled.send("GET /faults/stall HTTP/1.1\r\nHost: a\r\n\r\n")
      let unread = try TestClient(server)
      unread.send("GET /faults/long-header HTTP/1.1\r\nHost: a\r\n\r\n")
      withExtendedLifetime([idle, partial, waiting, stalled, unread]) {}
    }
    // The server may not have seen the first of them when the last one is gone.
    #expect(
      try server.reaches {
        server.records.abandonedRequests >= 100 && server.records.openConnections == 0
      })
    #expect(server.records.requestsUnderWay == 0)
  }

  @Test func requestsUnderWayAreCounted() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let clients = try (0..<10).map { _ in try TestClient(server) }
    for client in clients { client.send("GET /slow?ms=20000 HTTP/1.1\r\nHost: a\r\n\r\n") }
    #expect(try server.reaches { server.records.requestsUnderWay == 10 })
    #expect(server.records.peakRequestsUnderWay == 10)
  }

  @Test func hundredsOfConnectionsAreServedAtOnce() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let clients = try (0..<300).map { _ in try TestClient(server) }
    for client in clients { client.send("GET /bank/users/3 HTTP/1.1\r\nHost: a\r\n\r\n") }
    for client in clients { #expect(try client.answer().status == 200) }
    #expect(server.records.openConnections == 300)
  }

  @Test func idleConnectionsAreClosed() throws {
    var settings = LoopSettings()
    settings.idle = .milliseconds(5)
    settings.hold = .milliseconds(5)
    settings.sweep = .milliseconds(1)
    let server = try SandboxServer.start(port: 0, settings: settings)
    defer { server.stop() }
    let idle = try TestClient(server)
    #expect(try idle.readToEnd().isEmpty)
    let stalled = try TestClient(server)
    // A busy machine may send the request only after its connection was closed as idle.
    let failure = #expect(throws: TestClient.Failure.self) {
      try stalled.request("GET", "/faults/stall")
    }
    #expect(failure == .ended || failure == .reset)
  }

  @Test func stoppingClosesEverything() throws {
    let server = try SandboxServer.start()
    let idle = try TestClient(server)
    let waiting = try TestClient(server)
    waiting.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try server.reaches { server.records.requestsUnderWay == 1 })
    server.stop()
    server.stop()
    #expect(server.records.openConnections == 0)
    #expect(try idle.readToEnd().isEmpty)
    #expect(try waiting.readToEnd().isEmpty)
    // A server of another test may have the port by now, and end soon.
    #expect(
      Waiting.until {
        do throws(TestClient.Failure) {
          _ = try TestClient(server)
          return false
        } catch {
          return error == .refused
        }
      })
  }

  @Test func aTakenPortIsNamed() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    #expect(throws: ServerError.portInUse(server.port)) {
      try SandboxServer.start(port: server.port)
    }
    #expect(server.origin == "http://127.0.0.1:\(server.port)")
  }

  @Test func serversComeAndGoWithoutAReference() throws {
    for _ in 0..<100 { _ = try SandboxServer.start() }
  }
}
