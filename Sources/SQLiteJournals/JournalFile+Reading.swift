internal import JSONText
internal import PipelineKit

// What the entries of a journal say.
extension JournalFile {
  func value(of name: String) throws(JournalError) -> String? {
    var value: String?
    try database.forEachRow("SELECT value FROM run WHERE name = ?", [.text(name)]) { row in
      value = row.textIfPresent(0)
      return false
    }
    return value
  }

  func run() throws(JournalError) -> RunRecord? {
    guard let id = try value(of: "id") else { return nil }
    let inputs = try value(of: "inputs") ?? "{}"
    let state = try? JSONDocument.parse(Array((try value(of: "state") ?? "{}").utf8)).root
    return RunRecord(
      id: id, workflow: try value(of: "workflow") ?? "", file: try value(of: "file") ?? "",
      startedAt: try value(of: "startedAt").flatMap { Double($0) } ?? 0,
      environment: try value(of: "environment"),
      inputs: (try? JSONDocument.parse(Array(inputs.utf8))).map { JSONValue($0.root) } ?? [:],
      state: Dictionary(
        state?.members.map { ($0.name, JSONValue($0.value)) } ?? [], uniquingKeysWith: { $1 }))
  }

  func sendings() throws(JournalError) -> [SendingRecord] {
    var sendings: [SendingRecord] = []
    try database.forEachRow(
      """
      SELECT path, item, digest, sendings.id, method, url, time, key, content, state, status
      FROM sendings JOIN steps ON steps.id = step ORDER BY sendings.id
      """
    ) { row in
      sendings.append(
        SendingRecord(
          id: row.number(3), unit: Self.key(row), method: row.text(4), url: row.text(5),
          time: row.real(6), idempotencyKey: row.textIfPresent(7),
          content: Fingerprint(bytes: row.bytes(8)) ?? Fingerprint(high: 0, low: 0),
          state: SendingRecord.State(name: row.text(9), status: row.number(10))))
      return true
    }
    return sendings
  }

  func pages() throws(JournalError) -> [PageRecord] {
    var pages: [PageRecord] = []
    try database.forEachRow(
      """
      SELECT path, item, digest, number, result, next, target, count
      FROM pages JOIN steps ON steps.id = step ORDER BY pages.id
      """
    ) { row in
      let target = row.text(6)
      let next: PageRecord.Next =
        switch row.text(5) {
        case "number": .number
        case "link": .link(target)
        case "cursor": .cursor(target)
        default: .none
        }
      pages.append(
        PageRecord(
          unit: Self.key(row), number: row.number(3), values: row.bytes(4), next: next,
          count: row.isNull(7) ? nil : row.number(7)))
      return true
    }
    pagedUnits = Set(pages.map(\.unit))
    return pages
  }

  func savedFiles() throws(JournalError) -> [String] {
    var paths: [String] = []
    try database.forEachRow("SELECT path FROM files") { row in
      paths.append(row.text(0))
      return true
    }
    return paths
  }

  /// The units that did not fail, the earliest first.
  func forEachUnit(_ body: (RecordedUnit) -> Void) throws(JournalError) {
    var hashes: [Int: UInt64] = [:]
    for (path, number) in stepNumbers { hashes[number] = UnitKey.hash(of: path) }
    try database.forEachRow(
      "SELECT id, step, item, digest FROM units WHERE state <> 'failed' ORDER BY id"
    ) { row in
      let step = hashes[row.number(1)] ?? 0
      body(
        RecordedUnit(
          id: row.number(0), placeHash: UnitKey.placeHash(step: step, Self.positions(row, 2)),
          digest: Fingerprint(bytes: row.bytes(3))))
      return true
    }
  }

  /// The units with numbers from `id`, `count` numbers in all, by number.
  func units(from id: Int, count: Int) throws(JournalError) -> [Int: UnitRecord] {
    var units: [Int: UnitRecord] = [:]
    try database.forEachRow(
      """
      SELECT path, item, digest, units.id, state, result FROM units JOIN steps ON steps.id = step
      WHERE units.id >= ? AND units.id < ? ORDER BY units.id
      """, [.number(id), .number(id + count)]
    ) { row in
      let outcome: UnitRecord.Outcome =
        switch row.text(4) {
        case "done": .values(row.bytes(5))
        case "skipped": .skipped
        case "withheld": .withheld
        default: .failed(kind: .network, status: nil, message: row.text(5))
        }
      units[row.number(3)] = UnitRecord(key: Self.key(row), outcome: outcome)
      return true
    }
    return units
  }

  // MARK: Columns

  /// The key in the columns path, item and digest, which are the first.
  static func key(_ row: SQLiteStatement) -> UnitKey {
    UnitKey(
      step: row.text(0), place: positions(row, 1), digest: Fingerprint(bytes: row.bytes(2)))
  }

  /// Numbers with dots between them.
  private static func positions(_ row: SQLiteStatement, _ column: Int32) -> [Int] {
    let text = row.bytes(column)
    guard !text.isEmpty else { return [] }
    var positions = [0]
    for byte in text {
      if byte == UInt8(ascii: ".") {
        positions.append(0)
      } else {
        positions[positions.count - 1] = positions[positions.count - 1] * 10 + Int(byte &- 0x30)
      }
    }
    return positions
  }
}
