import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import Testing

@testable import PipelineEngine

@Suite struct SchedulingFailureTests {
  private func request(_ id: String, _ rest: String = "") -> String {
    "{\"id\": \"\(id)\", \"endpoint\": \"GET https://api.example/\(id)\"\(rest.isEmpty ? "" : ", " + rest)}"
  }

  @Test func aFailureCancelsWhatRunsAndSkipsTheRest() throws {
    let plan = try plan(
      steps: [
        request("a"), request("b"), request("c", "\"dependsOn\": [\"b\"]"),
      ].joined(separator: ","))
    let timeline = Timeline(plan) { id, _ in id == "a" ? .fails(2) : .ok(5) }
    #expect(timeline.drawing == ["a --!", "b --x"])
    let report = try #require(timeline.report)
    #expect(report.status == .failed)
    #expect(report.failures.map(\.step) == ["a"])
    #expect(report.counts.cancelled == 1)
    #expect(report.counts.skipped == 1)
  }

  @Test func continueSkipsTheDependentsAlone() throws {
    let plan = try plan(
      steps: [
        request("a", "\"onError\": \"continue\""), request("b", "\"dependsOn\": [\"a\"]"),
        request("c"),
      ].joined(separator: ","))
    let timeline = Timeline(plan) { id, _ in id == "a" ? .fails(1) : .ok(3) }
    #expect(timeline.drawing == ["a -!", "c ---|"])
    #expect(timeline.report?.status == .failed)
  }

  @Test func recoverGoesOnWithOtherwise() throws {
    let plan = try plan(
      """
      {"steps": [
        \(request("find", "\"onError\": \"recover\", \"extract\": {\"id\": \"$.id\"}, \"otherwise\": {\"id\": 0}")),
        {"id": "use", "values": {"id": "{{find.id}}", "kind": "$.find.error.kind"}}
      ], "outputs": {"use": "{{use}}"}}
      """)
    let timeline = Timeline(plan) { _, _ in .fails(1, .timeout) }
    #expect(timeline.report?.status == .succeeded)
    #expect(timeline.report?.outputs.text == #"{"use":{"id":0,"kind":"timeout"}}"#)
    #expect(timeline.report?.counts.recovered == 1)
  }

  @Test(arguments: [#""when": "$.run.id == 'no'""#, #""forEach": [1], "when": "$.item == 2""#])
  func anOtherwiseThatFailsIsReportedOnce(_ keys: String) throws {
    let plan = try plan(
      steps: request(
        "a", keys + #", "onError": "recover", "otherwise": {"x": {"$file": "gone.json"}}"#))
    let report = try #require(Timeline(plan) { _, _ in .ok(1) }.report)
    #expect(report.status == .failed)
    #expect(report.failures.map(\.failure.kind) == [.file])
  }

  @Test func whatNeedsASkippedStepIsSkippedAndWhatWaitsIsNot() throws {
    let plan = try plan(
      """
      {"inputs": {"go": {"type": "boolean", "optional": true}}, "steps": [
        \(request("a", "\"when\": \"$.inputs.go == true\", \"extract\": {\"v\": \"$.v\"}")),
        {"id": "needs", "values": {"v": "{{a.v}}"}},
        {"id": "waits", "dependsOn": ["a"], "values": {"list": "$.a[*]"}}
      ], "outputs": {"needs": "{{needs.v}}", "waits": "{{waits.list}}"}}
      """)
    let timeline = Timeline(plan) { _, _ in .ok(1) }
    #expect(timeline.report?.status == .succeeded)
    #expect(timeline.report?.outputs.text == #"{"waits":[]}"#)
    #expect(timeline.report?.counts.skipped == 2)
  }

  @Test func aFailedItemCancelsTheOthers() throws {
    let plan = try plan(
      steps: request(
        "a", "\"forEach\": [1, 2, 3, 4], \"concurrency\": 2, \"onError\": \"continue\""))
    let timeline = Timeline(plan) { _, item in item == 1 ? .fails(1) : .ok(3) }
    #expect(timeline.drawing == ["a 0 -x", "a 1 -!"])
    #expect(timeline.report?.failures.map(\.item) == [1])
  }

  @Test func collectRunsEveryItemAndKeepsTheRowsInPlace() throws {
    let plan = try plan(
      """
      {"steps": [
        \(request("a", "\"forEach\": [1, 2, 3], \"onItemError\": \"collect\", \"extract\": {\"v\": \"$.v\"}")),
        {"id": "sum", "values": {"rows": "{{a}}"}}
      ], "outputs": {"rows": "{{sum.rows}}"}}
      """)
    let timeline = Timeline(plan) { _, item in
      item == 1 ? .fails(1) : .ok(3 - (item ?? 0), "{\"v\":\(item ?? 0)}")
    }
    #expect(timeline.report?.outputs.text == #"{"rows":[{"v":0},null,{"v":2}]}"#)
    #expect(timeline.report?.status == .failed)
    #expect(timeline.report?.failures.map(\.item) == [1])
  }

  @Test func collectedFailuresComeInTheOrderOfTheItems() throws {
    let plan = try plan(
      steps: request("a", "\"forEach\": [1, 2, 3, 4], \"onItemError\": \"collect\""))
    let timeline = Timeline(plan) { _, item in .fails(5 - (item ?? 0)) }
    #expect(timeline.report?.failures.map(\.item) == [0, 1, 2, 3])
  }

  @Test func collectedFailuresThatHoldTooMuchEndTheirStep() throws {
    let plan = try plan(
      """
      {"limits": {"memory": "1MB", "concurrency": 4}, "steps": [
        \(request("a", "\"forEach\": {\"from\": 1, \"to\": 9000}, \"onItemError\": \"collect\""))]}
      """)
    let timeline = Timeline(plan) { _, _ in .fails(1) }
    let failures = try #require(timeline.report).failures
    #expect(failures.count < 9000)
    #expect(
      failures.filter { $0.failure.kind == .limit }.map(\.failure.message) == [
        "rows, bodies and failures hold more than 1 MB; 'limits.memory' sets how much they may hold"
      ])
  }

  @Test func finallyRunsAfterAFailureAndSeesIt() throws {
    let plan = try plan(
      """
      {"steps": [\(request("a"))], "finally": [
        \(request("clean")),
        {"id": "tell", "values": {"ok": "{{run.ok}}", "why": "$.run.errors[*].message"}}
      ], "outputs": {"tell": "{{tell}}"}}
      """)
    let timeline = Timeline(plan) { id, _ in id == "a" ? .fails(2) : .ok(1) }
    #expect(timeline.drawing == ["a     --!", "clean   -|"])
    #expect(timeline.report?.outputs.text == #"{"tell":{"ok":false,"why":["broke"]}}"#)
  }

  @Test func finallyRunsAfterAnInterruption() throws {
    let plan = try plan(
      "{\"steps\": [\(request("a")), \(request("b", "\"dependsOn\": [\"a\"]"))], \"finally\": [\(request("clean"))]}"
    )
    let timeline = Timeline(plan, news: [1: .stop(FailureReason(.cancelled, "stopped"))]) { _, _ in
      .ok(3)
    }
    #expect(timeline.drawing == ["a     -x", "clean  ---|"])
    #expect(timeline.report?.status == .cancelled)
  }

