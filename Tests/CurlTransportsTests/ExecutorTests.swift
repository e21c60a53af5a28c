import CurlTransports
import PipelineKit
import PipelineTestTraits
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.ownThreads) struct ExecutorTests {
  @Test(arguments: [1, 2, 100], [1, 3])
  func tasksRunOnTheTransportsExecutor(_ width: Int, threads: Int) async throws {
    let transport = CurlTransport(.init(threads: threads))
    let server = try RawServer.echo()
    let count = await withTaskExecutorPreference(transport.preferredExecutor(for: 0)) {
      await withTaskGroup(of: Int.self) { group in
        for task in 0..<width {
          group.addTask(executorPreference: transport.preferredExecutor(for: task)) {
            var count = 0
            for number in 0..<20 {
              let request = TransportRequest(url: server.url("/\(task)/\(number)"))
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

  /// So that no connection waits while a large body is read.
  @Test func whatFollowsALargeBodyRunsElsewhere() async throws {
    // With one thread: a request that is made elsewhere may be served by any.
    let transport = CurlTransport(.init(threads: 1))
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        let count = request.contains("/large") ? 1 << 20 : 10
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
            + String(repeating: "x", count: count))
      }
    }
    try await withTaskExecutorPreference(transport.preferredExecutor(for: 0)) {
      var threads: [UInt] = []
      for path in ["/small", "/small", "/large"] {
        _ = try await transport.send(TransportRequest(url: server.url(path)))
        threads.append(Self.thread)
      }
      #expect(threads[0] == threads[1])
      #expect(threads[2] != threads[1])
      // A response that comes before its task could wait for it leaves the task where it is.
      var returns = false
      for _ in 0..<100 where !returns {
        _ = try await transport.send(TransportRequest(url: server.url("/small")))
        returns = Self.thread == threads[1]
      }
      #expect(returns)
    }
  }

  /// So that requests in flight are not called late for what the scheduler does.
  @Test func aSchedulerThatTookLongLeavesTheThread() async throws {
    let transport = CurlTransport(.init(threads: 1))
    let asked = Signal()
    let server = try RawServer { connection in
      _ = connection.readRequest()
      asked.send()
      connection.waitForClose()
    }
    defer { server.stop() }
    // In flight to the end, whatever the load.
    let request = TransportRequest(url: server.url(), silence: .seconds(3_600))
    let sending = Task {
      while !Task.isCancelled { _ = try? await transport.send(request) }
    }
    await asked.wait()
    let home = await withTaskExecutorPreference(transport.preferredExecutor(for: 0)) {
      await Task.yield()
      return Self.thread
    }
    await withTaskExecutorPreference(transport.preferredExecutor(for: nil)) {
      let end = ContinuousClock.now + .milliseconds(150)
      while ContinuousClock.now < end {}
      // Some jobs are taken before the thread looks at the time. On a loaded machine the thread may
      // have been left before.
      let limit = ContinuousClock.now + .seconds(60)
      while Self.thread == home, ContinuousClock.now < limit { await Task.yield() }
      #expect(Self.thread != home)
    }
    sending.cancel()
    _ = await sending.value
  }

  /// Many responses are there at once, and the tasks that they are for take long: all are read before
  /// most of the tasks go on, or the last would be called late.
  @Test func whatHasArrivedIsNotLateSinceTasksTakeLong() async throws {
    let transport = CurlTransport(.init(threads: 1))
    let count = 48
    // What the server's threads and, of the last two, the transport's wait for.
    let (connected, asked) = (Gathering(of: count), Gathering(of: count))
    let (held, answered) = (Gathering(of: count + 1), Gathering(of: count + 1))
    let allAsked = Signal()
    let server = try RawServer { connection in
      let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
      _ = connection.readRequest()
      connected.join()
      connection.write(response)
      _ = connection.readRequest()
      asked.join()
      allAsked.send()
      held.join()
      connection.write(response)
      answered.join()
      connection.waitForClose()
    }
    let inTime = await withTaskGroup(of: Int.self) { group in
      for task in 0..<count {
        group.addTask(executorPreference: transport.preferredExecutor(for: task)) {
          // While connections are new libcurl looks at them for reasons of its own.
          _ = try? await transport.send(TransportRequest(url: server.url()))
          // In that time the tasks of two batches of sockets go on, and not those of a third.
          let request = TransportRequest(url: server.url(), timeout: .seconds(3))
          let response = try? await transport.send(request)
          // The work of a task, which holds its thread.
          usleep(100_000)
          return response == nil ? 0 : 1
        }
      }
      group.addTask(executorPreference: transport.preferredExecutor(for: 0)) {
        await allAsked.wait()
        held.join()
        answered.join()
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(inTime == count)
  }

  /// So that the next request starts where the last one ended.
  @Test func theSchedulerRunsOnTheThreadThatBringsItNews() async {
    let transport = CurlTransport(.init(threads: 2))
    var homes: Set<UInt> = []
    for task in [0, 20] {
      let (home, scheduler) = await withTaskExecutorPreference(
        transport.preferredExecutor(for: task)
      ) {
        await Task.yield()
        let scheduler = Task(executorPreference: transport.preferredExecutor(for: nil)) {
          Self.thread
        }
        return (Self.thread, await scheduler.value)
      }
      #expect(home == scheduler)
      homes.insert(home)
    }
    #expect(homes.count == 2)
  }

  private static var thread: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  @Test func aTransportCanBeShutDownFromItsOwnExecutor() async throws {
    let server = try RawServer.echo()
    for _ in 0..<20 {
      let transport = CurlTransport()
      await withTaskExecutorPreference(transport.preferredExecutor(for: 0)) {
        _ = try? await transport.send(TransportRequest(url: server.url()))
        transport.shutdown()
        let late = try? await transport.send(TransportRequest(url: server.url()))
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
    await withTaskExecutorPreference(transport.preferredExecutor(for: 0)) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await #expect(throws: TransportError(.cancelled, "cancelled")) {
            try await transport.send(TransportRequest(url: server.url()))
          }
        }
        await asked.wait()
        group.cancelAll()
      }
    }
  }
}
