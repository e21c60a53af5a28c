public import PipelineKit
internal import Synchronization

/// A journal in an SQLite file.
///
/// One thread writes, in groups: every 50 ms, after 500 entries, and at once for what is committed.
/// Many commits that come together are one. `commit(_:surviving: .power)` waits for the disk, all
/// else does not.
///
/// What fails ends the journal: later entries are dropped, commits fail, and `finish()` says why.
public final class SQLiteJournal: Journal {
  private let writer: JournalWriter

  /// Opens the journal at `path`, which is made if it is missing.
  ///
  /// - Throws: An error if SQLite is missing, if the file cannot be used, or if another process
  ///   uses it.
  public convenience init(path: String) throws(JournalError) {
    try self.init(path: path, folder: nil)
  }

  init(path: String, folder: RunFolder?) throws(JournalError) {
    writer = try JournalWriter(path: path, folder: folder)
  }

  deinit { writer.close() }

  /// Writes what is left and gives the file free for another process. What comes later is dropped.
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
        run: try file.run(), sendings: try file.sendings(), pages: try file.pages(),
        savedFiles: try file.savedFiles(), journal: self)
    }
  }

  /// A text that was kept about the run: one of `RunStore.create(id:details:)`.
  ///
  /// - Throws: An error if the journal cannot be read.
  public func value(of name: String) throws(JournalError) -> String? {
    try read { file throws(JournalError) in try file.value(of: name) }
  }

  func set(_ name: String, to value: String) throws(JournalError) {
    try read { file throws(JournalError) in try file.set(name, to: value) }
  }

  func read<Value>(
    _ body: (JournalFile) throws(JournalError) -> Value
  ) throws(JournalError) -> Value {
    try writer.read(body)
  }

  private final class History: JournalHistory {
    let run: RunRecord?
    let sendings: [SendingRecord]
    let pages: [PageRecord]
    let savedFiles: [String]
    private let journal: SQLiteJournal
    /// The blocks of units that were read last, by number, and when each was read. Units are asked
    /// for nearly in the order of the journal, so most are in one of a few.
    private let blocks = Mutex<[Int: Block]>([:])

    private struct Block {
      var units: [Int: UnitRecord]
      let serial: Int
    }

    private static let blockSize = 512
    private static let mostBlocks = 8

    init(
      run: RunRecord?, sendings: [SendingRecord], pages: [PageRecord], savedFiles: [String],
      journal: SQLiteJournal
    ) {
      self.run = run
      self.sendings = sendings
      self.pages = pages
      self.savedFiles = savedFiles
      self.journal = journal
    }

    func forEachUnit(_ body: (RecordedUnit) -> Void) throws(JournalError) {
      try journal.read { file throws(JournalError) in try file.forEachUnit(body) }
    }

    func unit(_ id: RecordedUnit.ID) throws(JournalError) -> UnitRecord? {
      let number = id / Self.blockSize
      let (isRead, known) = blocks.withLock { blocks -> (Bool, UnitRecord?) in
        // Taken out in place: a second reference to the block would have it copied.
        guard let place = blocks.index(forKey: number) else { return (false, nil) }
        return (true, blocks.values[place].units.removeValue(forKey: id))
      }
      if isRead { return known }
      var units = try journal.read { file throws(JournalError) in
        try file.units(from: number * Self.blockSize, count: Self.blockSize)
      }
      let unit = units.removeValue(forKey: id)
      blocks.withLock { blocks in
        let serial = (blocks.values.map(\.serial).max() ?? 0) + 1
        blocks[number] = Block(units: units, serial: serial)
        guard blocks.count > Self.mostBlocks,
          let oldest = blocks.min(by: { $0.value.serial < $1.value.serial })?.key
        else { return }
        blocks[oldest] = nil
      }
      return unit
    }
  }
}
