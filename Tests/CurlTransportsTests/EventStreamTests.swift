import CurlTransports
import Foundation
import PipelineJSONText
import PipelineKit
import PipelineTestTraits
import Synchronization
import Testing

@testable import PipelineEngine

/// `"read": {"sse": {"until": …}}` while the response is open.
@Suite(.ownThreads) struct EventStreamTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  private static func file(_ server: RawServer, _ rest: String = "") -> String {
    """
    {"steps": [{"id": "chat", "endpoint": "GET \(server.url())",
       "read": {"sse": {"until": "@.data == '[DONE]'"}}\(rest),
       "extract": {"parts": "$[*].data"}}],
     "outputs": {"parts": "{{chat.parts}}"}}
    """
  }

  /// What a test and its server tell each other.
  private final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func send() { semaphore.signal() }
    func wait() -> Bool { semaphore.wait(timeout: .now() + 20) == .success }
  }

  private static func run(
    _ file: String, _ options: RunOptions = RunOptions()
  ) async throws -> RunResult {
    try await Pipeline(file, transport: CurlTransport(), options: options).run().result
  }

  @Test func theLastEventEndsAResponseThatStaysOpen() async throws {
    let (seen, closed) = (Signal(), Signal())
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write(Self.head + "data: one\n\nda")
      // The rest is not sent before the run has said that the first event came.
      guard seen.wait() else { return }
      connection.write("ta: two\n\ndata: [DONE]\n\ndata: never wanted\n\n")
      if connection.readRequest() == nil { closed.send() }
    }
    defer { server.stop() }
    var options = RunOptions()
    let events = Mutex<[String]>([])
    options.observer = { event in
      guard case .eventReceived(let received) = event.kind else { return }
      events.withLock {
        $0.append(
          "\(received.step) \(received.attempt) \(String(decoding: received.row, as: UTF8.self))")
      }
      seen.send()
    }
    let result = try await Self.run(Self.file(server), options)
    #expect(result.report.failures.isEmpty, "\(result.report.failures)")
    #expect(result.outputs.text == #"{"parts":["one","two","[DONE]"]}"#)
    #expect(
      events.withLock { $0 } == [
        #"chat 1 {"event":"message","data":"one"}"#, #"chat 1 {"event":"message","data":"two"}"#,
        #"chat 1 {"event":"message","data":"[DONE]"}"#,
      ])
    #expect(closed.wait())
  }

  @Test func aStreamThatEndsBeforeIsANetworkFailureAndIsAskedForAgain() async throws {
    let count = Mutex(0)
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        let text = isFirst ? "data: one\n\n" : "data: one\n\ndata: [DONE]\n\n"
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
      }
    }
    defer { server.stop() }
    let failed = try await Self.run(Self.file(server))
    let failure = try #require(failed.report.failures.first?.failure)
    #expect(failure.kind == .network)
    #expect(
      failure.message.contains(
        "the stream ended before an event for which '@.data == '[DONE]'' holds"),
      "\(failure.message)")
    count.withLock { $0 = 0 }
    let again = try await Self.run(
      Self.file(server, #", "retry": {"attempts": 2, "delay": "1ms"}"#))
    #expect(again.outputs.text == #"{"parts":["one","[DONE]"]}"#)
  }

  @Test func aRefusalIsNoStream() async throws {
    let server = try RawServer(
      answering:
        "HTTP/1.1 429 Slow down\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    defer { server.stop() }
    let result = try await Self.run(Self.file(server))
    #expect(result.report.failures.first?.failure.kind == .status)
    let page = try RawServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>")
    defer { page.stop() }
    #expect(try await Self.run(Self.file(page)).report.failures.first?.failure.kind == .expect)
  }

  @Test func secretsOfAnEventAreHidden() async throws {
    let text = "data: the key is verysecretkey\n\ndata: [DONE]\n\n"
    let server = try RawServer(
      answering: Self.head.replacingOccurrences(
        of: "\r\n\r\n", with: "\r\nContent-Length: \(text.utf8.count)\r\n\r\n") + text)
    defer { server.stop() }
    let file = """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "steps": [{"id": "chat", "endpoint": "GET \(server.url())",
         "auth": {"bearer": "{{inputs.key}}"}, "read": "sse", "extract": {"n": "$[0].event"}}]}
      """
    var options = RunOptions()
    let rows = Mutex<[String]>([])
    options.observer = { event in
      if case .eventReceived(let received) = event.kind {
        rows.withLock { $0.append(String(decoding: received.row, as: UTF8.self)) }
      }
    }
    _ = try await Pipeline(file, transport: CurlTransport(), options: options)
      .run(inputs: ["key": .string("verysecretkey")]).result
    let first = try #require(rows.withLock { $0.first })
    #expect(!first.contains("verysecretkey"))
    #expect(first.contains("the key is"))
  }
}
