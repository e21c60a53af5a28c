import PipelineKit
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ManualClockTests {
  @Test func whoWaitsForSleepersGoesOnWhenOneComes() async throws {
    let clock = ManualClock()
    async let waiting: Void = clock.waitForSleepers(1)
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await waiting
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  /// So that a test that waits in vain ends at its time limit.
  @Test(arguments: [false, true])
  func whoWaitsForSleepersGoesOnWhenCancelled(_ isEarly: Bool) async {
    let clock = ManualClock()
    let task = Task {
      if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
      await clock.waitForSleepers(1)
    }
    if !isEarly {
      await Task.yield()
      task.cancel()
    }
    await task.value
  }

  @Test func aStepsTimeoutIsOnTheRunsClock() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport(clock: clock) { _ in
      try? await clock.sleep(for: .seconds(5))
      return .json([:])
    }
    var options = RunOptions()
    options.clock = clock
    let pipeline = Pipeline(
      try plan(steps: #"{"id": "a", "endpoint": "GET https://api.example/a", "timeout": "2s"}"#),
      transport: transport, options: options)
    async let result = pipeline.run().result
    // The answer, its limit, and the run's deadline.
    await clock.waitForSleepers(3)
    clock.advance(by: .seconds(2))
    let failure = try await result.report.failures.first?.failure
    #expect(failure?.kind == .timeout)
    #expect(failure?.message == "no complete response within 2 s")
  }
}
