import CPipelineSQLite
import PipelineFiles
import PipelineJSONText
import PipelineJournals
import PipelineTestSupport
import Testing

@testable import SQLiteJournals

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether the machine has SQLite.
let hasSQLite = (try? SQLiteDatabase(path: ":memory:")) != nil

@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct SQLiteJournalTests {
  private static let digest = Fingerprint(high: 0x0102_0304_0506_0708, low: .max)
  private static let key = UnitKey(step: "pack.box", place: [3, 0], digest: digest)

  private static func sending(
    _ id: Int, key: String? = nil, items: Fingerprint? = nil
  ) -> SendingRecord {
    SendingRecord(
      id: id, unit: Self.key, method: "POST", url: "https://api.example/ä?x='1'",
      time: 1_767_225_600.5,
      idempotencyKey: key, content: Fingerprint(high: 1, low: 2), items: items)
  }

  @Test func whatWasWrittenIsRead() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/journal.sqlite"
    do {
      let journal = try SQLiteJournal(path: path)
      journal.append(
        .started(
          RunRecord(
            id: "k3f9", workflow: "users", file: "users.json", startedAt: 1_767_225_600.25,
            environment: nil, inputs: ["n": 4])))
      journal.append(
        .unit(UnitRecord(key: Self.key, outcome: .values(Array(#"{"id":"ä\u0000"}"#.utf8)))))
      journal.append(
        .unit(
          UnitRecord(
            key: UnitKey(step: "other", place: [], digest: Self.digest),
            outcome: .failed(FailureReason(.status, "no", status: 500)))))
      journal.append(
        .page(
          PageRecord(
            unit: Self.key, number: 2, values: Array("{}".utf8), next: .cursor("\"a\""), count: 7)))
      journal.append(.saving(SavedFile(path: "a/b.txt", owner: "order[3]", items: Self.digest)))
      try await journal.commit(.sending(Self.sending(1)), surviving: .power)
      try await journal.commit(.sending(Self.sending(2, key: "\"k\"")), surviving: .power)
      journal.append(.sent(1, .answered(status: 201)))
      #expect(await journal.finish() == nil)
    }
    let journal = try SQLiteJournal(path: path)
    let history = try journal.history()
    let run = try #require(history.run)
    #expect(run.id == "k3f9")
    #expect(run.startedAt == 1_767_225_600.25)
    #expect(run.environment == nil)
    #expect(run.inputs.node.text == #"{"n":4}"#)
    #expect(
      history.savedFiles == [
        SavedFile(path: "a/b.txt", owner: "order[3]", items: Self.digest)
      ])
    let page = try #require(history.pages.first)
    #expect(
      page.unit == Self.key && page.number == 2 && page.next == .cursor("\"a\"") && page.count == 7)
    #expect(history.sendings.map(\.id) == [1, 2])
    #expect(history.sendings[0].state == .answered(status: 201))
    #expect(history.sendings[0].url == Self.sending(1).url)
    #expect(history.sendings[0].unit == Self.key)
    #expect(history.sendings[1].idempotencyKey == "\"k\"")
    let units = try history.units(after: 0)
    #expect(units.count == 1)
    #expect(units[0].placeHash == Self.key.placeHash && units[0].digest == Self.digest)
    let record = try #require(try history.unit(units[0].id))
    #expect(record.key == Self.key)
    guard case .values(let values) = record.outcome else { throw JournalError("other outcome") }
    #expect(values == Array(#"{"id":"ä\u0000"}"#.utf8))
  }

  @Test func theEndOfAUnitSettlesItsRequestsAndRemovesItsPages() async throws {
    let folder = TemporaryFolder()
    let journal = try SQLiteJournal(path: folder.path + "/journal.sqlite")
    try await journal.commit(.sending(Self.sending(1)), surviving: .power)
    journal.append(
      .page(
        PageRecord(unit: Self.key, number: 0, values: Array("{}".utf8), next: .number, count: nil)))
    // A failure ends no unit for good: it goes on after its last page.
    journal.append(
      .unit(UnitRecord(key: Self.key, outcome: .failed(FailureReason(.network, "no")))))
    #expect(await journal.finish() == nil)
    #expect(try journal.history().pages.count == 1)
    journal.append(
      .unit(
        UnitRecord(key: Self.key, outcome: .values(Array("{}".utf8)), settled: [SettledRequest(1)]))
    )
    #expect(await journal.finish() == nil)
    let history = try journal.history()
    #expect(history.sendings.isEmpty)
    #expect(history.pages.isEmpty)
  }

  /// Of several steps, some failed, some forgotten, and in more than one group.
  @Test func unitsAreFoundInAnyOrder() async throws {
    let folder = TemporaryFolder()
    let journal = try SQLiteJournal(path: folder.path + "/journal.sqlite")
    for position in 0..<10_000 {
      let step = ["a", "b.c", "gone"][position % 13 == 0 ? 2 : position / 7 % 2]
      let key = UnitKey(step: step, place: [position, position % 3], digest: Self.digest)
      let outcome: UnitRecord.Outcome =
        position % 11 == 0
        ? .failed(FailureReason(.network, "no"))
        : .values(Array(String(repeating: "\(position) ", count: position % 5).utf8))
      journal.append(.unit(UnitRecord(key: key, outcome: outcome)))
    }
    journal.append(.again(step: "gone"))
    #expect(await journal.finish() == nil)
    let history = try journal.history()
    var found: [RecordedUnit] = []
    while case let more = try history.units(after: found.last?.id ?? 0), !more.isEmpty {
      found += more
    }
    let expected = (0..<10_000).filter { $0 % 13 != 0 && $0 % 11 != 0 }
    #expect(found.map(\.id) == expected.map { $0 + 1 })
    for units in [found, found.reversed(), found.shuffled()] {
      for unit in units {
        let position = unit.id - 1
        let record = try #require(try history.unit(unit.id))
        try #require(record.key.step == ["a", "b.c"][position / 7 % 2])
        try #require(record.key.place == [position, position % 3])
        try #require(record.key.placeHash == unit.placeHash)
        guard case .values(let values) = record.outcome else { throw JournalError("not values") }
        try #require(
          values == Array(String(repeating: "\(position) ", count: position % 5).utf8))
      }
    }
    #expect(try history.unit(1) == nil)
    #expect(try history.unit(10_001) == nil)
  }

  @Test func aStepIsForgottenWithAllThatIsInside() async throws {
    let folder = TemporaryFolder()
    let journal = try SQLiteJournal(path: folder.path + "/journal.sqlite")
    for step in ["pack", "pack.box", "package", "packs.box"] {
      journal.append(
        .unit(
          UnitRecord(
            key: UnitKey(step: step, place: [], digest: Self.digest),
            outcome: .values(Array("{}".utf8)))))
    }
    journal.append(.again(step: "pack"))
    #expect(await journal.finish() == nil)
    let count = try journal.history().units(after: 0).count
    #expect(count == 2)
  }

  @Test func whatWasSettledKeepsItsItems() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/journal.sqlite"
    do {
      let journal = try SQLiteJournal(path: path)
      try await journal.commit(.sending(Self.sending(1, items: Self.digest)), surviving: .power)
      let doubt = try #require(try journal.history().sendings.first)
      #expect(doubt.items == Self.digest)
      journal.settle(doubt, as: .done(values: Array("{}".utf8)))
      #expect(await journal.finish() == nil)
    }
    let history = try SQLiteJournal(path: path).history()
    #expect(history.sendings.isEmpty)
    let unit = try #require(try history.units(after: 0).first)
    #expect(unit.digest == nil)
    #expect(try history.unit(unit.id)?.items == Self.digest)
  }

  /// What version 1 wrote: it did not know the items of a request.
  @Test func aFileOfVersion1IsRead() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/journal.sqlite"
    do {
      try SQLiteDatabase(path: path).execute(
        """
        CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
        CREATE TABLE processes (
          id INTEGER PRIMARY KEY, began REAL, status TEXT, duration REAL, requests INTEGER,
          report TEXT);
        CREATE TABLE steps (id INTEGER PRIMARY KEY, path TEXT UNIQUE);
        CREATE TABLE units (
          id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, state TEXT, began INTEGER,
          took INTEGER, result TEXT);
        CREATE TABLE pages (
          id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, number INTEGER,
          result TEXT, next TEXT, target TEXT, count INTEGER);
        CREATE TABLE sendings (
          id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, method TEXT, url TEXT,
          time REAL, key TEXT, content BLOB, state TEXT, status INTEGER);
        CREATE TABLE files (path TEXT PRIMARY KEY) WITHOUT ROWID;
        INSERT INTO steps VALUES (1, 'order');
        INSERT INTO units VALUES (1, 1, '3', NULL, 'done', 0, 1, '{"id": 7}');
        INSERT INTO sendings VALUES (
          4, 1, '5', x'01020304050607080102030405060708', 'POST', 'u', 1.5, NULL,
          x'01020304050607080102030405060708', 'unanswered', NULL);
        PRAGMA user_version = 1;
        """)
    }
    for _ in 0..<2 {
      let journal = try SQLiteJournal(path: path)
      let history = try journal.history()
      #expect(try history.unit(1)?.key == UnitKey(step: "order", place: [3], digest: nil))
      #expect(history.sendings.map(\.id) == [4])
      #expect(history.sendings.first?.items == nil)
      journal.append(.unit(UnitRecord(key: Self.key, outcome: .skipped, items: Self.digest)))
      #expect(await journal.finish() == nil)
    }
  }

  @Test func changesOfARehearsalAreForgotten() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/journal.sqlite"
    do {
      let journal = try SQLiteJournal(path: path)
      try await journal.commit(.sending(Self.sending(1)), surviving: .power)
      journal.append(.unit(UnitRecord(key: Self.key, outcome: .values(Array("{}".utf8)))))
      #expect(await journal.finish() == nil)
    }
    do {
      let journal = try SQLiteJournal(path: path)
      try journal.forgetChanges()
      journal.append(.again(step: "pack"))
      journal.append(.sent(1, nil))
      #expect(await journal.finish() == nil)
      #expect(try journal.history().sendings.isEmpty)
      #expect(try journal.history().units(after: 0).isEmpty)
    }
    let history = try SQLiteJournal(path: path).history()
    #expect(history.sendings.count == 1)
    #expect(try history.units(after: 0).count == 1)
  }

  @Test func aFileOfAnotherVersionIsRefused() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/journal.sqlite"
    do { try SQLiteDatabase(path: path).execute("PRAGMA user_version = 9") }
    let error = #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
    #expect(error?.message.contains("has version 9") == true)
  }

  @Test func aFileThatIsNoJournalIsRefused() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/journal.sqlite"
    let file = try #require(fopen(path, "w"))
    fputs(String(repeating: "not a database ", count: 500), file)
    fclose(file)
    let error = #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
    #expect(error?.message.contains("not a journal") == true)
  }

  @Test func aJournalMayBeGivenUpWhileItIsReadAhead() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/journal.sqlite"
    do {
      let journal = try SQLiteJournal(path: path)
      // More than are read at once.
      for position in 0..<9_000 {
        let key = UnitKey(step: "a", place: [position], digest: Self.digest)
        journal.append(.unit(UnitRecord(key: key, outcome: .values(Array("{}".utf8)))))
      }
      #expect(await journal.finish() == nil)
    }
    for _ in 0..<200 {
      let history = try SQLiteJournal(path: path).history()
      #expect(try history.units(after: 0).isEmpty == false)
    }
  }

  @Test func aRunIsCarriedOutByOneProcess() throws {
    let folder = TemporaryFolder()
    let store = RunStore(path: folder.path + "/runs")
    let journal = try store.create(id: "k3f9")
    let error = #expect(throws: JournalError.self) { try store.open(id: "k3f9") }
    #expect(error?.message.contains("is carrying this run out") == true)
    #expect(throws: JournalError.self) { try store.delete(id: "k3f9") }
    withExtendedLifetime(journal) {}
  }

  @Test func filesAreForTheirOwnerAlone() async throws {
    let folder = TemporaryFolder()
    let store = RunStore(path: folder.path + "/runs")
    let journal = try store.create(id: "k3f9")
    journal.append(.saving(SavedFile(path: "x")))
    _ = await journal.finish()
    for (name, mode) in [
      ("", 0o700), ("/journal.sqlite", 0o600), ("/journal.sqlite-wal", 0o600), ("/lock", 0o600),
    ] {
      var status = stat()
      #expect(stat(store.path + "/k3f9" + name, &status) == 0)
      #expect(Int(status.st_mode & 0o777) == mode, "\(name)")
    }
  }

  @Test func valuesOfAnEndedRunAreReadWithoutATrace() async throws {
    let folder = TemporaryFolder()
    let store = RunStore(path: folder.path + "/100% of #1?")
    do {
      let journal = try store.create(id: "k3f9")
      for (step, value) in [("a", 1), ("b", 2), ("a", 3)] {
        let key = UnitKey(step: step, place: [value], digest: Self.digest)
        journal.append(
          .unit(UnitRecord(key: key, outcome: .values(Array(#"{"n":\#(value)}"#.utf8)))))
      }
      _ = await journal.finish()
      #expect(store.lastValues(ofStep: "a", run: "k3f9") == nil, "a process has it")
    }
    let entries = try folderEntries(store.path + "/k3f9").sorted()
    #expect(!entries.contains("journal.sqlite-wal"))
    #expect(store.lastValues(ofStep: "a", run: "k3f9")?.root["n"]?.text == "3")
    #expect(store.lastValues(ofStep: "b", run: "k3f9")?.root["n"]?.text == "2")
    #expect(store.lastValues(ofStep: "c", run: "k3f9") == nil)
    #expect(store.lastValues(ofStep: "a", run: "none") == nil)
    #expect(try folderEntries(store.path + "/k3f9").sorted() == entries)
    do {
      let database = try SQLiteDatabase(path: store.path + "/k3f9/journal.sqlite")
      try database.execute("CREATE VIEW endless AS SELECT 1")
    }
    #expect(store.lastValues(ofStep: "a", run: "k3f9") == nil, "its tables are not a journal's")
  }

  @Test func runsAreListedTheNewestFirstAndRemoved() async throws {
    let folder = TemporaryFolder()
    let store = RunStore(path: folder.path + "/runs")
    for (id, time) in [("aaaa1", 100.0), ("aaaa2", 300), ("bbbb3", 200)] {
      let journal = try store.create(id: id)
      journal.append(
        .started(
          RunRecord(
            id: id, workflow: "w", file: "w.json", startedAt: time, environment: nil, inputs: [:])))
      _ = await journal.finish()
    }
    #expect(store.runs().map(\.id) == ["aaaa2", "bbbb3", "aaaa1"])
    #expect(store.runs().map(\.status) == [.interrupted, .interrupted, .interrupted])
    #expect(store.runs(abbreviatedAs: "aaaa").count == 2)
    #expect(store.runs(abbreviatedAs: "b").map(\.id) == ["bbbb3"])
    #expect(store.shortID(of: "aaaa1") == "aaaa1")
    #expect(store.shortID(of: "bbbb3") == "bbbb")
    try store.delete(id: "bbbb3")
    #expect(store.runs().count == 2)
    for name in ["../x", "", ".", "a/b"] {
      #expect(throws: JournalError.self) { try store.delete(id: name) }
    }
  }
}
