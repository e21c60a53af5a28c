import CurlTransports
import Foundation
import PipelineKit
import PipelineTestTraits
import Testing

/// What becomes of a request on a connection that was kept and ends: the server's log is the judge.
@Suite(.ownThreads) struct KeptConnectionTests {
  /// When the server ends the connection that answered a request before.
  enum Moment: String, CaseIterable {
    case idle, afterHead, withinBody, afterBody, withinStatusLine, withinHeader, withinAnswer
  }

  enum Content: CaseIterable {
    case bytes, largeBytes, file, multipart
  }

  /// Ends the connection of each second request at `moment`, and answers all others.
  private final class EndingServer: Sendable {
    private let log = RequestLog()
    let ended = Signal()
    private let server: RawServer

    init(_ moment: Moment, reset: Bool) throws {
      server = try RawServer { [log, ended] connection in
        while let head = connection.readHead() {
          let number = log.note(head)
          if head.hasPrefix("GET /first") {
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            guard moment == .idle else { continue }
            connection.end(reset: reset)
            return ended.send()
          }
          // A connection of its own is not one that was kept.
          let isKept = number == 2 && moment != .idle
          let size = Self.bodySize(head)
          switch isKept ? moment : .idle {
          case .idle:
            connection.read(count: size)
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            continue
          case .afterHead: break
          case .withinBody: connection.read(count: size / 2)
          case .afterBody: connection.read(count: size)
          case .withinStatusLine:
            connection.read(count: size)
            connection.write("HTTP/1.1 20")
          case .withinHeader:
            connection.read(count: size)
            connection.write("HTTP/1.1 200 OK\r\nContent-Len")
          case .withinAnswer:
            connection.read(count: size)
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
          }
          return connection.end(reset: reset)
        }
      }
    }

    func url(_ path: String) -> String { server.url(path) }

    func count(_ method: String) -> Int { log.count(of: "\(method) /second") }

    private static func bodySize(_ head: String) -> Int {
      let field = head.lowercased().split(separator: "content-length: ").dropFirst().first
      return field.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }
  }

  private func send(
    _ method: String, _ body: TransportBody, to server: EndingServer, _ moment: Moment
  ) async throws -> Result<TransportResponse, TransportError> {
    let transport = CurlTransport()
    defer { transport.shutdown() }
    _ = try await transport.send(TransportRequest(url: server.url("/first")))
    if moment == .idle { await server.ended.wait() }
    do {
      return .success(
        try await transport.send(
          TransportRequest(method: method, url: server.url("/second"), body: body)))
    } catch {
      return .failure(error)
    }
  }

  /// The end of an idle connection is mostly seen before a request leaves. On a busy machine it may
  /// be seen later. Then the request is lost, and libcurl does not send it again by itself.
  private func check(_ result: Result<TransportResponse, TransportError>, count: Int) {
    switch result {
    case .success: #expect(count == 1)
    case .failure(let error):
      #expect(count == 0)
      #expect(error.loss != nil, "\(error)")
    }
  }

  @Test(arguments: Moment.allCases, Content.allCases)
  func aPOSTReachesTheServerOnce(_ moment: Moment, _ content: Content) async throws {
    let path = NSTemporaryDirectory() + "kept-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let large = [UInt8](repeating: UInt8(ascii: "x"), count: 600_000)
    #expect(FileManager.default.createFile(atPath: path, contents: Data(large)))
    let body: TransportBody =
      switch content {
      case .bytes: .bytes(Array("{\"a\":1}".utf8))
      case .largeBytes: .bytes(large)
      case .file: .file(path)
      case .multipart: .multipart([.init(name: "a", content: .file(path))])
      }
    for reset in [false, true] {
      let server = try EndingServer(moment, reset: reset)
      let result = try await send("POST", body, to: server, moment)
      if moment == .idle {
        check(result, count: server.count("POST"))
      } else {
        #expect(server.count("POST") == 1)
        let error = #expect(throws: TransportError.self) { try result.get() }
        #expect(error?.kind == .interrupted)
        #expect(error?.loss != .unprocessed)
      }
    }
  }

