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

/// Journals whose files lose their end, are damaged, or find no room.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct JournalDamageTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/journal.sqlite" }

  private func unit(_ number: Int) -> JournalEntry {
    .unit(
      UnitRecord(
        key: UnitKey(step: "a", place: [number], digest: Fingerprint(high: 1, low: 2)),
        outcome: .values(Array("{\"id\": \(number)}".utf8))))
  }

  private func sending(_ number: Int) -> JournalEntry {
    .sending(
      SendingRecord(
        id: number, unit: UnitKey(step: "order", place: [number], digest: nil), method: "POST",
        url: "https://api.example/orders", time: 1, idempotencyKey: nil,
        content: Fingerprint(high: 1, low: 2)))
  }

  private func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// What is left of the journal when its log ends after so many bytes; `nil`: it cannot be read.
  private func history(cutAfter bytes: Int) throws -> (sendings: Int, units: Int)? {
    let copy = folder.path + "/copy.sqlite"
    for name in ["", "-wal"] {
      let content = try #require(readFile(path + name))
      folder.write(name.isEmpty ? content : Array(content.prefix(bytes)), to: "copy.sqlite" + name)
    }
    defer { for name in ["", "-wal", "-shm"] { unlink(copy + name) } }
    guard let journal = try? SQLiteJournal(path: copy) else { return nil }
    defer { journal.close() }
    let history = try journal.history()
    return (history.sendings.count, try history.units(after: 0).count)
  }

  /// A loss of power leaves a log with its end missing: at each byte, if `LONG_TESTS` is set.
  @Test func noRequestThatWasCommittedIsForgotten() async throws {
    let journal = try SQLiteJournal(path: path)
    var sizes: [Int] = []
    for number in 1...12 {
      for item in 0..<3 { journal.append(unit(number * 10 + item)) }
      try await journal.commit(sending(number), surviving: .power)
      sizes.append(size(path + "-wal"))
    }
    try #require(sizes == sizes.sorted(), "the log was begun again: the test needs fewer entries")
    let whole = sizes[sizes.count - 1]
    let frame = 4096 + 24
    var cuts = stride(from: 32, through: whole, by: frame).flatMap { [$0 - 1, $0, $0 + 1] }
    if getenv("LONG_TESTS") != nil { cuts = Array(0...whole) }
    for cut in cuts where cut <= whole {
      let history = try history(cutAfter: cut)
      let kept = sizes.count { $0 <= cut }
      #expect((history?.sendings ?? 0) >= kept, "cut after \(cut) of \(whole) bytes")
      #expect((history?.units ?? 0) >= kept * 3, "cut after \(cut) of \(whole) bytes")
    }
    withExtendedLifetime(journal) {}
  }

  /// Whatever page is damaged: the journal is read, or it says that it cannot be.
  @Test func aDamagedPageIsFoundOrDoesNotMatter() async throws {
    do {
      let journal = try SQLiteJournal(path: path)
      for number in 0..<2_000 { journal.append(unit(number)) }
      try await journal.commit(sending(1), surviving: .power)
      journal.close()
    }
    let bytes = try #require(readFile(path))
    let pages = bytes.count / 4096
    try #require(pages > 20)
    var random = SeededGenerator(seed: 7)
    var problems: Set<String> = []
    for page in 0..<pages {
      var damaged = bytes
      for _ in 0..<200 {
        damaged[page * 4096 + Int.random(in: 0..<4096, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      folder.write(damaged, to: "damaged.sqlite")
      unlink(folder.path + "/damaged.sqlite-wal")
      do throws(JournalError) {
        let journal = try SQLiteJournal(path: folder.path + "/damaged.sqlite")
        defer { journal.close() }
        let history = try journal.history()
        var position = 0
        while let last = try history.units(after: position).last {
          guard last.id > position else {
            Issue.record("unit \(last.id) comes after unit \(position)")
            break
          }
          position = last.id
        }
      } catch {
        problems.insert(error.message)
      }
    }
    for problem in problems {
      #expect(problem.hasPrefix("the journal '\(folder.path)/damaged.sqlite'"), "\(problem)")
    }
    #expect(problems.contains { $0.hasSuffix("it is damaged") })
  }

  @Test func aFullDiskIsSaidAndWhatWasKeptStaysSo() async throws {
    do {
      let journal = try SQLiteJournal(path: path)
      journal.append(unit(0))
      try await journal.commit(sending(1), surviving: .power)
      // As many pages as there are now, and a few.
      try journal.read { file throws(JournalError) in
        try file.database.execute("PRAGMA max_page_count = 20")
      }
      for number in 1..<5_000 { journal.append(unit(number)) }
      let error = await #expect(throws: JournalError.self) {
        try await journal.commit(sending(2), surviving: .power)
      }
      #expect(error?.message == "the journal '\(path)' cannot be used: the disk is full")
      #expect(await journal.finish() == error)
      journal.close()
    }
    let history = try SQLiteJournal(path: path).history()
    #expect(history.sendings.map(\.id) == [1])
    #expect(try history.units(after: 0).isEmpty == false)
  }

  /// The clock was set back after the run began: it is listed and kept, and goes on.
  @Test func aRunThatBeginsInTheFutureGoesOn() async throws {
    let store = RunStore(path: folder.path + "/runs")
    let future = Clock.now + 86_400 * 30
    for number in 0..<2 {
      let journal = number == 0 ? try store.create(id: "aaaa") : try store.open(id: "aaaa")
      journal.append(
        .started(
          RunRecord(
            id: "aaaa", workflow: "w", file: "w.json", startedAt: future, environment: nil,
            inputs: [:])))
      journal.append(unit(number))
      #expect(await journal.finish() == nil)
      journal.close()
    }
    // Making another run removes those that are too old.
    try store.create(id: "bbbb").close()
    #expect(store.ids().sorted() == ["aaaa", "bbbb"])
    let run = try #require(store.runs().first { $0.id == "aaaa" })
    #expect(run.startedAt == future)
    let history = try store.open(id: "aaaa").history()
    #expect(try history.units(after: 0).count == 2)
  }

  // MARK: Files that are none of ours

  /// A journal of one run with one unit, whose process has ended.
  private func store() async throws -> RunStore {
    let store = RunStore(path: folder.path + "/runs")
    let journal = try store.create(id: "aaaa")
    try await journal.commit(
      .started(
        RunRecord(
          id: "aaaa", workflow: "w", file: "w.json", startedAt: 1, environment: nil, inputs: [:])),
      surviving: .process)
    journal.append(unit(1))
    #expect(await journal.finish() == nil)
    journal.close()
    return store
  }

  private var journalOfRun: String { folder.path + "/runs/aaaa/journal.sqlite" }

  /// Changes the journal of the run as somebody might by hand.
  private func change(_ sql: String) throws { try SQLiteDatabase(path: journalOfRun).execute(sql) }

  @Test(arguments: ["units", "run", "other"])
  func aViewThatNeverEndsHangsNobody(_ name: String) async throws {
    let store = try await store()
    try change(
      """
      DROP TABLE IF EXISTS \(name);
      CREATE VIEW \(name) AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id, id AS step, id AS name, id AS value FROM n
      """)
    #expect(throws: JournalError.self) { _ = try store.history(id: "aaaa") }
    let error = #expect(throws: JournalError.self) { _ = try store.open(id: "aaaa") }
    #expect(error?.message.contains("it is not a journal, or it is damaged") == true)
  }

  @Test(arguments: [Int.max, Int.min]) func numbersOfAJournalAreBounded(_ number: Int) async throws
  {
    let store = try await store()
    for sql in [
      "INSERT INTO processes SELECT id + 1, began, status, duration, requests, report FROM processes",
      "UPDATE processes SET requests = \(number), duration = 1e300, began = -1e300",
      "UPDATE units SET took = \(number), began = \(number)",
      "INSERT INTO units (id, step, state, took) VALUES (\(number), 1, 'done', \(number))",
      "UPDATE run SET value = '-1e300' WHERE name = 'startedAt'",
    ] {
      try change(sql)
    }
    unlink(folder.path + "/runs/aaaa/run.json")
    let run = try #require(store.runs().first)
    #expect((0...1 << 48).contains(try #require(run.requests)))
    #expect(try #require(run.duration) < 1e12)
    _ = try store.history(id: "aaaa")
    let journal = try store.open(id: "aaaa")
    defer { journal.close() }
    let history = try journal.history()
    var last = 0
    while let unit = try history.units(after: last).last {
      _ = try history.unit(unit.id)
      last = unit.id
    }
    try await journal.commit(
      .started(
        RunRecord(
          id: "aaaa", workflow: "w", file: "w.json", startedAt: -1e300, environment: nil,
          inputs: [:])), surviving: .power)
  }

  @Test func aNumberAfterWhichNoneFollowsIsBounded() async throws {
    let store = try await store()
    try change("INSERT INTO sendings (id, step) VALUES (\(Int.max), 1)")
    let journal = try store.open(id: "aaaa")
    defer { journal.close() }
    #expect(try journal.history().lastSending == 1 << 48)
  }

  @Test func aPageAfterWhichNoneFollowsIsDamage() async throws {
    for sql in [
      "INSERT INTO pages (step, number) VALUES (1, \(Int.max))",
      "INSERT INTO pages (step, number) VALUES (1, -1)",
    ] {
      let store = try await store()
      try change(sql)
      let journal = try store.open(id: "aaaa")
      let error = #expect(throws: JournalError.self) { _ = try journal.history() }
      #expect(error?.message.hasSuffix("it is damaged") == true)
      journal.close()
      try store.delete(id: "aaaa")
    }
  }

  /// Whatever is where a file of a run should be: the run can be removed, and nobody waits for it.
  @Test(arguments: [
    "journal.sqlite", "run.json", "lock", "trace.log", "trace.json", "journal.sqlite-wal",
  ])
  func aFolderOrAPipeInPlaceOfAFileCanBeDeleted(_ name: String) async throws {
    for command in ["mkdir -p '%/inner/more'; touch '%/inner/file'", "mkfifo '%'"] {
      let store = try await store()
      let path = folder.path + "/runs/aaaa/" + name
      unlink(path)
      _ = system(command.replacing("%", with: path))
      _ = store.listing()
      _ = try? store.history(id: "aaaa")
      _ = store.trace(of: "aaaa")
      try store.delete(id: "aaaa")
      #expect(store.ids().isEmpty)
    }
  }

  @Test func aLinkIsRemovedAndNotFollowed() async throws {
    let store = try await store()
    folder.write("kept", to: "outside/file")
    unlink(journalOfRun)
    symlink(folder.path + "/outside", journalOfRun)
    try store.delete(id: "aaaa")
    #expect(folder.read("outside/file") == "kept")
  }
}
