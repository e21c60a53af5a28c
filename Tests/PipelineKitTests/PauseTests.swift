import PipelineKit
import PipelineTestSupport
import PipelineTesting
import Testing

/// `pause`, `resume` and `cancel` apply to a run under way in the order of the calls.
@Suite(.timeLimit(.minutes(5))) struct PauseTests {
  /// A call of a run's method.
  enum Call: Sendable {
    case pause, resume, cancel

    func callAsFunction(_ run: Run) {
      switch self {
      case .pause: run.pause()
      case .resume: run.resume()
      case .cancel: run.cancel()
      }
    }
  }

  /// A request that waits until the test lets it go.
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
        guard request.url.hasSuffix("/a") else { return .json(["n": [1]]) }
        ask.yield()
        for await _ in answers { break }
        return .json(["n": [1]])
      }
    }

    func letGo() { answer.finish() }
  }

  private let two = """
    {"defaults": {"baseURL": "https://api.example"},
     "steps": [{"id": "a", "endpoint": "GET /a", "extract": {"n": "$.n"}},
       {"id": "b", "forEach": "$.a.n", "endpoint": "GET /b?n={{item}}"}],
     "finally": [{"id": "tidy", "endpoint": "DELETE /tidy"}]}
    """

  @Test(arguments: [
    [Call.pause, .resume],
    [.pause, .resume, .pause, .resume, .pause, .resume],
    [.resume, .pause, .resume],
    [.pause, .pause, .resume],
  ])
  func aRunThatIsResumedGoesOn(_ calls: [Call]) async throws {
    for _ in 0..<LongTests.count(60, long: 300) {
      let server = Server()
      let run = try Pipeline(two, transport: server.transport).run().start()
      for await _ in server.asked { break }
      for call in calls { call(run) }
      server.letGo()
      let report = try await run.result.report
      #expect(report.status == .succeeded)
      #expect(report.counts.requests == 3)
    }
  }

  @Test(arguments: [
    [Call.pause],
    [.resume, .pause],
    [.pause, .resume, .pause],
    [.resume, .resume, .pause, .resume, .pause],
  ])
  func aRunThatIsPausedStartsNothing(_ calls: [Call]) async throws {
    for _ in 0..<LongTests.count(60, long: 300) {
      let server = Server()
      let run = try Pipeline(two, transport: server.transport).run().start()
      for await _ in server.asked { break }
      for call in calls { call(run) }
      server.letGo()
      var hasStarted = false
      for await event in run.events() {
        switch event.kind {
        case .itemStarted: hasStarted = true
        // What this end lets begin begins before the run looks at the next call.
        case .stepStarted(let step) where step.step == "b": run.cancel()
        default: break
        }
      }
      #expect(!hasStarted)
      let report = try await run.result.report
      #expect(report.status == .cancelled)
      #expect(report.counts.succeeded == 2, "the clean-up runs although nobody resumed the run")
    }
  }

  @Test(arguments: [
    [Call.pause, .cancel], [.pause, .cancel, .resume], [.cancel, .pause],
    [.pause, .resume, .cancel, .pause],
  ])
  func aCancelledRunEndsAndCleansUp(_ calls: [Call]) async throws {
    for _ in 0..<LongTests.count(25, long: 100) {
      let server = Server()
      let run = try Pipeline(two, transport: server.transport).run().start()
      for await _ in server.asked { break }
      for call in calls { call(run) }
      server.letGo()
      let report = try await run.result.report
      #expect(report.status == .cancelled)
      #expect(report.counts.succeeded >= 1)
      #expect(server.transport.requests.last?.method == "DELETE")
    }
  }

  /// While a run is paused, the time limit of clean-up would pass.
  @Test func aRunThatFailsWhileItIsPausedCleansUp() async throws {
    let server = Server()
    let failing = two.replacing("\"$.n\"", with: "\"$.x\"")
    let run = try Pipeline(failing, transport: server.transport).run().start()
    for await _ in server.asked { break }
    run.pause()
    server.letGo()
    let report = try await run.result.report
    #expect(report.status == .failed)
    #expect(server.transport.requests.last?.method == "DELETE")
  }

  /// Several threads that pause and resume: the last call of each is `resume`.
  @Test func callsOfSeveralTasksLeaveARunResumed() async throws {
    for _ in 0..<LongTests.count(25, long: 100) {
      let server = Server()
      let run = try Pipeline(two, transport: server.transport).run().start()
      for await _ in server.asked { break }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<5 {
              run.pause()
              run.resume()
            }
          }
        }
        await group.waitForAll()
      }
      run.resume()
      server.letGo()
      #expect(try await run.result.status == .succeeded)
    }
  }
}
