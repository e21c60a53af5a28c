import PipelineJSONText
import PipelineJournals
import PipelineTestSupport
import PipelineTransports
import Testing

@testable import SQLiteJournals

/// What a journal says of its units, which nobody has to read for it.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct RunHistoryTests {
  private let folder = TemporaryFolder()
  private var store: RunStore { RunStore(path: folder.path + "/runs") }

  private static func unit(
    _ step: String, _ place: Int, _ outcome: UnitRecord.Outcome? = nil, ms: Int = 5
  ) -> JournalEntry {
    let digest = Fingerprint(high: 1, low: UInt64(place))
    return .unit(
      UnitRecord(
        key: UnitKey(step: step, place: [place], digest: digest),
        outcome: outcome ?? .values(Array("{}".utf8)), duration: .milliseconds(ms)))
  }

  private static let failed = UnitRecord.Outcome.failed(FailureReason(.status, "status 500"))

  /// A process that takes the run up and records entries, and ends or is killed.
  private func process(
    _ entries: [JournalEntry], isFirst: Bool = true, ends: Bool = true
  ) async throws {
    let journal = isFirst ? try store.create(id: "aaaa") : try store.open(id: "aaaa")
    journal.append(
      .started(
        RunRecord(
          id: "aaaa", workflow: "w", file: "w.json", startedAt: 1, environment: nil, inputs: [:])))
    for entry in entries { journal.append(entry) }
    if ends {
      journal.append(
        .finished(
          FinishRecord(
            status: .failed, duration: .seconds(1), counts: .init(), failures: [], failureCount: 0))
      )
    }
    #expect(await journal.finish() == nil)
    journal.close()
  }

  private func execute(_ sql: String) throws {
    try SQLiteDatabase(path: folder.path + "/runs/aaaa/journal.sqlite").execute(sql)
  }

  /// The history in words: that which is kept, or one that is made of the units.
  private func history() throws -> [String] {
    let history = try store.history(id: "aaaa")
    return history.steps.map {
      "\($0.path) \($0.done) \($0.failed) \($0.median) \($0.high) \($0.longest)"
    } + history.failures.map { "\($0.unit) \($0.message)" }
  }

  private func counted() throws -> [String] {
    try execute("DELETE FROM run WHERE name = 'summary'")
    return try history()
  }

  @Test func whatIsCountedWhileUnitsComeIsWhatReadingThemGives() async throws {
    var entries = (0..<200).map { Self.unit("b", $0, ms: 200 - $0) }
    entries += (0..<120).map { Self.unit("a", $0, Self.failed, ms: $0) }
    entries += [Self.unit("a", 500, .skipped), Self.unit("c.d", 1, ms: 7)]
    try await process(entries)
    let kept = try history()
    #expect(kept.count == 3 + 100)
    #expect(kept.first == "b 200 0 0.101 seconds 0.191 seconds 0.2 seconds")
    #expect(kept[1].hasPrefix("a 1 120 "))
    #expect(kept[3] == "a[0] status 500")
    #expect(try counted() == kept)
    // The units are not read.
    try execute("UPDATE units SET took = 9")
    #expect(try history() == kept)
    #expect(try counted() != kept)
  }

  @Test func aUnitThatEndedWellLaterIsNoFailure() async throws {
    try await process([Self.unit("a", 1, Self.failed), Self.unit("a", 2)])
    let before = ["a 1 1 0.005 seconds 0.005 seconds 0.005 seconds", "a[1] status 500"]
    #expect(try history() == before)
    try await process([Self.unit("a", 1, ms: 9)], isFirst: false)
    #expect(try history() == ["a 2 0 0.009 seconds 0.009 seconds 0.009 seconds"])
    // What was read is kept until another process takes the run up.
    try execute("UPDATE units SET took = 3")
    #expect(try history() == ["a 2 0 0.009 seconds 0.009 seconds 0.009 seconds"])
    try await process([Self.unit("b", 1)], isFirst: false, ends: false)
    #expect(try history().count == 2)
  }

  @Test func whatIsForgottenDoesNotCount() async throws {
    try await process([Self.unit("a", 1), Self.unit("b", 1, Self.failed), .again(step: "b")])
    #expect(try history().map { $0.prefix(3) } == ["a 1"])
    try await process([], isFirst: false, ends: false)
    #expect(try history().map { $0.prefix(3) } == ["a 1"])
  }

  @Test func aDamagedSummaryIsMadeAgain() async throws {
    try await process([Self.unit("a", 1)])
    let kept = try history()
    for text in ["", "[]", #"{"process": 1}"#, #"{"process": 7, "steps": [], "failures": []}"#] {
      try execute("UPDATE run SET value = '\(text)' WHERE name = 'summary'")
      #expect(try history() == kept)
    }
  }
}
