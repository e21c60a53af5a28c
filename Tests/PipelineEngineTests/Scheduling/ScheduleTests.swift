import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

/// What is sent when, of whole runs.
@Suite(.timeLimit(.minutes(5))) struct ScheduleTests {
  private func request(_ id: String, _ rest: String = "", on host: String = "api") -> String {
    "{\"id\": \"\(id)\", \"endpoint\": \"GET https://\(host).example/\(id)\"\(rest.isEmpty ? "" : ", " + rest)}"
  }

  private func wait(_ seconds: Int, _ status: Int = 429) -> Schedule.Reply {
    Schedule.Reply(
      answer: .status(status, headers: [HeaderField("Retry-After", String(seconds))]))
  }

  @Test func retryAfterMayBeADateAndIsBounded() async throws {
    // The clock begins at 2026-01-01T00:00:00Z.
    let plan = try plan(
      """
      {"limits": {"retryAfter": "10s"}, "steps": [
        \(request("a", "\"retry\": 3")), \(request("b", "\"retry\": 2, \"dependsOn\": [\"a\"], \"onError\": \"continue\""))]}
      """)
    let dates = ["Thu, 01 Jan 2026 00:00:04 GMT", "Thursday, 01-Jan-26 00:00:06 GMT"]
    let schedule = try await Schedule(plan, turns: [2, 2]) { name, attempt in
      if name == "b" { return wait(11) }
      return attempt == 2
        ? Schedule.Reply()
        : Schedule.Reply(
          answer: .status(503, headers: [HeaderField("Retry-After", dates[attempt])]))
    }
    #expect(schedule.drawing == ["a   !", "a 2     !", "a 3       |", "b         !"])
    #expect(
      schedule.report.failures.first?.failure.hints == [
        "the server asks to wait 11 s, longer than 'limits.retryAfter' allows"
      ])
  }

  @Test func aRetryWaitsLongerEachTimeUpToItsLongest() async throws {
    let retry = """
      "retry": {"attempts": 4, "delay": "1s", "factor": 3, "maxDelay": "5s", "jitter": false}
      """
    let plan = try plan(steps: request("a", retry))
    let schedule = try await Schedule(plan, turns: [2, 2, 2]) { _, attempt in
      Schedule.Reply(answer: .status(attempt < 3 ? 502 : 200))
    }
    #expect(schedule.drawing == ["a   !", "a 2  !", "a 3     !", "a 4          |"])
  }

  @Test func pollingPausesLongerEachTimeAndGivesUp() async throws {
    let poll = """
      "poll": {"until": "@.status == 201", "every": "2s", "factor": 2, "maxEvery": "5s", "within": "20s"}
      """
    let plan = try plan(steps: request("a", poll))
    let schedule = try await Schedule(plan, turns: [2, 2, 2, 2]) { _, _ in Schedule.Reply() }
    #expect(
      schedule.drawing == [
        "a   |", "a 2   |", "a 3       |", "a 4            |", "a 5                 |",
      ])
    #expect(
      schedule.report.failures.first?.failure.message
        == "'@.status == 201' did not hold within 20s")
  }

  @Test func attemptsWithoutWithinAreAllMade() async throws {
    let poll = """
      "poll": {"until": "@.status == 201", "every": "60s", "attempts": 8}
      """
    let plan = try plan(steps: request("a", poll))
    let schedule = try await Schedule(plan, turns: Array(repeating: 2, count: 7)) { _, _ in
      Schedule.Reply()
    }
    #expect(schedule.drawing.count == 8)
    #expect(
      schedule.report.failures.first?.failure.message
        == "'@.status == 201' did not hold after 8 requests")
  }

  @Test func pagesWhoseNumberIsKnownAreFetchedTogether() async throws {
    let plan = try plan(
      """
      {"limits": {"concurrency": 2}, "steps": [{"id": "p", "endpoint": "GET https://api.example/",
        "paginate": {"offset": "from", "by": 10, "total": "$.total"}, "extract": {"n": "$.list[*]"}}],
       "outputs": {"n": "{{p.n}}"}}
      """)
    let schedule = try await Schedule(plan, turns: [2, 3, 3, 2]) { name, _ in
      // The later a page, the faster it comes.
      let from = Int(name.split(separator: "=").last ?? "") ?? 0
      return Schedule.Reply(
        seconds: 5 - from / 10, answer: .json(["total": 35, "list": [JSONValue(from)]]))
    }
    #expect(
      schedule.drawing == [
        "?from=0  -----|",
        "?from=10      ----|",
        "?from=20      ---|",
        "?from=30         --|",
      ])
    #expect(schedule.report.outputs.text == #"{"n":[0,10,20,30]}"#)
  }

  @Test func aDeadlineStopsWhatRunsAndFinallyFollows() async throws {
    let plan = try plan(
      """
      {"limits": {"deadline": "3s"}, "steps": [\(request("a")), \(request("b", "\"dependsOn\": [\"a\"]"))],
       "finally": [\(request("clean"))]}
      """)
    let schedule = try await Schedule(plan, turns: [2, 2]) { name, _ in
      Schedule.Reply(seconds: name == "clean" ? 1 : 5)
    }
    #expect(schedule.drawing == ["a     ---x", "clean    -|"])
    #expect(
      schedule.report.stopReason?.message
        == "the run took longer than 3s; 'limits.deadline' sets how long it may")
  }

  @Test func cancellingStopsWhatRunsAndFinallyFollows() async throws {
    let plan = try plan(
      """
      {"steps": [\(request("a")), \(request("b")), \(request("c", "\"dependsOn\": [\"b\"]"))],
       "finally": [\(request("clean"))]}
      """)
    let schedule = try await Schedule(plan, turns: [3, 3, 2], stop: 1) { name, _ in
      Schedule.Reply(seconds: name == "clean" ? 1 : name == "b" ? 2 : 5)
    }
    #expect(schedule.drawing == ["a     --x", "b     --|", "c       x", "clean   -|"])
    #expect(schedule.report.status == .cancelled)
  }

  @Test func whoWaitsForItsOriginLetsOthersGo() async throws {
    let plan = try plan(
      """
      {"limits": {"concurrency": 1}, "steps": [
        \(request("a", "\"retry\": 2, \"priority\": 1")), \(request("b", on: "other")),
        \(request("c", on: "other"))]}
      """)
    let schedule = try await Schedule(plan, turns: [3, 3, 2]) { name, attempt in
      name == "a" && attempt == 0 ? wait(5, 503) : Schedule.Reply(seconds: name == "a" ? 0 : 2)
    }
    #expect(schedule.drawing == ["a   !", "b   --|", "c     --|", "a 2      |"])
  }

  @Test func whatBlocksHoldIsReleasedWithThem() async throws {
    // Each item holds 200 KB while its block runs, and 1 byte afterwards.
    let plan = try plan(
      """
      {"limits": {"memory": "1MB", "concurrency": 1}, "steps": [
        {"id": "each", "forEach": {"from": 1, "to": 20}, "steps": [
          {"id": "a", "endpoint": "GET https://api.example/a", "extract": {"text": "$.text"}}],
         "outputs": {"n": 1}}]}
      """)
    let text = JSONValue.string(String(repeating: "x", count: 200_000))
    let schedule = try await Schedule(plan, turns: []) { _, _ in
      Schedule.Reply(answer: .json(["text": text]))
    }
    #expect(schedule.report.status == .succeeded)
    #expect(schedule.drawing.count == 20)
  }

  @Test func rowsThatHoldTooMuchFailTheirStep() async throws {
    let plan = try plan(
      """
      {"limits": {"memory": "1MB"}, "steps": [
        {"id": "a", "endpoint": "GET https://api.example/a", "extract": {"text": "$.text"}},
        {"id": "each", "forEach": {"from": 1, "to": 100}, "values": {"copy": "{{a.text}}"}}]}
      """)
    let text = JSONValue.string(String(repeating: "x", count: 50_000))
    let schedule = try await Schedule(plan, turns: []) { _, _ in
      Schedule.Reply(answer: .json(["text": text]))
    }
    #expect(
      schedule.report.failures.map(\.failure.message) == [
        "rows, bodies and failures hold more than 1 MB; 'limits.memory' sets how much they may hold"
      ])
    #expect(schedule.report.failures.map(\.step) == ["each"])
  }
}
