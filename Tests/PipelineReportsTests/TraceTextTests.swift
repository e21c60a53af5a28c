import Foundation
import Testing

@testable import PipelineReports

@Suite struct TraceTextTests {
  @Test func aTraceIsReadAsItWasWritten() throws {
    let trace = Self.full
    let read = try RunTrace(json: trace.json())
    // The description names every stored property.
    #expect("\(read)" == "\(trace)")
  }

  /// A property that is added and not written would otherwise be lost without a failing test.
  @Test func theTraceThatIsComparedLeavesNothingOut() {
    var trace = Self.full
    trace.steps.removeFirst()
    // Both are the first of their kind.
    trace.steps[0].parent = 1
    trace.steps[0].failure = 1
    let text = "\(trace)"
    for left in ["nil", "false", "[]", "\"\"", ": 0,", ": 0)", ": 0.0"] {
      #expect(!text.contains(left), "\(text)")
    }
  }

  @Test func textsAreWrittenWhateverIsInThem() throws {
    var trace = RunTrace()
    trace.notes = awkwardTexts.map { RunTrace.Note(time: 1, step: $0, message: $0) }
    let read = try RunTrace(json: trace.json())
    #expect(read.notes.map { Array($0.message.utf8) } == awkwardTexts.map { Array($0.utf8) })
    #expect(
      read.notes.map { $0.step ?? "-" }.map { Array($0.utf8) }
        == awkwardTexts.map { Array($0.utf8) })
  }

  /// A trace with a value everywhere.
  private static var full: RunTrace {
    var trace = RunTrace()
    trace.run = "3f9c"
    trace.workflow = "users"
    trace.file = "users.json"
    trace.startedAt = 1_769_850_300.25
    trace.status = "failed"
    trace.duration = 2_000_000
    trace.stopReason = "it took too long"
    trace.processes = [
      RunTrace.Process(
        start: 1, duration: 2, startedAt: 1_769_850_300.25, status: "failed", requests: 3, taken: 4)
    ]
    trace.counts = counts
    trace.limits = RunTrace.Limits(
      concurrency: 64, perOrigin: 8, rate: .init(count: 100, per: 1_000_000),
      ratePerOrigin: .init(count: 10, per: 1_000_000))
    trace.steps = [RunTrace.Step(id: "block", action: "block", file: "users.json"), step]
    trace.path = [
      RunTrace.PathPart(step: 1, item: 2, start: 3, end: 4, links: 5, uses: [use(.server)])
    ]
    trace.uses = [use(.connecting)]
    trace.failures = [failure]
    trace.failureCount = 7
    trace.notes = [RunTrace.Note(time: 1, step: "user", message: "a note")]
    trace.rowStep = "row"
    trace.rows = [
      RunTrace.Row(
        item: 1, outcome: .failed, time: 2, failure: .init(kind: "expect", message: "status 500"))
    ]
    trace.requests = [request]
    trace.density = density
    trace.least = RunTrace.Least(
      path: 1, work: 2, requests: 3, originRequests: 4,
      limited: .init(
        path: 5, doubledRun: 6, doubledSteps: [.init(step: 1, path: 7)], originWork: 8,
        shortest: 9))
    return trace
  }

  private static var counts: RunTrace.Counts {
    var counts = RunTrace.Counts(
      succeeded: 1, recovered: 2, skipped: 3, failed: 4, cancelled: 5, requests: 6, items: 7,
      bytes: 8, cached: 9, validated: 10, taken: 11, retries: 12)
    counts.repeats = repeats
    return counts
  }

  private static var step: RunTrace.Step {
    var step = RunTrace.Step(
      id: "block.user", action: "request", parent: 0, isCollection: true, concurrency: 4,
      isFinally: true, hasRounds: true, after: ["first", "second"], file: "users.json", line: 3,
      began: 4,
      outcomes: RunTrace.Outcomes(
        succeeded: 1, recovered: 2, skipped: 3, failed: 4, cancelled: 5, unfinished: 6),
      reason: "status 500", recoveredBy: "block", failure: 0, start: 7, end: 8, time: 9, items: 10,
      failedItems: 11, requests: 12, retries: 13, bytes: 14, uses: [use(.place)],
      density: density, isTaken: true)
    step.repeats = repeats
    step.latency.add(1_234)
    step.latency.add(99)
    return step
  }

  private static var repeats: RunTrace.Repeats? {
    try? JSONDecoder().decode(RunTrace.Repeats.self, from: Data(#"{"status":3}"#.utf8))
  }

  private static var request: RunTrace.Request {
    RunTrace.Request(
      step: 1, path: [2], item: 3, attempt: 4, method: "GET", url: "https://a.example/1",
      status: 500, error: "reset", bytes: 5, sent: 6, end: 7, waits: [use(.rate)], connecting: 8,
      server: 9, receiving: 10, isReused: true, isRetried: true, cache: "fresh", cause: "status",
      page: 11, poll: 12, isForToken: true)
  }

  private static var failure: RunTrace.Failed {
    RunTrace.Failed(
      step: "block.user", path: [1], item: 2, kind: "status", message: "status 500",
      method: "GET", url: "https://a.example/1", attempts: 3, status: 500, body: "oops",
      details: "more", file: "users.json", line: 4, column: 5, time: 6, isRecovered: true)
  }

  private static func use(_ use: TimeUse) -> RunTrace.Use {
    RunTrace.Use(use: use, origin: "a.example", time: 17)
  }

  private static var density: Density {
    var density = Density()
    density.add(at: 1, isGood: true)
    density.add(at: 1, isGood: false)
    return density
  }
}
