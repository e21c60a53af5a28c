import PipelineKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
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
}
