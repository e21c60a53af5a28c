internal import JSONText
internal import PipelineKit

/// The tables of a journal: entries go in, and what they say comes out. docs/runs.md describes
/// them.
final class JournalFile {
  /// Changes with the tables; a file of another version is refused.
  static let version = 1

  private let path: String
  private let database: SQLiteDatabase
  private var stepNumbers: [String: Int] = [:]
  /// The same the other way round, as far as units were read.
  private var stepPaths: [Int: String] = [:]
  /// Units with pages in the file.
  private var pagedUnits: Set<UnitKey> = []
  /// From the run's beginning to that of this process, in milliseconds.
  private var offset = 0
  private var isSynchronous = false

  init(path: String) throws(JournalError) {
    self.path = path
    database = try SQLiteDatabase(path: path)
    // First of all: two processes that write one file with a log of its own could damage it.
    try database.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA mmap_size=0; PRAGMA synchronous=OFF")
    try database.execute("PRAGMA journal_mode=WAL")
    switch try database.version() {
    case 0: try database.execute(Self.schema)
    case Self.version: break
    case let other:
      throw JournalError(
        "the journal '\(path)' has version \(other), and this program reads version \(Self.version)"
      )
    }
    // A short log is soon written over, and that reaches the disk sooner than what makes a file
    // longer.
    try database.execute(
      "PRAGMA synchronous=NORMAL; PRAGMA fullfsync=1; PRAGMA wal_autocheckpoint=128")
    try database.forEachRow("SELECT id, path FROM steps") { row in
      stepNumbers[row.text(1)] = row.number(0)
      return true
    }
  }

  private static let schema = """
    BEGIN;
    CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE processes (
      id INTEGER PRIMARY KEY, began REAL, status TEXT, duration REAL, requests INTEGER, report TEXT);
    CREATE TABLE steps (id INTEGER PRIMARY KEY, path TEXT UNIQUE);
    CREATE TABLE units (
      id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, state TEXT, began INTEGER,
      took INTEGER, result TEXT);
    CREATE TABLE pages (
      id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, number INTEGER, result TEXT,
      next TEXT, target TEXT, count INTEGER);
    CREATE TABLE sendings (
      id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, method TEXT, url TEXT, time REAL,
      key TEXT, content BLOB, state TEXT, status INTEGER);
    CREATE TABLE files (path TEXT PRIMARY KEY) WITHOUT ROWID;
    PRAGMA user_version = \(version);
    COMMIT;
    """

  // MARK: Writing

  /// Writes entries: all of them, or none.
  ///
  /// - Parameter survivesPowerLoss: Whether they are on the disk when this returns.
  func write(_ entries: [JournalEntry], survivesPowerLoss: Bool) throws(JournalError) {
    if survivesPowerLoss != isSynchronous {
      try database.execute("PRAGMA synchronous=\(survivesPowerLoss ? "FULL" : "NORMAL")")
      isSynchronous = survivesPowerLoss
    }
    do throws(JournalError) {
      try database.transaction { () throws(JournalError) in
        for entry in entries { try write(entry) }
      }
    } catch {
      stepNumbers = [:]
      throw error
    }
  }

  private func write(_ entry: JournalEntry) throws(JournalError) {
    switch entry {
    case .started(let record): try write(record)
    case .unit(let unit): try write(unit)
    case .page(let page): try write(page)
    case .sending(let sending): try write(sending)
    case .sent(let id, .some(let state)):
      try database.run(
        "UPDATE sendings SET state = ?, status = ? WHERE id = ?",
        [.text(state.name), state.status.map { .number($0) } ?? .null, .number(id)])
    case .sent(let id, .none): try settle([id])
    case .again(let step):
      for table in ["units", "pages"] {
        try database.run(
          """
          DELETE FROM \(table) WHERE step IN
          (SELECT id FROM steps WHERE path = ? OR substr(path, 1, ?) = ?)
          """, [.text(step), .number(step.unicodeScalars.count + 1), .text(step + ".")])
      }
    case .saving(let path):
      try database.run("INSERT OR IGNORE INTO files VALUES (?)", [.text(path)])
    case .finished(let record): try write(record)
    }
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
    offset = Int((max(0, now - record.startedAt) * 1000).rounded())
    try database.run("INSERT INTO processes (began) VALUES (?)", [.real(now)])
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
    let (state, result): (String, SQLiteValue) =
      switch unit.outcome {
      case .values(let values): ("done", .text(values))
      case .withheld: ("withheld", .null)
      case .skipped: ("skipped", .null)
      case .failed(let kind, let status, let message):
        ("failed", .text(Self.failure(kind, status, message)))
      }
    try database.run(
      "INSERT INTO units (step, item, digest, state, began, took, result) VALUES (?, ?, ?, ?, ?, ?, ?)",
      try place(unit.key) + [
        .text(state), .number(offset + unit.began.milliseconds),
        .number(unit.duration.milliseconds), result,
      ])
    if pagedUnits.remove(unit.key) != nil {
      try database.run(
        "DELETE FROM pages WHERE step = ? AND item IS ? AND digest IS ?", try place(unit.key))
    }
    try settle(unit.settled)
  }

