internal import PipelineByteText
internal import PipelineLanguage
internal import PipelinePlanning

/// The units that earlier processes carried out. Each is taken once: equal units are as many as
/// were recorded.
///
/// A resumed run takes about the order in which it was recorded. So the journal is read only as far
/// as necessary, and entries are forgotten when they are taken.
///
/// The states of a unit in the journal, and the functions on the edges between them:
///
/// ```
///   unknown ──Sendings.begin──► announced ──Sendings.end──► answered
///      │                          │     │                       │
///      │          takeBack, or    │     │ no answer             │
///      │◄─── the server refused ──┘     ▼                       │ UnitJournal.record
///      │                            in doubt                    │
///      │ UnitJournal.record             │ a person settles it   │
///      │ (no unsafe request)            ▼                       ▼
///      └───────────────────────────► recorded ◄─────────────────┘
///                                       │
///                             take      │      hold, decide
///            taken ◄────────────────────┴────────────────────► read again, or asked
/// ```
///
/// Only a unit with a request that must not be sent twice is announced. `take` is by a unit's work
/// and place, then by what a person settled, then by its work alone (`takeMoved`). `hold` keeps a
/// unit back whose request may have been carried out in another form, until `decide` has seen all
/// that compete for the recorded ones.
///
/// Invariants:
/// 1. A recorded unit is taken at most once: `exact` loses it, and `taken` has it once `moved` is
///    made.
/// 2. Every unit up to `position` has been read, and none after it. `isAtEnd` means all of them.
/// 3. A unit that was held back is either in `held` or in `decided` until `nextDecision` gives it.
/// 4. The requests in `asked` were not given to any unit.
struct RecordedUnits {
  private let history: any JournalHistory
  private let fingerprints: UnitFingerprints
  /// By a unit's work and its place.
  private var exact: [UInt64: Int] = [:]
  /// The units whose end a person has settled, by the items that they were for; `nil` if an older
  /// journal does not say.
  private var settled: [Fingerprint?: [UnitRecord]] = [:]
  /// The last unit that was read.
  private var position = 0
  private var isAtEnd = false
  /// By a unit's work, the last recorded first. Made when a unit is not at its place.
  private var moved: [Fingerprint: [Int]]?
  private var taken: Set<Int> = []
  /// What must not be sent twice. It is read when it is first asked for.
  private var carriedOut = CarriedOutRequests()
  private let hasCarriedOut: Bool
  /// Requests whose outcome the units find out that send them.
  private let underWay: [SendingRecord]
  private let work: UnitWork?
  /// The units that are held back, and those that were decided about, the first one last.
  private var held: [CarriedOutRequests.Held] = []
  private var decided: [(unit: Unit, decision: CarriedOutRequests.Decision)] = []
  /// Requests that a person must decide about.
  private(set) var asked: [SendingRecord] = []
  /// The units that would send other requests in their place, by serial number.
  private(set) var askedUnits: Set<Int> = []
  /// The steps of the file whose units may be carried out; `nil` for all of them.
  private let own: Set<ExactText>?

  /// - Throws: An error if the journal cannot be read.
  init(
    _ history: any JournalHistory, _ fingerprints: UnitFingerprints, _ work: UnitWork? = nil,
    own: Set<ExactText>? = nil
  ) throws(JournalError) {
    self.work = work
    underWay = work.map { history.underWay(in: $0.plan) } ?? []
    hasCarriedOut = work != nil && history.hasCarriedOut || !underWay.isEmpty
    self.own = own
    self.history = history
    self.fingerprints = fingerprints
    try readOn()
  }

  var isEmpty: Bool { isAtEnd && exact.isEmpty && settled.isEmpty && !hasCarriedOut }

  /// Reads some more units.
  private mutating func readOn() throws(JournalError) {
    let units = try history.units(after: position)
    for unit in units {
      if let digest = unit.digest {
        exact[Self.index(digest, unit.placeHash)] = unit.id
      } else if let record = try history.unit(unit.id) {
        settled[record.items, default: []].append(record)
      }
    }
    if let last = units.last { position = last.id } else { isAtEnd = true }
  }

  /// Calls `body` with every unit of the journal.
  private func forEachUnit(_ body: (RecordedUnit) -> Void) throws(JournalError) {
    var position = 0
    while true {
      let units = try history.units(after: position)
      guard let last = units.last else { return }
      units.forEach(body)
      position = last.id
    }
  }

  /// The places of units that were carried out, for a rehearsal. Made when it is first asked for.
  private var places: Set<UInt64>?

