internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineWorkflows
internal import Synchronization

/// The requests of one unit that must not be sent twice, from before they leave until the unit's
/// end is written down.
final class Sendings: Sendable {
  /// Such a request.
  final class Sending: Sendable {
    let id: Int
    /// Whether it may be sent again with its Idempotency-Key.
    let isKeyed: Bool
    private let hasLeftFlag = Atomic<Bool>(false)

    init(id: Int, isKeyed: Bool) {
      self.id = id
      self.isKeyed = isKeyed
    }

    /// Whether a byte of it may have left.
    var hasLeft: Bool { hasLeftFlag.load(ordering: .relaxed) }

    /// Returns whether it leaves for the first time: it was counted when it was written down.
    func leave() -> Bool { !hasLeftFlag.exchange(true, ordering: .relaxed) }
  }

  struct Answered: Sendable {
    let id: Int
    let status: Int
  }

  private struct State {
    var answered: [Answered] = []
    var unansweredCount = 0
    /// The numbers of requests with an Idempotency-Key, which each attempt has in common.
    var keyed: [Fingerprint: Int] = [:]
  }

  let key: UnitKey
  private let unit: Unit
  private let journal: UnitJournal
  private let state = Mutex(State())

  init(_ unit: Unit, _ journal: UnitJournal) {
    key = journal.fingerprints.key(of: unit)
    self.unit = unit
    self.journal = journal
  }

  /// Those that a server has answered well, since the last page or poll that was written down.
  var answered: [Answered] { state.withLock { $0.answered } }

  /// How many nobody knows the outcome of.
  var unansweredCount: Int { state.withLock { $0.unansweredCount } }

  /// The same, which from now on belong to a page or a poll that has ended.
  func takeAnswered() -> [Int] {
    state.withLock { state in
      defer { state.answered = [] }
      return state.answered.map(\.id)
    }
  }

  /// Earlier responses are of no further interest.
  func settleAnswered() {
    for id in takeAnswered() { journal.journal.append(.sent(id, nil)) }
  }

  /// Writes down that a request is about to leave. Returns when that survives a loss of power.
  ///
  /// - Parameter url: Without secrets.
  /// - Throws: A failure if it cannot be written down: then the request must not leave.
  func begin(
    _ parts: RequestBuilder.Parts, url: String, time: Double
  ) async throws(FailureReason) -> Sending {
    let (content, items) = (Self.content(of: parts), unit.items)
    let idempotencyKey = Self.idempotencyKey(of: parts)
    let known =
      state.withLock { $0.keyed[content] }
      ?? journal.kept(key, items: items, content: content, url: { url })?.id
    let sending = Sending(
      id: known ?? journal.nextSendingID(), isKeyed: idempotencyKey != nil)
    if sending.isKeyed { state.withLock { $0.keyed[content] = sending.id } }
    let requests = journal.countRequest()
    do throws(JournalError) {
      try await journal.journal.commit(
        .sending(
          SendingRecord(
            id: sending.id, unit: key, method: parts.method, url: url, time: time,
            idempotencyKey: idempotencyKey, content: content, items: items, requests: requests)),
        surviving: .power)
    } catch {
      journal.discountRequest()
      throw FailureReason(
        .file,
        "\(error.message), so the request was not sent: after a crash nobody could know of it")
    }
    return sending
  }

  /// The outcome of an attempt.
  ///
  /// - Parameter status: Of the answer; `nil`: there was none.
  func end(_ sending: Sending, status: Int?) {
    if let status {
      // The server said that it did not do it.
      if status >= 400 { return journal.journal.append(.sent(sending.id, nil)) }
      state.withLock { $0.answered.append(Answered(id: sending.id, status: status)) }
    } else if sending.hasLeft {
      if !sending.isKeyed { state.withLock { $0.unansweredCount += 1 } }
    } else {
      journal.discountRequest()
      journal.journal.append(.sent(sending.id, nil))
    }
  }

  /// The key with which an equal request was about to be sent by an earlier process.
  ///
  /// - Parameter url: Without secrets.
  func keptKey(for parts: RequestBuilder.Parts, url: @autoclosure () -> String) -> String? {
    journal.kept(key, items: unit.items, content: Self.content(of: parts), url: url)?.idempotencyKey
  }

  private static func idempotencyKey(of parts: RequestBuilder.Parts) -> String? {
    parts.headers.first { $0.name.equalsIgnoringASCIICase("idempotency-key") }?.value
  }

  private static func content(of parts: RequestBuilder.Parts) -> Fingerprint {
    var hash = SHA256()
    hash.update(parts.method.utf8)
    if case .bytes(let bytes) = parts.body { hash.update(bytes) }
    return Fingerprint(hash)
  }
}
