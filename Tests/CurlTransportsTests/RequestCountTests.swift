import CurlTransports
import Foundation
import PipelineKit
import PipelineTestSupport
import PipelineTestTraits
import PipelineTesting
import Testing

/// A request counts when its first byte leaves: report, events and the server's log agree.
@Suite(.ownThreads) struct RequestCountTests {
  private func run(
    _ workflow: String
  ) async throws -> (report: RunReport, events: [RunEvent.RequestFinished]) {
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let run = try Pipeline(workflow, transport: transport).run()
    var events: [RunEvent.RequestFinished] = []
    for await event in run.events() {
      if case .requestFinished(let request) = event.kind { events.append(request) }
    }
    return (try await run.result.report, events)
  }

  @Test func requestsThatAnotherItemsFailureCancelsAreCounted() async throws {
    let gathering = Gathering(of: 10)
    let server = try RawServer { connection in
      guard let request = connection.readRequest() else { return }
      gathering.join()
      if request.hasPrefix("GET /1 ") { return connection.write("HTTP/1.1 500 No\r\n\r\n") }
      connection.waitForClose()
    }
    let (report, events) = try await run(
      """
      {"steps": [{"id": "get", "forEach": {"from": 1, "to": 10}, "as": "n",
        "endpoint": "GET \(server.url("/"))\("{{n}}")"}]}
      """)
    #expect(report.status == .failed)
    #expect(server.connectionCount == 10)
    #expect(report.counts.requests == 10)
    #expect(events.reduce(0) { $0 + $1.requests } == 10)
    #expect(events.count { $0.error?.kind == .cancelled } == 9)
  }

  @Test func aRequestWithoutConnectionIsNotCounted() async throws {
    let port = ClosedPort()
    let (report, events) = try await run(
      """
      {"steps": [{"id": "get", "endpoint": "GET http://127.0.0.1:\(port.number)/",
        "retry": {"attempts": 2, "delay": "0s"}}]}
      """)
    #expect(report.counts.requests == 0)
    #expect(events.map(\.requests) == [0, 0])
  }

  /// Wants a proof of who calls, and notes each request that arrives.
  private func digestServer(_ log: RequestLog, _ arrived: Signal) throws -> RawServer {
    try RawServer { connection in
      while let request = connection.readRequest() {
        let isProven = request.lowercased().contains("authorization: digest")
        _ = log.note((isProven ? "proven " : "bare ") + request.bodyPart)
        connection.write(
          isProven
            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
            : "HTTP/1.1 401 No\r\nContent-Length: 0\r\n"
              + "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n\r\n")
        arrived.send()
      }
    }
  }

  private func digestRun(
    _ server: RawServer, _ limits: String, _ clock: ManualClock, _ transport: CurlTransport
  ) throws -> Run {
    var options = RunOptions()
    options.clock = clock
    return try Pipeline(
      """
      {"limits": {\(limits)}, "inputs": {"p": {"type": "string", "default": "x"}},
       "steps": [{"id": "get", "endpoint": "POST \(server.url())", "body": {"text": "hello"},
         "timeout": "1m",
         "auth": {"digest": {"user": "u", "password": "{{inputs.p}}"}}}]}
      """, transport: transport, options: options
    ).run()
  }

  @Test(arguments: [#""rate": "1/10s""#, #""ratePerOrigin": "1/10s""#])
  func theSecondRoundOfADigestWaitsForTheRate(_ limits: String) async throws {
    let (log, arrived, clock) = (RequestLog(), Signal(), ManualClock())
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let server = try digestServer(log, arrived)
    let run = try digestRun(server, limits, clock, transport)
    async let result = run.result
    await arrived.wait()
    // The run's deadline sleeps, too.
    await clock.waitForSleepers(2)
    #expect(log.count(of: "") == 1)
    clock.advance(by: .seconds(9))
    #expect(clock.nextWake.map { $0 < .seconds(2) } == true)
    #expect(log.count(of: "") == 1)
    clock.advance(by: .seconds(2))
    let report = try await result.report
    #expect(report.status == .succeeded, "\(report.failures.map(\.failure.message))")
    #expect(report.counts.requests == 2)
    #expect(log.count(of: "bare") == 1)
    #expect(log.count(of: "proven hello") == 1)
  }

  @Test func aDigestThatIsStoppedBeforeItsSecondRoundHasSentOne() async throws {
    let (log, arrived, clock) = (RequestLog(), Signal(), ManualClock())
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let server = try digestServer(log, arrived)
    let run = try digestRun(server, #""rate": "1/10s""#, clock, transport)
    async let result = run.result
    async let sentCount = run.events().reduce(0) { count, event in
      if case .requestFinished(let request) = event.kind { count + request.requests } else { count }
    }
    await arrived.wait()
    await clock.waitForSleepers(2)
    run.cancel()
    let report = try await result.report
    #expect(report.status == .cancelled)
    #expect(report.counts.requests == 1)
    #expect(await sentCount == 1)
    #expect(log.count(of: "") == 1)
    // The transport goes on with others.
    let plain = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    #expect(try await transport.send(TransportRequest(url: plain.url())).status == 200)
  }

  @Test func bothRoundsOfADigestAreCountedAndLimited() async throws {
    let log = RequestLog()
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        _ = log.note(request)
        let isProven = request.lowercased().contains("authorization: digest")
        connection.write(
          isProven
            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
            : "HTTP/1.1 401 No\r\nContent-Length: 0\r\n"
              + "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n\r\n")
      }
    }
    func workflow(_ limit: Int) -> String {
      """
      {"limits": {"requests": \(limit)}, "inputs": {"p": {"type": "string", "default": "x"}},
       "steps": [{"id": "get", "endpoint": "POST \(server.url())", "body": {"text": "hello"},
         "auth": {"digest": {"user": "u", "password": "{{inputs.p}}"}}}]}
      """
    }
    let (report, events) = try await run(workflow(2))
    #expect(report.status == .succeeded)
    #expect(report.counts.requests == 2)
    #expect(events.map(\.requests) == [2])
    #expect(log.count(of: "POST /") == 2)
    let (limited, limitedEvents) = try await run(workflow(1))
    #expect(limited.failures.first?.failure.kind == .limit)
    #expect(limited.counts.requests == 1)
    #expect(limitedEvents.map(\.requests) == [1])
    #expect(log.count(of: "POST /") == 3)
  }
}