  private static func failure(_ kind: Failure.Kind, _ status: Int?, _ message: String) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.name("kind")
    writer.string(kind.rawValue)
    if let status {
      writer.name("status")
      writer.integer(status)
    }
    writer.name("message")
    writer.string(message)
    writer.endObject()
    return writer.bytes
  }

  private func write(_ page: PageRecord) throws(JournalError) {
    let (next, target): (String, String?) =
      switch page.next {
      case .none: ("none", nil)
      case .number: ("number", nil)
      case .link(let url): ("link", url)
      case .cursor(let text): ("cursor", text)
      }
    try database.run(
      """
      INSERT INTO pages (step, item, digest, number, result, next, target, count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      try place(page.unit) + [
        .number(page.number), .text(page.values), .text(next), .text(target),
        page.count.map { .number($0) } ?? .null,
      ])
    pagedUnits.insert(page.unit)
    try settle(page.settled)
  }

  private func write(_ sending: SendingRecord) throws(JournalError) {
    try database.run(
      "INSERT OR REPLACE INTO sendings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [.number(sending.id)] + (try place(sending.unit)) + [
        .text(sending.method), .text(sending.url), .real(sending.time),
        .text(sending.idempotencyKey), .blob(sending.content.bytes), .text(sending.state.name),
        sending.state.status.map { .number($0) } ?? .null,
      ])
  }

  private func settle(_ ids: [SendingRecord.ID]) throws(JournalError) {
    for id in ids { try database.run("DELETE FROM sendings WHERE id = ?", [.number(id)]) }
  }

  private func write(_ record: FinishRecord) throws(JournalError) {
    try database.run(
      """
      UPDATE processes SET status = ?, duration = ?, requests = ?, report = ?
      WHERE id = (SELECT max(id) FROM processes)
      """,
      [
        .text(record.status.rawValue), .real(record.duration.inSeconds),
        .number(record.counts.requests), .text(record.json),
      ])
  }

  /// The columns step, item and digest.
  private func place(_ key: UnitKey) throws(JournalError) -> [SQLiteValue] {
    var number = stepNumbers[key.step]
    if number == nil {
      try database.run("INSERT OR IGNORE INTO steps (path) VALUES (?)", [.text(key.step)])
      try database.forEachRow("SELECT id FROM steps WHERE path = ?", [.text(key.step)]) { row in
        number = row.number(0)
        return false
      }
      stepNumbers[key.step] = number
    }
    let item = key.place.isEmpty ? nil : key.place.map(String.init).joined(separator: ".")
    return [
      .number(number ?? 0), .text(item), key.digest.map { .blob($0.bytes) } ?? .null,
    ]
  }

  /// Keeps a text about the run for whoever goes on with it.
  func set(_ name: String, to value: String) throws(JournalError) {
    try database.run("INSERT OR REPLACE INTO run VALUES (?, ?)", [.text(name), .text(value)])
  }

  // MARK: Reading

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
          content: Self.fingerprint(row, 8) ?? Fingerprint(high: 0, low: 0),
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

  /// The number of the last unit; 0: there is none.
  func lastUnit() throws(JournalError) -> Int {
    var id = 0
    try database.forEachRow("SELECT max(id) FROM units") { row in
      id = row.number(0)
      return false
    }
    return id
  }

  /// Units in the order of their numbers.
  func units(
    after id: Int, upTo last: Int, limit: Int
  ) throws(JournalError) -> [(id: Int, unit: UnitRecord)] {
    if stepPaths.count < stepNumbers.count {
      for (path, number) in stepNumbers { stepPaths[number] = path }
    }
    var units: [(id: Int, unit: UnitRecord)] = []
    units.reserveCapacity(limit)
    try database.forEachRow(
      """
      SELECT id, item, digest, step, state, result FROM units
      WHERE id > ? AND id <= ? ORDER BY id LIMIT ?
      """, [.number(id), .number(last), .number(limit)]
    ) { row in
      let outcome: UnitRecord.Outcome =
        switch row.withBytes(4, { $0.first }) {
        case UInt8(ascii: "d"): .values(row.bytes(5))
        case UInt8(ascii: "s"): .skipped
        case UInt8(ascii: "w"): .withheld
        default: .failed(kind: .network, status: nil, message: row.text(5))
        }
      let key = UnitKey(
        step: stepPaths[row.number(3)] ?? "", place: Self.positions(row, 1),
        digest: Self.fingerprint(row, 2))
      units.append((row.number(0), UnitRecord(key: key, outcome: outcome)))
      return true
    }
    return units
  }

  /// What the journal says, for people.
  func history() throws(JournalError) -> RunHistory {
    // The last record of each unit counts.
    let last = """
      SELECT step, item, state, took, result, id FROM units
      WHERE id IN (SELECT max(id) FROM units GROUP BY step, item)
      """
    struct Tally {
      var path = ""
      var failed = 0
      var times: [Int] = []
      var done = 0
    }
    var tallies: [Int: Tally] = [:]
    var order: [Int] = []
    try database.forEachRow(
      "SELECT step, path, state, took FROM (\(last)) u JOIN steps ON steps.id = step ORDER BY u.id"
    ) { row in
      let step = row.number(0)
      if tallies[step] == nil {
        tallies[step] = Tally(path: row.text(1))
        order.append(step)
      }
      if row.text(2) == "failed" { tallies[step]?.failed += 1 } else { tallies[step]?.done += 1 }
      tallies[step]?.times.append(row.number(3))
      return true
    }
    var failures: [RunHistory.Failed] = []
    try database.forEachRow(
      """
      SELECT path, item, NULL, result FROM (\(last)) u JOIN steps ON steps.id = step
      WHERE state = 'failed' ORDER BY u.id LIMIT 100
      """
    ) { row in
      let message = (try? JSONDocument.parse(row.bytes(3)).root)?["message"]?.string ?? ""
      failures.append(RunHistory.Failed(unit: Self.key(row).name, message: message))
      return true
    }
    var processes = 0
    try database.forEachRow("SELECT count(*) FROM processes") { row in
      processes = row.number(0)
      return false
    }
    let steps = order.compactMap { tallies[$0] }.map { tally in
      let times = tally.times.sorted()
      let time = { (share: Double) -> Duration in
        .milliseconds(times[min(times.count - 1, Int(Double(times.count) * share))])
      }
      return RunHistory.Step(
        path: tally.path, done: tally.done, failed: tally.failed, median: time(0.5),
        high: time(0.95), longest: .milliseconds(times[times.count - 1]))
    }
    return RunHistory(
      processes: processes, steps: steps, failures: failures,
      doubts: try sendings().filter(\.isInDoubt))
  }

  /// The key in the columns path, item and digest, which are the first.
  private static func key(_ row: SQLiteStatement) -> UnitKey {
    UnitKey(
      step: row.text(0), place: positions(row, 1), digest: fingerprint(row, 2))
  }

  /// Numbers with dots between them.
  private static func positions(_ row: SQLiteStatement, _ column: Int32) -> [Int] {
    row.withBytes(column) { text in
      guard !text.isEmpty else { return [] }
      var positions: [Int] = []
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
      return positions
    }
  }

  private static func fingerprint(_ row: SQLiteStatement, _ column: Int32) -> Fingerprint? {
    row.withBytes(column) { Fingerprint(bytes: $0) }
  }
}

extension SendingRecord.State {
  fileprivate var name: String {
    switch self {
    case .unanswered: "unanswered"
    case .answered: "answered"
    case .secret: "secret"
    }
  }

  fileprivate var status: Int? {
    if case .answered(let status) = self { status } else { nil }
  }

  fileprivate init(name: String, status: Int) {
    switch name {
    case "answered": self = .answered(status: status)
    case "secret": self = .secret
    default: self = .unanswered
    }
  }
}

extension FinishRecord {
  /// What docs/runs.md calls the report of a process.
  var json: String {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (name, count) in [
      ("succeeded", counts.succeeded), ("recovered", counts.recovered),
      ("skipped", counts.skipped), ("failed", counts.failed), ("cancelled", counts.cancelled),
      ("requests", counts.requests), ("taken", counts.taken), ("inDoubt", counts.inDoubt),
      ("failures", failureCount),
    ] {
      writer.name(name)
      writer.integer(count)
    }
    writer.name("firstFailures")
    writer.beginArray()
    for failure in failures {
      writer.beginObject()
      writer.name("unit")
      writer.string(UnitKey(step: failure.step, place: failure.place, digest: nil).name)
      writer.name("kind")
      writer.string(failure.kind.rawValue)
      writer.name("message")
      writer.string(failure.message)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Duration {
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }

  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