  @Test(arguments: Moment.allCases, [false, true])
  func aGETThatIsLostIsNotSentAgainByLibcurl(_ moment: Moment, _ reset: Bool) async throws {
    let server = try EndingServer(moment, reset: reset)
    let result = try await send("GET", .none, to: server, moment)
    if moment == .idle {
      check(result, count: server.count("GET"))
    } else {
      #expect(server.count("GET") == 1)
      let error = #expect(throws: TransportError.self) { try result.get() }
      let isUnanswered = [.afterHead, .withinBody, .afterBody].contains(moment)
      if isUnanswered { #expect(error?.loss == .unanswered) }
    }
  }

  // MARK: What the engine makes of it

  private func run(
    _ server: EndingServer, _ second: String, limit: Int = 100
  ) async throws -> (report: RunReport, events: [RunEvent.RequestFinished]) {
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let pipeline = try Pipeline(
      """
      {"defaults": {"baseURL": "\(server.url(""))"}, "limits": {"requests": \(limit)}, "steps": [
        {"id": "first", "endpoint": "GET /first"},
        {"id": "second", "dependsOn": ["first"], "endpoint": "\(second)"}]}
      """, transport: transport)
    let run = pipeline.run()
    var events: [RunEvent.RequestFinished] = []
    for await event in run.events() {
      if case .requestFinished(let request) = event.kind, request.step == "second" {
        events.append(request)
      }
    }
    return (try await run.result.report, events)
  }

  @Test(arguments: ["GET", "PUT", "DELETE"], [false, true])
  func theEngineSendsALostRequestOnceMore(_ method: String, _ reset: Bool) async throws {
    let server = try EndingServer(.afterBody, reset: reset)
    let (report, events) = try await run(server, "\(method) /second")
    #expect(report.status == .succeeded)
    #expect(server.count(method) == 2)
    #expect(report.counts.requests == 3)
    #expect(events.map(\.attempt) == [1, 2])
    #expect(events.map(\.requests) == [1, 1])
    #expect(events.first?.error?.kind == .interrupted)
    #expect(events.first?.retryAfter == .zero)
    #expect(events.last?.status == 200)
  }

  @Test(arguments: ["POST", "PATCH"])
  func theEngineDoesNotSendALostPOSTAgain(_ method: String) async throws {
    let server = try EndingServer(.afterBody, reset: false)
    let (report, events) = try await run(server, "\(method) /second")
    #expect(server.count(method) == 1)
    #expect(report.counts.requests == 2)
    #expect(events.map(\.attempt) == [1])
    let failure = try #require(report.failures.first?.failure)
    #expect(failure.message == "kept connection closed before any answer")
    #expect(
      failure.hints == ["the server may have processed the \(method), so it is not sent again"])
  }

  @Test func theLimitCountsWhatIsSentAgain() async throws {
    let server = try EndingServer(.afterBody, reset: false)
    let (report, _) = try await run(server, "GET /second", limit: 2)
    #expect(report.status == .failed)
    #expect(server.count("GET") == 1)
    #expect(report.counts.requests == 2)
    #expect(report.failures.first?.failure.kind == .limit)
  }

  @Test func everyGETSucceedsThoughEachConnectionEndsAfterItsAnswer() async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    }
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let pipeline = try Pipeline(
      """
      {"steps": [{"id": "get", "forEach": {"from": 1, "to": 300}, "concurrency": 4,
        "endpoint": "GET \(server.url())"}]}
      """, transport: transport)
    let report = try await pipeline.run().result.report
    #expect(report.status == .succeeded, "\(report.failures.map(\.failure))")
    #expect(report.counts.items == 300)
  }
}
