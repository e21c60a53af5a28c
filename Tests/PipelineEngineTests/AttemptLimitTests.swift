import PipelineKit
import PipelineTesting
import Synchronization
import Testing

/// The time limits of attempts over a transport of an app: on the clock of the run.
@Suite(.timeLimit(.minutes(5))) struct AttemptLimitTests {
  /// Answers after a delay on the clock of the run.
  private struct Slow: Transport {
    let delays: @Sendable (_ number: Int) -> Duration
    let count = Counter()
    var keepsTimeLimits = false

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      let number = count.next()
      guard let clock = request.clock else { throw TransportError(.unusable, "no clock") }
      do {
        try await clock.sleep(for: delays(number))
      } catch {
        throw TransportError(.cancelled, "the request was cancelled")
      }
      return TransportResponse(
        status: request.url.hasSuffix("/first") ? 302 : 200,
        headers: [HeaderField("Location", "/second")], body: Array("{}".utf8))
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  private func run(
    _ settings: String, _ transport: any Transport, on clock: any RunClock, path: String = "a"
  ) throws -> Run {
    var options = RunOptions()
    options.clock = clock
    options.random = { 0 }
    return try Pipeline(
      """
      {"steps": [{"id": "a", "endpoint": "GET https://api.example/\(path)", \(settings)}]}
      """, transport: transport, options: options
    ).run()
  }

  @Test func anAttemptEndsAtItsLimit() async throws {
    let clock = VirtualClock()
    let report = try await run(#""timeout": "5s""#, Slow { _ in .seconds(60) }, on: clock).result
      .report
    let failure = try #require(report.failures.first?.failure)
    #expect(failure.kind == .timeout)
    #expect(failure.message.hasSuffix("no complete response within 5 s"), "\(failure.message)")
    #expect(clock.elapsed == .seconds(5))
  }

  @Test func anAttemptThatIsInTimeIsAnswered() async throws {
    let clock = VirtualClock()
    let result = try await run(#""timeout": "5s""#, Slow { _ in .seconds(4) }, on: clock).result
    #expect(result.status == .succeeded)
    #expect(clock.elapsed == .seconds(4))
  }

  @Test func eachAttemptHasTheWholeLimit() async throws {
    let clock = VirtualClock()
    let transport = Slow { $0 < 3 ? .seconds(60) : .seconds(4) }
    let result = try await run(
      #""timeout": "5s", "retry": {"attempts": 3, "delay": "10s", "jitter": false}"#, transport,
      on: clock
    ).result
    #expect(result.status == .succeeded, "\(result.report.failures)")
    #expect(transport.count.value == 3)
    #expect(clock.elapsed >= .seconds(14))
    #expect(clock.elapsed <= .seconds(60))
  }

  @Test func redirectsShareTheLimit() async throws {
    let clock = VirtualClock()
    let transport = Slow { _ in .seconds(3) }
    let report = try await run(#""timeout": "5s""#, transport, on: clock, path: "first").result
      .report
    #expect(report.failures.first?.failure.kind == .timeout)
    #expect(transport.count.value == 2)
    #expect(clock.elapsed == .seconds(5))
  }

  @Test func aManualClockDecides() async throws {
    let clock = ManualClock()
    let run = try run(#""timeout": "5s""#, Slow { _ in .seconds(60) }, on: clock).start()
    // The answer and the limit.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    let failure = try await run.result.report.failures.first?.failure
    #expect(failure?.kind == .timeout)
  }

  @Test func aRecordedTransportHasTheSameLimits() async throws {
    let clock = VirtualClock()
    let recording = RecordingTransport(Slow { _ in .seconds(60) })
    let report = try await run(#""timeout": "5s""#, recording, on: clock).result.report
    #expect(report.failures.first?.failure.kind == .timeout)
    #expect(clock.elapsed == .seconds(5))
    // It is replayed like any other answer.
    #expect(recording.count == 1)
  }

  @Test func cancellingReachesTheTransport() async throws {
    let clock = ManualClock()
    let run = try run(#""timeout": "5s""#, Slow { _ in .seconds(60) }, on: clock).start()
    await clock.waitForSleepers(2)
    run.cancel()
    #expect(try await run.result.status == .cancelled)
    #expect(clock.elapsed == .zero)
  }

  @Test func aTransportThatKeepsItsLimitsIsLeftAlone() async throws {
    struct Own: Transport {
      var keepsTimeLimits: Bool { true }

      func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        #expect(request.clock is ManualClock)
        #expect(request.timeout == .seconds(5))
        return TransportResponse(status: 200)
      }
    }
    let result = try await run(#""timeout": "5s""#, Own(), on: ManualClock()).result
    #expect(result.status == .succeeded)
  }

  @Test func aScriptUsesTheClockOfTheRun() async throws {
    let clock = VirtualClock()
    let script = ScriptedTransport(steps: ["a": [.json([:]).after(.seconds(600))]])
    #expect(try await run(#""timeout": null"#, script, on: clock).result.status == .succeeded)
    #expect(clock.elapsed == .seconds(600))
    let report = try await run(
      #""timeout": "5s""#, ScriptedTransport(steps: ["a": [.timeout]]), on: clock
    ).result.report
    #expect(report.failures.first?.failure.kind == .timeout)
    #expect(clock.elapsed == .seconds(605))
  }
}
