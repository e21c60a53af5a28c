import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// The units of done parts, which are read from their files one by one.
@Suite struct PartUnitIndexTests {
  private let folder = TemporaryFolder()

  private func part(_ index: Int, of count: Int) -> PartFolder.Part {
    PartFolder.Part(
      folder: folder.path, step: "a", shard: RunPart.Shard(index: index, count: count))
  }

  private func line(_ item: Int, _ outcome: UnitRecord.Outcome) -> String {
    var writer = JSONWriter(style: .compact)
    PartUnits.write(
      UnitRecord(
        key: UnitKey(step: "a", place: [item], digest: Fingerprint(high: 7, low: UInt64(item))),
        outcome: outcome), .recorded(outcome), to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private func write(_ text: String, _ part: PartFolder.Part) {
    let name = part.unitsPath.dropFirst(folder.path.count + 1)
    folder.write(text, to: String(name))
  }

  private func units(_ index: PartUnitIndex) throws -> [String] {
    let recorded = index.recorded(from: 0, limit: .max / 2)
    return try recorded.map { unit in
      let record = try index.unit(unit.id - 1)
      #expect(record.key.placeHash == unit.placeHash && record.key.digest == unit.digest)
      guard case .values(let values) = record.outcome else { return "\(record.key.place) failed" }
      return "\(record.key.place) \(values.count)"
    }
  }

  /// Files are larger than what is kept of each, and a shard's units are not quite in order.
  @Test func unitsAreInTheOrderOfTheItems() throws {
    let parts = (1...3).map { part($0, of: 3) }
    for (number, part) in parts.enumerated() {
      var items = Array(stride(from: number, to: 36, by: 3))
      items.swapAt(2, 7)
      let lines = items.map {
        line($0, .values(Array(#"{"v":"\#(String(repeating: "x", count: 150_000 + $0))"}"#.utf8)))
      }
      write(lines.joined(separator: number == 1 ? "\n" : ""), part)
    }
    let index = try PartUnitIndex([parts])
    #expect(index.count == 36)
    #expect(try units(index) == (0..<36).map { "[\($0)] \(150_008 + $0)" })
    #expect(index.recorded(from: 30, limit: 4).map(\.id) == [31, 32, 33, 34])
    #expect(index.recorded(from: 36, limit: 4).isEmpty)
  }

  @Test func aUnitOfSeveralDivisionsIsTakenOnce() throws {
    let (value, failure) = (
      UnitRecord.Outcome.values(Array("{}".utf8)),
      UnitRecord.Outcome.failed(FailureReason(.status, "no", status: 500))
    )
    write(line(0, value) + line(2, failure), part(1, of: 2))
    write(line(1, failure), part(2, of: 2))
    write(line(0, failure) + line(1, value) + line(2, failure), part(1, of: 1))
    let index = try PartUnitIndex([[part(1, of: 1), part(1, of: 2), part(2, of: 2)]])
    #expect(try units(index) == ["[0] 2", "[1] 2", "[2] failed"])
  }

  /// As another writer may have written it, or a person has settled it.
  @Test func linesInAnotherFormAreRead() throws {
    write(
      """
      { "step": "a", "item": [1], "state": "done", "result": {} }
      {"item":[0],"step":"a","state":"skipped"}

      """, part(1, of: 1))
    let index = try PartUnitIndex([[part(1, of: 1)]])
    #expect(try units(index) == ["[0] failed", "[1] 2"])
    #expect(index.recorded(from: 0, limit: 9).allSatisfy { $0.digest == nil })
  }

  @Test(arguments: [
    "x\n", "{}\n", "{\"step\":\"a\"", "{\"step\":\"a\",\"item\":[0],\"digest\":\"12\"}\n",
  ])
  func aDamagedLineIsNamed(_ text: String) throws {
    write(line(0, .values(Array("{}".utf8))) + text, part(1, of: 1))
    let problem = #expect(throws: PartFolder.Problem.self) {
      try PartUnitIndex([[part(1, of: 1)]])
    }
    #expect(
      problem?.description.hasSuffix(
        "is damaged in line 2; remove '\(part(1, of: 1).donePath)' and carry the part out again")
        == true)
  }
}
