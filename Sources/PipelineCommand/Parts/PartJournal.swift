internal import PipelineByteText
internal import PipelineKit
internal import Synchronization

/// The journal of one part: its own, and before it all units of the parts that it follows and what
/// parts of other divisions have done.
final class PartJournal: Journal {
  private let record: RunRecord
  private let own: any Journal
  /// The units of other parts, failed ones too.
  private let others: PartUnitIndex
  /// What parts of other divisions of the step have done.
  private let divisions: OtherDivisions
  /// Units that failed in this process.
  private let failed = Mutex<[UnitKey: UnitRecord]>([:])

  init(
    _ record: RunRecord, own: any Journal, others: PartUnitIndex,
    divisions: OtherDivisions = .none
  ) {
    self.record = record
    self.own = own
    self.others = others
    self.divisions = divisions
  }

  func history() throws(JournalError) -> any JournalHistory {
    History(run: record, own: try own.history(), others: others, divisions: divisions)
  }

  func append(_ entry: JournalEntry) {
    if case .unit(let unit) = entry { note(unit) }
    own.append(entry)
  }

  func commit(
    _ entry: JournalEntry, surviving survival: JournalSurvival
  ) async throws(JournalError) {
    try await own.commit(entry, surviving: survival)
  }

  func finish() async -> JournalError? { await own.finish() }

  private func note(_ unit: UnitRecord) {
    failed.withLock { failed in
      if case .failed = unit.outcome { failed[unit.key] = unit } else { failed[unit.key] = nil }
    }
  }

  /// The outcome of each unit of the step, including those of earlier processes.
  ///
  /// - Parameter body: Called with each of them.
  func forEachUnit(
    of step: String, _ body: (UnitRecord, PartUnits.Outcome) -> Void
  ) throws(JournalError) {
    let history = try own.history()
    let secrets = Set(history.sendings.filter { $0.state == .secret }.map(\.unit))
    var written: Set<UnitKey> = []
    var position = 0
    while case let units = try history.units(after: position), let last = units.last {
      for unit in units {
        guard let record = try history.unit(unit.id), record.key.isPart(of: step),
          written.insert(record.key).inserted
        else { continue }
        body(record, secrets.contains(record.key) ? .secret : .recorded(record.outcome))
      }
      position = last.id
    }
    for record in divisions.units where record.key.isPart(of: step) {
      guard written.insert(record.key).inserted else { continue }
      body(record, .recorded(record.outcome))
    }
    for record in failed.withLock({ Array($0.values) })
    where record.key.isPart(of: step) && !written.contains(record.key) {
      body(record, .recorded(record.outcome))
    }
  }

  private struct History: JournalHistory {
    let run: RunRecord?
    let sendings: [SendingRecord]
    let lastSending: SendingRecord.ID
    let hasCarriedOut: Bool
    let pages: [PageRecord]
    let savedFiles: [SavedFile]
    private let own: any JournalHistory
    private let others: PartUnitIndex
    /// The units that parts of other divisions carried out.
    private let foreign: [UnitRecord]
    /// The requests that parts of other divisions carried out.
    private let foreignCarriedOut: [SendingRecord]
    private let foreignAnswers: [SendingRecord.ID: RecordedAnswer]

    private static let group = 512

    init(
      run: RunRecord, own: any JournalHistory, others: PartUnitIndex, divisions: OtherDivisions
    ) {
      self.run = run
      self.own = own
      self.others = others
      foreign = divisions.units
      // A sending of another division gets a number of the own journal, which it enters when it
      // is repeated, or settled.
      var last = own.lastSending
      var keyed: [SendingRecord] = []
      for sending in divisions.keyed {
        last += 1
        keyed.append(sending.numbered(last))
      }
      sendings = own.sendings + keyed
      var answers: [SendingRecord.ID: RecordedAnswer] = [:]
      var carriedOut: [SendingRecord] = []
      for (sending, answer) in divisions.carriedOut {
        last += 1
        answers[last] = answer
        carriedOut.append(sending.numbered(last, kept: answer?.kept ?? .nothing))
      }
      lastSending = last
      hasCarriedOut = own.hasCarriedOut || !carriedOut.isEmpty
      foreignCarriedOut = carriedOut
      foreignAnswers = answers
      pages = own.pages + divisions.pages
      savedFiles = own.savedFiles + divisions.savedFiles
    }

    func carriedOut() throws(JournalError) -> [SendingRecord] {
      foreignCarriedOut + (try own.carriedOut())
    }

    func carriedOut(
      where isWanted: (SendingRecord) -> Bool
    ) throws(JournalError) -> [SendingRecord] {
      foreignCarriedOut.filter(isWanted) + (try own.carriedOut(where: isWanted))
    }

    func answer(of id: SendingRecord.ID) throws(JournalError) -> RecordedAnswer? {
      if let answer = foreignAnswers[id] { return answer }
      return try own.answer(of: id)
    }

    // The units of other parts have the first numbers: a run requests them first.
    func units(after id: RecordedUnit.ID) throws(JournalError) -> [RecordedUnit] {
      if id < others.count { return others.recorded(from: id, limit: Self.group) }
      let start = id - others.count
      if start < foreign.count {
        return foreign[start...].prefix(Self.group).enumerated().map { index, unit in
          RecordedUnit(
            id: id + index + 1, placeHash: unit.key.placeHash, digest: unit.key.digest)
        }
      }
      let before = others.count + foreign.count
      return try own.units(after: id - before).map {
        RecordedUnit(id: $0.id + before, placeHash: $0.placeHash, digest: $0.digest)
      }
    }

    func unit(_ id: RecordedUnit.ID) throws(JournalError) -> UnitRecord? {
      if id <= others.count { return try others.unit(id - 1) }
      let number = id - others.count
      return number <= foreign.count ? foreign[number - 1] : try own.unit(number - foreign.count)
    }
  }
}

extension SendingRecord {
  fileprivate func numbered(_ id: Int, kept: Kept = .nothing) -> SendingRecord {
    SendingRecord(
      id: id, unit: unit, method: method, url: url, body: body, item: item, time: time,
      idempotencyKey: idempotencyKey, content: content, request: request, items: items,
      around: around, state: state, kept: kept, process: process, requests: requests,
      isOfCleanUp: isOfCleanUp)
  }
}

extension UnitKey {
  /// Whether it belongs to a step of the file, or to one inside it.
  fileprivate func isPart(of step: String) -> Bool {
    self.step.equals(bytes: step) || self.step.hasPrefix(bytes: step + ".")
  }
}
