import PipelineJSONText
import PipelineKit
import Testing

@testable import PipelineEngine
import PipelineLanguage

@Suite struct SchedulingTests {
  private func request(_ id: String, _ rest: String = "") -> String {
    "{\"id\": \"\(id)\", \"endpoint\": \"GET https://api.example/\(id)\"\(rest.isEmpty ? "" : ", " + rest)}"
  }

  @Test func aStepStartsTheMomentItsLastDependencyEnds() throws {
    let plan = try plan(
      steps: [
        request("a"), request("b"),
        request("c", "\"dependsOn\": [\"a\"]"),
        request("d", "\"dependsOn\": [\"b\", \"c\"]"),
      ].joined(separator: ","))
    let timeline = Timeline(plan) { id, _ in .ok(["a": 1, "b": 6, "c": 2, "d": 1][id] ?? 1) }
    #expect(
      timeline.drawing == [
        "a -|",
        "b ------|",
        "c  --|",
        "d       -|",
      ])
  }

  @Test func theLongestRemainingPathStartsFirst() throws {
    let plan = try plan(
      steps: [
        request("short"), request("long"), request("tail", "\"dependsOn\": [\"long\"]"),
      ].joined(separator: ","))
    let timeline = Timeline(plan, concurrency: 1) { _, _ in .ok(2) }
    #expect(
      timeline.drawing == [
        "long  --|",
        "short   --|",
        "tail      --|",
      ])
  }

  @Test func stepsOfABlockAreAsUrgentAsTheBlock() throws {
    let plan = try plan(
      steps: [
        request("many", "\"forEach\": {\"from\": 1, \"to\": 6}"),
        "{\"id\": \"box\", \"steps\": [\(request("a")), \(request("b", "\"dependsOn\": [\"a\"]"))]}",
        request("end", "\"dependsOn\": [\"many\", \"box\"]"),
      ].joined(separator: ","))
    let timeline = Timeline(plan, concurrency: 1) { _, _ in .ok(1) }
    // The steps inside take turns with the collection. They do not wait until it is done.
    #expect(timeline.drawing.firstIndex { $0.hasPrefix("box.b") } ?? 9 <= 3)
  }

  @Test func priorityOutranksTheRemainingPath() throws {
    let plan = try plan(
      steps: [
        request("long"), request("tail", "\"dependsOn\": [\"long\"]"),
        request("urgent", "\"priority\": 5"),
      ].joined(separator: ","))
    let timeline = Timeline(plan, concurrency: 1) { _, _ in .ok(1) }
    #expect(timeline.drawing == ["urgent -|", "long    -|", "tail     -|"])
  }

  @Test func listedStepsFollowEachOther() throws {
    let plan = try plan(
      "{\"order\": \"listed\", \"steps\": [\(request("a")), \(request("b")), \(request("c"))]}")
    let timeline = Timeline(plan) { _, _ in .ok(1) }
    #expect(timeline.drawing == ["a -|", "b  -|", "c   -|"])
  }

  @Test func neverMoreRequestsThanTheRunAllows() throws {
    let plan = try plan(
      steps: request("a", "\"forEach\": {\"from\": 1, \"to\": 50}") + "," + request("b"))
    let timeline = Timeline(plan, concurrency: 4) { _, item in .ok(1 + (item ?? 0) % 3) }
    #expect(timeline.peak == 4)
    #expect(timeline.report?.counts.items == 50)
  }

  @Test func aLargeCollectionDoesNotKeepOthersWaiting() throws {
    let plan = try plan(
      steps: request("a", "\"forEach\": [1, 2, 3, 4, 5]") + "," + request("b"))
    let timeline = Timeline(plan, concurrency: 2) { _, _ in .ok(1) }
    #expect(
      timeline.drawing == [
        "a 0 -|",
        "b   -|",
        "a 1  -|",
        "a 2  -|",
        "a 3   -|",
        "a 4   -|",
      ])
  }

  @Test func aStepThatBecomesReadyIsNextThoughACollectionIsAtWork() throws {
    let plan = try plan(
      steps: [
        request("a", "\"forEach\": [1, 2, 3, 4, 5, 6, 7, 8]"), request("b"),
        request("c", "\"dependsOn\": [\"b\"]"), request("end", "\"dependsOn\": [\"a\"]"),
      ].joined(separator: ","))
    let timeline = Timeline(plan, concurrency: 2) { _, _ in .ok(1) }
    #expect(timeline.drawing.first { $0.hasPrefix("b") } == "b   -|")
    #expect(timeline.rows.filter { $0.name == "c" }.map(\.text).count == 1)
  }

  @Test func collectionsThatAreAsUrgentTakeTurns() throws {
    let plan = try plan(
      steps: request("a", "\"forEach\": [1, 2, 3]") + ","
        + request("b", "\"forEach\": [1, 2, 3]"))
    let timeline = Timeline(plan, concurrency: 1) { _, _ in .ok(1) }
    #expect(
      timeline.drawing == [
        "a 0 -|",
        "b 0  -|",
        "a 1   -|",
        "b 1    -|",
        "a 2     -|",
        "b 2      -|",
      ])
  }

  @Test func aCollectionThatStoodStillIsNotOvertaken() throws {
    // While 'urgent' holds the only slot nothing of 'a' is at work; its turn comes all the same.
    let plan = try plan(
      steps: [
        request("a", "\"forEach\": [1, 2]"), request("first"),
        request("urgent", "\"priority\": 1, \"dependsOn\": [\"first\"]"),
        request("b", "\"forEach\": [1, 2]"),
      ].joined(separator: ","))
    let timeline = Timeline(plan, concurrency: 1) { _, _ in .ok(1) }
    #expect(
      timeline.drawing == [
        "first  -|",
        "urgent  -|",
        "a 0      -|",
        "b 0       -|",
        "a 1        -|",
        "b 1         -|",
      ])
  }

  @Test func concurrencyOneIsInTheOrderOfTheItems() throws {
    let plan = try plan(
      steps: request("a", "\"forEach\": [1, 2, 3], \"concurrency\": 1"))
    let timeline = Timeline(plan) { _, _ in .ok(1) }
    #expect(timeline.drawing == ["a 0 -|", "a 1  -|", "a 2   -|"])
  }

  @Test func theItemsOfABlockArePipelined() throws {
    let plan = try plan(
      """
      {"steps": [{"id": "each", "forEach": [1, 2, 3], "as": "n", "concurrency": 2, "steps": [
        \(request("x", "\"extract\": {\"v\": \"$.v\"}")),
        {"id": "y", "endpoint": "GET https://api.example/{{x.v}}"}
      ]}]}
      """)
    let timeline = Timeline(plan) { id, _ in .ok(id == "each.x" ? 1 : 2, "{\"v\": 1}") }
    #expect(
      timeline.drawing == [
        "each.x 0 -|",
        "each.x 1 -|",
        "each.y 0  --|",
        "each.y 1  --|",
        "each.x 2    -|",
        "each.y 2     --|",
      ])
  }

  @Test func batchesHandOutSeveralItemsAtATime() throws {
    let plan = try plan(
      steps: request("a", "\"forEach\": [1, 2, 3, 4, 5], \"batch\": 2, \"concurrency\": 1"))
    let timeline = Timeline(plan) { _, _ in .ok(1) }
    #expect(timeline.drawing == ["a 0 -|", "a 1  -|", "a 2   -|"])
  }

  @Test func aPausedRunStartsNothingFurther() throws {
    let plan = try plan(
      steps: request("a") + "," + request("b", "\"dependsOn\": [\"a\"]"))
    let timeline = Timeline(plan, news: [1: .pause, 5: .resume]) { _, _ in .ok(2) }
    #expect(timeline.drawing == ["a --|", "b      --|"])
  }

  @Test func aPausedRunEvaluatesNoValuesEither() throws {
    let plan = try plan(
      steps: request("a") + #", {"id": "b", "dependsOn": ["a"], "values": {"n": 1}}"#)
    #expect(Timeline(plan, news: [1: .pause]) { _, _ in .ok(2) }.report == nil)
    let timeline = Timeline(plan, news: [1: .pause, 5: .resume]) { _, _ in .ok(2) }
    #expect(timeline.report?.counts.succeeded == 2)
    #expect(timeline.report?.duration == .seconds(5))
  }

  @Test func valuesAreEvaluatedAsWrittenWhateverFollowsThem() throws {
    let plan = try plan(
      steps: """
        {"id": "a", "values": {"n": 1}}, {"id": "short", "values": {"n": "{{a.n}}"}},
        {"id": "long", "values": {"n": "{{a.n}}"}}, {"id": "b", "values": {"n": "{{long.n}}"}},
        {"id": "c", "values": {"n": "{{d.n}}"}}, {"id": "d", "values": {"n": "{{b.n}}"}}
        """)
    let timeline = Timeline(plan) { _, _ in .ok(1) }
    let ended = timeline.events.compactMap { event in
      if case .stepFinished(let step) = event { step.step } else { nil as String? }
    }
    #expect(ended == ["a", "short", "long", "b", "d", "c"])
    #expect(timeline.report?.status == .succeeded)
  }
}
