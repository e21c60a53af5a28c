public import PipelineJournals
internal import Synchronization

/// A journal in an SQLite file.
///
/// One thread writes, in groups: every 50 ms, after 500 entries, and at once for committed entries.
/// Many commits that come together are one. Only `commit(_:surviving: .power)` waits for the disk.
///
/// A failure ends the journal: later entries are dropped, commits fail, and `finish()` says why.
public final class SQLiteJournal: Journal {
  private let writer: JournalWriter

  /// Opens the journal at `path`, which is made if it is missing.
  ///
  /// - Parameter path: The path of the database file.
  /// - Throws: An error if SQLite is missing, if the file cannot be used, or if another process
  ///   uses it.
  public convenience init(path: String) throws(JournalError) {
    try self.init(path: path, folder: nil)
  }

  init(path: String, folder: RunFolder?) throws(JournalError) {
    writer = try JournalWriter(path: path, folder: folder)
  }

  deinit { writer.close() }

  /// Loads SQLite, unless it is. If that fails, the first journal says so.
  package static func loadAhead() { SQLiteDatabase.loadAhead() }

  /// Writes what is left and gives the file free for another process. Later entries are dropped.
  public func close() { writer.close() }

  /// Hands an entry to the thread that writes. It does not wait.
  public func append(_ entry: JournalEntry) { writer.append(entry) }

  /// Writes an entry, and waits until it survives what `survival` names.
  public func commit(
    _ entry: JournalEntry, surviving survival: JournalSurvival
  ) async throws(JournalError) {
    try await writer.commit(entry, surviving: survival)
  }

  /// Waits until all entries are written, and says what went wrong, if anything did.
  public func finish() async -> JournalError? { await writer.finish() }

  // MARK: What is there

  /// Reads what earlier processes recorded.
  public func history() throws(JournalError) -> any JournalHistory {
    try read { file throws(JournalError) in
      History(
        run: try file.run(), sendings: try file.sendings(),
        lastSending: try file.lastSending(), hasCarriedOut: try file.hasCarriedOut(),
        pages: try file.pages(),
        savedFiles: try file.savedFiles(), lastUnit: try file.lastUnit(),
        questions: try file.questions().map(AskedQuestion.init), journal: self)
    }
  }

  /// A text that was kept about the run: one of `RunStore.create(id:details:)`.
  ///
  /// - Parameter name: The name of the detail.
  /// - Returns: The text; `nil` if none was kept.
  /// - Throws: An error if the journal cannot be read.
  public func value(of name: String) throws(JournalError) -> String? {
    try read { file throws(JournalError) in try file.value(of: name) }
  }

  /// Later entries are seen by this process, and never reach the file: for a rehearsal.
  package func forgetChanges() throws(JournalError) {
    try read { file throws(JournalError) in try file.database.forgetChanges() }
  }

  /// Keeps a text about the run, in place of another one.
  package func set(_ name: String, to value: String) throws(JournalError) {
    try set([name: value])
  }

  /// Keeps texts about the run: all of them, or none.
  func set(_ values: [String: String]) throws(JournalError) {
    try read { file throws(JournalError) in try file.set(values) }
  }

  func read<Value>(
    _ body: (JournalFile) throws(JournalError) -> Value
  ) throws(JournalError) -> Value {
    try writer.read(body)
  }

  private final class History: JournalHistory {
    let run: RunRecord?
    let sendings: [SendingRecord]
    let lastSending: SendingRecord.ID
    let hasCarriedOut: Bool
    let pages: [PageRecord]
    let savedFiles: [SavedFile]
    let questions: [AskedQuestion]
    private let journal: SQLiteJournal
    /// The number of the last unit at the start: what the run itself adds is not history.
    private let lastUnit: Int
    /// The units that were read last, the newest group last. Units are requested nearly in the
    /// order of the journal, so most are in one of a few groups.
    private let groups = Mutex<[UnitGroup]>([])
    /// The group that is likely to be asked for next.
    private let next = NextGroup()

    /// Apart from the history: work on the writer's queue must not be the last to hold the journal,
    /// whose end waits for that queue.
    private final class NextGroup: Sendable {
      private let group = Mutex<UnitGroup?>(nil)

      func set(_ new: UnitGroup?) { group.withLock { $0 = new } }
      func take() -> UnitGroup? { group.withLock { $0.take() } }
    }

    private static let groupSize = 4_096
    private static let mostGroups = 8
    /// The size of a group that is read for one unit. Its neighbours are likely to be requested
    /// next.
    private static let neighbourhoodSize = 32

    init(
      run: RunRecord?, sendings: [SendingRecord], lastSending: SendingRecord.ID,
      hasCarriedOut: Bool, pages: [PageRecord], savedFiles: [SavedFile], lastUnit: Int,
      questions: [AskedQuestion], journal: SQLiteJournal
    ) {
      self.questions = questions
      self.run = run
      self.sendings = sendings
      self.lastSending = lastSending
      self.hasCarriedOut = hasCarriedOut
      self.pages = pages
      self.savedFiles = savedFiles
      self.lastUnit = lastUnit
      self.journal = journal
    }

    func carriedOut() throws(JournalError) -> [SendingRecord] {
      try journal.read { file throws(JournalError) in try file.carriedOut() }
    }

    func carriedOut(
      where isWanted: (SendingRecord) -> Bool
    ) throws(JournalError) -> [SendingRecord] {
      try journal.read { file throws(JournalError) in try file.carriedOut(where: isWanted) }
    }

    func answer(of id: SendingRecord.ID) throws(JournalError) -> RecordedAnswer? {
      try journal.read { file throws(JournalError) in try file.answer(of: id) }
    }

    func units(after id: RecordedUnit.ID) throws(JournalError) -> [RecordedUnit] {
      var id = id
      while id < lastUnit {
        let group = try read(after: id)
        guard let last = group.ids.last else { break }
        keep(group)
        readAhead(after: last)
        if !group.recorded.isEmpty { return group.recorded }
        id = last
      }
      return []
    }

    /// The group of units after `id`.
    private func read(after id: Int) throws(JournalError) -> UnitGroup {
      try journal.read { file throws(JournalError) in
        if let known = next.take(), known.ids.first == id + 1 { return known }
        return try file.units(after: id, upTo: lastUnit, limit: Self.groupSize)
      }
    }

    /// Keeps a group for later requests.
    private func keep(_ group: UnitGroup) {
      groups.withLock { groups in
        if groups.count == Self.mostGroups { groups.removeFirst() }
        groups.append(group)
      }
    }

    /// Reads the next group while this one is used. If that fails, it is read when it is asked for.
    private func readAhead(after id: Int) {
      guard id < lastUnit else { return }
      journal.writer.readAhead { [next, lastUnit] file in
        next.set(try? file.units(after: id, upTo: lastUnit, limit: Self.groupSize))
      }
    }

    func unit(_ id: RecordedUnit.ID) throws(JournalError) -> UnitRecord? {
      let (isRead, known) = groups.withLock { groups -> (Bool, UnitRecord?) in
        guard let index = groups.lastIndex(where: { $0.ids.contains(id) }) else {
          return (false, nil)
        }
        return (true, groups[index].unit(id))
      }
      if isRead { return known }
      let size = Self.neighbourhoodSize
      let start = (id - 1) / size * size
      let group = try journal.read { file throws(JournalError) in
        try file.units(after: start, upTo: min(start + size, lastUnit), limit: size)
      }
      keep(group)
      return group.unit(id)
    }
  }
}
