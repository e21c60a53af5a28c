import PipelineJSONText
import Testing

@testable import PipelineJournals

/// What a later process of a run finds in a journal, by the entries of those before.
@Suite struct MemoryJournalTests {
  private static let digest = Fingerprint(high: 1, low: 2)

  private static func key(_ step: String, _ place: [Int] = []) -> UnitKey {
    UnitKey(step: step, place: place, digest: digest)
  }

  private static func unit(_ step: String, _ place: [Int] = []) -> JournalEntry {
    .unit(UnitRecord(key: key(step, place), outcome: .values(Array("{}".utf8))))
  }

  private static func sending(_ id: Int, _ step: String) -> JournalEntry {
    .sending(
      SendingRecord(
        id: id, unit: key(step), method: "POST", url: "https://api.example", time: 0,
        idempotencyKey: nil, content: digest))
  }

  private func history(_ entries: JournalEntry...) throws -> any JournalHistory {
    let journal = MemoryJournal()
    for entry in entries { journal.append(entry) }
    return try journal.history()
  }

  private func steps(_ history: any JournalHistory) throws -> [String] {
    try history.units(after: 0).compactMap { try history.unit($0.id)?.key.name }
  }

  @Test func aPassThatBeginsAgainForgetsWhatIsInsideIt() throws {
    let history = try history(
      Self.unit("each.pack", [0, 1]), Self.unit("each.pack", [1, 0]), Self.unit("eachOther", [0]),
      .passAgain(step: "each", place: [0]))
    #expect(try steps(history) == ["each.pack[1][0]", "eachOther[0]"])
  }

  @Test func aStepThatIsCarriedOutAgainForgetsItsUnitsButNotItsDoubts() throws {
    let history = try history(
      Self.sending(1, "order"), Self.sending(2, "order"), .sent(2, .done), Self.unit("order"),
      Self.unit("orders"), .again(step: "order"))
    #expect(try steps(history) == ["orders"])
    #expect(history.sendings.map(\.id) == [1])
    #expect(!history.hasCarriedOut && history.lastSending == 2)
  }

  @Test func aRequestIsOfTheProcessThatSentIt() throws {
    let record = RunRecord(
      id: "r", workflow: "w", file: "w.json", startedAt: 0, environment: nil, inputs: [:])
    let history = try history(
      .started(record), Self.sending(1, "a"), .started(record), Self.sending(2, "b"))
    #expect(history.sendings.map(\.process) == [1, 2])
  }

  @Test func theBeginningOfAJournalIsAsIfTheProcessHadEndedThere() throws {
    let journal = MemoryJournal()
    for step in ["a", "b", "c"] { journal.append(Self.unit(step)) }
    let earlier = journal.prefix(2)
    journal.append(Self.unit("d"))
    #expect(try steps(earlier.history()) == ["a", "b"])
  }

  @Test func aStatementOfAPersonIsReplacedByTheNext() async throws {
    let journal = MemoryJournal()
    journal.append(Self.sending(1, "order"))
    let request = try #require(try journal.history().sendings.first)
    journal.settle(request, as: .skip)
    let skipped = try journal.history()
    #expect(skipped.sendings.isEmpty && skipped.hasCarriedOut)
    #expect(try steps(skipped) == ["order"])
    journal.settle(request, as: .again)
    #expect(try steps(journal.history()).isEmpty)
  }
}
