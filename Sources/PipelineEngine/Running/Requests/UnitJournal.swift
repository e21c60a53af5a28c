internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs
internal import Synchronization

/// The access of a run's tasks to its journal: they write entries, and read those of earlier
/// processes.
final class UnitJournal: Sendable {
  let journal: any Journal
  let fingerprints: UnitFingerprints
  /// What the scheduler decided about units whose requests were carried out before.
  let answers = UnitAnswers()
  private let clock: any RunClock
  private let redactor: Redactor
  /// When the process took the run up.
  private let start: Duration
  /// The pages of units that did not end, by unit.
  private let pages: [UnitKey: [PageRecord]]
  /// Requests that may be sent again with the same key, by method and body.
  private let keyed: [Fingerprint: [SendingRecord]]
  /// Requests in doubt of steps that find out themselves what became of them, by step.
  private let unsettled: Mutex<[String: [SendingRecord]]>
  /// The units of this process that have taken them up, by their numbers.
  private let heirs = Mutex<[SendingRecord.ID: UnitKey]>([:])
  private let savedFiles: [ExactPath: SavedFile]
  private let plan: Plan
  private let nextSending: Atomic<Int>
  /// How many bytes of answers this process may still keep.
  private let room = Atomic<Int>(mostKeptBytes)
  /// The number of requests with an unknown outcome.
  private let doubts = Atomic<Int>(0)
  /// Requests of this process that have left, or were written down and are about to leave.
  private let requests = Atomic<Int>(0)

  init(
    _ journal: any Journal, _ history: any JournalHistory, clock: any RunClock, redactor: Redactor,
    sandboxOrigin: String?, plan: Plan
  ) {
    fingerprints = UnitFingerprints(sandboxOrigin: sandboxOrigin)
    self.journal = journal
    self.clock = clock
    self.redactor = redactor
    start = clock.elapsed
    pages = Dictionary(grouping: history.pages, by: \.unit)
    keyed = Dictionary(grouping: history.sendings.filter { !$0.isInDoubt }, by: \.content)
    unsettled = Mutex(
      Dictionary(
        grouping: history.sendings.filter { $0.isInDoubt && plan.settlesItself($0.unit.step) },
        by: \.unit.step))
    savedFiles = Dictionary(
      history.savedFiles.map { (ExactPath($0.path), $0) }, uniquingKeysWith: { $1 })
    self.plan = plan
    nextSending = Atomic(history.lastSending &+ 1)
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
    let ended = { (outcome: UnitRecord.Outcome, settled: [SettledRequest]) in
      self.journal.append(
        .unit(
          UnitRecord(
            key: key, outcome: outcome, began: began, duration: self.now - began,
            settled: settled, requests: self.requestCount)))
    }
    switch outcome {
    case .values(let values):
      let answered = sendings?.takeAnswered(isExpected: true) ?? []
      if !holdsSecret(values, of: unit) {
        ended(.values(values), settled(answered))
      } else {
        // A credential may be asked for again.
        let state: SendingRecord.State? = unit.givesCredentials ? nil : .secret
        for sending in answered { journal.append(.sent(sending.id, state)) }
        ended(.withheld, [])
      }
    case .failed(let failure):
      leave(sendings, of: unit)
      ended(.failed(failure.hiding(unit.secrets, redactor)), [])
    case .cancelled: leave(sendings, of: unit)
    case .skipped, .waiting: break
    }
    doubts.add(sendings?.unansweredCount ?? 0, ordering: .relaxed)
  }

  /// The requests of a unit or a page that succeeded, with their answers.
  private func settled(_ answered: [Sendings.Answered]) -> [SettledRequest] {
    for case let record? in answered.map(\.readAgain) { journal.append(.sending(record)) }
    return answered.map { SettledRequest($0.id, answer: $0.answer) }
  }

  /// Writes down what was carried out of a unit that has not succeeded. If the answers can be read
  /// again, nothing about it is in doubt.
  private func leave(_ sendings: Sendings?, of unit: Unit) {
    let wantsBody = unit.stepPlan.request?.wantsBody == true
    for sending in sendings?.takeAnswered() ?? [] where sending.readAgain == nil {
      if let answer = sending.answer, answer.kept == .whole || !wantsBody {
        journal.append(.answered(sending.id, answer))
      } else {
        journal.append(.sent(sending.id, .answered(status: sending.status)))
      }
    }
  }

  /// The number of requests of this process that may have arrived, with an unknown outcome.
  var doubtCount: Int {
    doubts.load(ordering: .relaxed)
      + unsettled.withLock { $0.values.reduce(0) { $0 + $1.count } }
  }

  /// Whether a text that a unit gave holds a secret.
  func holdsSecret(_ text: [UInt8], of unit: Unit) -> Bool {
    if unit.givesSecrets { return true }
    return !redactor.places(in: text).isEmpty
      || !unit.secrets.places(in: text, from: SecretIndex.shortest).isEmpty
  }

  // MARK: Answers

  /// The longest body that is kept, and how much one process keeps in all.
  private static let mostBodyBytes = 1 << 20
  private static let mostKeptBytes = 64 << 20

