internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineJournals
internal import PipelineTransports

/// The tables of a journal: entries go in, and the state of the run comes out. docs/runs.md
/// describes them.
final class JournalFile {
  private let path: String
  private let isNew: Bool
  let database: SQLiteDatabase
  private(set) var stepNumbers: [String: Int] = [:]
  /// The step that was looked up last. The next unit is mostly of the same.
  private var lastStep: (path: String, number: Int)?
  /// The highest number of a request so far; `nil` if it was not asked for.
  var highestSending: SendingRecord.ID?
  let statements = Statements()
  /// The steps by their numbers, for the units read so far.
  var steps: [Int: UnitGroup.Step] = [:]
  /// Units with pages in the file.
  var pagedUnits: Set<UnitKey> = []
  /// From the run's beginning to that of this process, in milliseconds.
  private var offset = 0
  private var promise = Promise.nothing
  /// The process that writes, once it has taken the run up and until it has ended it.
  private(set) var process: Process?
  /// What the units come to; `nil` if that follows only from reading them: those of an earlier
  /// process may have been recorded again, and some may be forgotten.
  var tally: UnitTally?

  /// What the journal has promised to outlive, by which SQLite waits for the disk.
  private enum Promise: String {
    /// The end of a process. A loss of power may take all of it.
    case nothing = "OFF"
    /// It has promised to outlive a loss of power, so the file is kept in order for one.
    case order = "NORMAL"
    /// The commit that is under way outlives a loss of power.
    case power = "FULL"
  }

  /// What the journal knows of a process that may die at any moment.
  struct Process {
    let id: Int
    /// By `Clock.elapsed`: the time of day may be set while it works.
    let began: Double
    private(set) var requests = 0
    /// How long it has worked, by the ends of its units.
    private(set) var duration = Duration.zero

    /// Entries are not quite in the order in which their requests were counted.
    mutating func note(requests: Int, at end: Duration = .zero) {
      self.requests = max(self.requests, requests)
      duration = max(duration, end)
    }
  }
  /// The row that is being written. It is used again, so that a unit needs no memory of its own.
  var row = SQLiteRow()

  init(path: String) throws(JournalError) {
    self.path = path
    database = try SQLiteDatabase(path: path)
    // First of all, because two processes that write one file with different logs could damage it.
    try database.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA mmap_size=0; PRAGMA synchronous=OFF")
    try database.execute("PRAGMA journal_mode=WAL")
    try database.requireOwnTables()
    let version = try database.version()
    isNew = version == 0
    guard let changes = Self.changes(from: version) else {
      throw JournalError(
        "the journal '\(path)' has version \(version), and this program reads version"
          + " \(Self.version)")
    }
    for change in changes { try database.execute(change) }
    // A short log is soon written over, and that reaches the disk sooner than a longer file.
    try database.execute("PRAGMA fullfsync=1; PRAGMA wal_autocheckpoint=128")
    // What earlier processes have promised is not known.
    if version > 0 { try keep(.order) }
    try database.forEachRow("SELECT id, path FROM steps") { row in
      stepNumbers[row.text(1)] = row.number(0)
      return true
    }
  }

  /// The statements that each request, or each group of entries, needs.
  struct Statements {
    let addUnit = SQLiteQuery("INSERT INTO units VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)")
    let noteProgress = SQLiteQuery(
      "UPDATE processes SET duration = ?, requests = ? WHERE id = ?")
    let addSending = SQLiteQuery(
      """
      INSERT INTO sendings (id, step, item, digest, method, url, time, key, content, state, status,
        items, around, request, subject, beginning, process, cleanup)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET step = excluded.step, item = excluded.item,
        digest = excluded.digest, method = excluded.method, url = excluded.url,
        time = excluded.time, key = excluded.key, content = excluded.content,
        state = excluded.state, status = coalesce(excluded.status, status), items = excluded.items,
        around = excluded.around, request = excluded.request, subject = excluded.subject,
        beginning = excluded.beginning, process = excluded.process, cleanup = excluded.cleanup
      """)
    let keepAnswer = SQLiteQuery(
      "UPDATE sendings SET state = ?, status = ?, target = ?, headers = ?, body = ? WHERE id = ?")
    let setState = SQLiteQuery("UPDATE sendings SET state = ? WHERE id = ?")
  }

