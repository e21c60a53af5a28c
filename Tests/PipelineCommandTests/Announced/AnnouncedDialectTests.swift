import PipelineKit
import PipelineTestSupport
import PipelineTesting
import PipelineTransports
import Synchronization
import Testing

@testable import PipelineSandboxServers

/// Whole runs against servers that announce a limit, each in its dialect, on a clock that jumps.
@Suite(.timeLimit(.minutes(5))) struct AnnouncedDialectTests {
  /// What a run came to.
  private struct Figures {
    var refused = 0
    var requests = 0
    /// In how much of the least time that the limit allows.
    var rate = 0.0
  }

  private func figures(
    _ dialect: AnnouncingLimit.Dialect, requests: Int, limit: Int, window: Double,
    rounding: FloatingPointRoundingRule = .up, skew: Double = 0, concurrency: Int = 16
  ) async throws -> Figures {
    let clock = VirtualClock(wallTime: 1_767_225_600.37)
    let server = Mutex(AnnouncingLimit(dialect, limit: limit, window: window, rounding: rounding))
    let refused = Atomic<Int>(0)
    let transport = ScriptedTransport(clock: clock) { request in
      // The way to the server and back.
      try? await clock.sleep(for: .milliseconds(30))
      let answer = server.withLock { $0.answer(at: clock.wallTime + skew) }
      if answer.isRefused { refused.add(1, ordering: .relaxed) }
      let date = HeaderField("Date", AnnouncingLimit.date(clock.wallTime + skew))
      let number = request.url.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
      try? await clock.sleep(for: .milliseconds(20 + number % 60))
      let fields = answer.fields.map { HeaderField($0.name, $0.value) } + [date]
      return answer.isRefused
        ? .status(429, headers: fields)
        : .response(TransportResponse(status: 200, headers: fields, body: Array("{}".utf8)))
    }
    var options = RunOptions()
    options.clock = clock
    let workflow = """
      {"limits": {"concurrency": \(concurrency), "deadline": "10d"},
       "steps": [{"id": "get", "forEach": {"from": 1, "to": \(requests)}, "retry": 5,
                  "endpoint": "GET https://api.example/{{item}}"}]}
      """
    let report = try await Pipeline(workflow, transport: transport, options: options).run().result
    #expect(report.status == .succeeded)
    var figures = Figures(refused: refused.load(ordering: .relaxed), requests: requests)
    let seconds = clock.elapsed / .seconds(1)
    let least =
      dialect == .shopify
      ? Double(requests - limit) / (Double(limit) / 20)
      : Double((requests - 1) / limit) * window
    figures.rate = least / seconds
    return figures
  }

  @Test(arguments: AnnouncingLimit.Dialect.allCases)
  func noRequestIsRefusedAndTheRateIsUsed(_ dialect: AnnouncingLimit.Dialect) async throws {
    let count = LongTests.count(800, long: 10_000)
    let figures = try await figures(dialect, requests: count, limit: 200, window: 60)
    if LongTests.areWanted {
      print("\(dialect): \(count) requests, \(figures.refused) refused, rate \(figures.rate)")
    }
    #expect(figures.refused == 0)
    #expect(figures.rate >= 0.95)
  }

  /// Servers that round down say that the window has ended when it has not.
  @Test(arguments: [AnnouncingLimit.Dialect.ratelimit, .fields, .github, .date])
  func secondsMayBeRoundedDown(_ dialect: AnnouncingLimit.Dialect) async throws {
    let figures = try await figures(
      dialect, requests: 200, limit: 25, window: 60, rounding: .down)
    #expect(figures.refused == 0)
    #expect(figures.rate >= 0.94)
  }

  /// Seconds since 1970 are those of the server's clock.
  @Test(arguments: [-3600.0, -2.5, 0.4, 7, 86_400])
  func theServersClockCounts(_ skew: Double) async throws {
    for dialect in [AnnouncingLimit.Dialect.github, .milliseconds, .date] {
      let figures = try await figures(
        dialect, requests: 150, limit: 25, window: 60, skew: skew)
      #expect(figures.refused == 0, "\(dialect)")
      #expect(figures.rate >= 0.94, "\(dialect)")
    }
  }

  @Test func oneRequestAtATimeKeepsALimitOfOne() async throws {
    let figures = try await figures(
      .milliseconds, requests: 20, limit: 1, window: 10, concurrency: 1)
    #expect(figures.refused == 0)
    #expect(figures.rate >= 0.95)
  }
}