  /// An answer as it may be kept: without cookies and other secrets; `nil` if it may not be kept.
  func keepable(_ answer: RequestRun.Answer, of unit: Unit) -> RecordedAnswer? {
    let response = answer.response
    guard unit.stepPlan.request?.hasSecretExtractors == false, !unit.givesSecrets else {
      return nil
    }
    let secrets = unit.secrets
    let hasSecrets = redactor.isActive || !secrets.isEmpty
    let holds = { (text: [UInt8]) in
      !self.redactor.places(in: text).isEmpty
        || !secrets.places(in: text, from: SecretIndex.shortest).isEmpty
    }
    guard !hasSecrets || !holds(Array(answer.url.text.utf8)) else { return nil }
    let headers = response.headers.filter {
      !$0.name.equalsIgnoringASCIICase("set-cookie")
        && !(hasSecrets && holds(Array($0.value.utf8)))
    }
    var body: [UInt8]?
    if response.droppedCount == 0, response.body.count <= Self.mostBodyBytes {
      guard !holds(response.body) else { return nil }
      let count = response.body.count
      if room.subtract(count, ordering: .relaxed).newValue >= 0 { body = response.body }
    }
    return RecordedAnswer(
      status: response.status, headers: headers, body: body, url: answer.url.text)
  }

  // MARK: Pages

  /// The pages of a unit that earlier processes have read, by number.
  func pages(of key: UnitKey) -> [Int: PageRecord] {
    Dictionary((pages[key] ?? []).map { ($0.number, $0) }, uniquingKeysWith: { $1 })
  }

  /// A unit takes up a request in doubt that another one began.
  func takeDoubt(_ record: SendingRecord) {
    unsettled.withLock { $0[record.unit.step]?.removeAll { $0.id == record.id } }
  }

  /// Writes down a page that a unit has read.
  ///
  /// - Parameter sendings: Its requests, if no other page is read at the same time.
  func record(_ page: PageRecord, of unit: Unit, _ sendings: Sendings?) {
    guard !holdsSecret(page.values, of: unit),
      page.next.record.target.map({ !holdsSecret(Array($0.utf8), of: unit) }) ?? true
    else { return }
    var page = page
    page.settled = settled(sendings?.takeAnswered(isExpected: true) ?? [])
    page.requests = requestCount
    journal.append(.page(page))
  }

  // MARK: Look-ups

  /// The request in doubt of a unit; `nil` if there is none.
  func takeDoubt(of key: UnitKey) -> SendingRecord? {
    unsettled.withLock { unsettled in
      guard let records = unsettled[key.step] else { return nil }
      let index =
        records.firstIndex { $0.unit == key }
        ?? records.firstIndex { $0.items == nil && $0.unit.place == key.place }
      return index.flatMap { unsettled[key.step]?.remove(at: $0) }
    }
  }

  // MARK: Files

  /// The file that an earlier process of the run saved at a path; `nil` if none did.
  func savedFile(_ path: String, _ unit: Unit) -> SavedFile? {
    savedFiles[ExactPath(written(path, unit))]
  }

  /// Whether a file of an earlier process is the unit's, and may be replaced by it: the unit stands
  /// at the same place, or is for the same items. A file of a step that is gone is anyone's.
  func owns(_ unit: Unit, _ file: SavedFile) -> Bool {
    guard let owner = file.owner else { return true }
    let step = owner.prefix(before: "[")
    if !plan.hasStep(at: String(step)) { return true }
    return owner.equals(bytes: unit.name)
      || step.utf8.elementsEqual(unit.label.id.utf8) && file.items == unit.items
  }

  /// Writes down that a unit is about to save a file.
  ///
  /// - Parameter saved: What `savedFile` gives for it.
  func beginSaving(
    _ path: String, _ unit: Unit, instead saved: SavedFile?
  ) async throws(JournalError) {
    let file = SavedFile(
      path: saved?.path ?? written(path, unit), owner: unit.name, items: unit.items)
    if saved == file { return }
    try await journal.commit(.saving(file), surviving: .power)
  }

  /// A path as it is written down. What holds a secret is not.
  private func written(_ path: String, _ unit: Unit) -> String {
    let bytes = Array(path.utf8)
    guard holdsSecret(bytes, of: unit) else { return path }
    var hash = SHA256()
    hash.update(bytes)
    return Hexadecimal.encode(Fingerprint(hash).bytes)
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
  var secrets: KnownSecrets {
    guard let ranges = secretRanges else { return KnownSecrets() }
    return KnownSecrets(stepPlan.step, at: ranges, in: scope)
  }

  /// Whether the workflow calls a value of the unit's step secret.
  fileprivate var givesSecrets: Bool { frame.secrecy.isSecret(step: step, in: frame.block) }

  /// Whether the unit only gives credentials: secrets that are read as such and nowhere else, and no
  /// other value that is read. Then it may ask for them again.
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
          guard reads(use) else { return true }
          guard ranges.contains(use.range) else { return false }
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