  // MARK: Writing

  /// Writes entries: all of them, or none.
  ///
  /// - Parameter survivesPowerLoss: Whether they are on the disk when this returns.
  func write(_ entries: [JournalEntry], survivesPowerLoss: Bool) throws(JournalError) {
    try keep(survivesPowerLoss ? .power : promise == .nothing ? .nothing : .order)
    do throws(JournalError) {
      try database.transaction { () throws(JournalError) in
        for entry in entries { try write(entry) }
        try noteProgress()
      }
    } catch {
      stepNumbers = [:]
      lastStep = nil
      highestSending = nil
      tally = nil
      throw error
    }
  }

  private func keep(_ new: Promise) throws(JournalError) {
    guard new != promise else { return }
    try database.execute("PRAGMA synchronous=\(new.rawValue)")
    promise = new
  }

  private func write(_ entry: JournalEntry) throws(JournalError) {
    if process == nil { try forgetSummary() }
    switch entry {
    case .started(let record): try write(record)
    case .unit(let unit):
      try write(unit)
      process?.note(requests: unit.requests, at: unit.began + unit.duration)
    case .page(let page):
      try write(page)
      process?.note(requests: page.requests)
    case .sending(let sending):
      try write(sending)
      process?.note(requests: sending.requests)
    case .sent(let id, let state): try write(state, of: id)
    case .answered(let id, let answer):
      try write(answer, to: id, .answered(status: answer.status))
    case .again(let step):
      try forget(
        "step IN (SELECT id FROM steps WHERE path = ? OR substr(path, 1, ?) = ?)",
        Self.inside(step))
    case .passAgain(let step, let place): try forget(pass: step, place)
    case .saving(let file):
      row.removeAll()
      row.add(text: file.path)
      row.add(text: file.owner)
      row.add(file.items)
      try database.run("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", row)
    case .finished(let record): try write(record)
    }
  }

  /// What is known of some units no longer counts, unless it is in doubt.
  private func forget(
    _ condition: String, _ values: [SQLiteValue]
  ) throws(JournalError) {
    tally = nil
    for table in ["units", "pages"] {
      try database.run("DELETE FROM \(table) WHERE \(condition)", values)
    }
    try database.run("DELETE FROM sendings WHERE NOT (\(Self.isOpen)) AND \(condition)", values)
  }

  private func forget(pass step: String, _ place: [Int]) throws(JournalError) {
    var condition = "step IN (SELECT id FROM steps WHERE substr(path, 1, ?) = ?)"
    var values = Array(Self.inside(step).dropFirst())
    if !place.isEmpty {
      let text = place.map(String.init).joined(separator: ".")
      condition += " AND (item = ? OR substr(item, 1, ?) = ?)"
      values += [.text(text), .number(text.utf8.count + 1), .text(text + ".")]
    }
    try forget(condition, values)
  }

  private func write(_ record: RunRecord) throws(JournalError) {
    for (name, value) in [
      ("id", record.id), ("workflow", record.workflow), ("file", record.file),
      ("startedAt", String(record.startedAt)), ("environment", record.environment),
      ("inputs", record.inputs.node.text), ("state", Self.text(of: record.state)),
    ] {
      try database.run("INSERT OR REPLACE INTO run VALUES (?, ?)", [.text(name), .text(value)])
    }
    let now = Clock.now
    offset = Int((max(0, now - FileNumber.seconds(record.startedAt)) * 1000).rounded())
    try database.run("INSERT INTO processes (began) VALUES (?)", [.real(now)])
    try database.forEachRow("SELECT max(id) FROM processes") { row in
      process = Process(id: row.number(0), began: Clock.elapsed)
      return false
    }
    tally = isNew && process?.id == 1 ? UnitTally() : nil
  }

  /// Records the progress of the process, in case it is killed.
  private func noteProgress() throws(JournalError) {
    guard let process else { return }
    // The process was at work for a moment before its beginning was written.
    let duration = max(process.duration.seconds, Clock.elapsed - process.began)
    row.removeAll()
    row.add(duration)
    row.add(process.requests)
    row.add(process.id)
    try database.run(statements.noteProgress, row)
  }

