import PipelineKit
import PipelineLanguage
import PipelineReports
import PipelineTestSupport
import Testing

@testable import PipelineEngine

/// The critical path against one that is found without the recorded causes: whatever begins does so
/// because something ended at the same moment, and no two units end at once.
@Suite struct CriticalPathTests {
  private static let seeds = LongTests.count(50, long: 200)

  /// Steps, collections and blocks, some of which follow others.
  private static func workflow(_ generator: inout SeededGenerator) -> String {
    func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    func dependencies(_ ids: [String]) -> String {
      let chosen = ids.filter { _ in below(3) == 0 }
      return chosen.isEmpty
        ? "" : ", \"dependsOn\": [\(chosen.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
    var names = 0
    func items() -> String {
      let concurrency = below(2) == 0 ? ", \"concurrency\": \(1 + below(3))" : ""
      names += 1
      return
        ", \"forEach\": {\"from\": 1, \"to\": \(1 + below(6))}\(concurrency), \"as\": \"n\(names)\""
    }
    func action(_ id: String, isCollection: Bool) -> String {
      below(5) == 0 && !isCollection
        ? "\"wait\": \"1s\"" : "\"endpoint\": \"GET https://\(id).example/{{run.id}}\""
    }
    var ids: [String] = []
    var steps: [String] = []
    for number in 0..<(2 + below(7)) {
      let id = "s\(number)"
      var step = "{\"id\": \"\(id)\"" + dependencies(ids)
      let isCollection = below(2) == 0
      if isCollection { step += items() }
      if below(3) == 0 {
        let inner = (0..<(1 + below(3))).map { number -> String in
          let isCollection = below(3) == 0
          return "{\"id\": \"i\(number)\"" + dependencies((0..<number).map { "i\($0)" })
            + (isCollection ? items() : "") + ", "
            + action("i\(number)", isCollection: isCollection) + "}"
        }
        step += ", \"steps\": [\(inner.joined(separator: ", "))]}"
      } else {
        step += ", \(action(id, isCollection: isCollection))}"
      }
      ids.append(id)
      steps.append(step)
    }
    let finally =
      below(3) == 0
      ? ", \"finally\": [{\"id\": \"f\", \"endpoint\": \"DELETE https://f.example\"}]" : ""
    return "{\"steps\": [\(steps.joined(separator: ", "))]\(finally)}"
  }

  /// From the last end back to the run's start: each unit's begin is another one's end.
  private static func path(of timeline: Timeline) -> [Timeline.Ended] {
    var path: [Timeline.Ended] = []
    var time = timeline.units.map(\.end).max() ?? 0
    while time > 0, let unit = timeline.units.first(where: { $0.end == time }) {
      path.append(unit)
      time = unit.start
    }
    return path.reversed()
  }

  @Test func itIsTheOnlyChainOfWorkFromTheStartToTheEnd() throws {
    var partCount = 0
    for seed in 0..<Self.seeds {
      var generator = SeededGenerator(seed: UInt64(seed))
      let text = Self.workflow(&generator)
      let plan = try plan(text)
      let timeline = Timeline(
        plan, concurrency: Int.random(in: 1...4, using: &generator), isDrawn: false
      ) { _, _ in .ok(Int.random(in: 1...1_000_000, using: &generator)) }
      let ends = timeline.units.map(\.end)
      try #require(Set(ends).count == ends.count, "two units end at once; choose another seed")
      var builder = TraceBuilder()
      builder.receive(
        RunEvent(
          time: .zero,
          kind: .runStarted(
            RunEvent.RunStarted(plan, RunIdentity(id: "1", startedAt: 0), concurrency: 4))))
      for event in timeline.timed { builder.receive(event) }
      let report = try #require(timeline.report)
      builder.receive(RunEvent(time: report.duration, kind: .runFinished(report)))
      let trace = builder.finish()

      let expected = Self.path(of: timeline)
      #expect(
        trace.path.map { "\($0.start / 1_000_000) \($0.end / 1_000_000)" }
          == expected.map { "\($0.start) \($0.end)" }, "seed \(seed): \(text)")
      #expect(
        trace.path.map { $0.step.map { trace.steps[$0].id } ?? "" } == expected.map(\.label.id),
        "seed \(seed)")
      #expect(trace.path.map(\.item) == expected.map(\.item), "seed \(seed)")
      let sum = trace.path.flatMap(\.uses).reduce(0) { $0 + $1.time }
      #expect(sum == trace.duration && trace.duration == (ends.max() ?? 0) * 1_000_000)
      #expect(trace.least.path <= trace.duration)
      partCount += expected.count
    }
    #expect(partCount > 5 * Self.seeds)
  }

  /// With slots for everything, nothing but the steps themselves decides.
  @Test func theLeastTimeIsThatOfTheSameRunWithoutLimits() throws {
    for seed in 0..<Self.seeds {
      var generator = SeededGenerator(seed: UInt64(seed) + 1_000)
      let plan = try plan(Self.workflow(&generator))
      var lengths: [String: Int] = [:]
      func run(_ concurrency: Int) throws -> RunTrace {
        let timeline = Timeline(plan, concurrency: concurrency, isDrawn: false) { id, item in
          let key = "\(id) \(item ?? -1)"
          let length = lengths[key] ?? Int.random(in: 1...1_000, using: &generator)
          lengths[key] = length
          return .ok(length)
        }
        var builder = TraceBuilder()
        builder.receive(
          RunEvent(
            time: .zero,
            kind: .runStarted(
              RunEvent.RunStarted(
                plan, RunIdentity(id: "1", startedAt: 0), concurrency: concurrency))))
        for event in timeline.timed { builder.receive(event) }
        return builder.finish()
      }
      let few = try run(2)
      let free = try run(1_000)
      #expect(few.least.path <= free.duration, "seed \(seed)")
      #expect(free.least.path <= free.duration, "seed \(seed)")
      let isSimple = !few.steps.contains { $0.isCollection }
      if isSimple { #expect(few.least.path == free.duration, "seed \(seed)") }
    }
  }
}
