import CurlTransports
import Foundation
import PipelineKit
import PipelineTestTraits
import Testing

@Suite(.ownThreads) struct CancellationTests {
  @Test func cancellingATaskClosesItsSocket() async throws {
    let transport = CurlTransport()
    let (asked, closed) = (Signal(), Signal())
    let server = try RawServer { connection in
      _ = connection.readRequest()
      asked.send()
      connection.waitForClose()
      closed.send()
    }
    let task = Task { try await transport.send(TransportRequest(url: server.url())) }
    await asked.wait()
    task.cancel()
    await #expect(throws: TransportError(.cancelled, "cancelled")) { try await task.value }
    await closed.wait()
    // Another request still goes through.
    let echo = try RawServer.echo()
    #expect(try await transport.send(TransportRequest(url: echo.url())).status == 200)
  }

  @Test func aTaskThatIsCancelledBeforeItSendsSendsNothing() async throws {
    let transport = CurlTransport()
    let server = try RawServer.echo()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(TransportRequest(url: server.url()))
    }
    await #expect(throws: TransportError(.cancelled, "cancelled")) { try await task.value }
    #expect(server.connectionCount == 0)
  }

  @Test func cancellingAtAnyMomentEndsEveryRequestOnce() async throws {
    let transport = CurlTransport()
    let server = try RawServer.echo()
    for round in 0..<40 {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<25 {
          group.addTask {
            let request = TransportRequest(url: server.url("/\(round)/\(number)"))
            do throws(TransportError) {
              let response = try await transport.send(request)
              #expect(response.status == 200)
            } catch {
              #expect(error.kind == .cancelled)
            }
          }
        }
        for _ in 0..<(round % 5) { await group.next() }
        group.cancelAll()
      }
    }
  }

  @Test func shuttingDownEndsWhatIsInFlight() async throws {
    let transport = CurlTransport()
    let (asked, closed) = (Signal(), Signal())
    let server = try RawServer { connection in
      _ = connection.readRequest()
      asked.send()
      connection.waitForClose()
      closed.send()
    }
    let tasks = (0..<10).map { _ in
      Task { try await transport.send(TransportRequest(url: server.url())) }
    }
    for _ in 0..<10 { await asked.wait() }
    transport.shutdown()
    for task in tasks {
      await #expect(throws: TransportError(.cancelled, "the transport was shut down")) {
        try await task.value
      }
      await closed.wait()
    }
    await #expect(throws: TransportError(.cancelled, "the transport was shut down")) {
      try await transport.send(TransportRequest(url: server.url()))
    }
    transport.shutdown()
  }
}

#if os(Linux)
  /// Other suites open and close descriptors at the same time, so only the sockets to a test's own
  /// server are counted.
  @Suite(.ownThreads) struct DescriptorTests {
    @Test func noDescriptorIsLeft() async throws {
      let server = try RawServer.echo()
      let stalled = try RawServer { $0.waitForClose() }
      let transport = CurlTransport()
      for _ in 0..<3 {
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<60 {
            group.addTask {
              _ = try? await transport.send(TransportRequest(url: server.url("/\(number)")))
            }
            group.addTask {
              _ = try? await transport.send(
                TransportRequest(url: stalled.url(), timeout: .milliseconds(20)))
            }
            group.addTask {
              _ = try? await transport.send(TransportRequest(url: server.url(), responseLimit: 1))
            }
          }
        }
      }
      #expect(try clientSockets(to: server.port) > 0)
      #expect(try clientSockets(to: server.port) <= 120)
      #expect(try clientSockets(to: stalled.port) == 0)
      transport.shutdown()
      #expect(try clientSockets(to: server.port) == 0)
    }

    /// How many of this process's sockets are connected to `port`.
    private func clientSockets(to port: Int) throws -> Int {
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return descriptors.compactMap { Int32($0) }.count { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getpeername(descriptor, $0, &length) == 0
          }
        }
        return isConnected && Int(UInt16(bigEndian: address.sin_port)) == port
      }
    }
  }
#endif