  /// Why a unit that is not taken is carried out.
  mutating func reason(for unit: Unit) throws(JournalError) -> Rehearsal.Reason {
    if withheld.contains(unit.serial) { return .secret }
    // A person decides about units that were carried out and have changed.
    if hasCarriedOut, unit.isUnsafe { return .unfinished }
    if places == nil {
      var places: Set<UInt64> = []
      try forEachUnit { places.insert($0.placeHash) }
      self.places = places
    }
    return places?.contains(fingerprints.key(of: unit).placeHash) == true ? .changed : .unfinished
  }

  /// The units, by serial number, that were found without their values.
  private var withheld: Set<Int> = []

  private static func index(_ digest: Fingerprint, _ place: UInt64) -> UInt64 {
    digest.high ^ UnitKey.mixed(digest.low ^ place)
  }

  /// The outcome of a unit in an earlier process; `nil` if it is to be carried out.
  mutating func take(_ unit: Unit) -> UnitOutcome? {
    let key = fingerprints.key(of: unit)
    guard let digest = key.digest else { return nil }
    if hasCarriedOut, unit.isUnsafe { carriedOut.note(unit) }
    let index = Self.index(digest, key.placeHash)
    do throws(JournalError) {
      var id: Int?
      while true {
        if let record = takeSettled(unit, at: key) { return Self.outcome(record) }
        id = exact.removeValue(forKey: index)
        if id != nil || isAtEnd { break }
        try readOn()
      }
      if let id, moved == nil || taken.insert(id).inserted, let record = try history.unit(id),
        record.key == key
      {
        if case .withheld = record.outcome {
          // A person may have said later what it came to.
          while !isAtEnd { try readOn() }
          if let record = takeSettled(unit, at: key) ?? takeSettled(unit, of: key.step) {
            return Self.outcome(record)
          }
          withheld.insert(unit.serial)
          return nil
        }
        noteTaken(record.key, unit)
        return Self.outcome(record)
      }
      while !isAtEnd { try readOn() }
      if let record = takeSettled(unit, of: key.step) { return Self.outcome(record) }
      return try takeMoved(key, digest, unit)
    } catch {
      return .failed(FailureReason(.file, error.message))
    }
  }

  /// What a person settled of a unit that stood at this place.
  private mutating func takeSettled(_ unit: Unit, at key: UnitKey) -> UnitRecord? {
    guard !settled.isEmpty else { return nil }
    let isThere = { (record: UnitRecord) in
      record.key.step == key.step && record.key.place == key.place
    }
    return takeSettled(by: unit, of: unit.items, isThere)
      ?? takeSettled(by: unit, of: nil, isThere)
  }

  /// What a person settled of a unit of this step that stood elsewhere and was for the same items.
  ///
  /// The step may do something else now: the author has perhaps corrected what it extracts.
  private mutating func takeSettled(_ unit: Unit, of step: String) -> UnitRecord? {
    settled.isEmpty ? nil : takeSettled(by: unit, of: unit.items) { $0.key.step == step }
  }

  private mutating func takeSettled(
    by unit: Unit, of items: Fingerprint?, _ isWanted: (UnitRecord) -> Bool
  ) -> UnitRecord? {
    let record = takeSettled(of: items, isWanted)
    if let record, hasCarriedOut, unit.isUnsafe { carriedOut.take(settled: record, by: unit) }
    return record
  }

  private mutating func takeSettled(
    of items: Fingerprint?, _ isWanted: (UnitRecord) -> Bool
  ) -> UnitRecord? {
    guard let index = settled[items]?.firstIndex(where: isWanted) else { return nil }
    let record = settled[items]?.remove(at: index)
    if settled[items]?.isEmpty == true { settled[items] = nil }
    return record
  }

  /// A unit that does the same and stood elsewhere: in a list that has changed.
  private mutating func takeMoved(
    _ key: UnitKey, _ digest: Fingerprint, _ unit: Unit
  ) throws(JournalError) -> UnitOutcome? {
    if moved == nil {
      let waiting = Set(exact.values)
      var moved: [Fingerprint: [Int]] = [:]
      try forEachUnit { unit in
        if let digest = unit.digest, waiting.contains(unit.id) {
          moved[digest, default: []].append(unit.id)
        }
      }
      self.moved = moved
    }
    while let id = moved?[digest]?.popLast() {
      guard taken.insert(id).inserted, let record = try history.unit(id),
        record.key.step == key.step
      else { continue }
      guard let outcome = Self.outcome(record) else { return nil }
      noteTaken(record.key, unit)
      return outcome
    }
    return nil
  }

