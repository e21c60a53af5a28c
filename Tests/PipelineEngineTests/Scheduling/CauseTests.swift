import PipelineKit
import PipelineLanguage
import PipelineReports
import PipelineTesting
import Synchronization
import Testing

/// What events say of why something began, and how long requests were held back: whole runs on a
/// clock that is turned.
@Suite(.timeLimit(.minutes(5))) struct CauseTests {
  private struct Traced {
    let events: [RunEvent]
    let trace: RunTrace
    let report: RunReport

    /// Seconds of the critical path, by what they were used for.
    var seconds: [TimeUse: Int] {
      var sums: [TimeUse: Int] = [:]
      for use in trace.pathUses { sums[use.use, default: 0] += use.time / 1_000_000 }
      return sums.filter { $0.value > 0 }
    }

    /// What let each step and item begin.
    var releases: [String] {
      events.compactMap { event in
        switch event.kind {
        case .stepStarted(let step): "\(step.step): " + Self.text(step.releasedBy)
        case .itemStarted(let item):
          "\(item.step)\(item.item.map { "[\($0)]" } ?? ""): " + Self.text(item.releasedBy)
        default: nil
        }
      }
    }

    private static func text(_ release: Release) -> String {
      let place = (release.step ?? "") + (release.item.map { "[\($0)]" } ?? "")
      return release.kind.rawValue + (place.isEmpty ? "" : " \(place)")
    }
  }

  private func run(
    _ text: String, turns: [Int],
    reply: @escaping @Sendable (_ name: String, _ attempt: Int) -> Schedule.Reply = { _, _ in
      Schedule.Reply(seconds: 1)
    }
  ) async throws -> Traced {
    let events = Mutex<[RunEvent]>([])
    var options = RunOptions()
    options.observer = { event in events.withLock { $0.append(event) } }
    let schedule = try await Schedule(
      try plan(text), turns: turns, options: options, reply: reply)
    let all = events.withLock { $0 }
    var builder = TraceBuilder()
    for event in all { builder.receive(event) }
    let trace = builder.finish()
    let sum = trace.path.flatMap(\.uses).reduce(0) { $0 + $1.time }
    #expect(sum == trace.duration)
    #expect(trace.leastTime() <= trace.duration)
    return Traced(events: all, trace: trace, report: schedule.report)
  }

  @Test func aRateIsWhatTheRunWaitedFor() async throws {
    let run = try await run(
      """
      {"limits": {"ratePerOrigin": "2/4s"}, "steps": [
        {"id": "a", "forEach": {"from": 1, "to": 5}, "endpoint": "GET https://api.example/{{item}}"}]}
      """, turns: [6, 4, 4, 3, 3, 2, 2])
    #expect(run.report.status == .succeeded)
    #expect(run.seconds == [.rate: 8, .server: 1])
    let sentence = try #require(run.trace.bottleneck?.sentence)
    #expect(
      sentence.hasPrefix(
        "89 % of the time was the rate limit of api.example; with 'ratePerOrigin' doubled the run"
          + " could not take less than "), "\(sentence)")
  }

  @Test func itemsWaitForTheSlotsOfOthers() async throws {
    let run = try await run(
      """
      {"limits": {"concurrency": 1}, "steps": [
        {"id": "a", "endpoint": "GET https://api.example/a"},
        {"id": "b", "priority": 1, "forEach": [1, 2], "endpoint": "GET https://api.example/b{{item}}"}]}
      """, turns: [2, 2, 2]
    ) { _, _ in Schedule.Reply(seconds: 2) }
    #expect(run.seconds == [.server: 6])
    #expect(
      run.releases == ["a: start", "b: start", "b[0]: step", "b[1]: item [0]", "a: slot b[1]"],
      "\(run.releases)")
    #expect(run.trace.path.map(\.item) == [0, 1, nil])
    #expect(run.trace.least.path == 2_000_000 && run.trace.leastTime() == 6_000_000)
    #expect(
      run.trace.bottleneck?.sentence
        == "100 % of the time was waiting for answers of api.example; with 'concurrency' doubled"
        + " the run could not take less than 4.0 s")
  }

  @Test func itemsWaitForEachOther() async throws {
    let run = try await run(
      """
      {"steps": [
        {"id": "a", "forEach": [1, 2], "concurrency": 1, "endpoint": "GET https://api.example/{{item}}"},
        {"id": "b", "dependsOn": ["a"], "endpoint": "GET https://api.example/b"}],
       "finally": [{"id": "c", "endpoint": "GET https://api.example/c"}]}
      """, turns: [2, 2, 2, 2])
    #expect(
      run.releases == [
        "a: start", "a[0]: step", "a[1]: item [0]", "b: dependency a", "c: finally",
      ])
    #expect(run.seconds == [.server: 4])
    #expect(run.trace.least.path == 3_000_000 && run.trace.leastTime() == 4_000_000)
  }

  @Test(arguments: [true, false]) func aRetryWaitsForItsPause(isAsked: Bool) async throws {
    let run = try await run(
      """
      {"steps": [{"id": "a", "endpoint": "GET https://api.example/a",
        "retry": {"attempts": 2, "delay": "4s", "jitter": false}}]}
      """, turns: [2, 2, 2]
    ) { _, attempt in
      attempt > 0
        ? Schedule.Reply(seconds: 1)
        : Schedule.Reply(
          seconds: 1,
          answer: .status(503, headers: isAsked ? [HeaderField("Retry-After", "3")] : []))
    }
    #expect(run.report.status == .succeeded)
    #expect(run.seconds == (isAsked ? [.server: 2, .pause: 3] : [.server: 2, .retry: 4]))
    let waits = run.events.compactMap { event -> RunEvent.Waits? in
      if case .requestFinished(let request) = event.kind { request.waits } else { nil }
    }
    #expect(waits.map(\.retry) == [.zero, .seconds(isAsked ? 0 : 4)])
    #expect(waits.map(\.pause) == [.zero, .seconds(isAsked ? 3 : 0)])
    #expect(run.trace.counts.retries == 1)
  }

  @Test func aPauseThatAServerAsksForHoldsOthersBack() async throws {
    let run = try await run(
      """
      {"steps": [
        {"id": "a", "endpoint": "GET https://api.example/a", "expect": {"status": 503}},
        {"id": "b", "dependsOn": ["a"], "endpoint": "GET https://api.example/b"}]}
      """, turns: [2, 2, 2]
    ) { name, _ in
      name == "a"
        ? Schedule.Reply(
          seconds: 1, answer: .status(503, headers: [HeaderField("Retry-After", "6")]))
        : Schedule.Reply(seconds: 2)
    }
    #expect(run.seconds == [.server: 3, .pause: 6])
    #expect(run.trace.bottleneck?.sentence.contains("a pause that api.example asked for") == true)
  }

  @Test func aPlaceAtAnOriginIsWaitedFor() async throws {
    let run = try await run(
      """
      {"limits": {"perOrigin": 1}, "steps": [
        {"id": "a", "forEach": [1, 2, 3], "endpoint": "GET https://api.example/{{item}}"}]}
      """, turns: [2, 2, 2])
    #expect(run.seconds == [.place: 2, .server: 1])
    #expect(
      run.trace.bottleneck?.sentence.hasPrefix(
        "67 % of the time was waiting for a slot; with 'perOrigin' doubled") == true)
  }

  @Test func pollsAndWaitsTakeTheirTime() async throws {
    let run = try await run(
      """
      {"steps": [
        {"id": "a", "endpoint": "GET https://api.example/a",
         "poll": {"until": "@.body.done == true", "every": "2s", "attempts": 3}},
        {"id": "w", "wait": "5s", "dependsOn": ["a"]}]}
      """, turns: [2, 2, 2, 2]
    ) { _, attempt in Schedule.Reply(seconds: 1, answer: .json(["done": .boolean(attempt == 1)])) }
    #expect(run.report.status == .succeeded, "\(run.report.failures)")
    #expect(run.seconds == [.server: 2, .poll: 2, .wait: 5])
  }
}
