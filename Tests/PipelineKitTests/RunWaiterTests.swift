import PipelineKit
import PipelineTesting
import Synchronization
import Testing

/// Several tasks may await one run, and each may stop waiting.
@Suite(.timeLimit(.minutes(5))) struct RunWaiterTests {
  /// A server that answers when the test says so.
  private struct Server {
    let transport: ScriptedTransport
    let asked: AsyncStream<Void>
    private let answer: AsyncStream<Void>.Continuation

    init() {
      let (asked, ask) = AsyncStream<Void>.makeStream()
      let (answers, answer) = AsyncStream<Void>.makeStream()
      self.asked = asked
      self.answer = answer
      transport = ScriptedTransport { request in
        guard request.method == "GET" else { return .status(204) }
        ask.yield()
        for await _ in answers { break }
        return .json(["n": 1])
      }
    }

    func letGo() { answer.finish() }

    func run() throws -> Run {
      try Pipeline(
        """
        {"steps": [{"id": "a", "endpoint": "GET https://api.example/a", "extract": {"n": "$.n"}}],
         "finally": [{"id": "tidy", "endpoint": "DELETE https://api.example/a"}],
         "outputs": {"n": "{{a.n}}"}}
        """, transport: transport
      ).run()
    }
  }

  private struct Output: Decodable, Equatable { let n: Int }

  /// What a task that awaits the run gets.
  private enum End: Equatable {
    case value(Int)
    case cancellation
    case other(String)
  }

  private func waiting(for run: Run) -> Task<End, Never> {
    Task {
      do {
        return .value(try await run.value(of: Output.self).n)
      } catch is CancellationError {
        return .cancellation
      } catch {
        return .other("\(error)")
      }
    }
  }

  /// Returns when so many tasks wait.
  private func wait(for count: Int, _ run: Run) async {
    while run.waiterCount < count { await Task.yield() }
  }

  @Test func whoStillAwaitsGetsTheResult() async throws {
    for _ in 0..<100 {
      let server = Server()
      let run = try server.run()
      let (first, second) = (waiting(for: run), waiting(for: run))
      for await _ in server.asked { break }
      await wait(for: 2, run)
      first.cancel()
      // It does not wait for the end of the run.
      #expect(await first.value == .cancellation)
      server.letGo()
      #expect(await second.value == .value(1))
    }
  }

  @Test func theLastOneThatAwaitsCancelsTheRun() async throws {
    for _ in 0..<100 {
      let server = Server()
      let run = try server.run()
      let tasks = [waiting(for: run), waiting(for: run), waiting(for: run)]
      for await _ in server.asked { break }
      await wait(for: 3, run)
      for task in tasks { task.cancel() }
      for task in tasks { #expect(await task.value == .cancellation) }
      server.letGo()
      #expect(try await run.result.status == .cancelled)
      #expect(server.transport.requests.map(\.method) == ["GET", "DELETE"])
    }
  }

  /// When its wait ends, the clean-up of the run is done.
  @Test func theLastOneThatAwaitsWaitsForTheCleanUp() async throws {
    let server = Server()
    let run = try server.run()
    let task = waiting(for: run)
    for await _ in server.asked { break }
    await wait(for: 1, run)
    task.cancel()
    server.letGo()
    #expect(await task.value == .cancellation)
    #expect(server.transport.requests.last?.method == "DELETE")
  }

  @Test func aStartedRunGoesOnWithoutThoseWhoAwaitIt() async throws {
    for isStartedFirst in [true, false] {
      let server = Server()
      let run = try server.run()
      if isStartedFirst { run.start() }
      let task = waiting(for: run)
      for await _ in server.asked { break }
      await wait(for: 1, run)
      if !isStartedFirst { run.start() }
      task.cancel()
      #expect(await task.value == .cancellation)
      server.letGo()
      #expect(try await run.result.output("n", as: Int.self) == 1)
    }
  }

  /// Whoever listens does not await the result.
  @Test func aListenerDoesNotKeepARunThatNobodyAwaits() async throws {
    let server = Server()
    let run = try server.run()
    let task = waiting(for: run)
    var ended: RunReport.Status?
    for await event in run.events() {
      switch event.kind {
      case .stepStarted(let step) where step.step == "a":
        await wait(for: 1, run)
        task.cancel()
        server.letGo()
      case .runFinished(let report): ended = report.status
      default: break
      }
    }
    #expect(ended == .cancelled)
    #expect(await task.value == .cancellation)
  }

  @Test func aCancelledTaskStillReadsTheResultOfARunThatHasEnded() async throws {
    let server = Server()
    let run = try server.run()
    server.letGo()
    _ = try await run.result
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await run.result.output("n", as: Int.self)
    }
    #expect(try await task.value == 1)
  }

  @Test func aCancelledTaskThatComesLaterLeavesTheOthers() async throws {
    for _ in 0..<100 {
      let server = Server()
      let run = try server.run()
      let first = waiting(for: run)
      for await _ in server.asked { break }
      await wait(for: 1, run)
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await run.result
      }
      await #expect(throws: CancellationError.self) { try await late.value }
      server.letGo()
      #expect(await first.value == .value(1))
    }
  }

  /// Tasks come and go at any moment while one stays: each wait ends exactly once, and the run goes
  /// on.
  @Test func waitsThatEndAtAnyMomentEndOnce() async throws {
    for round in 0..<200 {
      let server = Server()
      let run = try server.run()
      let first = waiting(for: run)
      for await _ in server.asked { break }
      await wait(for: 1, run)
      let tasks = (0..<8).map { _ in waiting(for: run) }
      for (number, task) in tasks.enumerated() where (round + number) % 3 == 0 { task.cancel() }
      if round % 2 == 0 { await Task.yield() }
      server.letGo()
      #expect(await first.value == .value(1))
      for (number, task) in tasks.enumerated() {
        let end = await task.value
        #expect(end == .value(1) || (round + number) % 3 == 0 && end == .cancellation)
      }
    }
  }
}
