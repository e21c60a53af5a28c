import CurlTransports
import Foundation
import PipelineKit
import Testing

/// A request counts when its first byte leaves: report, events and the server's log agree.
@Suite struct RequestCountTests {
  private func run(
    _ workflow: String
  ) async throws -> (report: RunReport, events: [RunEvent.RequestFinished]) {
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let run = try Pipeline(workflow, transport: transport).run()
    var events: [RunEvent.RequestFinished] = []
    for await event in run.events {
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
    let server = try RawServer { _ in }
    let url = server.url()
    server.stop()
    let (report, events) = try await run(
      """
      {"steps": [{"id": "get", "endpoint": "GET \(url)", "retry": {"attempts": 2, "delay": "0s"}}]}
      """)
    #expect(report.counts.requests == 0)
    #expect(events.map(\.requests) == [0, 0])
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
    let (limited, _) = try await run(workflow(1))
    #expect(limited.failures.first?.failure.kind == .limit)
    #expect(limited.counts.requests == 1)
    #expect(log.count(of: "POST /") == 3)
  }
}
