import PipelineJSONText
import PipelineKit
import Testing
import PipelineLanguage
import PipelineTesting

/// Who listens to a run, and when.
@Suite struct EventListenerTests {
  private func pipeline(items: Int = 3, kept: Int = 1_000) throws -> Pipeline {
    var options = RunOptions()
    options.keptEvents = kept
    return try Pipeline(
      """
      {"steps": [{"id": "a", "forEach": {"from": 1, "to": \(items)}, "values": {"n": 1}}]}
      """, transport: ScriptedTransport { _ in .json([:]) }, options: options)
  }

  private func names(_ run: Run) async -> [String] {
    var names: [String] = []
    for await event in run.events() { names.append(event.kind.name) }
    return names
  }

  private let all = [
    "runStarted", "stepStarted", "itemFinished", "itemFinished", "itemFinished", "stepFinished",
    "runFinished",
  ]

  @Test func eventsAskedForAfterTheEndComeAndEnd() async throws {
    let run = try pipeline().run()
    _ = try await run.result
    #expect(await names(run) == all)
    #expect(await names(run) == all)
  }

  @Test func severalListenersGetEveryEvent() async throws {
    for _ in 0..<50 {
      let run = try pipeline().run()
      async let result = run.result
      async let first = names(run)
      async let second = names(run)
      #expect(await first == all)
      #expect(await second == all)
      _ = try await result
      #expect(await names(run) == all)
    }
  }

  @Test func aListenerThatLeavesLeavesTheOthers() async throws {
    let run = try pipeline().run()
    for await _ in run.events() { break }
    #expect(await names(run) == all)
  }

  @Test func whatWasNotKeptIsLeftOutForLateListenersAlone() async throws {
    let run = try pipeline(items: 100, kept: 3).run()
    let early = await names(run)
    #expect(early.count == 104)
    #expect(
      await names(run) == ["runStarted", "stepStarted", "itemFinished", "note", "runFinished"])
  }

  @Test func nothingIsKeptWhereNothingIsWanted() async throws {
    let run = try pipeline(kept: 0).run()
    _ = try await run.result
    #expect(await names(run) == ["runFinished"])
  }

  @Test func listenersOfARunThatNeverBeganEnd() async throws {
    let run = try Pipeline(
      "{\"inputs\": {\"a\": {\"type\": \"string\"}}, \"steps\": [{\"id\": \"a\", \"values\": {\"n\": \"{{inputs.a}}\"}}]}",
      transport: ScriptedTransport { _ in .json([:]) }
    ).run()
    #expect(await names(run) == [])
    await #expect(throws: InputError.self) { try await run.result }
    #expect(await names(run) == [])
  }
}