  @Test func anItemOfABlockThatFailsLeavesTheOthersAlone() throws {
    let plan = try plan(
      """
      {"steps": [{"id": "each", "forEach": [1, 2], "onItemError": "collect", "steps": [
        \(request("x")), \(request("y")), \(request("z", "\"dependsOn\": [\"y\"]"))
      ]}]}
      """)
    var failed = false
    let timeline = Timeline(plan) { id, _ in
      if id == "each.x", !failed {
        failed = true
        return .fails(1)
      }
      return .ok(2)
    }
    #expect(
      timeline.drawing == [
        "each.x 0 -!",
        "each.x 1 --|",
        "each.y 0 -x",
        "each.y 1 --|",
        "each.z 1   --|",
      ])
    #expect(timeline.report?.failures.map(\.step) == ["each.x"])
    #expect(timeline.report?.failures.map(\.path) == [[0]])
  }

  @Test func anEmptyCollectionIsAnEmptyList() throws {
    let plan = try plan(
      """
      {"steps": [{"id": "a", "forEach": [], "values": {"x": 1}}], "outputs": {"a": "{{a}}"}}
      """)
    let timeline = Timeline(plan) { _, _ in .ok(1) }
    #expect(timeline.report?.outputs.text == #"{"a":[]}"#)
  }

  @Test(arguments: 0..<40)
  func theOrderOfCompletionDoesNotMatter(seed: Int) throws {
    let plan = try plan(
      """
      {"steps": [
        \(request("list", "\"extract\": {\"v\": \"$.v\"}")),
        {"id": "each", "forEach": [3, 1, 2], "as": "n", "endpoint": "GET https://api.example/{{n}}",
          "extract": {"v": "$.v"}},
        {"id": "block", "forEach": "$.each", "as": "row", "steps": [
          {"id": "p", "endpoint": "GET https://api.example/{{row.v}}", "extract": {"v": "$.v"}},
          {"id": "q", "endpoint": "GET https://api.example/{{p.v}}", "extract": {"v": "$.v"}}
        ]},
        {"id": "join", "values": {"all": "$.block[*].q.v", "first": "{{list.v}}"}}
      ], "outputs": {"join": "{{join}}"}}
      """)
    var generator = SeededGenerator(seed: UInt64(seed))
    let lengths = (0..<64).map { _ in Int.random(in: 1...9, using: &generator) }
    var count = 0
    let timeline = Timeline(
      plan, concurrency: 1 + seed % 5, order: { $0.shuffle(using: &generator) },
      work: { _, item in
        count += 1
        return .ok(lengths[count % lengths.count], "{\"v\":\(item ?? 7)}")
      })
    #expect(timeline.report?.outputs.text == #"{"join":{"all":[7,7,7],"first":7}}"#)
  }
}
