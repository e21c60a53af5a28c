internal import Synchronization

/// A journal in memory, for tests, and for an app that resumes a run in the same process.
public final class MemoryJournal: Journal {
  private let state = Mutex<[JournalEntry]>([])

  /// An empty journal.
  public init() {}

  /// All entries so far, in order.
  public var entries: [JournalEntry] { state.withLock { $0 } }

  /// A journal with the first entries of this one: as if the process had ended there.
  ///
  /// - Parameter count: The number of entries.
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
    private var all: [SendingRecord] = []
    private var answers: [SendingRecord.ID: RecordedAnswer] = [:]
    private(set) var lastSending = 0
    private var process = 0
    var pages: [PageRecord] = []
    var savedFiles: [SavedFile] = []
    private(set) var questions: [AskedQuestion] = []
    private var units: [UnitRecord] = []

    init(_ entries: [JournalEntry]) {
      for entry in entries { read(entry) }
    }

    private mutating func read(_ entry: JournalEntry) {
      switch entry {
      case .started(let record):
        run = run ?? record
        process += 1
      case .unit(let unit):
        // What a person said last counts.
        if unit.key.digest == nil { removeSettlement(unit.key, unit.items) }
        units.append(unit)
        // A unit that failed goes on after its last page.
        if case .failed = unit.outcome {} else { pages.removeAll { $0.unit == unit.key } }
        settle(unit.settled, as: unit.key.digest == nil ? .settled : .done)
      case .page(let page):
        pages.append(page)
        settle(page.settled, as: .done)
      case .sending(let sending): read(sending)
      case .sent(let id, let state):
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        if state == .again || state == .done { removeSettlement(all[index].unit, all[index].items) }
        if state == nil || state == .secret { answers[id] = nil }
        if let state { all[index].state = state } else { all.remove(at: index) }
      case .answered(let id, let answer):
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        all[index].state = .answered(status: answer.status)
        answers[id] = answer
      case .again(let step): remove { $0.isIn(step) }
      case .passAgain(let step, let place): remove { $0.isInPass(step, place) }
      case .saving(let file): savedFiles.append(file)
      case .finished(let record): questions = record.questions.map(AskedQuestion.init)
      }
    }

    /// What is known of some units no longer counts, unless it is in doubt.
    private mutating func remove(_ isMeant: (UnitKey) -> Bool) {
      units.removeAll { isMeant($0.key) }
      pages.removeAll { isMeant($0.unit) }
      let open = Set(sendings.map(\.id))
      all.removeAll { !open.contains($0.id) && isMeant($0.unit) }
    }

    private mutating func read(_ sending: SendingRecord) {
      lastSending = max(lastSending, sending.id)
      var known = SendingRecord(sending, process: process)
      if let index = all.firstIndex(where: { $0.id == sending.id }) {
        if sending.state == .unanswered { answers[sending.id] = nil }
        known = SendingRecord(sending, process: all[index].process)
        all.remove(at: index)
      }
      all.append(known)
    }

    private mutating func settle(_ requests: [SettledRequest], as state: SendingRecord.State) {
      for request in requests {
        guard let index = all.firstIndex(where: { $0.id == request.id }) else { continue }
        all[index].state = state
        if let answer = request.answer { answers[request.id] = answer }
      }
    }

    private mutating func removeSettlement(_ key: UnitKey, _ items: Fingerprint?) {
      units.removeAll {
        $0.key.digest == nil && $0.key.step == key.step && $0.key.place == key.place
          && $0.items == items
      }
    }

    private var known: [SendingRecord] {
      all.map { record in
        var record = record
        record.kept = answers[record.id]?.kept ?? .nothing
        return record
      }
    }

    var sendings: [SendingRecord] { known.filter(\.isOpen) }
    var hasCarriedOut: Bool { known.contains { !$0.isOpen } }
    func carriedOut() -> [SendingRecord] { known.filter { !$0.isOpen } }
    func answer(of id: SendingRecord.ID) -> RecordedAnswer? { answers[id] }

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
