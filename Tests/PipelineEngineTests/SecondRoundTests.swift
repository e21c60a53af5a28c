import PipelineKit
import PipelineLanguage
import PipelineTesting
import Synchronization
import Testing

/// A transport may send a request twice, as for digest authentication: each time passes the gates.
@Suite(.timeLimit(.minutes(5))) struct SecondRoundTests {
  /// Sends each request in two rounds, and notes when each left.
  private final class TwoRounds: MeteredTransport {
    let clock: ManualClock
    private let log = Mutex<[Duration]>([])
    private let limits = Mutex<[Duration?]>([])

    var keepsTimeLimits: Bool { true }

    init(_ clock: ManualClock) { self.clock = clock }

    /// When each round left.
    var times: [Duration] { log.withLock { $0 } }
    /// What polling left to those that waited.
    var timeLimits: [Duration?] { limits.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try await send(request, FreeMeter())
    }

    func send(
      _ request: TransportRequest, _ meter: any RequestMeter
    ) async throws(TransportError) -> TransportResponse {
      for _ in 0..<2 {
        var permission = meter.begin()
        if permission == .waits {
          guard await meter.waitForTurn() else { throw TransportError(.cancelled, "cancelled") }
          limits.withLock { $0.append(meter.timeLimit) }
          permission = meter.begin()
        }
        guard permission == .leaves else { throw TransportError(.cancelled, "a limit is reached") }
        log.withLock { $0.append(clock.elapsed) }
      }
      return TransportResponse(status: 200, body: Array("{}".utf8))
    }
  }

  private func run(
    _ workflow: String, turns: Int, files: [String: String] = [:]
  ) async throws -> (transport: TwoRounds, report: RunReport) {
    let clock = ManualClock()
    let transport = TwoRounds(clock)
    var options = RunOptions()
    options.clock = clock
    let plan =
      try files.isEmpty
      ? plan(workflow)
      : PipelineEngineTests.plan(files: files.merging(["main.json": workflow]) { $1 })
    let run = Pipeline(plan, transport: transport, options: options).run()
    async let result = run.result
    for _ in 0..<turns {
      // The run's deadline, and the round.
      await clock.waitForSleepers(2)
      clock.advance(by: try #require(clock.nextWake))
    }
    return (transport, try await result.report)
  }

  private static let step = #"{"id": "a", "endpoint": "GET https://api.example/a"}"#

  @Test(arguments: [#""rate": "1/10s""#, #""ratePerOrigin": "1/10s""#])
  func eachRoundWaitsForTheRate(_ limits: String) async throws {
    let (transport, report) = try await run(
      #"{"limits": {\#(limits)}, "steps": [\#(Self.step)]}"#, turns: 1)
    #expect(report.status == .succeeded)
    #expect(report.counts.requests == 2)
    #expect(transport.times.count == 2)
    #expect(transport.times.first == .zero)
    #expect(transport.times.last.map { $0 >= .seconds(10) } == true)
    #expect(transport.timeLimits == [nil])
  }

  @Test func eachRoundWaitsForTheRateOfACalledFile() async throws {
    let (transport, report) = try await run(
      #"{"steps": [{"id": "c", "workflow": "called.json"}]}"#, turns: 1,
      files: ["called.json": #"{"limits": {"rate": "1/10s"}, "steps": [\#(Self.step)]}"#])
    #expect(report.status == .succeeded)
    #expect(transport.times.last.map { $0 >= .seconds(10) } == true)
  }

  @Test func withoutARateTheSecondRoundKeepsItsPlace() async throws {
    let (transport, report) = try await run(
      #"{"limits": {"concurrency": 1}, "steps": [\#(Self.step)]}"#, turns: 0)
    #expect(report.counts.requests == 2)
    #expect(transport.times == [.zero, .zero])
  }

  @Test func aRoundThatWaitedHasWhatPollingLeaves() async throws {
    let (transport, report) = try await run(
      #"""
      {"limits": {"rate": "1/10s"}, "steps": [{"id": "a", "endpoint": "GET https://api.example/a",
        "poll": {"until": "@.status == 200", "within": "30s"}}]}
      """#, turns: 1)
    #expect(report.status == .succeeded)
    let limit = try #require(transport.timeLimits.first ?? nil)
    #expect(limit > .seconds(19) && limit <= .seconds(20))
  }

  @Test func theLimitOfRequestsHoldsForTheSecondRound() async throws {
    let (transport, report) = try await run(
      #"{"limits": {"requests": 1, "rate": "1/10s"}, "steps": [\#(Self.step)]}"#, turns: 0)
    #expect(report.failures.first?.failure.kind == .limit)
    #expect(report.counts.requests == 1)
    #expect(transport.times == [.zero])
  }
}
