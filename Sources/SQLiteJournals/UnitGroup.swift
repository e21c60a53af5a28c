internal import PipelineByteText
internal import PipelineJournals

/// Units that follow each other in a journal, packed: a record is made when it is asked for.
struct UnitGroup {
  private struct Row {
    let id: Int
    /// The position of its step in `steps`.
    let step: Int
    let digest: Fingerprint?
    /// The first letter of its state.
    let state: UInt8
    /// Where its positions end, after those of the row before.
    let placeEnd: Int
    /// Where its result ends, after that of the row before.
    let resultEnd: Int
  }

  /// A step of the run.
  struct Step {
    /// Its number in the journal.
    let number: Int
    let path: String
    /// `UnitKey.hash(of:)`
    let hash: UInt64

    init(number: Int, path: String) {
      self.number = number
      self.path = path
      hash = UnitKey.hash(of: path)
    }
  }

  /// The steps of the units. Nearly always the next unit is of the same step.
  private var steps: [Step] = []
  private var rows: [Row] = []
  private var places: [Int] = []
  private var results: [UInt8] = []
  /// By its number: the items that a unit was for which a person settled.
  private var items: [Int: Fingerprint] = [:]
  /// The units that a run may take.
  private(set) var recorded: [RecordedUnit] = []

  /// The number before the first that the group covers.
  private let start: Int

  /// - Parameter start: The number after which the units follow.
  init(after start: Int, capacity: Int) {
    self.start = start
    rows.reserveCapacity(capacity)
    places.reserveCapacity(capacity)
    recorded.reserveCapacity(capacity)
  }

  /// The numbers that the group covers; empty: it has no units. Some of them may be missing.
  var ids: Range<Int> { start + 1..<(rows.last?.id ?? start) + 1 }

  /// Adds the unit of a row with the columns id, item, digest, step, state, result and items.
  ///
  /// - Parameter stepOf: Gives the step of a number.
  mutating func add(_ row: SQLiteStatement, _ stepOf: (Int) -> Step) {
    let (id, number) = (row.number(0), row.number(3))
    if steps.last?.number != number { steps.append(stepOf(number)) }
    let step = steps.count - 1
    let start = places.count
    row.withBytes(1) { JournalFile.readPositions($0, into: &places) }
    let digest = JournalFile.fingerprint(row, 2)
    let state = row.withBytes(4) { $0.first } ?? Self.failed
    row.withBytes(5) { results.append(contentsOf: $0) }
    if digest == nil { items[id] = JournalFile.fingerprint(row, 6) }
    rows.append(
      Row(
        id: id, step: step, digest: digest, state: state, placeEnd: places.count,
        resultEnd: results.count))
    guard state != Self.failed else { return }
    let hash = UnitKey.placeHash(step: steps[step].hash, places[start...])
    recorded.append(RecordedUnit(id: id, placeHash: hash, digest: digest))
  }

  /// The record of a unit; `nil` if it is not in this group.
  func unit(_ id: Int) -> UnitRecord? {
    guard let index = index(of: id) else { return nil }
    let (row, before) = (rows[index], index > 0 ? rows[index - 1] : nil)
    let result = results[(before?.resultEnd ?? 0)..<row.resultEnd]
    let outcome: UnitRecord.Outcome =
      switch row.state {
      case UInt8(ascii: "d"): .values(Array(result))
      case UInt8(ascii: "s"): .skipped
      case UInt8(ascii: "w"): .withheld
      default: .failed(FailureReason(.network, String(decoding: result, as: UTF8.self)))
      }
    let key = UnitKey(
      step: steps[row.step].path,
      place: Array(places[(before?.placeEnd ?? 0)..<row.placeEnd]), digest: row.digest)
    return UnitRecord(key: key, outcome: outcome, items: items[id])
  }

  private static let failed = UInt8(ascii: "f")

  private func index(of id: Int) -> Int? {
    // Failed units, too, have their rows, so numbers are rarely missing.
    if let first = rows.first?.id, rows.indices.contains(id - first), rows[id - first].id == id {
      return id - first
    }
    let index = rows.partitioningIndex { $0.id >= id }
    return index < rows.count && rows[index].id == id ? index : nil
  }
}
