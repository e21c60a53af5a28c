import Foundation
import PipelineKit
import PipelineTestSupport
import Synchronization
import Testing

/// A process keeps nothing of waits that have ended, however far away their moments are.
@Suite(.timeLimit(.minutes(5))) struct SleepQueueTests {
  private let queue = SleepQueue()

  private final class Time: Sendable {
    let now = Mutex(ContinuousClock.now)
  }

  /// A clock that the test sets, with a queue that looks at it.
  private final class SetClock: Sendable {
    private let time: Time
    let queue: SleepQueue

    init() {
      let time = Time()
      self.time = time
      queue = SleepQueue { time.now.withLock { $0 } }
    }

    func advance(by duration: Duration) {
      time.now.withLock { $0 += duration }
      queue.wake()
    }
  }

  @Test func waitsEndInTheOrderOfTheirMoments() async throws {
    let clock = SetClock()
    let queue = clock.queue
    let waits = [3, 1, 2].map { number in
      Task { try await queue.sleep(for: .seconds(3_600 * number)) }
    }
    while queue.momentCount < 3 { await Task.yield() }
    for (number, wait) in [1, 2, 0].enumerated() {
      clock.advance(by: .seconds(3_600) - .nanoseconds(1))
      #expect(queue.count == 3 - number, "it is too early by a nanosecond")
      clock.advance(by: .nanoseconds(1))
      #expect(queue.count == 2 - number)
      try await waits[wait].value
    }
    #expect(queue.momentCount == 0)
  }

  @Test func aWaitIsNotTooShort() async throws {
    for nanoseconds in [1, 999, 1_000_001, 7_654_321] {
      let start = ContinuousClock.now
      try await queue.sleep(for: .nanoseconds(nanoseconds))
      #expect(start.duration(to: .now) >= .nanoseconds(nanoseconds))
    }
    try await queue.sleep(for: .zero)
    try await queue.sleep(for: .seconds(-1))
  }

  @Test func aCancelledWaitIsForgottenAtOnce() async throws {
    let queue = queue
    // One that stays, so that the queue is never empty.
    let other = Task { try await queue.sleep(for: .seconds(3_600)) }
    while queue.count == 0 { await Task.yield() }
    for round in 0..<20_000 {
      let task = Task { try await queue.sleep(for: .seconds(3_600)) }
      if round % 2 == 0 { while queue.count < 2 { await Task.yield() } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(queue.count == 1)
    #expect(queue.momentCount < 100)
    other.cancel()
    _ = await other.result
    #expect(queue.count == 0)
  }

  /// A transport of an app: the run keeps the time limits of its requests.
  private struct Instant: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(
        status: 200, headers: [HeaderField("Content-Type", "application/json")],
        body: Array("{\"n\":1}".utf8))
    }
  }

  private func pipeline(_ transport: any Transport) throws -> Pipeline {
    var options = RunOptions()
    options.clock = SystemClock(queue: queue)
    return try Pipeline(
      """
      {"limits": {"deadline": "1h"}, "defaults": {"timeout": "20m"},
       "steps": [{"id": "a", "endpoint": "GET https://api.example/a", "extract": {"n": "$.n"}},
         {"id": "b", "endpoint": "GET https://api.example/b?n={{a.n}}"},
         {"id": "c", "endpoint": "swift:c"}]}
      """, transport: transport, options: options)
  }

  @Test func runsThatHaveEndedKeepNoWait() async throws {
    var pipeline = try pipeline(Instant())
    pipeline.handlers["c"] = { (_: [String: Int]) in 1 }
    for round in 0..<500 {
      let run = pipeline.run()
      if round % 5 == 0 { run.cancel() }
      _ = try await run.result
      #expect(queue.count == 0)
    }
    #expect(queue.momentCount < 100)
  }

  /// With `LONG_TESTS=1`: the memory of a process with 100,000 runs, 200 at once, a tenth of them
  /// cancelled. Every run has a deadline of an hour.
  @Test(.enabled(if: LongTests.areWanted, "LONG_TESTS=1 is not set"))
  func aHundredThousandRunsLeaveMemoryFlat() async throws {
    var pipeline = try pipeline(Instant())
    pipeline.handlers["c"] = { (_: [String: Int]) in 1 }
    var figures: [Int] = []
    for _ in 0..<10 {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<10_000 {
          if number >= 200 { await group.next() }
          let run = pipeline.run()
          group.addTask { _ = try? await run.result }
          if number % 10 == 3 { run.cancel() }
        }
      }
      figures.append(Self.usedBytes)
      print("\(figures.count * 10_000) runs: \(Self.usedBytes / 1024) KB in use")
    }
    #expect(queue.count == 0 && queue.momentCount < 100)
    // Before, this was 150 MB. Swift Testing keeps a backtrace of every error that is thrown, about
    // 120 bytes a run.
    #expect(try #require(figures.last) - figures[1] < 16 << 20)
  }

  /// The memory that the process has in use; 0 if the platform does not say.
  private static var usedBytes: Int {
    let pages = readFile("/proc/self/statm").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return (pages.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
  }
}
