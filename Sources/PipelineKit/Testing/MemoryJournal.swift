internal import Synchronization

/// A journal in memory, for tests, and for an app that resumes a run in the same process.
public final class MemoryJournal: Journal {
  private let state = Mutex<[JournalEntry]>([])

  /// An empty journal.
  public init() {}

  /// All entries so far, in order.
  public var entries: [JournalEntry] { state.withLock { $0 } }

  /// A journal with the first entries of this one: as if the process had ended there.
  public func prefix(_ count: Int) -> MemoryJournal {
    let journal = MemoryJournal()
    let entries = entries.prefix(count)
    journal.state.withLock { $0 = Array(entries) }
    return journal
  }

  /// Keeps an entry.
  public func append(_ entry: JournalEntry) { state.withLock { $0.append(entry) } }

  /// Keeps an entry. It does not survive the process.
  public func commit(
    _ entry: JournalEntry, surviving survival: JournalSurvival
  ) async throws(JournalError) { append(entry) }

  /// `nil`, because keeping an entry in memory does not fail.
  public func finish() async -> JournalError? { nil }

  /// The record of the entries so far.
  public func history() throws(JournalError) -> any JournalHistory { History(entries) }

  private struct History: JournalHistory {
    var run: RunRecord?
    var sendings: [SendingRecord] = []
    var pages: [PageRecord] = []
    var savedFiles: [String] = []
    private var units: [UnitRecord] = []

    init(_ entries: [JournalEntry]) {
      for entry in entries { read(entry) }
    }

    private mutating func read(_ entry: JournalEntry) {
      switch entry {
      case .started(let record): run = run ?? record
      case .unit(let unit):
        units.append(unit)
        // A unit that failed goes on after its last page.
        if case .failed = unit.outcome {} else { pages.removeAll { $0.unit == unit.key } }
        settle(unit.settled)
      case .page(let page):
        pages.append(page)
        settle(page.settled)
      case .sending(let sending):
        settle([sending.id])
        sendings.append(sending)
      case .sent(let id, let state):
        guard let index = sendings.firstIndex(where: { $0.id == id }) else { return }
        if let state { sendings[index].state = state } else { sendings.remove(at: index) }
      case .again(let step):
        units.removeAll { $0.key.isIn(step) }
        pages.removeAll { $0.unit.isIn(step) }
      case .saving(let path): savedFiles.append(path)
      case .finished: break
      }
    }

    private mutating func settle(_ ids: [SendingRecord.ID]) {
      if !ids.isEmpty { sendings.removeAll { ids.contains($0.id) } }
    }

    func units(after id: RecordedUnit.ID) -> [RecordedUnit] {
      units.enumerated().dropFirst(id).compactMap { index, unit in
        if case .failed = unit.outcome { return nil }
        return RecordedUnit(id: index + 1, placeHash: unit.key.placeHash, digest: unit.key.digest)
      }
    }

    func unit(_ id: RecordedUnit.ID) -> UnitRecord? {
      units.indices.contains(id - 1) ? units[id - 1] : nil
    }
  }
}
