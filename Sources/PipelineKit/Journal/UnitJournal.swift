internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineWorkflows
internal import Synchronization

/// The access of a run's tasks to its journal: they write entries, and read those of earlier
/// processes.
final class UnitJournal: Sendable {
  let journal: any Journal
  let fingerprints = UnitFingerprints()
  private let clock: any RunClock
  private let redactor: Redactor
  /// When the process took the run up.
  private let start: Duration
  /// The pages of units that did not end, by unit.
  private let pages: [UnitKey: [PageRecord]]
  /// Requests that may be sent again with the same key, by method and body.
  private let keyed: [Fingerprint: [SendingRecord]]
  /// The units of this process that have taken them up, by their numbers.
  private let heirs = Mutex<[SendingRecord.ID: UnitKey]>([:])
  private let savedFiles: Set<ExactPath>
  private let nextSending: Atomic<Int>
  /// How many requests nobody knows the outcome of.
  private let doubts = Atomic<Int>(0)
  /// Requests of this process that have left, or were written down and are about to leave.
  private let requests = Atomic<Int>(0)

  init(
    _ journal: any Journal, _ history: any JournalHistory, clock: any RunClock, redactor: Redactor
  ) {
    self.journal = journal
    self.clock = clock
    self.redactor = redactor
    start = clock.elapsed
    pages = Dictionary(grouping: history.pages, by: \.unit)
    keyed = Dictionary(grouping: history.sendings.filter { !$0.isInDoubt }, by: \.content)
    savedFiles = Set(history.savedFiles.map(ExactPath.init))
    nextSending = Atomic((history.sendings.map(\.id).max() ?? 0) &+ 1)
  }

  var now: Duration { clock.elapsed - start }

  var requestCount: Int { requests.load(ordering: .relaxed) }

  /// Counts a request. Returns how many there are.
  @discardableResult func countRequest() -> Int { requests.add(1, ordering: .relaxed).newValue }

  /// A request that was counted does not leave.
  func discountRequest() { requests.subtract(1, ordering: .relaxed) }

  // MARK: Units

  /// Writes down how a unit ended.
  ///
  /// - Parameter sendings: Its requests that must not be sent twice.
  func record(_ unit: Unit, _ outcome: UnitOutcome, began: Duration, _ sendings: Sendings?) {
    let key = sendings?.key ?? fingerprints.key(of: unit)
    let ended = { (outcome: UnitRecord.Outcome, settled: [Int]) in
      self.journal.append(
        .unit(
          UnitRecord(
            key: key, outcome: outcome, began: began, duration: self.now - began,
            settled: settled, requests: self.requestCount)))
    }
    switch outcome {
    case .values(let values):
      let isWithheld = holdsSecret(values, of: unit)
      if isWithheld, let sendings, !unit.givesCredentials {
        for sending in sendings.answered { journal.append(.sent(sending.id, .secret)) }
        ended(.withheld, [])
      } else {
        ended(isWithheld ? .withheld : .values(values), sendings?.answered.map(\.id) ?? [])
      }
    case .failed(let failure):
      for sending in sendings?.answered ?? [] {
        journal.append(.sent(sending.id, .answered(status: sending.status)))
      }
      ended(
        .failed(failure.hiding(unit.secrets, redactor)), [])
    case .cancelled:
      for sending in sendings?.answered ?? [] {
        journal.append(.sent(sending.id, .answered(status: sending.status)))
      }
    case .skipped: break
    }
    doubts.add(sendings?.unansweredCount ?? 0, ordering: .relaxed)
  }

  /// How many requests of this process may have arrived, with an outcome that nobody knows.
  var doubtCount: Int { doubts.load(ordering: .relaxed) }

  /// Whether a text that a unit gave holds a secret.
  func holdsSecret(_ text: [UInt8], of unit: Unit) -> Bool {
    let secrecy = unit.frame.secrecy[unit.frame.block]
    if secrecy.steps.indices.contains(unit.step), !secrecy.steps[unit.step].values.isNone {
      return true
    }
    return !redactor.places(in: text).isEmpty || !unit.secrets.places(in: text).isEmpty
  }

  // MARK: Pages

  /// The pages of a unit that earlier processes have read, by number.
  func pages(of key: UnitKey) -> [Int: PageRecord] {
    Dictionary((pages[key] ?? []).map { ($0.number, $0) }, uniquingKeysWith: { $1 })
  }

  func record(_ page: PageRecord, of unit: Unit) {
    let next: String? =
      switch page.next {
      case .link(let url): url
      case .cursor(let text): text
      case .none, .number: nil
      }
    guard !holdsSecret(page.values, of: unit),
      next.map({ !holdsSecret(Array($0.utf8), of: unit) }) ?? true
    else { return }
    journal.append(.page(page))
  }

  // MARK: Files

  /// Whether an earlier process of the run saved a file there, which may be replaced.
  func hasSaved(_ path: String) -> Bool { savedFiles.contains(ExactPath(path)) }

  /// Writes down that a file is about to be saved.
  func beginSaving(_ path: String) async throws(JournalError) {
    if hasSaved(path) { return }
    try await journal.commit(.saving(path: path), surviving: .power)
  }

  // MARK: Requests that must not be sent twice

  /// An equal request that an earlier process was about to send, for the same unit or for one with
  /// the same items: the list may be in another order now. Each is given to one unit.
  ///
  /// - Parameter url: As it is written down.
  func kept(
    _ key: UnitKey, items: Fingerprint, content: Fingerprint, url: () -> String
  ) -> SendingRecord? {
    guard let records = keyed[content] else { return nil }
    return heirs.withLock { heirs in
      let free = records.filter {
        $0.unit.step == key.step && (heirs[$0.id] ?? key) == key
      }
      let record =
        free.first { heirs[$0.id] == key } ?? free.first { $0.unit == key }
        ?? free.first { $0.items == items && $0.url == url() }
      if let record { heirs[record.id] = key }
      return record
    }
  }

  func nextSendingID() -> Int { nextSending.add(1, ordering: .relaxed).oldValue }
}

/// A path, compared byte by byte.
private struct ExactPath: Hashable {
  let bytes: [UInt8]

  init(_ path: String) { bytes = Array(path.utf8) }
}

extension Unit {
  /// The secrets that the unit reads.
  var secrets: KnownSecrets { KnownSecrets(stepPlan.step, at: secretRanges, in: scope) }

  /// Whether the secrets that the unit gives are read as credentials and nowhere else: then it may
  /// ask for them again.
  var givesCredentials: Bool {
    let block = frame.block
    let id = stepPlan.step.id.value
    func reads(_ use: Use) -> Bool { use.query.firstNames.contains { $0.equals(bytes: id) } }
    // A branch's outputs are read from the step around it.
    guard !block.block.isChoice, !block.block.outputUses.contains(where: reads) else {
      return false
    }
    func holds(_ block: BlockPlan) -> Bool {
      block.steps.enumerated().allSatisfy { number, plan in
        let ranges = frame.secrecy.ranges(of: number, in: block) ?? []
        let isWell = (plan.step.iterationUses + plan.step.uses).allSatisfy { use in
          guard reads(use), ranges.contains(use.range) else { return true }
          switch use.site {
          case .credential, .header, .cookie: return true
          default: return false
          }
        }
        return isWell && plan.inner.map(holds) ?? true
      }
    }
    return holds(block)
  }
}
