internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineJournals
internal import PipelineTransports

// The content of a journal.
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
      startedAt: try value(of: "startedAt").flatMap { Double($0) }.map(FileNumber.seconds) ?? 0,
      environment: try value(of: "environment"),
      inputs: (try? JSONDocument.parse(Array(inputs.utf8))).map { JSONValue($0.root) } ?? [:],
      state: Dictionary(
        state?.members.map { ($0.name, JSONValue($0.value)) } ?? [], uniquingKeysWith: { $1 }))
  }

  func pages() throws(JournalError) -> [PageRecord] {
    var pages: [PageRecord] = []
    var isDamaged = false
    try database.forEachRow(
      """
      SELECT path, item, digest, number, result, next, target, count
      FROM pages JOIN steps ON steps.id = step ORDER BY pages.id
      """
    ) { row in
      let next = PageRecord.Next(word: row.text(5), target: row.text(6))
      guard let next else {
        isDamaged = true
        return false
      }
      pages.append(
        PageRecord(
          unit: Self.key(row), number: row.number(3), values: row.bytes(4), next: next,
          count: row.isNull(7) ? nil : row.number(7)))
      return true
    }
    guard !isDamaged, pages.allSatisfy({ (0..<FileNumber.most).contains($0.number) }) else {
      throw database.damage
    }
    pagedUnits = Set(pages.map(\.unit))
    return pages
  }

  func savedFiles() throws(JournalError) -> [SavedFile] {
    var files: [SavedFile] = []
    try database.forEachRow("SELECT path, owner, items FROM files") { row in
      files.append(
        SavedFile(
          path: row.text(0), owner: row.textIfPresent(1), items: Self.fingerprint(row, 2)))
      return true
    }
    return files
  }

  /// The questions that the last process that came to an end has left open.
  func questions() throws(JournalError) -> [RunQuestion] {
    var questions: [RunQuestion] = []
    try database.forEachRow(
      "SELECT status, report FROM processes WHERE report IS NOT NULL ORDER BY id DESC LIMIT 1"
    ) { row in
      if row.text(0) == RunStatus.waiting.rawValue,
        let report = try? JSONDocument.parse(row.bytes(1)).root
      {
        questions = report["questions"].map(RunQuestion.all) ?? []
      }
      return false
    }
    return questions
  }

  /// The number of the last unit; 0: there is none.
  func lastUnit() throws(JournalError) -> Int {
    var id = 0
    try database.forEachRow("SELECT max(id) FROM units") { row in
      // The numbers of a file may be any: what is counted on from this one must not overflow.
      id = min(row.number(0), 1 << 62)
      return false
    }
    return id
  }

  /// The next units after `id`, in the order of their numbers.
  func units(after id: Int, upTo last: Int, limit: Int) throws(JournalError) -> UnitGroup {
    if steps.count < stepNumbers.count {
      for (path, number) in stepNumbers { steps[number] = .init(number: number, path: path) }
    }
    var group = UnitGroup(after: id, capacity: max(0, min(limit, last - id)))
    try database.forEachRow(
      """
      SELECT id, item, digest, step, state, result, items FROM units
      WHERE id > ? AND id <= ? ORDER BY id LIMIT ?
      """, [.number(id), .number(last), .number(limit)]
    ) { row in
      group.add(row) { steps[$0] ?? .init(number: $0, path: "") }
      return true
    }
    return group
  }

  // MARK: Columns

  /// The key in the columns path, item and digest, which are the first.
  static func key(_ row: SQLiteStatement) -> UnitKey {
    UnitKey(
      step: row.text(0), place: positions(row, 1), digest: fingerprint(row, 2))
  }

  private static func positions(_ row: SQLiteStatement, _ column: Int32) -> [Int] {
    var positions: [Int] = []
    row.withBytes(column) { readPositions($0, into: &positions) }
    return positions
  }

  /// Reads numbers with dots between them.
  static func readPositions(_ text: UnsafeRawBufferPointer, into positions: inout [Int]) {
    guard !text.isEmpty else { return }
    var position = 0
    for byte in text {
      if byte == UInt8(ascii: ".") {
        positions.append(position)
        position = 0
      } else {
        position = position &* 10 &+ Int(byte &- 0x30)
      }
    }
    positions.append(position)
  }

  static func fingerprint(_ row: SQLiteStatement, _ column: Int32) -> Fingerprint? {
    row.withBytes(column) { Fingerprint(bytes: $0) }
  }
}
