import PipelineKit
import Testing

@testable import PipelineEngine

/// What goes on, and for how long, while a run or a part of it stops.
struct CleanUpTests {
  private func request(_ id: String, _ rest: String = "") -> String {
    "{\"id\": \"\(id)\", \"endpoint\": \"GET https://api.example/\(id)\"\(rest.isEmpty ? "" : ", " + rest)}"
  }

  private let interruption = FailureReason(.cancelled, "stopped")

  @Test func anItemThatFailsCancelsTheOthers() throws {
    let plan = try plan(
      steps: [request("a", "\"forEach\": [1, 2, 3]"), request("b")].joined(separator: ","))
    let timeline = Timeline(plan) { id, item in
      id == "a" && item == 1 ? .fails(1) : .ok(9)
    }
    #expect(timeline.drawing == ["a 0 -x", "a 1 -!", "a 2 -x", "b   -x"])
    #expect(timeline.report?.failures.map(\.item) == [1])
    #expect(timeline.report?.status == .failed)
  }

  @Test func anItemInABlockThatFailsCancelsTheOthers() throws {
    let plan = try plan(
      """
      {"steps": [{"id": "all", "steps": [\(request("a", "\"forEach\": [1, 2]")), \(request("b"))]}]}
      """)
    let timeline = Timeline(plan) { id, item in
      id == "all.a" && item == 0 ? .fails(1) : .ok(9)
    }
    #expect(timeline.drawing == ["all.a 0 -!", "all.a 1 -x", "all.b   -x"])
    #expect(timeline.report?.failures.map(\.step) == ["all.a"])
  }

  @Test func anInterruptionLetsFinallyGoOn() throws {
    let plan = try plan(
      """
      {"steps": [\(request("a"))],
       "finally": [\(request("clean")), \(request("log", "\"dependsOn\": [\"clean\"]"))]}
      """)
    let timeline = Timeline(plan, news: [3: .stop(interruption)]) { _, _ in .ok(2) }
    #expect(timeline.drawing == ["a     --|", "clean   --|", "log       --|"])
    #expect(timeline.report?.status == .cancelled)
  }

  @Test func theCleanUpOfABlockGoesOnWhileTheRunStops() throws {
    let plan = try plan(
      """
      {"steps": [
        \(request("slow")),
        {"id": "box", "steps": [\(request("use"))], "finally": [
          \(request("free")), \(request("log", "\"dependsOn\": [\"free\"]"))]}]}
      """)
    let timeline = Timeline(plan, news: [3: .stop(interruption)]) { id, _ in
      id == "slow" ? .ok(9) : .ok(2)
    }
    #expect(
      timeline.drawing == [
        "box.use  --|", "slow     ---x", "box.free   --|", "box.log      --|",
      ])
    #expect(timeline.report?.status == .cancelled)
  }

  @Test func theCleanUpOfABlockHasALimitOfItsOwn() throws {
    let plan = try plan(
      """
      {"steps": [
        {"id": "box", "onError": "continue", "steps": [\(request("use"))],
         "finally": [\(request("free"))]},
        \(request("slow"))]}
      """)
    let timeline = Timeline(plan) { id, _ in
      id == "box.free" ? .ok(900) : id == "slow" ? .ok(70) : .ok(2)
    }
    #expect(
      timeline.report?.failures.map(\.failure.message) == [
        "the 'finally' steps took longer than 1m; 'limits.finally' sets how long they may"
      ])
    #expect(timeline.drawing.map { $0.count } == [12, 80, 72])
  }

  @Test func theFileSaysHowLongCleanUpMayTake() throws {
    let box = """
      {"id": "box", "onError": "continue", "steps": [\(request("use"))],
       "finally": [\(request("free"))]}
      """
    for (limit, length, end) in [("15m", 800, 800), ("15m", 1000, 900), ("5s", 8, 5)] {
      let plan = try plan(#"{"limits": {"finally": "\#(limit)"}, "steps": [\#(box)]}"#)
      let timeline = Timeline(plan) { id, _ in id == "box.free" ? .ok(length) : .ok(2) }
      #expect(timeline.drawing.map { $0.count } == [12, 12 + end])
      #expect(
        timeline.report?.failures.map(\.failure.message)
          == (length == end
            ? []
            : [
              "the 'finally' steps took longer than \(limit); 'limits.finally' sets how long they may"
            ]))
    }
  }

  @Test func aRequestThatItsTransportGaveUpFailed() throws {
    let plan = try plan(steps: request("a"))
    var begun = 0
    let timeline = Timeline(plan) { _, _ in
      begun += 1
      return Timeline.Work(length: 1, outcome: begun == 1 ? .cancelled : .values([]))
    }
    #expect(begun == 1)
    #expect(
      timeline.report?.failures.map(\.failure.message) == [
        "the transport cancelled the request, although the run did not ask for it"
      ])
  }
}