  private static func text(of state: [String: JSONValue]) -> String {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (name, value) in state.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      writer.value(value.node)
    }
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(_ unit: UnitRecord) throws(JournalError) {
    row.removeAll()
    try addPlace(unit.key)
    row.add(text: unit.outcome.stateName)
    row.add(offset + unit.began.wholeMilliseconds)
    row.add(unit.duration.wholeMilliseconds)
    switch unit.outcome {
    case .values(let values): row.add(text: values)
    case .withheld, .skipped: row.addNull()
    case .failed(let failure): row.add(text: Self.text(of: failure))
    }
    row.add(unit.items)
    if unit.key.digest == nil { try removeSettlement(unit.key, unit.items) }
    try database.run(statements.addUnit, row)
    tally?.add(unit)
    // A unit that failed goes on after its last page.
    if !pagedUnits.isEmpty, !unit.outcome.isFailure, pagedUnits.remove(unit.key) != nil {
      row.removeAll()
      try addPlace(unit.key)
      try database.run(
        "DELETE FROM pages WHERE step = ? AND item IS ? AND digest IS ?", row)
    }
    try settle(unit.settled, as: unit.key.digest == nil ? .settled : .done)
  }

  private static func text(of failure: FailureReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.object { failure.writeFacts(to: &$0) }
    return writer.bytes
  }

  private func write(_ page: PageRecord) throws(JournalError) {
    let (next, target) = page.next.record
    row.removeAll()
    try addPlace(page.unit)
    row.add(page.number)
    row.add(text: page.values)
    row.add(text: next)
    row.add(text: target)
    row.add(page.count)
    try database.run(
      """
      INSERT INTO pages (step, item, digest, number, result, next, target, count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, row)
    pagedUnits.insert(page.unit)
    try settle(page.settled, as: .done)
  }

  private func write(_ record: FinishRecord) throws(JournalError) {
    if let tally, let process { try keep(tally.summary, ofProcess: process.id) }
    process = nil
    try database.run(
      """
      UPDATE processes SET status = ?, duration = ?, requests = ?, report = ?
      WHERE id = (SELECT max(id) FROM processes)
      """,
      [
        .text(record.status.rawValue), .real(record.duration.seconds),
        .number(record.counts.requests), .text(record.json),
      ])
  }

  /// Adds the columns step, item and digest to the row.
  func addPlace(_ key: UnitKey) throws(JournalError) {
    row.add(try number(ofStep: key.step), key)
  }

  private func number(ofStep path: String) throws(JournalError) -> Int {
    if let lastStep, lastStep.path.equals(bytes: path) { return lastStep.number }
    if let known = stepNumbers[path] {
      lastStep = (path, known)
      return known
    }
    var number = 0
    try database.run("INSERT OR IGNORE INTO steps (path) VALUES (?)", [.text(path)])
    try database.forEachRow("SELECT id FROM steps WHERE path = ?", [.text(path)]) { row in
      number = row.number(0)
      return false
    }
    stepNumbers[path] = number
    return number
  }

  /// Keeps texts about the run for a process that resumes it.
  func set(_ values: [String: String]) throws(JournalError) {
    try database.transaction { () throws(JournalError) in
      for (name, value) in values {
        try database.run("INSERT OR REPLACE INTO run VALUES (?, ?)", [.text(name), .text(value)])
      }
    }
  }
}

extension SQLiteRow {
  /// The columns step, item and digest.
  fileprivate mutating func add(_ step: Int, _ key: UnitKey) {
    add(step)
    if key.place.isEmpty {
      addNull()
    } else {
      addText { text in
        for (level, position) in key.place.enumerated() {
          if level > 0 { text.append(UInt8(ascii: ".")) }
          text.append(contentsOf: String(position).utf8)
        }
      }
    }
    add(key.digest)
  }
}

extension UnitRecord.Outcome {
  fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }

  /// The column state of a unit.
  fileprivate var stateName: String {
    switch self {
    case .values: "done"
    case .withheld: "withheld"
    case .skipped: "skipped"
    case .failed: "failed"
    }
  }
}
