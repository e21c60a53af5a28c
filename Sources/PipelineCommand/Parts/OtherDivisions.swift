internal import PipelineByteText
internal import PipelineKit
internal import SQLiteJournals

/// The work that parts of other divisions of the same step have done, such as those of 1/2 and 2/2
/// for 1/3. A part takes over the work on its own items, so that nothing is sent again.
struct OtherDivisions: Sendable {
  private(set) var units: [UnitRecord] = []
  /// Requests with an Idempotency-Key, which are sent again with the same one.
  private(set) var keyed: [SendingRecord] = []
  /// Requests that were carried out, with the answers that their steps have not taken.
  private(set) var carriedOut: [(request: SendingRecord, answer: RecordedAnswer?)] = []
  private(set) var pages: [PageRecord] = []
  private(set) var savedFiles: [SavedFile] = []
  /// A part with requests in doubt, which must be settled before anything is sent.
  private(set) var inDoubt: (part: PartFolder.Part, requests: [SendingRecord])?

  static let none = OtherDivisions()

  private init() {}

  /// Reads the journals of the other parts. The caller holds the lease of `part`, so none of them is
  /// at work.
  init(than part: PartFolder.Part, in folder: PartFolder) throws {
    let others = folder.otherDivisions(than: part, having: "journal-", ".sqlite")
    guard !others.isEmpty else { return }
    // Other shards of this division may read them, too, and a journal is opened by one process.
    let lock = try FolderLock(path: part.folder + "/journals.lock")
    for other in others { try read(other, for: part.shard) }
    _ = consume lock
  }

  private mutating func read(_ other: PartFolder.Part, for shard: RunPart.Shard) throws {
    let journal = try SQLiteJournal(path: other.journalPath)
    defer { journal.close() }
    let history = try journal.history()
    let isOwn = { (key: UnitKey) in key.place.first.map(shard.holds) ?? true }
    var position = 0
    while case let group = try history.units(after: position), let last = group.last {
      for unit in group {
        if let record = try history.unit(unit.id), isOwn(record.key) { units.append(record) }
      }
      position = last.id
    }
    pages += history.pages.filter { isOwn($0.unit) }
    savedFiles += history.savedFiles
    for sending in try history.carriedOut() where isOwn(sending.unit) {
      var answer: RecordedAnswer?
      if case .answered = sending.state { answer = try history.answer(of: sending.id) }
      carriedOut.append((sending, answer))
    }
    let sendings = history.sendings.filter { isOwn($0.unit) }
    keyed += sendings.filter { !$0.isInDoubt }
    let doubts = sendings.filter(\.isInDoubt)
    if inDoubt == nil, !doubts.isEmpty { inDoubt = (other, doubts) }
  }
}
