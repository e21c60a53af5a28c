import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Synchronization
import Testing

/// How a run treats servers that ask it to slow down, and limits of its own: whole runs, second by
/// second.
@Suite(.timeLimit(.minutes(5))) struct OriginScheduleTests {
  private func each(_ id: String, _ count: Int, on host: String, _ rest: String = "") -> String {
    """
    {"id": "\(id)", "forEach": {"from": 1, "to": \(count)},
     "endpoint": "GET https://\(host).example/\(id){{item}}"\(rest.isEmpty ? "" : ", " + rest)}
    """
  }

  /// Backpressure: the answer to one request slows its origin, and no other.
  @Test func anOriginThatAsksForAPauseIsTheOnlyOneThatGetsIt() async throws {
    let plan = try plan(
      """
      {"limits": {"concurrency": 2}, "steps": [
        \(each("a", 3, on: "slow", #""concurrency": 1, "retry": 2"#)),
        \(each("b", 6, on: "quick", #""concurrency": 1"#))]}
      """)
    let schedule = try await Schedule(plan, turns: [3, 3, 3, 3, 3, 3, 2, 2]) { name, attempt in
      name == "a2" && attempt == 0
        ? Schedule.Reply(
          seconds: 1, answer: .status(429, headers: [HeaderField("Retry-After", "4")]))
        : Schedule.Reply(seconds: 1)
    }
    #expect(
      schedule.drawing
        == [
          "a1   -|",
          "b1   -|",
          "a2    -!",
          "b2    -|",
          "b3     -|",
          "b4      -|",
          "b5       -|",
          "a2 2       -|",
          "b6        -|",
          "a3          -|",
        ].sorted { Self.begin($0) < Self.begin($1) })
    #expect(schedule.report.status == .succeeded)
  }

  private static func begin(_ row: String) -> (Int, String) {
    let text = row.dropFirst(5)
    return (text.prefix { $0 == " " }.count, String(row.prefix(5)))
  }

  /// Whoever had nothing to do with it waits as well, and is not refused.
  @Test func requestsThatWaitForAnOriginGoOnWhenItsPauseIsOver() async throws {
    let plan = try plan(
      """
      {"limits": {"perOrigin": 1}, "steps": [
        \(each("a", 3, on: "api", #""retry": {"attempts": 2}"#))]}
      """)
    let count = Mutex(0)
    let schedule = try await Schedule(plan, turns: [2, 4, 2, 2, 2]) { _, _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst
        ? Schedule.Reply(
          seconds: 1, answer: .status(503, headers: [HeaderField("Retry-After", "3")]))
        : Schedule.Reply(seconds: 1)
    }
    #expect(schedule.report.status == .succeeded)
    // Which of the three comes first is chance.
    #expect(schedule.drawing.first?.hasSuffix("   -!") == true)
    // Nothing is sent in the three seconds after the first answer; then one after the other.
    let starts = schedule.drawing.map { $0.dropFirst(5).prefix { $0 == " " }.count }
    #expect(starts == [0, 4, 5, 6])
  }

  @Test func aRateLetsABurstThroughAndThenOneAtAnEvenDistance() async throws {
    let plan = try plan(
      """
      {"limits": {"rate": "2/4s"}, "steps": [\(each("a", 5, on: "api"))]}
      """)
    let schedule = try await Schedule(plan, turns: [6, 4, 4, 3, 3, 2, 2]) { _, _ in
      Schedule.Reply(seconds: 1)
    }
    // Which of them comes first is chance.
    #expect(
      schedule.drawing.map { $0.dropFirst(3) }
        == ["-|", "-|", "    -|", "      -|", "        -|"])
  }

  @Test func theAttemptsOfARequestCountForTheRate() async throws {
    let plan = try plan(
      """
      {"limits": {"rate": "3/6s"}, "steps": [
        {"id": "a", "endpoint": "GET https://api.example/a", "onError": "recover",
         "retry": {"attempts": 6, "delay": "1s", "factor": 1, "jitter": false}}]}
      """)
    let schedule = try await Schedule(plan, turns: Array(repeating: 2, count: 8)) { _, _ in
      Schedule.Reply(answer: .status(503))
    }
    let starts = schedule.drawing.map { $0.dropFirst(4).prefix { $0 == " " }.count }
    #expect(starts == [0, 1, 2, 6, 8, 10])
  }

  @Test func aRateOfAnOriginIsForEachOfThem() async throws {
    let plan = try plan(
      """
      {"limits": {"ratePerOrigin": "1/2s"},
       "steps": [\(each("a", 2, on: "one")), \(each("b", 3, on: "two"))]}
      """)
    let schedule = try await Schedule(plan, turns: [6, 4, 4, 2, 2]) { _, _ in
      Schedule.Reply(seconds: 1)
    }
    let drawing = schedule.drawing.map { $0.prefix(1) + $0.dropFirst(2) }
    #expect(drawing == ["a -|", "b -|", "a   -|", "b   -|", "b     -|"])
  }

  @Test func theItemsOfABlockArePipelinedOverTheWholeRun() async throws {
    let plan = try plan(
      """
      {"limits": {"concurrency": 2}, "steps": [
        {"id": "each", "forEach": [1, 2, 3], "as": "n", "concurrency": 2, "steps": [
          {"id": "x", "endpoint": "GET https://api.example/x{{n}}", "extract": {"v": "$.v"}},
          {"id": "y", "endpoint": "GET https://api.example/y{{n}}?v={{x.v}}"}]}]}
      """)
    let schedule = try await Schedule(plan, turns: [3, 3, 3, 3, 2]) { name, _ in
      // The second item is slow: the others pass it.
      Schedule.Reply(
        seconds: name.hasPrefix("x2") ? 4 : 1, answer: .json(["v": .string(String(name.prefix(2)))])
      )
    }
    #expect(
      schedule.drawing == [
        "x1      -|",
        "x2      ----|",
        "y1?v=x1  -|",
        "x3        -|",
        "y3?v=x3    -|",
        "y2?v=x2     -|",
      ])
  }

  @Test func theMoreUrgentStepTakesThePlaceThatComesFree() async throws {
    let plan = try plan(
      """
      {"limits": {"concurrency": 1}, "steps": [
        {"id": "a", "endpoint": "GET https://api.example/a"},
        {"id": "low", "endpoint": "GET https://api.example/low", "priority": -1},
        {"id": "mid", "endpoint": "GET https://api.example/mid"},
        {"id": "high", "endpoint": "GET https://api.example/high", "priority": 7, "dependsOn": ["a"]}]}
      """)
    let schedule = try await Schedule(plan, turns: [2, 2, 2, 2]) { _, _ in
      Schedule.Reply(seconds: 1)
    }
    #expect(schedule.drawing == ["a    -|", "high  -|", "mid    -|", "low     -|"])
  }

  /// A step that is skipped ends at once, and with it whatever needs it; what only waits goes on.
  @Test func skippingTakesNoTimeAndGoesAlongWhatNeedsIt() async throws {
    let plan = try plan(
      """
      {"steps": [
        {"id": "a", "endpoint": "GET https://api.example/a", "extract": {"go": "$.go"}},
        {"id": "b", "when": "$.a.go == true", "endpoint": "GET https://api.example/b", "extract": {"v": "$.v"}},
        {"id": "c", "endpoint": "GET https://api.example/c{{b.v}}", "extract": {"v": "$.v"}},
        {"id": "d", "endpoint": "GET https://api.example/d{{c.v}}"},
        {"id": "e", "dependsOn": ["c"], "endpoint": "GET https://api.example/e"},
        {"id": "f", "when": "$.a.go == true", "endpoint": "GET https://api.example/f",
         "extract": {"v": "$.v"}, "otherwise": {"v": "-else"}},
        {"id": "g", "endpoint": "GET https://api.example/g{{f.v}}"},
        {"id": "slow", "endpoint": "GET https://api.example/slow"}]}
      """)
    let schedule = try await Schedule(plan, turns: [3, 4, 2]) { name, _ in
      Schedule.Reply(seconds: name == "slow" ? 5 : 2, answer: .json(["go": false, "v": "v"]))
    }
    #expect(
      schedule.drawing == ["a      --|", "slow   -----|", "e        --|", "g-else   --|"])
    #expect(schedule.report.counts.skipped == 4)
    #expect(schedule.report.status == .succeeded)
  }

  @Test func afterAFailureUnderRecoverOtherwiseGoesOnAtOnce() async throws {
    let plan = try plan(
      """
      {"steps": [
        {"id": "find", "endpoint": "GET https://api.example/find", "onError": "recover",
         "extract": {"id": "$.id"}, "otherwise": {"id": "new"}},
        {"id": "lost", "endpoint": "GET https://api.example/lost", "onError": "continue", "extract": {"id": "$.id"}},
        {"id": "use", "endpoint": "GET https://api.example/use-{{find.id}}"},
        {"id": "skipped", "endpoint": "GET https://api.example/{{lost.id}}"},
        {"id": "other", "endpoint": "GET https://api.example/other"}]}
      """)
    let schedule = try await Schedule(plan, turns: [4, 3, 3, 2]) { name, _ in
      switch name {
      case "find": Schedule.Reply(seconds: 2, answer: .status(404))
      case "lost": Schedule.Reply(seconds: 1, answer: .status(404))
      default: Schedule.Reply(seconds: name == "other" ? 6 : 1)
      }
    }
    #expect(
      schedule.drawing == ["find    --!", "lost    -!", "other   ------|", "use-new   -|"])
    #expect(schedule.report.counts.recovered == 1)
    #expect(schedule.report.counts.skipped == 1)
    #expect(schedule.report.status == .failed)
  }
}
