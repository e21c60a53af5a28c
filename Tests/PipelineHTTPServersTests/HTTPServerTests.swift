import PipelineHTTPServers
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing

@Suite(.ownThreads) struct HTTPServerTests {
  /// What a handler gave to the test's thread.
  private final class Desk: Sendable {
    let replies = Mutex<[ServerReply]>([])
    let departed = Mutex(0)

    /// The reply of the request that comes next.
    func reply() -> ServerReply {
      while true {
        if let reply = replies.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return reply }
      }
    }

    func leave() { departed.withLock { $0 += 1 } }
  }

  private func server(
    _ desk: Desk, addsVersion6: Bool = false, settings: LoopSettings = LoopSettings()
  ) throws -> HTTPServer {
    try HTTPServer.start(port: 0, addsVersion6: addsVersion6, settings: settings) { _ in
      HTTPServer.Handler(
        respond: { request, reply in
          switch request.path {
          case "/later":
            desk.replies.withLock { $0.append(reply) }
            return .awaited { desk.leave() }
          case "/events":
            desk.replies.withLock { $0.append(reply) }
            return .events { desk.leave() }
          default: return .bytes(Array(request.target.utf8), type: "text/plain")
          }
        }, refuse: { .bytes(Array("refused \($0.status)".utf8), type: "text/plain", status: 418) })
    }
  }

  @Test func anAnswerMayComeFromAnotherThread() throws {
    let desk = Desk()
    let server = try server(desk)
    defer { server.stop() }
    let client = try TestClient(port: server.port)
    client.send(
      "GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
    let reply = desk.reply()
    reply.finish(status: 201, fields: [ServerRequest.Field("X-Now", "1")], body: Array("late".utf8))
    let answer = try client.answer()
    #expect(answer.status == 201)
    #expect(answer.header("X-Now") == "1")
    #expect(answer.text == "late")
    // The connection goes on, and what comes too late reaches no other request.
    reply.finish(status: 500, fields: [], body: [])
    #expect(try client.answer().text == "/next")
    #expect(desk.departed.withLock { $0 } == 0)
  }

  @Test func eventsArePushedUntilTheirEnd() throws {
    let desk = Desk()
    let server = try server(desk)
    defer { server.stop() }
    let client = try TestClient(port: server.port)
    client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
    let reply = desk.reply()
    for number in 0..<1000 { reply.append(Array("data: \(number)\n\n".utf8)) }
    reply.append([])
    reply.end()
    reply.append(Array("lost".utf8))
    let answer = try client.answer()
    #expect(answer.header("Content-Type") == "text/event-stream")
    #expect(answer.text == (0..<1000).map { "data: \($0)\n\n" }.joined())
    #expect(try client.request("GET", "/next").text == "/next")
    #expect(desk.departed.withLock { $0 } == 0)
  }

  @Test func aSilentStreamPulses() throws {
    var settings = LoopSettings()
    settings.pulse = .milliseconds(1)
    settings.idle = .milliseconds(1)
    settings.sweep = .milliseconds(1)
    let desk = Desk()
    let server = try server(desk, settings: settings)
    defer { server.stop() }
    let client = try TestClient(port: server.port)
    client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
    let text = String(decoding: try client.read(400), as: UTF8.self)
    #expect(text.contains(String(repeating: "3\r\n:\n\n\r\n", count: 20)))
  }

  @Test func aDepartedClientIsReportedOnce() throws {
    let desk = Desk()
    let server = try server(desk)
    defer { server.stop() }
    for path in ["/later", "/events"] {
      var client: TestClient? = try TestClient(port: server.port)
      client?.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      let reply = desk.reply()
      client = nil
      while server.counters.open > 0 {}
      reply.append(Array("x".utf8))
      reply.finish(status: 200, fields: [], body: [])
      reply.end()
    }
    #expect(try TestClient(port: server.port).request("GET", "/").status == 200)
    #expect(desk.departed.withLock { $0 } == 2)
  }

  @Test func aClientThatDoesNotReadIsCutOff() throws {
    var settings = LoopSettings()
    settings.backlog = 1 << 20
    let desk = Desk()
    let server = try server(desk, settings: settings)
    defer { server.stop() }
    let client = try TestClient(port: server.port)
    client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
    let reply = desk.reply()
    let piece = [UInt8](repeating: 120, count: 1 << 16)
    for _ in 0..<512 { reply.append(piece) }
    while server.counters.open > 0 {}
    #expect(desk.departed.withLock { $0 } == 1)
  }

  @Test func theHandlerAnswersWhatIsNotARequest() throws {
    let server = try server(Desk())
    defer { server.stop() }
    let client = try TestClient(port: server.port)
    client.send("nonsense\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == 418)
    #expect(answer.text == "refused 400")
    #expect(try client.readToEnd().isEmpty)
  }

  @Test func bothAddressesOfTheLoopbackAreServed() throws {
    let server = try server(Desk(), addsVersion6: true)
    defer { server.stop() }
    #expect(server.addresses.first == .version4)
    #expect(try TestClient(port: server.port).request("GET", "/a").text == "/a")
    guard server.addresses.contains(.version6) else { return }
    #expect(try TestClient(port: server.port, version: 6).request("GET", "/b").text == "/b")
  }

  @Test func stoppingEndsWhatWaits() throws {
    let desk = Desk()
    let server = try server(desk)
    let waiting = try ["/later", "/events"].map { path in
      let client = try TestClient(port: server.port)
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = desk.reply()
      return client
    }
    server.stop()
    #expect(desk.departed.withLock { $0 } == 2)
    #expect(try waiting[0].readToEnd().isEmpty)
  }
}
