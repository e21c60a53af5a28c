import CurlTransports
import PipelineKit
import Testing

@Suite struct ExecutorTests {
  @Test(arguments: [1, 2, 100], [1, 3])
  func tasksRunOnTheTransportsExecutor(_ width: Int, threads: Int) async throws {
    let transport = CurlTransport(.init(threads: threads))
    let server = try RawServer.echo()
    let count = await withTaskExecutorPreference(transport.preferredExecutor) {
      await withTaskGroup(of: Int.self) { group in
        for task in 0..<width {
          group.addTask {
            var count = 0
            for number in 0..<20 {
              let request = HTTPRequest(url: server.url("/\(task)/\(number)"))
              let response = try? await transport.send(request)
              if response?.status == 200 { count += 1 }
            }
            return count
          }
        }
        return await group.reduce(0, +)
      }
    }
    #expect(count == width * 20)
  }

  @Test func aTransportCanBeShutDownFromItsOwnExecutor() async throws {
    let server = try RawServer.echo()
    for _ in 0..<20 {
      let transport = CurlTransport()
      await withTaskExecutorPreference(transport.preferredExecutor) {
        _ = try? await transport.send(HTTPRequest(url: server.url()))
        transport.shutdown()
        let late = try? await transport.send(HTTPRequest(url: server.url()))
        #expect(late == nil)
        await Task.yield()
      }
    }
  }

  @Test func aTaskOnTheExecutorCanBeCancelled() async throws {
    let transport = CurlTransport()
    let asked = Signal()
    let server = try RawServer { connection in
      _ = connection.readRequest()
      asked.send()
      connection.waitForClose()
    }
    await withTaskExecutorPreference(transport.preferredExecutor) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await #expect(throws: TransportError(.cancelled, "cancelled")) {
            try await transport.send(HTTPRequest(url: server.url()))
          }
        }
        await asked.wait()
        group.cancelAll()
      }
    }
  }
}