  // MARK: What must not be sent twice

  /// A unit stands for one that is recorded with this key.
  private mutating func noteTaken(_ key: UnitKey, _ unit: Unit) {
    if hasCarriedOut, unit.isUnsafe { carriedOut.take(key, by: unit) }
  }

  /// Holds back a unit that was not taken, if it may have been carried out in another form.
  ///
  /// - Parameter onlyMain: Whether it repeats what cleaned up, so that only the request of a main
  ///   step stands for it.
  mutating func hold(_ unit: Unit, onlyMain: Bool) -> Bool {
    guard let work, hasCarriedOut, unit.isUnsafe else { return false }
    do throws(JournalError) {
      while !isAtEnd { try readOn() }
      if !carriedOut.isRead {
        let before = carriedOut
        let settled = settled
        carriedOut.read(
          try history.carriedOut { !before.wasTaken($0) }, underWay: underWay,
          sends: { work.plan.sendsOnce(at: $0, collections: $1) },
          settlement: { record in settled[record.items]?.first { $0.settles(record) } })
      }
    } catch {
      // Whatever is wrong with the journal, it shows when the unit writes to it.
      return false
    }
    if !underWay.isEmpty,
      carriedOut.takeUnderWay(
        by: unit, fingerprints.key(of: unit), { work.firstRequest(of: unit) })
    {
      return false
    }
    guard
      let form = carriedOut.mayHaveDone(unit, onlyMain: onlyMain, { work.firstRequest(of: unit) })
    else { return false }
    held.append(
      CarriedOutRequests.Held(
        unit, form, fingerprints, work.redactor, onlyMain: onlyMain,
        follower: carriedOut.follower(of: unit)))
    return true
  }

  var isHolding: Bool { !held.isEmpty || !decided.isEmpty }

  /// Decides about all units that are held back.
  ///
  /// - Parameter isThere: Whether a unit was not cancelled in the meantime.
  mutating func decide(
    where isThere: (Unit) -> Bool,
    remaining: (Unit) -> CarriedOutRequests.Remaining,
    mayCome: (CarriedOutRequests.Group) -> Bool
  ) {
    let units = held.filter { isThere($0.unit) }
    held = []
    guard !units.isEmpty else { return }
    let decisions = carriedOut.decide(units, remaining: remaining, mayCome: mayCome)
    let pairs = zip(units, decisions).map { (unit: $0.unit, decision: $1) }
    decided = pairs.reversed() + decided
  }

  /// The next unit that was decided about; its answers are ready for those who carry it out.
  mutating func nextDecision() -> (unit: Unit, decision: CarriedOutRequests.Decision)? {
    guard let next = decided.popLast() else { return nil }
    switch next.decision {
    case .send(let id): if let id { work?.answers.replace(id, by: next.unit) }
    case .resume(let record, _): work?.answers.inherit(record, by: next.unit)
    case .read(let records, _): work?.answers.give(AnswerReplay(records, history), to: next.unit)
    case .take(let record, _):
      _ = takeSettled(of: record.items) { $0.key == record.key }
    case .ask(let request):
      asked.append(request)
      askedUnits.insert(next.unit.serial)
    }
    return next
  }

  /// Why a unit that was not taken must not be carried out either; `nil` if it may be.
  ///
  /// A unit that belongs to another part of the run is carried out by that part, unless it gave a
  /// secret, which was not kept.
  func refusal(of unit: Unit) -> FailureReason? {
    guard let own else { return nil }
    let id = unit.label.id
    let step = id.prefix(before: ".")
    guard !own.contains(ExactText(String(step))), !withheld.contains(unit.serial) else {
      return nil
    }
    return FailureReason(
      .file,
      "part '\(step)' has not been carried out, or what it reads is different now; carry it out"
        + " again with 'pipeline part run --step \(step)'")
  }

  static func outcome(_ record: UnitRecord) -> UnitOutcome? {
    switch record.outcome {
    case .values(let values): .values(values)
    case .skipped: .skipped("it was settled as skipped")
    case .failed(let failure): .failed(failure)
    case .withheld: nil
    }
  }
}

extension UnitRecord {
  /// Whether a person said this of the unit that sent a request.
  fileprivate func settles(_ request: SendingRecord) -> Bool {
    key.step == request.unit.step && key.place == request.unit.place
  }
}
